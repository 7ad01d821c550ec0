"""Measure the shipped extractor and write the figures into the documents that show them.

    python training/quality.py --shared ../shared [--speed FILE] [--times FILE]     measures, then writes
    python training/quality.py                                                        writes what was measured last

Figures are kept in ``docs/quality.json``; each document shows them between ``<!-- figures: NAME -->`` and
``<!-- end -->``, and what stands between is written by this script alone. Files are
what ``benchmarks/extract_speed.py --json`` and ``training/make.py`` (``times.json``) wrote.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "quality.json"
DOCUMENTS = (ROOT / "docs" / "quality.md", ROOT / "docs" / "model-card.md", ROOT / "training" / "README.md")
Figures = Mapping[str, Any]
HEADINGS = {"entity": "Entities", "statement": "Statements", "result": "Results"}
_BLOCK = re.compile(r"(<!-- figures: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column holds words, the others numbers.

    >>> print(table(["a", "b"], [["x", 1.0], ["y", None]]))
    | a | b |
    | --- | ---: |
    | x | 1.0 |
    | y |  |
    """
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join("" if cell is None else str(cell) for cell in line) + " |" for line in lines)


def _annotated(figures: Figures) -> str:
    """Both sets of annotated abstracts, with the model and by rules alone."""
    columns = [(way, name) for way in ("model", "rules") for name in ("part_6", "seeds")]
    sets = [figures[way]["sets"][name] for way, name in columns]
    rows: list[list[object]] = []
    for part in ("entities", "relations", "results"):
        names = sorted({name for one in sets for name in one[part]} - {"all", "core"}) if part != "results" else []
        order = [*names, *[n for n in ("core", "all") if n in sets[0][part]]] if names else list(sets[0][part])
        rows += [[f"{part}: {name}", *[_f1(one[part].get(name)) for one in sets]] for name in order]
    rows.append(["role accuracy", *[one["role_accuracy"] for one in sets]])
    head = ["F1 in percent", "part 6", "seeds", "part 6, rules alone", "seeds, rules alone"]
    return table(head, rows) + f"\n\nMeasured with `{figures['model']['extractor']}`."


def _f1(row: Mapping[str, float] | None) -> object:
    return None if row is None else row["f1"]


def _precision(figures: Figures) -> str:
    one = figures["model"]["sets"]["part_6"]
    rows = [
        [f"{part}: {name}", *[row[column] for column in ("precision", "recall", "f1", "gold", "predicted")]]
        for part in ("entities", "relations", "results")
        for name, row in one[part].items()
    ]
    return table(["part 6", "precision", "recall", "F1", "annotated", "found"], rows)


def _corpora(figures: Figures) -> str:
    columns = [(level, column) for level in ("exact", "overlap", "names") for column in ("precision", "recall", "f1")]
    head = [
        "",
        "marked",
        "exact: P",
        "R",
        "F1",
        "overlap: P",
        "R",
        "F1",
        "names: P",
        "R",
        "F1",
        "exact F1, rules alone",
    ]
    blocks = []
    for name, one in figures["model"]["sets"].items():
        if "kinds" not in one:
            continue
        alone = figures["rules"]["sets"][name]["kinds"]
        rows = [
            [kind, levels["exact"]["gold"], *[levels[level][c] for level, c in columns], alone[kind]["exact"]["f1"]]
            for kind, levels in one["kinds"].items()
        ]
        said = f"**{one['title']}** ({one['documents']} documents; {one['remark']}). {one['mapping']}."
        blocks.append(f"{said}\n\n{table(head, rows)}")
    return "\n\n".join(blocks)


def _reliability(figures: Figures) -> str:
    blocks = []
    for what, one in figures["reliability"].items():
        rows = [
            [f"{row['low']:.1f}-{row['low'] + 0.1:.1f}", row["count"], row["confidence"], row["right"]]
            for row in one["bins"]
        ]
        raw = figures["reliability_raw"][what]["ece"]
        blocks.append(
            f"**{HEADINGS[what]}**: {one['count']}, mean confidence {one['confidence']}, right {one['right']}; "
            f"expected calibration error {one['ece']} (raw figures: {raw}).\n\n"
            + table(["confidence", "count", "mean confidence", "share right"], rows)
        )
    return "\n\n".join(blocks)


def _errors(figures: Figures) -> str:
    counts = figures["errors"]
    entities = ["gold", "right", "missed: not seen", "missed: other kind", "missed: other borders"]
    entities += ["spurious: no name", "spurious: other kind", "spurious: other borders"]
    relations = ["gold", "right", "missed: an end not found", "missed: ends found"]
    relations += ["spurious: an end is no name", "spurious: ends are names"]
    numbers = counts["results"].get("number", {})
    slots = [
        [slot, *[row.get(column, 0) for column in ("wrong", "empty", "filled", "other")]]
        for slot, row in sorted(counts["results"].items(), key=lambda item: -item[1].get("wrong", 0))
        if slot != "number"
    ]
    said = ", ".join(f"{numbers.get(column, 0)} {column}" for column in ("right", "missed", "spurious"))
    return "\n\n".join(
        [
            _counted("names", entities, counts["entities"]),
            _counted("relations", relations, counts["relations"]),
            f"Numbers of results: {said}. Slots of those whose number is right:",
            table(["slot", "wrong", "left empty", "filled for nothing", "another filler"], slots),
        ]
    )


def _counted(name: str, columns: Sequence[str], rows: Mapping[str, Mapping[str, int]]) -> str:
    head = [name, *[column.replace("gold", "annotated") for column in columns]]
    return table(head, [[kind, *[row.get(column, 0) for column in columns]] for kind, row in rows.items()])


def _speed(figures: Figures) -> str:
    speed = figures.get("speed")
    if not speed:
        return "Not measured yet: `python benchmarks/extract_speed.py --json FILE`, then `--speed FILE`."
    rows = [[name, row["rate"], row["milliseconds"]] for name, row in speed["one_thread"].items()]
    lines = [table(["one thread", "abstracts a second", "ms an abstract"], rows), ""]
    lines += [f"- {line}" for line in speed["remarks"]]
    return "\n".join(lines)


def _times(figures: Figures) -> str:
    times = figures.get("times")
    if not times:
        return "Not noted yet."
    return table(["step", "minutes"], [[step, round(seconds / 60, 1)] for step, seconds in times.items()])


def _summary(figures: Figures) -> str:
    rows = []
    for name in ("part_6", "seeds"):
        one = figures["model"]["sets"][name]
        entities = [one["entities"][kind]["f1"] for kind in ("core", "all")]
        results = [one["results"][level]["f1"] for level in ("value", "cell", "full")]
        relations = one["relations"]["all"]["f1"]
        rows.append([one["title"], one["papers"], *entities, one["role_accuracy"], relations, *results])
    head = ["", "papers", "entities, core", "all", "roles", "relations", "results: value", "cell", "full"]
    return table(head, rows)


BLOCKS: dict[str, Callable[[Figures], str]] = {
    "summary": _summary,
    "annotated": _annotated,
    "precision": _precision,
    "corpora": _corpora,
    "reliability": _reliability,
    "errors": _errors,
    "speed": _speed,
    "times": _times,
}


def fill(text: str, figures: Figures) -> str:
    """A document with its blocks of figures written anew.

    Raises:
        KeyError: the document asks for figures that nobody takes.
    """
    return _BLOCK.sub(lambda m: f"{m[1]}{BLOCKS[m[2]](figures)}\n{m[3]}", text)


def measure(shared: Path) -> dict[str, Any]:
    """All figures, with the model and by rules alone."""
    import errors
    import gold
    import reliability
    import score
    from sotagraph.extract import Extractor

    out: dict[str, Any] = {}
    for way, extractor in (("model", Extractor()), ("rules", Extractor(model=False))):
        sets = {name: score.score_gold(shared, name, extractor) for name in gold.SETS}
        sets |= {name: score.score_spans(shared, name, extractor) for name in score.spans.CORPORA}
        out[way] = {"extractor": extractor.version, "sets": sets}
    judge = gold.scorer(shared)
    papers = gold.load(shared, "part_6")
    texts, titles = {key: text for key, (text, _) in papers.items()}, gold.titles(shared)
    records = gold.as_records(gold.extract(Extractor(), texts, titles).values())
    out["errors"] = errors.count(judge, [(truth, records[key]) for key, (_, truth) in papers.items()])
    out["reliability"] = reliability.tables(judge, papers, records)
    with gold.raw_confidences():
        records = gold.as_records(gold.extract(Extractor(), texts, titles).values())
    out["reliability_raw"] = reliability.tables(judge, papers, records)
    return out


def main() -> None:
    """Read the options, measure if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="measure with this reference material")
    parser.add_argument("--speed", type=Path, help="take over these figures of speed")
    parser.add_argument("--times", type=Path, help="take over these times of training")
    args = parser.parse_args()
    figures = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    if args.shared:
        figures |= measure(args.shared)
    for name, path in (("speed", args.speed), ("times", args.times)):
        if path:
            figures[name] = json.loads(path.read_text(encoding="utf-8"))
    KEPT.write_text(
        json.dumps(figures, ensure_ascii=False, indent=1, sort_keys=False) + "\n", encoding="utf-8", newline="\n"
    )
    for path in DOCUMENTS:
        path.write_text(fill(path.read_text(encoding="utf-8"), figures), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
