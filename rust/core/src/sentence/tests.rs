//! Rules, one by one. `|` stands where a sentence ends (and not at the end of the text).

use super::{LineEnds, ends, ends_with};
use crate::simd::Level;

fn cut(text: &str, lines: LineEnds) -> String {
    let mut found = Vec::new();
    ends(text, lines, &mut found);
    let mut start = 0;
    let sentences = found.iter().map(|&end| {
        let sentence = &text[start..end as usize];
        start = end as usize;
        sentence
    });
    sentences.collect::<Vec<_>>().join("|")
}

/// Every case holds with both ways to see line ends.
fn both(cases: &[&str]) {
    for case in cases {
        let text = case.replace('|', "");
        assert_eq!(cut(&text, LineEnds::Soft), *case, "soft");
        assert_eq!(cut(&text, LineEnds::Break), *case, "break");
    }
}

fn one(lines: LineEnds, cases: &[&str]) {
    for case in cases {
        assert_eq!(cut(&case.replace('|', ""), lines), *case);
    }
}

#[test]
fn english_marks() {
    both(&[
        "Hello World. |My name is Jonas.",
        "What is it? |There! |It is.  |Done.",
        "Hello?! |Is that you? |yes, it is.",
        "He said it. |(We heard it.) |Then he left.",
        "\"It is safe now.\" |He left. |\"Is it?\" asked the guard. |'Go!' she said.",
        "She read “One. Two.” |Then she left.",
        "He (she said so. Twice.) went on. |(Two. Three.) |Four.",
        "**Note.** |Use it. |*Really?* |~~No.~~ |Yes.",
        "Done.[^1] |Next one.[12] |It is.[1](x) so.",
        "Yahoo! is a firm. |She works at Wow! in town. |So good! |we said.",
        "a?b=1 x!=2 &amp; x;y <!-- z --> it's 5.5.5.",
        "Use the ? here, and ! there. |See ![image](x.png). |![other](y.png)",
        "It is <b>so.</b> |Yes. |<br>No. </p>",
        "Look below. |.NET is there. |:tada: is too. |It was. ) B",
    ]);
}

#[test]
fn english_full_stops() {
    both(&[
        "Pick one, e.g. this, i.e. That. |Clarke et al. tested it.",
        "Dr. A. Smith saw Mr. Who and Prof. The. |J. R. Smith left.",
        "You and I. |Did Albert I. Jones come? |Plan B. |It works.",
        "They went to Pitt & Co. |It closed. |They went to Pitt & Co. at noon. |Ask Acme Inc. Boston.",
        "I live in the U.S. |How about you? |The U.S. Government in the U.S. for 20 years.",
        "At 5 a.m. Mr. Smith left. |He was back at 6 P.M. |Mr. Smith slept at 7 p.m. Monday.",
        "See no. 5 on p. 55 in Fig. 3, Jan. 5. |Is it no. |Yes.",
        "It costs $3.50. |That is cheap. |The factor is 3.14 here. |In 2020. |Then.",
        "Use v1.2. It is good. |Use Python 3.11. |It is good.",
        "Open main.py. |See https://a.example.50.com/b.html. |Mail Jane.Doe@example.com. |Please.",
        "N°. 1026.253.553. |That is it.",
        "Open the file. |npm is there. |It is in the dir. for now. |`npm` is. |iPhone is.",
        "Step 1. Do it. |Step 2. Rest.",
        "He, etc. |The end. |He, etc. and so on.",
    ]);
}

#[test]
fn ellipses() {
    both(&[
        "I never meant that.... |She left.",
        "Wait... |What? |Well... maybe, the thing is ... I did not.",
        "the thing is . . . I did not.",
        "words into compounds. |. . . The practice was not abandoned. . . .",
        "with a period . . . . |Next sentence. |“less complex. . . .”",
        "\"Bohr [...] used the stairways [...]\" (Smith 55).",
        "“你先别走，让他们去看看吧……",
        "他走了……第二天又来了。|好……",
    ]);
}

#[test]
fn items() {
    both(&[
        "1. The first item. |2. The second item.",
        "1. The first item |2. The second item",
        "1. Go to version 2. |Then restart.",
        "1.) The first item |2.) The second item |3.) The third",
        "1) The first item. |2) The second item (see 3) below",
        "a. The first item |b. The second item |c. The third list item",
        "⁃9. The first item |⁃10. The second item",
        "• 9. The first item |• 10. The second item",
        "Home • About • Contact",
        "iv. The item. |It is 1.2. |So.",
    ]);
}

#[test]
fn chinese() {
    both(&[
        "安永已聯繫親屬，不發一語。|周怡安來自台中。|好！|真的吗？！|是。",
        "工具：量具（卡尺……），刀具（车刀！铣刀……），夹具（虎钳……）。|使用前请检查。",
        "他说：“先断电。”|然后打开盖子。|“再等十分钟！”|她补充道。",
        "“好。”，他说。|“你好吗？”的问题。|（见上。）|然后走。|工具（小心！）在这。",
        "一起去看《长城！归来》好吗？|好！|《你好！》是电影。",
        "使用Python 3.11。|然后运行app.py！|好!|我们走?|好的.",
        "注意**重要。**|然后**继续。**|完。|**再来。**",
        "https://x.com/?键=1 好。[^1]|然后。",
        "他说:\"先断电。\"|然后打开。|\"好。\"|完",
    ]);
    one(LineEnds::Break, &["若灯不亮；|请联系；|不要拆;|好; |好 &amp; 好"]);
    one(LineEnds::Soft, &["若灯不亮；请联系；不要拆;好; 好 &amp; 好"]);
}

#[test]
fn japanese() {
    both(&[
        "これはペンです。|それはマーカーです。|良かったね！|すごい！",
        "「これは終わりです。」と彼は言った。|次へ。",
        "これは山です（これは山です！これは山です）！|これは山です。",
        "２．２９％です．|これは１．５です｡|はい。",
    ]);
}

#[test]
fn broken_lines() {
    one(
        LineEnds::Break,
        &[
            "One\n|two.\r\n\r\n|  three\r|\tfour\n \n\t\n|five \n\n",
            " \n|a",
            "\u{FEFF}\n|。|a",
            "Dr.\n|Smith",
            "（一\n|二。）|三",
        ],
    );
}

#[test]
fn soft_lines() {
    one(
        LineEnds::Soft,
        &[
            "It was a cold \nnight in the city. |Then\r\nDr.\rSmith left.\n|It ended.",
            "One two\n\n|three\n \n|four",
            "features\n|contact manager\n|events, activities\n",
            "# Head\n|Text goes\non here.\n|- one item goes\n  on here\n|- two\n|> so it\n> is said.\n|>\n|> Two.\n",
            "これは父の\n家です。",
            "これは山です \n|これは山です！ \n|1.）これ \n|※1　これ \n|① これ",
            "设备每天早上\n八点开机。\n|开机前请检查。",
            "---\n|title: x\n|---\n\n|Text",
        ],
    );
}

#[test]
fn degenerate() {
    assert_eq!(cut("", LineEnds::Soft), "");
    both(&[" ", "\n \n", "\u{FEFF}", ".", "。。。", "\r\n", "a"]);
    let mut found = vec![7];
    ends("One. Two.", LineEnds::Soft, &mut found);
    assert_eq!(found, [7, 5, 9], "what was there stays");
}

#[test]
fn instruction_sets_agree() {
    const PARTS: [&str; 40] = [
        "word",
        "The",
        "a",
        "Dr",
        "e.g",
        "3.11",
        "中文",
        "です",
        ".",
        ".",
        "!",
        "?",
        ";",
        ",",
        "。",
        "，",
        "！",
        "；",
        "…",
        "．",
        "(",
        ")",
        "“",
        "”",
        "（",
        "）",
        "\"",
        "`",
        "**",
        " ",
        " ",
        " ",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "- ",
        "1. ",
        "• ",
        "\n        ",
    ];
    let mut state = 1u64;
    for round in 0..4_000 {
        let mut text = String::new();
        for _ in 0..round % 90 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            text.push_str(PARTS[(state >> 33) as usize % PARTS.len()]);
        }
        for lines in [LineEnds::Break, LineEnds::Soft] {
            let mut expected = Vec::new();
            ends_with(Level::Portable, &text, lines, &mut expected);
            for level in Level::all() {
                let mut found = Vec::new();
                ends_with(level, &text, lines, &mut found);
                assert_eq!(found, expected, "{lines:?} {text:?}");
            }
        }
    }
}
