//! Tables of texts with the blocks, headings and types that they are.

mod laws;
mod ready;
mod speed;

use super::*;

fn blocks(text: &str) -> Vec<(&'static str, &str)> {
    let structured = parse(text, true);
    let spans = structured.document.blocks.iter().map(|block| &text[block.span.range()]);
    structured.blocks.iter().map(|block| block.block_type.name()).zip(spans).collect()
}

/// All headings with their paths above.
fn headings(text: &str) -> Vec<String> {
    let structured = parse(text, true);
    let named = structured.document.blocks.iter().filter(|block| block.kind == BlockKind::Heading);
    named.map(|block| structured.document.path(block.path).join(" > ")).collect()
}

fn assert_blocks(table: &[(&str, &[(&str, &str)])]) {
    for (text, expected) in table {
        assert_eq!(blocks(text), *expected, "{text:?}");
    }
}

fn assert_headings(table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        assert_eq!(headings(text), *expected, "{text:?}");
    }
}

#[test]
fn forms_of_a_line_alone() {
    let table: &[(&str, Option<(u8, &str)>)] = &[
        ("一、售后政策", Some((1, "售后政策"))),
        ("十二、附则", Some((1, "附则"))),
        ("　　十一、加班\r\n", Some((1, "加班"))),
        ("\u{feff}三. 保修 ", Some((1, "保修"))),
        ("二〇二四．总结", Some((1, "总结"))),
        ("两百、说明", Some((1, "说明"))),
        ("一一一一一一一一一一、十个", None),
        ("一，二", None),
        ("一、", None),
        ("一、……", None),
        ("（一）适用范围", Some((2, "适用范围"))),
        ("(二) 例外", Some((2, "例外"))),
        ("（二)例外", None),
        ("（1）例外", None),
        ("第三章 保修", Some((1, "保修"))),
        ("第三章保修", Some((1, "保修"))),
        ("第三章分则", Some((1, "分则"))),
        ("第 2 章 总体设计", Some((1, "总体设计"))),
        ("第 ２　章：总体", Some((1, "总体"))),
        ("第二章", Some((1, "第二章"))),
        ("第二章：", Some((1, "第二章"))),
        ("第一部分 概述", Some((1, "概述"))),
        ("第四节、范围", Some((2, "范围"))),
        ("第十条 定义", Some((3, "定义"))),
        ("第十条的要求", None),
        ("第十条规定了例外", None),
        ("第十条和第二条", None),
        ("第三条第二款", None),
        ("第条 无", None),
        ("第三回 无", None),
        ("1. 故障排查", Some((3, "故障排查"))),
        ("1.故障排查", Some((3, "故障排查"))),
        ("１２、故障排查", Some((3, "故障排查"))),
        ("3．故障排查：", Some((3, "故障排查："))),
        ("1. 2024年计划", Some((3, "2024年计划"))),
        ("1、2024年计划", Some((3, "2024年计划"))),
        ("1.5倍速播放", None),
        ("1) 步骤", None),
        ("1234567890. 太长", None),
        ("2.1 设计目标", Some((4, "设计目标"))),
        ("2．1.3. 日志", Some((5, "日志"))),
        ("2.1、日志", Some((4, "日志"))),
        ("2.1　日志", Some((4, "日志"))),
        ("7.3.2.2的检查只用于室外水泵", None),
        ("2.1", None),
        ("1.2.3.4.5.6.7.8.9 深", Some((11, "深"))),
        ("1.2.3.4.5.6.7.8.9.1 太深", None),
        ("【核心参数】", Some((4, "核心参数"))),
        ("【 核心参数 】", Some((4, "核心参数"))),
        ("【核心参数】：", Some((5, "【核心参数】："))),
        ("【核心】参数】", None),
        ("参见【核心参数】", None),
        ("【核心参数】一节", None),
        ("【】", None),
        ("【问】", None),
        ("【答】", None),
        ("注意事项：", Some((5, "注意事项："))),
        ("Check whether:", Some((5, "Check whether:"))),
        ("v1.2 的变更:", Some((5, "v1.2 的变更:"))),
        ("问题：", Some((5, "问题："))),
        ("：", None),
        (":::", None),
        ("先断电。注意：", None),
        ("Stop. Then check:", None),
        ("步骤如下：", None),
        ("例如：", None),
        ("For example:", None),
        ("- 注意：", None),
        ("1) 注意：", None),
        ("（1）注意：", None),
        ("答：", None),
        ("Q: 注意：", None),
        ("A: first:", None),
        ("[^1]:", None),
        ("一、先断电。", None),
        ("一、先断电。”", None),
        ("（一）定义（以下称“本法”）", Some((2, "定义（以下称“本法”）"))),
        ("1. 如何充电？", None),
        ("1. 如何充电，", None),
        ("普通一行", None),
        ("", None),
        ("一、甲\n乙", None),
    ];
    for (line, expected) in table {
        assert_eq!(weak_heading(line), expected.map(|(level, text)| (level, text.to_string())), "{line:?}");
    }
}

#[test]
fn forty_characters_are_the_most() {
    for (form, level) in [("一、", 1), ("1. ", 3), ("第一章 ", 1)] {
        let text = "字".repeat(40 - form.chars().count());
        assert_eq!(weak_heading(&format!("{form}{text}")), Some((level, text.clone())));
        assert_eq!(weak_heading(&format!("{form}{text}字")), None);
    }
    assert!(weak_heading(&format!("{}：", "字".repeat(39))).is_some());
    assert!(weak_heading(&format!("{}：", "字".repeat(40))).is_none());
}

#[test]
fn markdown_headings_of_a_line_alone() {
    let table = [
        ("# A", Some((1, "A"))),
        ("###   B *c* ##\r\n", Some((3, "B c"))),
        ("## 2.1 设计 {#id}", Some((2, "2.1 设计"))),
        ("####### no", None),
        ("#no", None),
        ("#", None),
        ("    # no", None),
        ("text", None),
        ("", None),
    ];
    for (line, expected) in table {
        assert_eq!(markdown_heading(line), expected.map(|(level, text)| (level, text.to_string())), "{line:?}");
    }
}

#[test]
fn numbered_lines_with_neighbours_are_list_items() {
    assert_headings(&[
        ("1. 故障排查\n正文\n", &["故障排查"]),
        ("1. 甲\n2. 乙\n", &[]),
        ("1. 甲\n\n\n2. 乙\n", &[]),
        ("1. 甲\n\n3. 丙\n丁", &["甲", "丙"]),
        ("1. 甲\n", &[]),
        ("1. 甲\n# A\n一、乙\n# B\n", &["A", "A > 乙", "B"]),
        ("1. 甲\n\n---\n\n```\nx\n```\n", &["甲"]),
        ("1. 甲\n\n1. 乙\n", &[]),
        ("一、甲\n\n一、乙\n", &["甲", "乙"]),
        ("一、甲\n\n二、乙\n", &[]),
        ("一、甲\n正文\n二、乙\n正文", &["甲", "乙"]),
        ("十、甲\n\n十一、乙\n\n正文", &[]),
        ("二十、甲\n\n二十一、乙\n\n正文", &[]),
        ("一百零九、甲\n\n一百一十、乙\n\n正文", &[]),
        ("2.1 甲\n2.2 乙\n", &[]),
        ("2.1 甲\n\n2.2 乙\n", &[]),
        ("2.1 甲\n\n3.2 乙\n", &["甲", "乙"]),
        ("2.1 甲\n2.1.1 乙\n", &["甲", "甲 > 乙"]),
        ("第一章 甲\n第一节 乙\n第一条 丙\n", &["甲", "甲 > 乙", "甲 > 乙 > 丙"]),
        ("第一条 甲\n第二条 乙\n", &[]),
        ("1. 甲\n一、乙\n", &["甲", "甲 > 乙"]),
        ("1. 甲\n2. 先断电。\n", &[]),
        ("1. 甲\n\n2. 先断电。\n\n正文", &[]),
        ("1. 甲\n   细节\n2. 乙\n   细节\n", &[]),
        ("1. 甲\n\n  2. 乙\n", &[]),
        ("1. 甲\n   1. 细节\n1. 乙\n\n文", &[]),
        ("1. 甲\n\n   1. 乙\n", &["甲"]),
        ("1. 甲\n\n   细节\n\n   2. 乙\n", &["甲"]),
        ("1. 甲\n\n   细节\n\n2. 乙\n", &[]),
        ("1. 甲\n\n   ```\n   x\n   ```\n\n正文", &[]),
        ("一、甲\n    正文\n二、乙\n    正文", &["甲", "乙"]),
        ("# A\n1. 甲\n文\n# B\n2. 乙\n文", &["A", "A > 甲", "B", "B > 乙"]),
    ]);
}

#[test]
fn nothing_is_a_heading_inside_a_list() {
    assert_headings(&[
        ("- 安装\n  1. 下载\n- 配置\n  1. 编辑\n", &[]),
        ("- 甲\n\n  注意：\n\n  乙\n", &[]),
        ("- 甲\n\n  【乙】\n\n  丙\n", &[]),
        ("- 甲\n\n乙\n\n  【丙】\n\n丁", &["丙"]),
        ("1. 甲\n   - 乙\n     2.1 丙\n", &["甲"]),
        ("　　一、甲\n　　正文\n", &["甲"]),
    ]);
}

#[test]
fn colon_lines() {
    assert_headings(&[
        ("注意：\n正文", &["注意："]),
        ("注意：\n\n# A\n", &["A"]),
        ("注意：\n\n---\n\n# A\n", &["A"]),
        ("注意：\n\n---\n\n正文\n", &["注意："]),
        ("注意：\n\n```\nx\n```\n", &["注意："]),
        ("注意：", &[]),
        ("正文\n注意：\n1. 甲\n", &[]),
        ("正文。\n注意：\n1. 甲\n", &["注意："]),
        ("注意：\n- 甲\n\n提示：\n- 乙", &["注意：", "提示："]),
        ("（正文。）\n注意：\n1. 甲\n", &["注意："]),
        ("一、甲\n注意：\n乙", &["甲", "甲 > 注意："]),
        ("- 甲\n注意：\n乙", &["注意："]),
        ("- 甲\n  乙\n注意：\n丙", &["注意："]),
        ("甲：\n乙：\n丙", &["甲：", "乙："]),
        ("一、甲：\n二、乙：\n丙", &[]),
        ("Q: 甲？\n原因：\n乙", &[]),
        ("问题：\n\n1. 甲\n2. 乙\n", &["问题："]),
        ("问题：\n1. 甲\n2. 乙\n", &["问题："]),
        ("注意 `a\nb`：\n甲", &[]),
    ]);
    assert!(parse("一、甲\n注意：\n1. 甲\n正文", false).blocks.iter().all(|block| !block.weak));
}

#[test]
fn title_paths() {
    assert_headings(&[
        (
            "# 手册\n一、甲\n（一）乙\n正文\n（二）丙\n正文\n二、丁\n## 附\n（一）戊\n",
            &["手册", "手册 > 甲", "手册 > 甲 > 乙", "手册 > 甲 > 丙", "手册 > 丁", "手册 > 附", "手册 > 附 > 戊"],
        ),
        ("1. 甲\n\n一、乙\n\n文\n\n二、丙\n\n文\n\n2. 丁\n\n文", &["甲", "甲 > 乙", "甲 > 丙", "丁"]),
        ("2.1.1 甲\n\n文\n\n2.2 乙\n\n文\n\n3. 丙\n\n文", &["甲", "乙", "丙"]),
        ("第一部分 甲\n文\n第一章 乙\n文\n第二部分 丙\n文", &["甲", "甲 > 乙", "丙"]),
        ("第一条 甲\n文\n第一章 乙\n文\n第二条 丙\n文\n第一节 丁\n文", &["甲", "乙", "乙 > 丙", "乙 > 丁"]),
        ("2.1 甲\n文\n（一）乙\n文\n1. 丙\n文", &["甲", "甲 > 乙", "丙"]),
        ("注意：\n文\n\n一、甲\n\n文\n\n提示：\n文\n", &["注意：", "甲", "甲 > 提示："]),
        ("【甲】\n文\n【乙】\n文", &["甲", "乙"]),
        (
            "第 2 章 总\n\n文\n\n2.1 甲\n\n文\n\n2.1.1 乙\n\n文\n\n第 3 章 接\n\n文",
            &["总", "总 > 甲", "总 > 甲 > 乙", "接"],
        ),
        ("# A\n一、甲\n#\n二、乙\n", &["A", "A > 甲", "", "乙"]),
    ]);
}

#[test]
fn what_a_heading_says_of_itself() {
    let text = "\u{feff}　　第 2 章 ： 总\r\n\r\n（一）甲\r\n\r\n【乙】\r\n\r\n丙：\r\n\r\n2.1 丁\r\n\r\n第二节\r\n## E\r\nF\n";
    let structured = parse(text, true);
    let found: Vec<_> =
        structured.blocks.iter().map(|b| (b.level, &text[b.marker.range()], b.weak, b.shown, b.apart)).collect();
    assert_eq!(
        found,
        [
            (1, "第 2 章 ：", true, true, false),
            (2, "（一）", true, true, true),
            (4, "【乙】", true, true, true),
            (5, "", true, false, true),
            (4, "2.1", true, true, true),
            (2, "第二节", true, true, true),
            (2, "", false, false, true),
            (0, "", false, false, true),
        ]
    );
    for (block, kind) in structured.document.blocks.iter().zip(&structured.blocks) {
        if kind.weak {
            assert_eq!(block.level, structured.document.paths[block.path as usize].level);
            assert!(block.level > 6);
        }
    }
    let colon = structured.document.blocks[3].level;
    assert!(structured.document.paths.iter().all(|path| path.level <= colon));
}

#[test]
fn blocks_stand_apart() {
    let apart = |text: &str| parse(text, true).blocks.iter().map(|block| block.apart).collect::<Vec<_>>();
    assert_eq!(apart("a\n\nb"), [false, false]);
    assert_eq!(apart("a\n\n---\n\nb"), [false, true]);
    assert_eq!(apart("---\nt: 1\n---\na"), [true]);
    assert_eq!(apart("# A\na\n\nb"), [false, true, false]);
    assert_eq!(apart("注意：\na\n\nb"), [false, true, false]);
    assert_eq!(apart("a\u{c}b\n\nc"), [false, true, false]);
    assert_eq!(apart("a\n\n<!-- page 3 -->\n\nb"), [false, true]);
}

#[test]
fn questions_with_answers() {
    assert_blocks(&[
        ("Q: 甲？\nA: 乙\n\nQ2. 丙\nA2. 丁\n续\n", &[("qa", "Q: 甲？\nA: 乙"), ("qa", "Q2. 丙\nA2. 丁\n续")]),
        ("问：甲？答：乙。\n问：丙？答：丁。", &[("qa", "问：甲？答：乙。"), ("qa", "问：丙？答：丁。")]),
        ("Q: a? A: b", &[("qa", "Q: a? A: b")]),
        ("Q: A: b", &[("qa", "Q: A: b")]),
        ("Q:A: b", &[("paragraph", "Q:A: b")]),
        ("问题 1：甲\n\n答：乙\n\n丙", &[("qa", "问题 1：甲\n\n答：乙"), ("paragraph", "丙")]),
        ("问题一：甲\n乙\n\n丙", &[("qa", "问题一：甲\n乙"), ("paragraph", "丙")]),
        ("【问】甲\n【答】乙", &[("qa", "【问】甲\n【答】乙")]),
        ("【问】\n甲\n\n【答】\n\n乙\n丙\n\n丁", &[("qa", "【问】\n甲\n\n【答】\n\n乙\n丙"), ("paragraph", "丁")]),
        ("Q:\n\nHow?\n\nA:\n\nSo.\n\nMore.", &[("qa", "Q:\n\nHow?\n\nA:\n\nSo."), ("paragraph", "More.")]),
        ("**Q: a**\n\n**A:** b", &[("qa", "**Q: a**\n\n**A:** b")]),
        ("**Q**: a?\n\n**A**: b", &[("qa", "**Q**: a?\n\n**A**: b")]),
        ("甲\n乙？\n\n回答：丙\n\n丁", &[("paragraph", "甲"), ("qa", "乙？\n\n回答：丙"), ("paragraph", "丁")]),
        ("**乙？**\n答：丙", &[("qa", "**乙？**\n答：丙")]),
        ("1. 甲？\n答：乙\n2. 丙？\n答：丁", &[("qa", "1. 甲？\n答：乙"), ("qa", "2. 丙？\n答：丁")]),
        ("甲？\nA. 乙\nB. 丙", &[("paragraph", "甲？\nA. 乙\nB. 丙")]),
        ("Q. 甲\n\nA. 乙", &[("qa", "Q. 甲\n\nA. 乙")]),
        ("甲？\n\n乙", &[("paragraph", "甲？"), ("paragraph", "乙")]),
        ("Q: 甲\n\n乙", &[("paragraph", "Q: 甲"), ("paragraph", "乙")]),
        ("Q1: 10\nQ2: 20", &[("paragraph", "Q1: 10\nQ2: 20")]),
        ("Q1.5 billion\nx", &[("paragraph", "Q1.5 billion\nx")]),
        ("Q: 甲\n更多\n\nA: 乙", &[("qa", "Q: 甲\n更多\n\nA: 乙")]),
        ("Q: 甲\n可以吗？\nA: 乙\n", &[("qa", "Q: 甲\n可以吗？\nA: 乙")]),
        ("Q: 甲\nA: 乙\n丙？\nA: 丁", &[("qa", "Q: 甲\nA: 乙"), ("qa", "丙？\nA: 丁")]),
        ("Q: 甲\nA: 乙\n1. 丙\n2. 丁\n\n戊", &[("qa", "Q: 甲\nA: 乙\n1. 丙\n2. 丁"), ("paragraph", "戊")]),
        ("Q: 甲\nA: 乙\n一、丙\n丁", &[("qa", "Q: 甲\nA: 乙"), ("heading", "一、丙"), ("paragraph", "丁")]),
        ("Q: 甲\nA:\n\n一、丙\n丁", &[("qa", "Q: 甲\nA:"), ("heading", "一、丙"), ("paragraph", "丁")]),
        ("Q: 甲\nA: 乙\nQ: 丙", &[("qa", "Q: 甲\nA: 乙"), ("paragraph", "Q: 丙")]),
        ("Q: 甲\n\n一、丙\n\nA: 乙", &[("paragraph", "Q: 甲"), ("heading", "一、丙"), ("paragraph", "A: 乙")]),
        ("A: 乙", &[("paragraph", "A: 乙")]),
        ("Q: `a\nb`?\n\nA: c", &[("qa", "Q: `a\nb`?\n\nA: c")]),
        ("- 甲？\n  答：乙\n\n- 丙", &[("qa", "- 甲？\n  答：乙"), ("list", "- 丙")]),
    ]);
}

#[test]
fn lists() {
    assert_blocks(&[
        ("- a\n- b\n\n* c\n+ d", &[("list", "- a\n- b\n\n* c\n+ d")]),
        ("• a\n· b\n● c\n○ d\n▪ e\n◦ f\n‣ g", &[("list", "• a\n· b\n● c\n○ d\n▪ e\n◦ f\n‣ g")]),
        ("1) a\n2）b\n（3）c\n(4) d\n⑤e\n⑳ f", &[("list", "1) a\n2）b\n（3）c\n(4) d\n⑤e\n⑳ f")]),
        ("一、甲\n二、乙\n（一）丙\n（二）丁", &[("list", "一、甲\n二、乙\n（一）丙\n（二）丁")]),
        ("2.1 甲\n2.2 乙", &[("list", "2.1 甲\n2.2 乙")]),
        ("第一条 甲。\n\n第二条 乙。", &[("paragraph", "第一条 甲。"), ("paragraph", "第二条 乙。")]),
        ("1. a\n   b\n\n   c\n2. d\ne", &[("list", "1. a\n   b\n\n   c\n2. d"), ("paragraph", "e")]),
        ("  - a\n    b\n  - c\n  d", &[("list", "  - a\n    b\n  - c"), ("paragraph", "  d")]),
        ("- a\n\tb\n\n\n\n- c", &[("list", "- a\n\tb\n\n\n\n- c")]),
        ("（1）甲\n　　乙", &[("list", "（1）甲"), ("paragraph", "乙")]),
        ("甲\n- 乙", &[("paragraph", "甲"), ("list", "- 乙")]),
        ("甲\n1、乙\n2、丙\n丁", &[("paragraph", "甲"), ("list", "1、乙\n2、丙"), ("paragraph", "丁")]),
        ("-5 度\n1.5倍\n**粗**", &[("paragraph", "-5 度\n1.5倍\n**粗**")]),
        (
            "- a\n\n  ```\n1. 甲\n  ```\n- b",
            &[("list", "- a\n\n  ```"), ("heading", "1. 甲"), ("paragraph", "  ```\n- b")],
        ),
        (
            "- a\n\n  ```\n  # x\n\n  Q: 甲\n  A: 乙\n  ```\n\n- b\n",
            &[("list", "- a\n\n  ```\n  # x\n\n  Q: 甲\n  A: 乙\n  ```\n\n- b")],
        ),
        ("1. a\n   | x |\n   |---|\n   | 1 |\n2. b", &[("list", "1. a\n   | x |\n   |---|\n   | 1 |\n2. b")]),
        ("甲 `x\n- y` 乙\n丙", &[("paragraph", "甲 `x"), ("list", "- y` 乙"), ("paragraph", "丙")]),
        ("甲 `x\n1、y` 乙\n丙", &[("paragraph", "甲 `x\n1、y` 乙\n丙")]),
        ("甲 <!-- x\n\n乙：\n丙", &[("paragraph", "甲 <!-- x"), ("heading", "乙："), ("paragraph", "丙")]),
    ]);
}

#[test]
fn steps() {
    assert_blocks(&[
        ("操作：\n1. a\n2. b", &[("heading", "操作："), ("steps", "1. a\n2. b")]),
        ("# 甲\n1. 检查流程\n2. b", &[("heading", "# 甲"), ("steps", "1. 检查流程\n2. b")]),
        ("# Troubleshooting\n- a\n- b", &[("heading", "# Troubleshooting"), ("list", "- a\n- b")]),
        ("# TroubleShooting\n- a\n  1) b", &[("heading", "# TroubleShooting"), ("steps", "- a\n  1) b")]),
        ("① Next STEP\n② b", &[("steps", "① Next STEP\n② b")]),
        ("1. stew\n2. plume", &[("list", "1. stew\n2. plume")]),
        ("- 操作\n  2.1 a", &[("list", "- 操作\n  2.1 a")]),
        ("# 步骤\n\n# 甲\n1. a\n2. b", &[("heading", "# 步骤"), ("heading", "# 甲"), ("list", "1. a\n2. b")]),
        ("# 步骤\n\n## 甲\n1. a\n2. b", &[("heading", "# 步骤"), ("heading", "## 甲"), ("steps", "1. a\n2. b")]),
    ]);
}

#[test]
fn kept_blocks() {
    assert_blocks(&[
        (
            "> 一、甲\n\n```\n一、甲\n```\n\n| 一、甲 |\n|---|\n\n![a](b)\n\n$$\n一、甲\n$$\n\n<div>\n一、甲\n</div>\n",
            &[
                ("paragraph", "> 一、甲"),
                ("paragraph", "```\n一、甲\n```"),
                ("paragraph", "| 一、甲 |\n|---|"),
                ("paragraph", "![a](b)"),
                ("paragraph", "$$\n一、甲\n$$"),
                ("paragraph", "<div>\n一、甲\n</div>"),
            ],
        ),
        ("---\nt: 1\n---\n\n***\n\n<!-- page 2 -->\n\n甲", &[("paragraph", "甲")]),
        ("", &[]),
        ("\u{feff} \r\n", &[]),
    ]);
}

#[test]
fn types_of_a_text_alone() {
    let table: &[(&str, &[&str], &str)] = &[
        ("Q: 甲？\nA: 乙", &[], "qa"),
        ("问：甲？\n答：乙", &[], "qa"),
        ("甲？\n答：乙", &[], "qa"),
        ("甲\nQ: 乙？\nA: 丙", &[], "paragraph"),
        ("1. 甲\n2. 乙", &[], "list"),
        ("1. 甲", &[], "list"),
        ("1. 甲\n2. 乙", &["无法充电", "处理步骤："], "steps"),
        ("1. 排查\n   乙", &[], "steps"),
        ("- 排查\n- 乙", &[], "list"),
        ("1. 甲\n乙", &["步骤"], "paragraph"),
        ("  1. 甲\n\n  2. 乙\n", &["Next Steps"], "steps"),
        ("注意：\n1. 甲", &["步骤"], "paragraph"),
        ("第一条 甲\n第二条 乙", &[], "list"),
        ("\u{feff}1. 甲", &[], "list"),
        ("甲", &["步骤"], "paragraph"),
        (" \n", &["步骤"], "paragraph"),
    ];
    for (text, titles, expected) in table {
        assert_eq!(classify(text, titles).name(), *expected, "{text:?}");
    }
}

#[test]
fn the_example_of_the_source() {
    let text = "## 无法充电\n\n可能原因：\n1. 充电器功率不匹配\n2. 数据线损坏\n3. 手机接口进灰\n\n处理步骤：\n1. 更换原装充电器\n2. 清理接口\n3. 重启设备后再次测试\n";
    let structured = parse(text, true);
    let found: Vec<_> = structured
        .document
        .blocks
        .iter()
        .zip(&structured.blocks)
        .map(|(block, kind)| (kind.block_type.name(), structured.document.path(block.path).join(" > ")))
        .collect();
    let expected = [
        ("heading", "无法充电"),
        ("heading", "无法充电 > 可能原因："),
        ("list", "无法充电 > 可能原因："),
        ("heading", "无法充电 > 处理步骤："),
        ("steps", "无法充电 > 处理步骤："),
    ];
    assert_eq!(found, expected.map(|(name, path)| (name, path.to_string())));
}

#[test]
fn faults_from_public_reports() {
    assert_headings(&[
        (
            "九、考勤\n\n员工按时打卡。\n\n十、请假\n\n请假须提前申请。\n\n　　十一、加班\n\n加班须经批准。\n\n十二、附则\n\n本办法自发布之日起施行。\n",
            &["考勤", "请假", "加班", "附则"],
        ),
        (
            "第一条 仓库的第一项要求由值班员执行，并在当天写入日志。\n第二条 仓库的第二项要求由值班员执行，并在当天写入日志。",
            &[],
        ),
        (
            "7.3.2.1 总则\n7.3.2.2的检查只用于室外水泵。\n7.3.2.3的检查按5.1给出的转速进行。\n\n7.3.3 记录\n\n检查结果应当记录。\n",
            &["总则", "记录"],
        ),
        (
            "【适用范围】\n\n本说明适用于室内机型。\n\n【安装步骤】\n\n先固定支架，再挂机身。\n\n【常见问题】\n\n不制冷时请检查滤网。参见【安装步骤】一节。\n",
            &["适用范围", "安装步骤", "常见问题"],
        ),
        ("# Intro\n\nLead text of the page.\n\n**Part five**\n\nBody text of part five.\n", &["Intro"]),
    ]);
    let pairs = "Q: How do I reset meter 1?\nA: Hold the button.\n\nQ: How do I reset meter 2?\nA: Hold the button.";
    assert_eq!(blocks(pairs).iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["qa", "qa"]);
    let tabs = "What is the top speed?\tNinety.\nWhat is the range?\tFour hundred.\n";
    assert_eq!(blocks(tabs), [("paragraph", tabs.trim_end())]);
}
