"""chunkwright beside other packages, in one run on one core, and beside its own targets.

python benches/compare.py [--only PART,...] [--rounds N] [--json FILE] [--core N | --core none]

Parts: count, fresh, chunk, strategies, tiny, threads, start, memory, large. MB are 10^6 bytes of UTF-8 input; speeds
are medians of CPU time over interleaved rounds; ratios are of figures of this run. What cannot be measured here is
named in a line that begins with "skipped".
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import measure
import peers
import texts
from rich.console import Console
from rich.table import Table

from chunkwright import verify

OUT = Console(width=None if sys.stdout.isatty() else 170, highlight=False)
SLICE = 400_000
# A thread that gets this share of a core has it to itself.
QUIET = 0.97
OURS = "chunkwright"
STRUCTURE = ["chunks", "over budget %", "fences cut", "tables cut", "orphan rows", "loss %", "loss, letters %"]


class Run:
    """What was measured, and with which settings."""

    def __init__(self, rounds: int, core: int | None) -> None:
        self.rounds = rounds
        self.core = core
        self.figures: dict[str, Any] = {}
        # (what, figure, target, whether at least or at most)
        self.targets: list[tuple[str, float, float, bool]] = []

    def skip(self, what: str) -> None:
        """Says that something is not measured."""
        line = what if what.startswith("skipped") else f"skipped: {what}"
        self.figures.setdefault("skipped", []).append(line)
        OUT.print(f"[yellow]{line}[/]")

    def least(self, what: str, figure: float, target: float) -> None:
        """A figure that should be at least that."""
        self.targets.append((what, figure, target, True))

    def most(self, what: str, figure: float, target: float) -> None:
        """A figure that should be at most that."""
        self.targets.append((what, figure, target, False))


def show(title: str, columns: list[str], rows: list[list[Any]]) -> None:
    """Prints a table."""
    table = Table(title=title, title_justify="left")
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left", no_wrap=not place)
    for row in rows:
        table.add_row(*(f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in row))
    OUT.print(table)


def names(*wanted: str) -> list[str]:
    """Of these corpora, those that are there; the samples, if none is."""
    return list(wanted) if texts.has_corpora() else ["samples"]


def rates(corpus: str, speeds: dict[str, float]) -> list[list[Any]]:
    """Rows of a speed table: MB/s, and how many times faster ours is."""
    ours = speeds[OURS]
    return [[corpus, name, speed, ours / speed] for name, speed in speeds.items()]


# -------------------------------------------------------------------------------------------- counting


def counting(run: Run) -> None:
    """Documents that were counted before."""
    calls: dict[str, Callable[[tuple[str, ...]], list[int]]] = {}
    for peer in peers.present(peers.COUNTERS, run.skip):
        try:
            calls[peer.name] = _each(peer.make())
            if peer.make_batch:
                calls[f"{peer.name}, batch"] = peer.make_batch()
        except Exception as error:  # noqa: BLE001 - a peer may fail in its own way
            run.skip(f"{peer.name}: {error}")
    rows, figures = [], {}
    for corpus in names("en_ps", "zh_docs", "tldr"):
        documents = texts.documents(corpus)
        works = {name: partial(call, documents) for name, call in calls.items()}
        exact = works["tiktoken"]()
        wrong = {name: sum(a != b for a, b in zip(work(), exact, strict=True)) for name, work in works.items()}
        taken = measure.interleaved(works, run.rounds)
        speeds = {name: texts.size(documents) / 1e6 / one for name, one in taken.items()}
        rows += [[*row, wrong[row[1]]] for row in rates(corpus, speeds)]
        figures[corpus] = {"MB/s": speeds, "wrong": wrong}
        targets = {"en_ps": (1.5, 40), "zh_docs": (1.6, 30)}.get(corpus)
        if targets:
            _against(run, f"counting {corpus}, warm, times fastokens", speeds, "fastokens", targets[0])
            run.least(f"counting {corpus}, warm, times tiktoken", speeds[OURS] / speeds["tiktoken"], targets[1])
    run.figures["count"] = figures
    show("Counting, warm", ["corpus", "", "MB/s", "ours is ... times", "documents wrong"], rows)


def _each(call: Callable[[str], int]) -> Callable[[tuple[str, ...]], list[int]]:
    return lambda documents: [call(text) for text in documents]


def _against(run: Run, what: str, speeds: dict[str, float], peer: str, target: float) -> None:
    """A target against the fastest form of a peer."""
    forms = [speed for name, speed in speeds.items() if name.startswith(peer)]
    if forms:
        run.least(what, speeds[OURS] / max(forms), target)


def fresh(run: Run) -> None:
    """Documents that were never counted: in a new process, on all of a corpus, or on every second one after the others."""
    found = peers.present(peers.COUNTERS, lambda _: None)
    rows, figures = [], {}
    for corpus in names("en_ps", "zh_docs", "tldr"):
        for how in ("first", "half"):
            spent: dict[str, list[float]] = {}
            for _ in range(max(3, run.rounds // 2)):
                for peer in found:
                    try:
                        done = measure.probe("count", peer.name, corpus, how, core=run.core)
                    except RuntimeError as error:
                        run.skip(f"{peer.name}, {how}: {error}")
                        continue
                    spent.setdefault(peer.name, []).append(done["bytes"] / 1e6 / done["seconds"])
            speeds = {name: statistics.median(values) for name, values in spent.items()}
            label = {"first": "first pass", "half": "half-trained"}[how]
            rows += [[row[0], label, *row[1:]] for row in rates(corpus, speeds)]
            figures[f"{corpus}, {label}"] = speeds
            if how == "half" and corpus in {"en_ps", "zh_docs"}:
                _against(run, f"counting {corpus}, half-trained, times fastokens", speeds, "fastokens", 1.25)
    run.figures["fresh"] = figures
    show("Counting, new documents", ["corpus", "", "", "MB/s", "ours is ... times"], rows)


# -------------------------------------------------------------------------------------------- chunking


def chunking(run: Run) -> None:
    """512 tokens; whole corpora for who can, parts for who is slow; the independent checker on the parts."""
    made = _made(run, peers.CUTTERS)
    slow = {peer.name for peer in peers.CUTTERS if peer.slow}
    figures: dict[str, Any] = {}
    for corpus in names("en_ps", "zh_docs", "tldr"):
        whole, part = texts.documents(corpus), texts.part(corpus, SLICE)
        fast = {name: one for name, one in made.items() if name not in slow}
        kept = {OURS, "tiktoken (bare encoding)"}
        few = {name: one for name, one in made.items() if name in slow | kept}
        speeds = _cutting(fast, whole, run.rounds)
        on_part = _cutting(few, part, max(2, run.rounds // 2))
        structure = _structure(run, made, peers.CUTTERS, corpus, part)
        figures[corpus] = {"whole": speeds, "part": on_part, "structure": structure}
        yardstick = speeds["tiktoken (bare encoding)"]
        rows = []
        for name in made:
            mine = on_part if name in slow else speeds
            rows.append([name, mine[name], mine[OURS] / mine[name], mine[name] / _bare(mine), *structure.get(name, [])])
        head = ["", "MB/s", "ours is ... times", "times tiktoken", *STRUCTURE]
        show(
            f"Chunks of at most 512 tokens, {corpus} (structure: on {texts.size(part) / 1e6:.1f} MB of it)", head, rows
        )
        _chunk_targets(run, corpus, speeds, on_part, yardstick)
    if "tldr" in figures:
        share = figures["tldr"]["whole"][OURS] / figures["en_ps"]["whole"][OURS]
        run.least("chunking tldr, a call each, times the MB/s of en_ps", share, 0.5)
    run.figures["chunk"] = figures
    OUT.print(
        "Loss of chunkwright is of bodies: headings (they are in heading_path) and front matter count as lost here."
    )
    OUT.print("Its prefix, fences and repeated headers are part of every chunk's 512 tokens.")


def _made(run: Run, cutters: tuple[peers.Cutter, ...]) -> dict[str, Any]:
    """What the cutters make, those that work here."""
    made: dict[str, Any] = {}
    for peer in peers.present(cutters, run.skip):
        try:
            made[peer.name] = peer.make()
            made[peer.name][0]("# A\n\ntext\n")
        except Exception as error:  # noqa: BLE001 - a peer may fail in its own way
            made.pop(peer.name, None)
            run.skip(f"{peer.name}: {error}")
    return made


def _bare(speeds: dict[str, float]) -> float:
    return speeds["tiktoken (bare encoding)"]


def _chunk_targets(
    run: Run, corpus: str, speeds: dict[str, float], on_part: dict[str, float], yardstick: float
) -> None:
    wanted = {"en_ps": (15, 25), "zh_docs": (12, 20)}.get(corpus)
    if not wanted:
        return
    run.least(f"chunking {corpus}, times tiktoken's bare encoding", speeds[OURS] / yardstick, wanted[0])
    run.least(f"chunking {corpus}, past that", speeds[OURS] / yardstick, wanted[1])
    for name, target in (("semantic-text-splitter", 100), ("chonkie", 5)):
        for mine in (on_part, speeds):
            rivals = [speed for peer, speed in mine.items() if peer.startswith(name)]
            if rivals:
                run.least(f"chunking {corpus}, times {name}", mine[OURS] / max(rivals), target)


def _cutting(made: dict[str, Any], documents: tuple[str, ...], rounds: int) -> dict[str, float]:
    """MB/s of each."""
    works = {name: _all(call, documents) for name, (call, _, _) in made.items()}
    forget = {name: one[2] for name, one in made.items()}
    taken = measure.interleaved(works, rounds, forget)
    return {name: texts.size(documents) / 1e6 / one for name, one in taken.items()}


def _all(call: Callable[[str], Any], documents: tuple[str, ...]) -> Callable[[], Any]:
    return lambda: [call(text) for text in documents]


def _checkers(run: Run, corpus: str) -> Callable[[int, bool], Any] | None:
    """The independent checker for a budget, in characters or tokens, where it is."""
    folder = texts.SHARED / "bench" / "peers"
    if not folder.is_dir():
        run.skip(f"structure columns of {corpus}: {folder} is not there")
        return None
    sys.dont_write_bytecode = True
    sys.path.append(str(folder))
    try:
        import structure_check  # noqa: PLC0415 - only there

        peers.oracle.encoding()
        structure_check.Checker()
    except ImportError as error:
        run.skip(f"structure columns of {corpus}: {error}")
        return None

    @cache
    def checker(budget: int, in_characters: bool) -> Any:  # noqa: FBT001
        one = structure_check.Checker(budget)
        if in_characters:
            one.tokens = len
        return one

    return checker


def _structure(
    run: Run, made: dict[str, Any], cutters: tuple[peers.Cutter, ...], corpus: str, documents: tuple[str, ...]
) -> dict[str, list[Any]]:
    """What the independent checker finds in the chunks of each, by the size that it is cut by."""
    checkers = _checkers(run, corpus)
    if not checkers:
        return {}
    sizes = {cutter.name: (cutter.budget, cutter.in_characters) for cutter in cutters}
    found, proved = {}, {}
    for name, (call, to_texts, _) in made.items():
        if name.startswith("tiktoken"):
            continue
        results = [call(text) for text in documents]
        if name.startswith(OURS):
            broken = [
                str(v.violation)
                for text, one in zip(documents, results, strict=True)
                if not (v := verify(text, one)).ok
            ]
            run.figures.setdefault("violations", {})[f"{name}, {corpus}"] = broken
            proved[name] = len(broken)
        chunks = [to_texts(one) for one in results]
        checker = checkers(*sizes[name])
        of = checker.corpus(list(documents), chunks)
        # Loss is looked for in bodies where there are some: the checker follows the text, and a line with headings in front leads it astray.
        bodies = [[{"text": one.get("body", one["text"])} for one in some] for some in chunks]
        loss = checker.corpus(list(documents), bodies) if name.startswith(OURS) else of
        found[name] = [
            of["chunks"], f"{of['over_pct']:.2f}", f"{of['fences_cut']} of {of['fences_fit']}",
            f"{of['tables_cut']} of {of['tables_fit']}", f"{of['orphan_row_chunks']} of {of['table_chunks']}",
            f"{loss['loss_pct']:.2f}", f"{loss['loss_alnum_pct']:.2f}",
        ]  # fmt: skip
    counts = ", ".join(f"{name} {number}" for name, number in proved.items())
    OUT.print(f"Violations that chunkwright.verify finds in {len(documents)} documents of {corpus}: {counts}")
    return found


# -------------------------------------------------------------------------------------------- strategies


def strategies(run: Run) -> None:
    """Each strategy by characters, beside packages that cut by them, and by tokens, beside `structure`."""
    cutters = (*peers.BY_CHARACTERS, *peers.BY_TOKENS)
    made = _made(run, cutters)
    figures: dict[str, Any] = {}
    for corpus in names("en_ps", "zh_docs"):
        whole, part = texts.documents(corpus), texts.part(corpus, SLICE)
        works = {name: _all(call, whole) for name, (call, _, _) in made.items()}
        works |= {f"{name}, read": _reading(call, whole) for name, (call, _, _) in made.items()}
        taken = measure.interleaved(works, run.rounds)
        speeds = {name: texts.size(whole) / 1e6 / one for name, one in taken.items()}
        structure = _structure(run, made, cutters, corpus, part)
        figures[corpus] = {"MB/s": speeds, "structure": structure}
        rows = [[name, speeds[name], speeds[f"{name}, read"], *structure.get(name, [])] for name in made]
        title = f"Strategies, {corpus} (structure: on {texts.size(part) / 1e6:.1f} MB of it)"
        show(title, ["", "MB/s", "texts read too", *STRUCTURE], rows)
        _strategy_targets(run, corpus, speeds)
    run.figures["strategies"] = figures
    OUT.print("Budgets, and what fits, are in characters where chunks are; there sentence and paragraph are soft.")
    OUT.print("Loss of structure and structured is of bodies: headings (they are in heading_path) count as lost here.")


def _reading(call: Callable[[str], Any], documents: tuple[str, ...]) -> Callable[[], Any]:
    """Cuts, and has each chunk's text as a str, which some packages make only when it is asked for."""
    return lambda: [[getattr(one, "content", one) for one in call(text)] for text in documents]


def _strategy_targets(run: Run, corpus: str, speeds: dict[str, float]) -> None:
    ours = {name: speeds[f"{OURS} {name}"] for name in peers.CHARACTERS}
    chunkr, langchain = (speeds.get(name) for name in ("chunkr-rs RecursiveChunker", "langchain RecursiveCharacter"))
    if chunkr:
        run.least(f"recursive {corpus}, times chunkr-rs", ours["recursive"] / chunkr, 1)
    for name in ("fixed_size", "recursive", "paragraph", "sentence"):
        if langchain:
            run.least(f"{name} {corpus}, times langchain", ours[name] / langchain, 3)
    run.least(f"structured {corpus}, MB/s", ours["structured"], 100)
    for name in ours:
        share = speeds[f"{OURS} {name}, tokens"] / speeds[f"{OURS} structure, tokens"]
        run.least(f"{name} {corpus} by tokens, times the MB/s of structure", share, 0.5)


# -------------------------------------------------------------------------------------------- many small documents


def tiny(run: Run) -> None:
    """Thousands of small documents: a call each, and one batch."""
    if not texts.has_corpora():
        run.skip(f"many small documents: no corpora in {texts.SHARED}")
        return
    from chunkwright import StructureAwareChunker  # noqa: PLC0415

    documents, chunker = texts.documents("tldr"), StructureAwareChunker(peers.BUDGET, 64)
    works = {
        "a call each": lambda: [chunker.chunk(text) for text in documents],
        "one batch": lambda: chunker.chunk_many(documents, threads=1),
    }
    taken = measure.interleaved(works, run.rounds)
    speeds = {name: texts.size(documents) / 1e6 / one for name, one in taken.items()}
    run.figures["tiny"] = speeds
    columns = ["", "MB/s", "microseconds a document"]
    show("tldr", columns, [[name, speed, taken[name] / len(documents) * 1e6] for name, speed in speeds.items()])


# -------------------------------------------------------------------------------------------- processes


def threads(run: Run) -> None:
    """One batch by one thread and by two, by the clock."""
    if (os.cpu_count() or 1) < 2:
        run.skip("two threads: there is one core")
        return
    rows = []
    run.figures["threads"] = {}
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    for corpus in names("en_ps", "zh_docs"):
        of = measure.probe("threads", corpus, str(max(9, run.rounds)))
        run.figures["threads"][corpus] = of
        rows.append([corpus, *(f"{of[key]:.2f}" for key in ("ratio", "free", "cpu", "share", "load"))])
        # The second is a model, which other users of the machine do not spoil: one thread's CPU time to that of the busier of two.
        quiet = "" if of["share"] > QUIET else " (the machine was busy)"
        run.least(f"two threads, {corpus}, times one, by the clock{quiet}", of["ratio"], 1.85)
        run.least(f"two threads, {corpus}, times one, modelled from CPU time", of["free"], 1.85)
    measure.pin(run.core)
    columns = [
        "",
        "clock, 1 : 2",
        "with free cores, by CPU time",
        "CPU time, 2 : 1",
        "share of a core that one thread got",
        "load",
    ]
    show("chunk_many, two threads to one", columns, rows)


STARTS = {
    OURS: "import chunkwright; chunkwright.StructureAwareChunker().chunk(text)",
    "tiktoken (count only)": "import tiktoken; tiktoken.get_encoding('cl100k_base').encode_ordinary(text)",
    "semantic-text-splitter": "import semantic_text_splitter as s; "
    "s.MarkdownSplitter.from_tiktoken_model('gpt-4', 512).chunks(text)",
}


def start(run: Run) -> None:
    """A new process that imports, makes a chunker and cuts a document of 1 KB; the bare interpreter taken off."""
    peers.oracle.encoding()
    head = f"import sys; sys.path.append({str(texts.ROOT / '.venv' / 'peers')!r}); text = {'# T' + chr(10) * 2 + 'Plain words. ' * 78!r}; "
    codes = {"bare": head, **{name: head + code for name, code in STARTS.items()}}
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in codes}
    for _ in range(15):
        for name, code in list(codes.items()):
            try:
                spent[name].append(measure.process_cost(code, run.core))
            except RuntimeError:
                del codes[name]
                run.skip(f"cold start of {name}: it does not run")
    bare = [statistics.median(values) * 1e3 for values in zip(*spent["bare"], strict=True)]
    rows, figures = [["bare interpreter", *bare]], {"bare": bare}
    for name in codes:
        if name == "bare":
            continue
        beyond = [statistics.median(v) * 1e3 - b for v, b in zip(zip(*spent[name], strict=True), bare, strict=True)]
        rows.append([name, *beyond])
        figures[name] = beyond
    run.figures["start"] = figures
    # Both: the clock is what a user waits for, CPU time is what can be told on a busy machine.
    run.most("cold start, ms by the clock beyond the bare interpreter", figures[OURS][0], 60)
    run.most("cold start, ms of CPU beyond the bare interpreter", figures[OURS][1], 60)
    show("Cold start, ms beyond the bare interpreter", ["", "clock", "CPU"], rows)


def resident(run: Run) -> None:
    """What one encoding holds."""
    bare = measure.probe("bare")
    if bare["rss"] is None:
        run.skip("memory: this system has no /proc/self/status")
        return
    of = measure.probe("memory", names("en_ps")[0])
    beyond = (of["rss"] - bare["rss"]) / 1e6
    later = beyond + of["grown"] / 1e6
    run.figures["memory"] = {"first document MB": beyond, "after a corpus MB": later}
    run.most("resident memory for one encoding, MB beyond the bare interpreter", later, 60)
    show("Resident memory, MB beyond the bare interpreter", ["after one document", "after a corpus"], [[beyond, later]])


def large(run: Run) -> None:
    """One document of 100 MB."""
    rows = []
    run.figures["large"] = {}
    for kind in ("str", "bytes"):
        lengths = (10**7, 10**8)
        pairs = [[measure.probe("large", str(length), kind, core=run.core) for length in lengths] for _ in range(3)]
        ratio = statistics.median(big["seconds"] / small["seconds"] for small, big in pairs)
        big = pairs[0][1]
        peak = big["peak"] / 1e8 if "peak" in big else None
        run.figures["large"][kind] = {"ratio": ratio, "peak": peak, "seconds": big["seconds"]}
        run.most(f"time of 100 MB : 10 MB, as {kind}", ratio, 11)
        if peak is None:
            run.skip("peak memory: this system has no /proc/self/status")
        else:
            run.most(f"peak extra memory of one 100 MB document, times its size, as {kind}", peak, 6)
        held = f"{big['held'] / 1e8:.2f}" if "held" in big else "-"
        rows.append([kind, big["seconds"], 100 / big["seconds"], f"{ratio:.2f}", f"{peak or 0:.2f}", held])
    columns = [
        "given as",
        "s for 100 MB",
        "MB/s",
        "time 100 : 10 MB",
        "peak extra, times its size",
        "held after, times its size",
    ]
    show("One large document", columns, rows)


PARTS = {
    "count": counting, "fresh": fresh, "chunk": chunking, "strategies": strategies, "tiny": tiny, "threads": threads,
    "start": start, "memory": resident, "large": large,
}  # fmt: skip


def main() -> None:
    """Runs the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--core", default="0", help="the core to stay on, or none")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    options = parser.parse_args()
    run = Run(options.rounds, None if options.core == "none" else int(options.core))
    measure.pin(run.core)
    if not texts.has_corpora():
        run.skip(f"the corpora: {texts.SHARED / 'corpora'} is not there; the samples take their place")
    begun = time.perf_counter()
    for name in options.only.split(","):
        PARTS[name](run)
    rows = []
    for what, figure, target, at_least in run.targets:
        met = figure >= target if at_least else figure <= target
        sign = "at least" if at_least else "at most"
        rows.append([what, f"{figure:.2f}", f"{sign} {target:g}", f"{figure / target:.2f}", "yes" if met else "NO"])
    show("Targets", ["", "figure", "target", "figure : target", "met"], rows)
    everyone = (*peers.COUNTERS, *peers.CUTTERS, *peers.BY_CHARACTERS)
    versions = {peer.package: peers.version(peer.package) for peer in peers.present(everyone, str)}
    OUT.print(", ".join(f"{name} {number}" for name, number in versions.items()))
    OUT.print(f"{time.perf_counter() - begun:.0f} s, load {os.getloadavg()[0]:.1f}")
    if options.json:
        run.figures.update(versions=versions, targets=rows)
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(run.figures, indent=1, ensure_ascii=False, default=str) + "\n")


if __name__ == "__main__":
    main()
