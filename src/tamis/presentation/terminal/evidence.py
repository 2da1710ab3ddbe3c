"""What a method found besides the columns to keep, as lines for a terminal."""

from collections.abc import Callable, Mapping
from typing import Any

from tamis.facts.selection_answer import EvidenceFacts, SearchFacts
from tamis.presentation.prose.about_search import mark_text, search_sentences
from tamis.presentation.prose.writing import count_words, cut, list_names, p_value, percent, plain
from tamis.presentation.terminal.screen import Screen, wrap_sentence

_STEPS = 20
_MAX_LEVELS_LISTED = 2
_CLUSTERS = 10


def clustering_lines(facts: Mapping[str, Any], screen: Screen) -> list[str]:
    """Write the steps of the search, the sizes of the clusters, and their hierarchy."""
    verb = "added" if facts["direction"] == "forward" else "removed"
    steps = facts["steps"]
    lines = [f"  {verb:<{screen.room}} {cut(facts['criterion'], 22):>22}   clusters"]
    if facts["start"] is not None:
        lines.append(f"  {'none':<{screen.room}} {facts['start']:>22.4f}")
    lines += [
        f"  {screen.fit(step['column'])} {step['value']:>22.4f}   {step['clusters']:>8}"
        for step in steps[:_STEPS]
    ]
    if len(steps) > _STEPS:
        lines.append(f"      ... and {len(steps) - _STEPS:,} more")
    lines += ["", _sizes(facts)]
    if facts["tree"] is not None and len(facts["sizes"]) > 1:
        lines += [
            "",
            "Hierarchy, with means in SD:",
            *hierarchy_lines(facts["tree"], _MAX_LEVELS_LISTED),
        ]
    return lines


def _sizes(facts: Mapping[str, Any]) -> str:
    sizes = facts["sizes"]
    drawn = "" if facts["rows"] == facts["of"] else f" (a random sample of the {facts['of']:,})"
    if len(sizes) == 1:
        return f"No clusters: all {facts['rows']:,} rows{drawn} belong together."
    listed = list_names([f"{size:,}" for size in sizes], _CLUSTERS)
    return f"Clusters of the {facts['rows']:,} rows{drawn}: {len(sizes)}, with {listed} rows."


Facts = Mapping[str, Any]

_FIRST, _COLUMNS = 10, 20


def _significance(evidence: Facts, screen: Screen) -> list[str]:
    """List the columns with the best scores, each with its p-values."""
    rows = evidence["columns"][:_COLUMNS]
    head = f"  {evidence['score']:<{screen.room}}"
    if len(evidence["score"]) > screen.room:
        head = f"  {evidence['score']}\n  {'':<{screen.room}}"
    lines = [f"{head} {'score':>8} {'p':>9} {'adjusted':>9}"]
    for row in rows:
        numbers = ["-" if row[part] is None else p_value(row[part]) for part in ("p", "adjusted")]
        line = f"  {screen.fit(row['column'])} {row['score']:>8.4g} {numbers[0]:>9} {numbers[1]:>9}"
        lines += screen.rows([(line, plain(row["note"]))])
    more = len(evidence["columns"]) - len(rows)
    return [*lines, *([f"  ... and {more:,} more"] if more else [])]


def _clusters(facts: Facts, screen: Screen) -> list[str]:
    """Write a line for every local cluster: its rows and its columns, best first."""
    clusters = facts["clusters"]
    if not clusters:
        return ["No cluster is better than chance: the columns have no order by clusters."]
    head = f"  {'cluster':>7} {'rows':>8} {'quality':>9}"
    rows = [(head, "columns, best first")]
    for i, cluster in enumerate(clusters, start=1):
        start = f"  {i:>7} {len(cluster['rows']):>8,} {cluster['quality']:>9.3f}"
        rows.append((start, list_names(cluster["columns"])))
    return [
        *screen.rows(rows),
        f"  quality: {facts['quality']}",
        f"  in no cluster: {facts['unassigned']:,} of {facts['rows']:,} rows, "
        f"{facts['unused']:,} columns",
    ]


def evidence_lines(evidence: EvidenceFacts | None, screen: Screen) -> list[str]:
    """Write the lines of what else was found, after an empty line; nothing without any."""
    if isinstance(evidence, SearchFacts):
        said = search_sentences(evidence)[1:]  # the first one is in the headline
        return ["", *(line for text in said for line in wrap_sentence(text, screen.width))]
    return [] if evidence is None else _lines_of_kind(evidence.kind, evidence.values, screen)


def _lines_of_kind(kind: str, values: Facts, screen: Screen) -> list[str]:
    lines = _LINES[kind](values, screen)
    return ["", *lines] if lines else []


def _write_ranking(facts: Facts, screen: Screen) -> list[str]:
    """Write the best scores, and how well a learner does with so many columns."""
    accuracy, bars = facts["accuracy"] or [], facts["bars"]
    rows = bars[: max(_FIRST, min(len(accuracy), 2 * _FIRST))]
    head = f"  {'scores (* kept)':<{screen.room}} {'score':>10}"
    lines = [head + (f"   {facts['metric']} with those so far" if accuracy else "")]
    for i, row in enumerate(rows):
        score = "-" if row["score"] is None else f"{row['score']:.4g}"
        mark = "*" if i < facts["kept"] else " "
        line = f" {mark}{screen.fit(row['column'])} {score:>10}"
        if i < len(accuracy) and (value := accuracy[i]) is not None:
            shares = facts["metric"] == "accuracy"
            line += f"   {percent(value) if shares else f'{value:.4g}'}"
        lines.append(line)
    lines += [f"  ... and {len(bars) - len(rows):,} more"] if len(bars) > len(rows) else []
    lines += [facts["why"]] if facts["why"] else []
    more = facts["beside"]
    return [*lines, *(_lines_of_kind(more["kind"], more, screen) if more else [])]


_LINES: dict[str, Callable[[Facts, Screen], list[str]]] = {
    "clusters": _clusters,
    "concepts": clustering_lines,
    "mixture": clustering_lines,
    "ranking": _write_ranking,
    "significance": _significance,
}

_TREE_LETTERS = 60


def hierarchy_lines(tree: Mapping[str, Any], levels: int = 3) -> list[str]:
    """Write a concept in each line, under its parent.

    >>> part = {"rows": 2, "marks": [["width", 1.0]], "children": [], "hidden": 0}
    >>> tree = {"rows": 4, "marks": [], "children": [part, part], "hidden": 0}
    >>> print(*hierarchy_lines(tree), sep=chr(10))
    4 rows
      1: 2 rows, width +1.0
      2: 2 rows, width +1.0
    """
    lines = [_line(tree)]
    for place, part in enumerate(tree["children"], start=1):
        inner = hierarchy_lines(part, levels - 1) if levels > 1 else [_line(part)]
        lines += [f"  {place}: {inner[0]}", *(f"     {line}" for line in inner[1:])]
    if tree["hidden"] and levels > 1:
        lines.append(f"  ... and {tree['hidden']} smaller ones")
    return lines


def _line(node: Mapping[str, Any]) -> str:
    marks = ", ".join(mark_text(mark) for mark in node["marks"])
    text = count_words(node["rows"], "row")
    return f"{text}, {cut(marks, _TREE_LETTERS)}" if marks else text
