"""Other packages that count tokens or cut text, each behind one small shape. A package that is not there is skipped by name."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import oracle
import texts

import chunkwright

# Where `make bench` puts the packages, so that they stay out of the environment that the tests run in.
sys.path.append(str(texts.ROOT / ".venv" / "peers"))

BUDGET = 512


@dataclass(frozen=True)
class Counter:
    """Something that counts cl100k_base tokens. `batch` counts many texts in one call, on one thread."""

    name: str
    package: str
    make: Callable[[], Callable[[str], int]]
    make_batch: Callable[[], Callable[[tuple[str, ...]], list[int]]] | None = None


@dataclass(frozen=True)
class Cutter:
    """Something that cuts a text into chunks of at most 512 cl100k_base tokens, or of another size.

    `make` gives the call, what takes chunk texts (with offsets where there are some) out of a result, and what empties the
    memory it keeps between calls.
    """

    name: str
    package: str
    make: Callable[[], tuple[Callable[[str], Any], Callable[[Any], list[dict[str, Any]]], Callable[[], None]]]
    # Too slow for a whole corpus: it gets a part.
    slow: bool = True
    budget: int = BUDGET
    in_characters: bool = False


def version(package: str) -> str:
    """The version that is installed; raises if there is none."""
    if package == "chunkwright":
        return chunkwright.__version__
    return metadata.version(package)


# -------------------------------------------------------------------------------------------- vocabularies as files


@cache
def work() -> Path:
    """A folder for vocabularies in other forms, made once a machine."""
    folder = Path(tempfile.gettempdir()) / "chunkwright-bench-vocabularies"
    folder.mkdir(exist_ok=True)
    return folder


def ranks_file() -> str:
    """cl100k_base as tiktoken's own file, under its usual name."""
    file = work() / "cl100k_base.tiktoken"
    if not file.exists():
        oracle.encoding()
        from reference.tokens import cache_folder  # noqa: PLC0415 - found through the oracle

        key = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
        file.write_bytes((Path(cache_folder()) / key).read_bytes())
    return str(file)


def tokenizer_json() -> str:
    """cl100k_base as a tokenizer.json without special tokens. ``../shared`` knows how to find the merges."""
    file = work() / "cl100k_plain.json"
    if not file.exists():
        folder = texts.SHARED / "bench" / "peers"
        if not folder.is_dir():
            raise FileNotFoundError(f"its tokenizer.json is made by {folder}, which is not there")
        ranks_file()
        sys.dont_write_bytecode = True
        sys.path.append(str(folder))
        import common  # noqa: PLC0415 - only there

        data = json.loads(Path(common.cl100k_tokenizer_json(str(work()))).read_text(encoding="utf-8"))
        data["added_tokens"] = []
        file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return str(file)


# -------------------------------------------------------------------------------------------- counting


def ours_count() -> Callable[[str], int]:
    return chunkwright.count_tokens


def tiktoken_count() -> Callable[[str], int]:
    encode = oracle.encoding().encode_ordinary
    return lambda text: len(encode(text))


def fastokens_count() -> Callable[[str], int]:
    import fastokens  # noqa: PLC0415

    encode = fastokens.Tokenizer.from_tiktoken(ranks_file(), encoding="cl100k_base").encode_ordinary
    return lambda text: len(encode(text))


def fastokens_batch() -> Callable[[tuple[str, ...]], list[int]]:
    import fastokens  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    tokenizer = fastokens.Tokenizer.from_tiktoken(ranks_file(), encoding="cl100k_base")

    def count(documents: tuple[str, ...]) -> list[int]:
        _, offsets = tokenizer.encode_batch_flat(list(documents), False, True)  # noqa: FBT003 - no keywords there
        return np.diff(np.frombuffer(offsets, np.uint64)).tolist()

    return count


def tokie_count() -> Callable[[str], int]:
    import tokie  # noqa: PLC0415

    return tokie.Tokenizer.from_json(tokenizer_json()).count_tokens


COUNTERS = (
    Counter("chunkwright", "chunkwright", ours_count),
    Counter("tiktoken", "tiktoken", tiktoken_count),
    Counter("fastokens", "fastokens", fastokens_count, fastokens_batch),
    Counter("tokie", "tokie", tokie_count),
)


# -------------------------------------------------------------------------------------------- cutting


def nothing() -> None:
    """For what keeps nothing between calls."""


def plain(result: list[str]) -> list[dict[str, Any]]:
    return [{"text": text} for text in result]


def bodies(chunks: list[Any]) -> list[dict[str, Any]]:
    return [{"text": chunk.content, "body": chunk.body} for chunk in chunks]


def ours(overlap: int) -> Callable[[], Any]:
    return lambda: (chunkwright.StructureAwareChunker(BUDGET, overlap).chunk, bodies, nothing)


def our_strategy(name: str, **settings: int) -> Callable[[], Any]:
    return lambda: (chunkwright.get_chunking_strategy(name, settings).chunk, bodies, nothing)


def tiktoken_only() -> Any:
    """No chunks: the bare encoding that ratios refer to."""
    return oracle.encoding().encode_ordinary, lambda _: [], nothing


def semantic_text_splitter() -> Any:
    import semantic_text_splitter  # noqa: PLC0415

    splitter = semantic_text_splitter.MarkdownSplitter.from_tiktoken_model("gpt-4", BUDGET)

    def spans(result: list[tuple[int, str]]) -> list[dict[str, Any]]:
        return [{"text": text, "start": start, "end": start + len(text)} for start, text in result]

    return splitter.chunk_indices, spans, nothing


def chonkie_recursive() -> Any:
    import chonkie  # noqa: PLC0415
    import tokie  # noqa: PLC0415
    from chonkie.chunker.recursive import RecursiveChunker  # noqa: PLC0415

    cutter = chonkie.RecursiveChunker(tokenizer=tokie.Tokenizer.from_json(tokenizer_json()), chunk_size=BUDGET)

    def spans(result: list[Any]) -> list[dict[str, Any]]:
        return [{"text": one.text, "start": one.start_index, "end": one.end_index} for one in result]

    return cutter.chunk, spans, RecursiveChunker._estimate_token_count.cache_clear  # noqa: SLF001


def semchunk(counter: Callable[[], Callable[[str], int]] | None) -> Callable[[], Any]:
    def make() -> Any:
        import semchunk as package  # noqa: PLC0415
        import semchunk.semchunk as inner  # noqa: PLC0415

        cutter = package.chunkerify(counter() if counter else oracle.encoding(), BUDGET)

        def forget() -> None:
            for memory in inner._memoized_token_counters.values():  # noqa: SLF001
                memory.cache_clear()

        def spans(result: tuple[list[str], list[tuple[int, int]]]) -> list[dict[str, Any]]:
            pairs = zip(*result, strict=True)
            return [{"text": text, "start": start, "end": end} for text, (start, end) in pairs]

        return lambda text: cutter(text, offsets=True), spans, forget

    return make


def langchain(kind: str) -> Callable[[], Any]:
    def make() -> Any:
        import langchain_text_splitters  # noqa: PLC0415

        oracle.encoding()
        splitter = getattr(langchain_text_splitters, kind).from_tiktoken_encoder(
            encoding_name="cl100k_base", chunk_size=BUDGET, chunk_overlap=0, disallowed_special=()
        )
        return splitter.split_text, plain, nothing

    return make


def chunkr_characters() -> Any:
    import chunkr  # noqa: PLC0415

    def contents(result: list[Any]) -> list[dict[str, Any]]:
        return [{"text": one.content} for one in result]

    return chunkr.RecursiveChunker(512, 50).chunk, contents, nothing


def langchain_characters() -> Any:
    import langchain_text_splitters  # noqa: PLC0415

    splitter = langchain_text_splitters.RecursiveCharacterTextSplitter(chunk_size=512, chunk_overlap=50)
    return splitter.split_text, plain, nothing


# Peers are asked for no overlap, which costs them nothing; ours has its default of 64 tokens, and a row without.
CUTTERS = (
    Cutter("chunkwright", "chunkwright", ours(64), slow=False),
    Cutter("chunkwright, no overlap", "chunkwright", ours(0), slow=False),
    Cutter("tiktoken (bare encoding)", "tiktoken", tiktoken_only, slow=False),
    Cutter("chonkie RecursiveChunker, tokie", "chonkie", chonkie_recursive, slow=False),
    Cutter("semantic-text-splitter MarkdownSplitter", "semantic-text-splitter", semantic_text_splitter),
    Cutter("semchunk, tiktoken", "semchunk", semchunk(None)),
    Cutter("semchunk, fastokens", "semchunk", semchunk(fastokens_count), slow=False),
    Cutter("langchain MarkdownTextSplitter", "langchain-text-splitters", langchain("MarkdownTextSplitter")),
    Cutter("langchain RecursiveCharacter", "langchain-text-splitters", langchain("RecursiveCharacterTextSplitter")),
)

# Strategies at their defaults (sizes in characters, which are those of the peers for `fixed_size` and `recursive`), and by tokens.
CHARACTERS = {"fixed_size": 512, "recursive": 512, "sentence": 512, "paragraph": 1024, "structured": 800}
BY_CHARACTERS = (
    *(
        Cutter(f"chunkwright {name}", "chunkwright", our_strategy(name), slow=False, budget=size, in_characters=True)
        for name, size in CHARACTERS.items()
    ),
    Cutter(
        "chunkr-rs RecursiveChunker", "chunkr-rs", chunkr_characters, slow=False, budget=512, in_characters=True
    ),
    Cutter(
        "langchain RecursiveCharacter", "langchain-text-splitters", langchain_characters, slow=False, budget=512,
        in_characters=True,
    ),
)  # fmt: skip
BY_TOKENS = tuple(
    Cutter(
        f"chunkwright {name}, tokens", "chunkwright",
        our_strategy(name, max_tokens=BUDGET, overlap_tokens=64), slow=False,
    )
    for name in ("structure", *CHARACTERS)
)  # fmt: skip


def present(peers: tuple[Any, ...], say: Callable[[str], None]) -> list[Any]:
    """The peers whose package is installed; the others are named."""
    found = []
    for peer in peers:
        try:
            version(peer.package)
        except metadata.PackageNotFoundError:
            say(f"skipped: {peer.name}: the package {peer.package} is not installed")
        else:
            found.append(peer)
    return found
