"""tiktoken's encodings by name, without a network: the vocabularies lie in the source of the crate tiktoken-rs."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import tiktoken
from tiktoken_ext.openai_public import r50k_base  # type: ignore[import-untyped]

NAMES = ("cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "gpt2")

_HOST = "https://openaipublic.blob.core.windows.net"
# Where tiktoken would fetch each file from, and what the file is called in the crate.
_FILES = {
    f"{_HOST}/encodings/cl100k_base.tiktoken": "cl100k_base.tiktoken",
    f"{_HOST}/encodings/o200k_base.tiktoken": "o200k_base.tiktoken",
    f"{_HOST}/encodings/p50k_base.tiktoken": "p50k_base.tiktoken",
    f"{_HOST}/encodings/r50k_base.tiktoken": "r50k_base.tiktoken",
}


def _asset_folders() -> Iterator[Path]:
    """The crate's asset folders, in cargo's registry or a vendored copy, newest version first."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = sorted(home.glob("registry/src/*/tiktoken-rs-*/assets"), reverse=True)
    root = Path(__file__).resolve().parents[2]
    found += sorted(root.glob("vendor/tiktoken-rs*/assets"), reverse=True)
    yield from found


def _litellm_folder(into: Path) -> Path | None:
    """The tokenizers folder of litellm's wheel, which carries cl100k_base and o200k_base under tiktoken's own keys."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", str(into), "litellm"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        return None
    for wheel in into.glob("litellm-*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                name = member.rpartition("/")[2]
                if "tokenizers/" in member and len(name) == 40 and "." not in name:
                    (into / name).write_bytes(archive.read(member))
        return into
    return None


@lru_cache(maxsize=1)
def cache_folder() -> str:
    """A folder as `TIKTOKEN_CACHE_DIR` wants it. tiktoken itself checks each file's SHA-256 when it reads it."""
    folder = Path(tempfile.gettempdir()) / f"chunkwright-reference-vocabularies-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    complete = True
    for url, name in _FILES.items():
        target = folder / hashlib.sha1(url.encode()).hexdigest()
        source = next((a / name for a in _asset_folders() if (a / name).exists()), None)
        if not target.exists() and source is not None:
            copy = target.with_suffix(f".{os.getpid()}")
            shutil.copyfile(source, copy)
            copy.replace(target)
        complete = complete and target.exists()
    if not complete and not any(folder.iterdir()):
        _litellm_folder(folder)
    return str(folder)


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """The encoding of that name, built by tiktoken."""
    if name not in NAMES:
        raise ValueError(f"tokenizer_name={name!r}: must be one of {', '.join(NAMES)}")
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = cache_folder()
    try:
        if name == "gpt2":
            # The crate's encoder.json is not byte for byte the one tiktoken asks for; the ranks are those of r50k_base.
            return tiktoken.Encoding(**{**r50k_base(), "name": name})
        return tiktoken.get_encoding(name)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


@lru_cache(maxsize=200_000)
def count(text: str, name: str = "cl100k_base") -> int:
    """Exact number of tokens of the whole string."""
    return len(encoding(name).encode_ordinary(text))


@lru_cache(maxsize=2_000)
def token_lengths(text: str, name: str = "cl100k_base") -> tuple[int, ...]:
    """Byte length of each token of the string."""
    made = encoding(name)
    return tuple(len(made.decode_single_token_bytes(token)) for token in made.encode_ordinary(text))
