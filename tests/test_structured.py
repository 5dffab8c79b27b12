"""`build_structured_chunks`: weak headings, kinds of blocks, metadata."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright
from chunkwright import (
    STRUCTURED_CHUNK_STRATEGY,
    ChunkingConfig,
    SourceDocument,
    StructuredChunkingStrategy,
    build_structured_chunks,
    classify_block,
    parse_markdown_heading,
    parse_structured_blocks,
    parse_weak_heading,
)

CHARGING = """## 无法充电

可能原因：
1. 充电器功率不匹配
2. 数据线损坏
3. 手机接口进灰

处理步骤：
1. 更换原装充电器
2. 清理接口
3. 重启设备后再次测试
"""

METADATA = [
    "title_path",
    "block_type",
    "block_types",
    "heading_level",
    "section_index",
    "block_start_index",
    "block_end_index",
    "chunk_char_count",
    "split_reason",
    "chunk_strategy_version",
]


def build(text: str, **config: Any) -> list[chunkwright.Chunk]:
    """The chunks of a text, proved."""
    chunks = build_structured_chunks(SourceDocument("doc", text), ChunkingConfig(**config)).chunks
    result = chunkwright.verify(text, chunks)
    assert result, result.violation
    return chunks


def test_the_charging_example() -> None:
    causes, steps = build(CHARGING)
    assert causes.metadata["title_path"] == ["无法充电", "可能原因："]
    assert causes.metadata["block_type"] == "list"
    assert causes.body == "1. 充电器功率不匹配\n2. 数据线损坏\n3. 手机接口进灰"
    assert steps.metadata["title_path"] == ["无法充电", "处理步骤："]
    assert steps.metadata["block_type"] == "steps"
    assert steps.body == "1. 更换原装充电器\n2. 清理接口\n3. 重启设备后再次测试"
    assert causes.heading_path == ("无法充电", "可能原因：")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("# 标题", (1, "标题")),
        ("### Deep one", (3, "Deep one")),
        ("###### Six", (6, "Six")),
        ("####### Seven", None),
        ("#标题", None),
        ("text", None),
        ("", None),
    ],
)
def test_markdown_headings(line: str, found: tuple[int, str] | None) -> None:
    assert parse_markdown_heading(line) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("一、售后政策", (1, "售后政策")),
        ("十二、附则", (1, "附则")),
        ("（一）适用范围", (2, "适用范围")),
        ("(二) 例外", (2, "例外")),
        ("第三章 保修", (1, "保修")),
        ("第 2 章 总体设计", (1, "总体设计")),
        ("第2章 总体设计", (1, "总体设计")),
        ("第四部分 附录", (1, "附录")),
        ("第二节 范围", (2, "范围")),
        ("第五条 保修期", (3, "保修期")),
        ("1. 故障排查", (3, "故障排查")),
        ("1、故障排查", (3, "故障排查")),
        ("2.1 设计目标", (4, "设计目标")),
        ("2.1.3 日志", (5, "日志")),
        ("【核心参数】", (4, "核心参数")),
        ("注意事项：", (5, "注意事项：")),
        ("Notes:", (5, "Notes:")),
        ("　　一、售后政策", (1, "售后政策")),
        ("参见【核心参数】一节", None),
        ("一、" + "很" * 50, None),
        ("1. 请先关闭电源。", None),
        ("- 注意：", None),
        ("先关电源。再看说明：", None),
        ("普通文字", None),
        ("3.14", None),
        ("", None),
    ],
)
def test_weak_headings(line: str, found: tuple[int, str] | None) -> None:
    assert parse_weak_heading(line) == found


@pytest.mark.parametrize(
    ("text", "title_path", "kind"),
    [
        ("Q: 怎么退货？\nA: 联系客服。", [], "qa"),
        ("问：怎么退货？\n答：联系客服。", [], "qa"),
        ("怎么退货？\n答：联系客服。", [], "qa"),
        ("1. 打开盖子\n2. 清理接口", ["处理步骤："], "steps"),
        ("1. 打开盖子\n2. 清理接口", ["Troubleshooting"], "steps"),
        ("1. 排查电源\n2. 清理接口", [], "steps"),
        ("1. 苹果\n2. 梨", ["水果"], "list"),
        ("- 打开盖子\n- 清理接口", ["处理步骤："], "list"),
        ("• 苹果\n• 梨", [], "list"),
        ("① 苹果\n② 梨", [], "list"),
        ("普通段落。", ["处理步骤："], "paragraph"),
        ("1. 苹果\n不是列表", [], "paragraph"),
    ],
)
def test_kinds(text: str, title_path: list[str], kind: str) -> None:
    assert classify_block(text, title_path) == kind


# What the source lists for its tests.


def test_markdown_headings_enter_the_title_path() -> None:
    (chunk,) = build("# 手机\n\n## 售后\n\n七天内可以退货。\n")
    assert chunk.metadata["title_path"] == ["手机", "售后"]
    assert chunk.metadata["heading_level"] == 2
    assert chunk.content == "七天内可以退货。"


def test_weak_headings_enter_the_title_path() -> None:
    text = "一、售后政策\n\n七天内可以退货。\n\n【核心参数】\n\n屏幕六英寸。\n\n二、保修\n\n保修一年。\n"
    chunks = build(text)
    assert [c.metadata["title_path"] for c in chunks] == [["售后政策"], ["售后政策", "核心参数"], ["保修"]]
    assert build(text, weak_headings=False)[0].metadata["title_path"] == []


def test_questions_and_answers_are_qa() -> None:
    pairs = "\n\n".join(f"Q{n}: 第{n}个问题怎么办？\nA: 第{n}个问题这样办。" for n in range(1, 9))
    (chunk,) = build(pairs)
    assert chunk.metadata["block_type"] == "qa"
    for small in build(pairs, max_chunk_chars=60):
        assert small.metadata["block_types"] == ["qa"] * small.content.count("Q") or small.metadata["block_types"] == [
            "qa"
        ]
        assert small.content.count("Q") == small.content.count("A")


def test_troubleshooting_is_steps() -> None:
    (chunk,) = build("## 故障排查\n\n1. 检查电源\n2. 检查网络\n")[-1:]
    assert "steps" in chunk.metadata["block_types"]


def test_a_long_block_is_split_and_says_so() -> None:
    text = "# 说明\n\n" + "这一段很长，没有空行。" * 100
    chunks = build(text, max_chunk_chars=120)
    assert len(chunks) > 5
    assert all(len(c.content) <= 120 for c in chunks)
    assert {c.metadata["split_reason"] for c in chunks} == {"block_too_large"}
    assert all(c.split_reason == c.metadata["split_reason"] for c in chunks)


def test_the_version_is_in_the_metadata() -> None:
    result = build_structured_chunks(SourceDocument("doc", CHARGING))
    assert STRUCTURED_CHUNK_STRATEGY == "structured_markdown_v1"
    assert result.strategy_version == STRUCTURED_CHUNK_STRATEGY
    for chunk in result.chunks:
        assert chunk.metadata["chunk_strategy_version"] == chunk.strategy_version == STRUCTURED_CHUNK_STRATEGY


# Identity and metadata


def test_ids_are_made_from_the_document_and_the_index() -> None:
    document = SourceDocument("manual-7", CHARGING, "v2", {"product": "phone"})
    chunks = build_structured_chunks(document).chunks
    assert [c.chunk_id for c in chunks] == ["manual-7::chunk::0000", "manual-7::chunk::0001"]
    for c in chunks:
        assert (c.metadata["doc_id"], c.metadata["document_version_id"], c.metadata["product"]) == (
            "manual-7",
            "v2",
            "phone",
        )
        assert c.metadata["chunk_char_count"] == c.char_count == len(c.content)
        assert all(key in c.metadata for key in METADATA)
    build_structured_chunks(SourceDocument("other", "# A\n\ntext"))
    assert build_structured_chunks(document).chunks == chunks
    assert [c.metadata["section_index"] for c in chunks] == sorted({c.metadata["section_index"] for c in chunks})


def test_ids_of_the_strategy_are_the_same() -> None:
    chunks = chunkwright.chunk(CHARGING, "structured", document_id="manual-7")
    built = build_structured_chunks(SourceDocument("manual-7", CHARGING)).chunks
    assert [(c.chunk_id, c.content) for c in chunks] == [(c.chunk_id, c.content) for c in built]
    assert [c.metadata for c in chunks] == [c.metadata for c in built]
    (batch,) = StructuredChunkingStrategy().chunk_many([CHARGING], document_ids=["manual-7"])
    assert batch == chunks


def test_metadata_may_not_say_what_chunks_say() -> None:
    for key in ("doc_id", "document_version_id", *METADATA):
        with pytest.raises(ValueError, match=f"'{key}'"):
            build_structured_chunks(SourceDocument("doc", "text", metadata={key: 1}))
        with pytest.raises(ValueError, match=f"'{key}'"):
            StructuredChunkingStrategy().chunk_text("text", extra_metadata={key: 1})


def test_blocks() -> None:
    blocks = parse_structured_blocks(SourceDocument("doc", CHARGING))
    assert [(b.block_type, b.level, b.title_path) for b in blocks] == [
        ("heading", 2, ("无法充电",)),
        ("heading", 5, ("无法充电", "可能原因：")),
        ("list", None, ("无法充电", "可能原因：")),
        ("heading", 5, ("无法充电", "处理步骤：")),
        ("steps", None, ("无法充电", "处理步骤：")),
    ]
    for block in blocks:
        assert block.text in CHARGING[block.start_char : block.end_char]
        assert block.start_line == CHARGING[: block.start_char].count("\n") + 1
    result = build_structured_chunks(SourceDocument("doc", CHARGING))
    assert result.blocks == blocks
    (first, *_rest) = parse_structured_blocks(SourceDocument("doc", "一、售后政策\n\n七天内可以退货。"))
    assert (first.text, first.marker, first.level) == ("售后政策", "一、", 1)
    assert [
        b.block_type for b in parse_structured_blocks(SourceDocument("d", "一、售后\n\n可以。"), weak_headings=False)
    ].count("heading") == 0


# Configuration


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"max_chunk_chars": 0}, "max_chunk_chars = 0"),
        ({"max_chunk_chars": "800"}, "max_chunk_chars = '800'"),
        ({"min_chunk_chars": 801}, "min_chunk_chars = 801"),
        ({"overlap_chars": 800}, "overlap_chars = 800"),
        ({"weak_headings": "yes"}, "weak_headings = 'yes'"),
    ],
)
def test_wrong_configurations(config: dict[str, Any], words: str) -> None:
    with pytest.raises(chunkwright.SettingsError, match=words):
        ChunkingConfig(**config)


def test_the_configuration_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ChunkingConfig.from_settings() == ChunkingConfig(800, 0, True, 0)
    monkeypatch.setenv("CHUNK_STRUCTURED_MAX_CHUNK_CHARS", "120")
    monkeypatch.setenv("CHUNK_STRUCTURED_MIN_CHUNK_CHARS", "20")
    monkeypatch.setenv("CHUNK_STRUCTURED_WEAK_HEADINGS", "off")
    monkeypatch.setenv("CHUNK_STRUCTURED_OVERLAP_CHARS", "10")
    config = ChunkingConfig.from_settings()
    assert config == ChunkingConfig(120, 20, False, 10)
    assert build_structured_chunks(SourceDocument("doc", CHARGING)).config == config
    monkeypatch.setenv("CHUNK_STRUCTURED_WEAK_HEADINGS", "maybe")
    with pytest.raises(ValueError, match="CHUNK_STRUCTURED_WEAK_HEADINGS = 'maybe'"):
        ChunkingConfig.from_settings()


def test_short_chunks_join_the_one_before() -> None:
    text = "# 标题\n\n" + "\n\n".join(["甲" * 40, "乙" * 45, "丙" * 5])
    assert [len(c.body) for c in build(text, max_chunk_chars=60)] == [40, 45 + 2 + 5]
    short = build(text, max_chunk_chars=50, min_chunk_chars=0)
    assert [len(c.body) for c in short] == [40, 45, 5]
