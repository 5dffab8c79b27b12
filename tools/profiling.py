"""Builds that are guided by a profile: what the program does often, counted by an instrumented build. DEVELOP.md has the why.

``with COMMAND...`` runs a build with the profile that there is, and makes one first if none fits; ``fresh`` makes one if a Rust
source is younger; ``train`` makes one; ``flags`` prints RUSTFLAGS for a build elsewhere. With ``PROFILE=no`` in the environment, or
without llvm-profdata of Rust's own LLVM, builds are plain. Run by the Python that has maturin.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIRECTORY = ROOT / "build" / "profile"
PROFILE = DIRECTORY / "chunkwright.profdata"
KIND = DIRECTORY / "kind"
PLAIN = "This build is plain, some 4 to 9 % slower"


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def host() -> str:
    """The platform that rustc runs on."""
    return next(line[6:] for line in output("rustc", "-vV").splitlines() if line.startswith("host: "))


def encoded(variables: Mapping[str, str], flags: Sequence[str]) -> str:
    """Flags for rustc behind those that the environment has, in the only form that allows blanks in a path."""
    own = variables.get("CARGO_ENCODED_RUSTFLAGS")
    before = variables.get("RUSTFLAGS", "").split() if own is None else own.split("\x1f")
    return "\x1f".join(filter(None, [*before, *flags]))


def environment(flags: Sequence[str]) -> dict[str, str]:
    """The environment of a build with more flags for rustc.

    Only where a target is named are build scripts and macros spared the flags, and built once for all builds.
    """
    return {**os.environ, "CARGO_ENCODED_RUSTFLAGS": encoded(os.environ, flags), "CARGO_BUILD_TARGET": host()}


def guided() -> list[str]:
    """Flags of a build with the profile. Functions that have changed since have none, which is no reason to warn."""
    return [f"-Cprofile-use={PROFILE.as_posix()}", "-Cllvm-args=-no-pgo-warn-mismatch"]


def kind() -> str:
    """What a profile depends on, but for the code that it is about."""
    files = [*ROOT.glob("rust/*/Cargo.toml"), *map(ROOT.joinpath, ("Cargo.toml", "Cargo.lock", "tools/train.py"))]
    return "\n".join([output("rustc", "-vV"), *(path.read_text(encoding="utf-8") for path in sorted(files))])


def fits() -> bool:
    """Whether there is a profile of this kind."""
    return PROFILE.is_file() and KIND.is_file() and KIND.read_text(encoding="utf-8") == kind()


def is_younger() -> bool:
    """Whether a Rust source was changed behind the profile."""
    trained = PROFILE.stat().st_mtime
    return any(path.stat().st_mtime > trained for path in ROOT.glob("rust/**/*.rs"))


def profdata() -> Path | None:
    """What reads profiles of this rustc: that of its own LLVM, as another version's may not."""
    library = Path(output("rustc", "--print", "sysroot").strip(), "lib", "rustlib", host(), "bin")
    if shutil.which("llvm-profdata", path=library) is None and shutil.which("rustup"):
        subprocess.run(["rustup", "component", "add", "llvm-tools"], check=False, capture_output=True, cwd=ROOT)
    found = shutil.which("llvm-profdata", path=library)
    return Path(found) if found else None


def obstacle() -> str | None:
    """Why there can be no profile."""
    target = os.environ.get("CARGO_BUILD_TARGET", host())
    if target != host():
        return f"what is built for {target} cannot be trained on {host()}"
    if profdata() is None:
        return "Rust's llvm-profdata is missing, and `rustup component add llvm-tools` does not help"
    return None


def instrumented_wheel(work: Path) -> Path:
    """A wheel that counts what it does."""
    command = [sys.executable, "-m", "maturin", "build", "--release", "--locked", "--quiet"]
    command += ["--interpreter", sys.executable, "--out", str(work)]
    # Optimized like the build to come: with less, functions differ when counters are put in, and do not find theirs later.
    flags = [f"-Cprofile-generate={work.as_posix()}", "--cfg=training", "-Cdebuginfo=0"]
    subprocess.run(command, check=True, env=environment(flags), cwd=ROOT)
    (wheel,) = work.glob("*.whl")
    return wheel


def train() -> None:
    """Make a profile: an instrumented build, which is installed nowhere, does what users do."""
    print("Training: an instrumented build comes first (PROFILE=no does without).", flush=True)
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    work = DIRECTORY / "work"
    work.mkdir(parents=True)
    with zipfile.ZipFile(instrumented_wheel(work)) as wheel:
        wheel.extractall(work / "site")
    found = {"PYTHONPATH": str(work / "site"), "LLVM_PROFILE_FILE": str(work / "%m_%p.profraw"), "PYTHONHASHSEED": "0"}
    subprocess.run([sys.executable, ROOT / "tools" / "train.py"], check=True, env={**os.environ, **found})
    # Sparse: what was never called is compiled as without a profile; else it would be taken for something that never is.
    subprocess.run([str(profdata()), "merge", "-sparse", "-o", PROFILE, *work.glob("*.profraw")], check=True)
    KIND.write_text(kind(), encoding="utf-8")
    shutil.rmtree(work)


def main(arguments: Sequence[str]) -> int:
    """See above."""
    task, *command = arguments or [""]
    if task == "flags":
        print(*guided())
        return 0
    if task not in {"with", "fresh", "train"} or (task == "with") != bool(command):
        print(__doc__, file=sys.stderr)
        return 2
    plain = os.environ.get("PROFILE") == "no"
    if not plain and (why := obstacle()):
        print(f"{PLAIN}: {why}.", file=sys.stderr, flush=True)
        plain = True
    try:
        if not plain and (task == "train" or not fits() or (task == "fresh" and is_younger())):
            train()
    except subprocess.CalledProcessError as error:
        return error.returncode
    if not command:
        return int(plain and task == "train")
    return subprocess.run(command, check=False, env=None if plain else environment(guided())).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
