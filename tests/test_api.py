"""The Python API: results, settings, errors, parsed documents, exports."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

import chunkwright
from chunkwright import Block, Chunk, ParsedDocument, Segment, StructureAwareChunker

TEXT = """---
title: Pump
---

# Pump station

Start the pump at eight. Check the gauge twice a day.

## Faults

| symptom | cure |
| --- | --- |
| hum | grease |
| leak | seal |

```sh
pump --status
```

每天早上八点开机。🚀
"""


def test_every_export_is_there_and_documented() -> None:
    assert len(set(chunkwright.__all__)) == len(chunkwright.__all__)
    for name in chunkwright.__all__:
        assert hasattr(chunkwright, name)
    assert chunkwright.ChunkResult is chunkwright.KnowledgeChunk is Chunk
    assert chunkwright.StructureAwareMarkdownChunker is StructureAwareChunker


def test_fields_of_chunks() -> None:
    chunks = chunkwright.chunk(TEXT)
    assert [c.heading_path for c in chunks] == [("Pump station",), *[("Pump station", "Faults")] * 3]
    assert [c.kinds for c in chunks] == [("paragraph",), ("table",), ("code",), ("paragraph",)]
    assert [c.language for c in chunks] == [None, None, "sh", None]
    assert [c.chunk_index for c in chunks] == [0, 1, 2, 3]
    assert [c.split_reason for c in chunks] == ["section_end"] * 3 + ["document_end"]
    document_id = str(uuid.uuid5(uuid.NAMESPACE_URL, TEXT))
    for c in chunks:
        assert c.content == "".join(s.text for s in c.segments)
        assert c.body == TEXT[c.start_char : c.end_char]
        assert c.body.encode() == TEXT.encode()[c.start_byte : c.end_byte]
        assert c.start_line == TEXT[: c.start_char].count("\n") + 1
        assert c.end_line == TEXT[: c.end_char].count("\n") + 1
        assert c.token_count == chunkwright.count_tokens(c.content)
        assert c.char_count == len(c.content)
        name = f"{document_id}:chunk:{c.chunk_index}:{c.content}"
        assert c.chunk_id == str(uuid.uuid5(uuid.NAMESPACE_URL, name))
        assert len(c.content_hash) == 64
        assert (c.strategy, c.page, c.metadata) == ("structure", None, {})
    assert chunkwright.verify(TEXT, chunks, tokenizer_name="cl100k_base", max_tokens=512)


def test_dictionaries_go_there_and_back() -> None:
    for c in chunkwright.chunk(TEXT):
        data = c.to_dict()
        again = Chunk.from_dict(json.loads(json.dumps(data)))
        assert again == c
        assert again.to_dict() == data
        assert hash(again) == hash(c)
        for name in data:
            if name != "segments":
                value = getattr(again, name)
                assert (list(value) if isinstance(value, tuple) else value) == data[name]
        assert all(isinstance(v, str | int | float | bool) for v in c.flat_metadata().values())
    assert chunkwright.chunk(TEXT)[1].flat_metadata()["heading_path"] == "Pump station > Faults"
    with pytest.raises(ValueError, match="content"):
        Chunk.from_dict({})


def test_chunks_by_hand() -> None:
    c = Chunk("text", start_line=3, end_line=4, metadata={"a": 1})
    assert (c.content, c.start_line, c.end_line, c.metadata, c.token_count) == ("text", 3, 4, {"a": 1}, None)
    assert c.content_hash == chunkwright.chunk("text")[0].content_hash
    assert repr(c) == 'Chunk(chunk_index=0, token_count=None, heading_path=(), content="text")'

    class Mine(Chunk):
        """A user's own class."""

    assert isinstance(Mine.from_dict(c.to_dict()), Mine)
    with pytest.raises(ValueError, match='role = "x" is not one of'):
        Segment("x", "text")


def test_metadata_is_the_users_to_change() -> None:
    (c,) = chunkwright.chunk("text")
    c.metadata["seen"] = True
    assert c.metadata == {"seen": True}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_tokens": 15}, ["max_tokens = 15", "at least 16"]),
        ({"max_tokens": -1}, ["max_tokens = -1", "whole number"]),
        ({"max_tokens": 2**40}, ["max_tokens = 1099511627776"]),
        ({"max_tokens": "512"}, ["max_tokens = '512'"]),
        ({"max_tokens": True}, ["max_tokens = True"]),
        ({"max_tokens": 20.0}, ["max_tokens = 20.0"]),
        ({"max_tokens": None}, ["max_tokens = None"]),
        ({"max_tokens": 64, "overlap_tokens": 64}, ["overlap_tokens = 64", "from 0 to 63"]),
        ({"overlap_tokens": -2}, ["overlap_tokens = -2"]),
        ({"target_tokens": 0}, ["target_tokens = 0", "from 1 to max_tokens = 512"]),
        ({"target_tokens": 513}, ["target_tokens = 513"]),
        ({"tokenizer_name": "nope"}, ['tokenizer_name = "nope"', "cl100k_base, o200k_base"]),
        ({"heading_template": "no field"}, ["heading_template", "{path}"]),
        ({"heading_template": "{path} {x}"}, ["heading_template"]),
        ({"heading_template": "{path}\n"}, ["heading_template"]),
        ({"path_separator": "\n"}, ["path_separator"]),
        ({"path_separator": "\ud800"}, ["path_separator"]),
        ({"colour": "red"}, ["colour = 'red'", "max_tokens"]),
    ],
)
def test_wrong_settings_say_what_is_right(settings: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(ValueError, match="is not allowed: it must be") as caught:
        chunkwright.chunk("text", **settings)
    assert isinstance(caught.value, chunkwright.SettingsError)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("document", "what", "position"),
    [
        ("half \ud83d pair", "half a surrogate pair at character 5", 5),
        (b"ab\xff", "not UTF-8 at byte 2", 2),
        (17, "it is a int", None),
        (None, "it is a NoneType", None),
    ],
)
def test_bad_documents_say_where(document: Any, what: str, position: int | None) -> None:
    with pytest.raises(chunkwright.DocumentError, match=what) as caught:
        StructureAwareChunker().chunk(document, document_id="manual.md")
    assert (caught.value.document, caught.value.position) == ("manual.md", position)
    assert "manual.md" in str(caught.value)
    with pytest.raises(ValueError, match=r"surrogate|UTF-8|it is a"):
        chunkwright.count_tokens(document)


def test_bytes_and_text_are_the_same() -> None:
    assert chunkwright.chunk(TEXT.encode()) == chunkwright.chunk(TEXT)


def test_empty_documents_have_no_chunks() -> None:
    for text in ("", " \n\t", "\ufeff", "---\na: 1\n---\n", "***\n", "#\n"):
        assert chunkwright.chunk(text) == []
        assert chunkwright.verify(text, [])


def test_parsed_markdown_gives_what_the_text_gives() -> None:
    document = chunkwright.parse_markdown(TEXT)
    kinds = ["front_matter", "heading", "paragraph", "heading", "table", "code", "paragraph"]
    assert [b.kind for b in document.blocks] == kinds
    assert document.text == TEXT
    for b in document.blocks:
        assert TEXT[b.start_char : b.end_char] == b.text
        assert TEXT.encode()[b.start_byte : b.end_byte] == b.text.encode()
    assert document.blocks[3].level == 2
    assert document.blocks[5].language == "sh"
    assert StructureAwareChunker().chunk(document) == chunkwright.chunk(TEXT)


def ready() -> ParsedDocument:
    """A document as a parser of office files might give it."""
    return ParsedDocument(
        "report.pdf",
        [
            Block("heading", "Results", level=1, page=1),
            Block("paragraph", "The yield rose.", page=1, bbox=(1, 10.0, 10.0, 90.0, 20.0)),
            Block("paragraph", "It rose again.", page=1, bbox=(1, 5.0, 30.0, 80.0, 40.0)),
            Block("paragraph", "On the next page.", page=2),
            Block("table", "Table 1: yields\n| year | t |\n| --- | --- |\n| 2024 | 7 |", page=2),
            Block("code", "print('yield')", page=2, language="python"),
            Block("image", "", page=3, description="A curve that rises."),
            Block("table", "a\tb\n1\t2", sheet="Data", cell_range="A1:B2"),
            Block("paragraph", "A slide.", slide=4),
        ],
        metadata={"source": "archive"},
    )


def test_ready_made_documents() -> None:
    document = ready()
    chunks = StructureAwareChunker().chunk(document)
    assert chunkwright.verify(document, chunks)
    assert [c.page for c in chunks] == [1, 2, 2, 2, 3, None, None]
    assert all(c.heading_path == ("Results",) for c in chunks)
    assert all(c.metadata["source"] == "archive" for c in chunks)
    assert chunks[0].body == "The yield rose.\n\nIt rose again."
    assert chunks[0].metadata["bbox"] == (1, 5.0, 10.0, 90.0, 40.0)
    assert chunks[3].body == "print('yield')"
    assert chunks[3].content.endswith("```python\nprint('yield')\n```")
    assert chunks[3].language == "python"
    assert chunks[4].body == "A curve that rises."
    assert chunks[5].metadata["sheet"] == "Data"
    assert chunks[5].metadata["cell_range"] == "A1:B2"
    assert chunks[6].metadata["slide"] == 4
    assert json.loads(json.dumps(chunks[0].to_dict()))["metadata"]["page"] == 1
    ids = [c.chunk_id for c in chunks]
    assert ids == [c.chunk_id for c in StructureAwareChunker().chunk(document)]
    assert ids != [c.chunk_id for c in StructureAwareChunker().chunk(document, document_id="other")]


def test_ready_made_documents_with_a_text() -> None:
    text = "Header\nResults\nThe yield rose. footer\nIt fell."
    blocks = [
        Block("heading", "Results", level=2),
        Block("paragraph", "The yield rose."),
        Block("paragraph", "It fell."),
    ]
    document = ParsedDocument("a", blocks, text)
    chunks = StructureAwareChunker().chunk(document)
    assert [c.body for c in chunks] == ["The yield rose.", "It fell."]
    assert [text[c.start_char : c.end_char] for c in chunks] == [c.body for c in chunks]


@pytest.mark.parametrize(
    ("blocks", "text", "what"),
    [
        ([Block("paragraph", "elsewhere")], "text", "block 0 does not occur"),
        ([Block("poem", "a")], None, 'its block 0 cannot be read: .*its kind is "poem", not one of heading, paragraph'),
        ([Block("paragraph", "a", page="x")], None, "its block 0 cannot be read"),  # type: ignore[arg-type]
        ([Block("paragraph", "\ud800")], None, "surrogate"),
    ],
)
def test_bad_blocks(blocks: list[Block], text: str | None, what: str) -> None:
    with pytest.raises(chunkwright.DocumentError, match=what):
        StructureAwareChunker().chunk(ParsedDocument("doc", blocks, text))


def test_verify_finds_what_is_wrong() -> None:
    chunks = chunkwright.chunk(TEXT)
    broken = {
        "start_char": (chunks[0].start_char + 1, "code points"),
        "start_line": (1, "lines"),
        "content": ("other", "concatenation"),
        "chunk_index": (5, "index"),
        "chunk_id": (chunks[1].chunk_id, "id"),
    }
    for name, (value, words) in broken.items():
        changed = Chunk.from_dict({**chunks[0].to_dict(), name: value})
        result = chunkwright.verify(TEXT, [changed, *chunks[1:]])
        assert not result
        assert words in str(result.violation)
        with pytest.raises(AssertionError, match=words):
            result.raise_if_failed()
    missing = chunkwright.verify(TEXT, chunks[:-1])
    assert "is in no chunk" in str(missing.violation)
    twice = [*chunks, Chunk.from_dict({**chunks[-1].to_dict(), "chunk_index": 4, "chunk_id": "x"})]
    assert "before the body in front of it ends" in str(chunkwright.verify(TEXT, twice).violation)
    assert "more than 5" in str(chunkwright.verify(TEXT, chunks, max_tokens=5).violation)
    wrong = Chunk.from_dict({**chunks[0].to_dict(), "token_count": 1})
    assert "tokens, not 1" in str(
        chunkwright.verify(TEXT, [wrong, *chunks[1:]], tokenizer_name="cl100k_base").violation
    )


def test_sentences_are_the_text() -> None:
    text = "Dr. Smith came. He left!\n\n他说：“好。”然后走了。"
    sentences = chunkwright.split_sentences(text)
    assert "".join(sentences) == text
    assert [s.strip() for s in sentences] == ["Dr. Smith came.", "He left!", "他说：“好。”", "然后走了。"]


def test_prefix_settings() -> None:
    (c,) = chunkwright.chunk("# A\n\n## B\n\ntext", heading_template="In {path}:", path_separator=" / ")
    assert c.content == "In A / B:\n\ntext"
    (c,) = chunkwright.chunk("# A\n\ntext", heading_template=None)
    assert c.content == "text"


def test_target_closes_chunks_early() -> None:
    text = "\n\n".join(f"Paragraph number {i} has a few words." for i in range(40))
    soft = chunkwright.chunk(text, max_tokens=200, target_tokens=40, overlap_tokens=0)
    hard = chunkwright.chunk(text, max_tokens=200, overlap_tokens=0)
    assert len(soft) > 2 * len(hard)
    assert {c.split_reason for c in soft} == {"target_tokens", "document_end"}
    assert all(40 <= (c.token_count or 0) <= 60 for c in soft[:-1])
    table = "| a | b |\n| --- | --- |\n" + "| x | y |\n" * 20
    (whole,) = chunkwright.chunk(table, max_tokens=400, target_tokens=20)
    assert whole.body == table.strip()


@pytest.mark.parametrize("name", chunkwright.tokenizer_names())
@pytest.mark.parametrize(
    "start", ["/d", ".x", "'s", "1", "x", "你", "\u0301a", "//", "!", " x", "  /d", "   !", "  你"]
)
def test_the_prefix_counts_with_what_follows_it(name: str, start: str) -> None:
    """The count of a prefix by itself may only be added where the joint cannot be part of a token."""
    for title in ("A", "A.", "A）", "3", "it'"):
        for c in chunkwright.chunk(f"# {title}\n\n{start} text", tokenizer_name=name, heading_template="In {path}"):
            assert c.token_count == chunkwright.count_tokens(c.content, name)


def test_an_html_table_in_a_cell_is_part_of_its_row() -> None:
    head = "| name | meaning |\n|---|---|\n"
    inner = "<table><thead><tr><th>k</th></tr></thead><tbody><tr><td>v</td></tr></tbody></table>"
    rows = [f"| row {n} | words that explain it {n} |" for n in range(12)] + [f"| inner | {inner} |"]
    chunks = chunkwright.chunk(head + "\n".join(rows), max_tokens=80, overlap_tokens=0)
    assert len(chunks) > 2
    assert all(chunk.content.startswith(head) for chunk in chunks)
    assert sum(inner in chunk.content for chunk in chunks) == 1
