"""A selection as text for a terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tamis.errors import by_door, spell
from tamis.facts.selection_answer import (
    EvidenceFacts,
    RemovedColumn,
    ScoreFacts,
    SearchFacts,
    SelectionFacts,
)
from tamis.facts.shared_answer import AnswerFacts, SuspiciousColumn
from tamis.presentation.prose.about_relations import MAX_RELATIONS, list_made
from tamis.presentation.prose.about_search import mark_text, search_sentences
from tamis.presentation.prose.about_selection import (
    agreement_sentence,
    baselines_sentence,
    fates_sentence,
    interchangeable,
    is_by_chance,
    levels_sentence,
    limit_lines,
    mostly_by,
    opinions_sentence,
    overfit_text,
    prediction_sentence,
    reasons_sentence,
    selection_sentence,
    shrink_sentence,
)
from tamis.presentation.prose.about_table import (
    clipped_sentence,
    labels_sentence,
    missing_sentence,
    row_sentences,
    unread_sentence,
    warning_advice,
    warning_sentence,
    warning_text,
)
from tamis.presentation.prose.words import Words, words_of
from tamis.presentation.prose.writing import (
    count_words,
    cut,
    held_out_figure,
    is_worse,
    list_names,
    list_skipped,
    p_value,
    percent,
    percent_cell,
    plain,
    signed_percent,
    signed_sum,
)
from tamis.presentation.terminal.screen import (
    Screen,
    add_texts,
    join_lines,
    screen_width,
    wrap_sentence,
)
from tamis.rules.pictures import MAX_CEILING, WORSE

TOP = 10
_SHOWN_CHANCE = 0.01
_KEPT = 20
_CEILING = 10  # letters of the column that always has room
_WIDE_LETTERS = 54  # letters in a line, for both the ceiling and the share on new rows
_MAX_REMOVED_SHOWN = 5
_REASONS = ("redundant", "irrelevant")


def selection_text(
    facts: SelectionFacts, *, top: int = TOP, everything: bool = False, width: int | None = None
) -> str:
    """Write what was found: the sentence, the kept columns, the `top` costliest losses.

    All kept columns are listed if their number was requested, and `everything` lists all that was
    dropped and skipped as well. The text fits a `width`, by default that of the terminal.
    """
    words = words_of(facts.measure, facts.weights_are)
    beside = _share_columns(facts, screen_width() if width is None else width)
    names = [*facts.names, *(row.column for row in facts.dropped)]
    screen = Screen.of(names, beside=len(beside[0]) - _CEILING, width=width)
    first, later = split_notes(facts, selection_sentence(facts), screen.width)
    lines = [*first, *_kept(facts, screen, beside, everything)]
    lines += _write_dropped(facts, words, screen, len(names) if everything else top)
    measured = facts.held_out.share[: facts.k] if facts.held_out else ()
    shares = [*measured, *(row.new_rows or 0.0 for row in facts.dropped)]
    lines += ["", f"worse: {WORSE}."] if any(map(is_worse, shares)) else []
    reasons = reasons_sentence(facts)
    lines += ["", reasons] if reasons else []
    lines += _made(facts, screen, everything=everything)
    lines += limit_lines(facts)
    if facts.held_out is None and (facts.chance or 0.0) >= _SHOWN_CHANCE:
        chance = percent(facts.chance or 0.0)
        option = spell("held_out", True)
        held = f"; {option} measures the share explained on held-out rows"
        more = held if facts.advises else ""
        lines += ["", f"By chance alone, {words.chance.format(chance)}{more}."]
    lines += _better(facts.score, screen)
    lines += ["", f"{facts.auto.reason}."] if facts.auto else []
    lines += [*_held_out(facts), *_stability(facts, screen), *_opinions(facts, screen)]
    if facts.blocks is not None and facts.blocks < _BLOCKS:
        few = f"To stay within memory: {facts.blocks} blocks of rows instead of {_BLOCKS}."
        lines += ["", few]
    lines += evidence_lines(facts.evidence, screen)
    lines += _write_removed(facts.removed, screen)
    lines += list_skipped(facts, everything=everything)
    lines += ["", "Notes:", *later] if later else []
    above = list_kept_labels(facts)
    lines += _warnings([row for row in facts.warnings if row not in above], screen)
    return join_lines(
        part
        for line in lines  # those of a table start with spaces and stay
        for part in ([line] if line.startswith(" ") else wrap_sentence(line, screen.width))
    )


def names_text(facts: SelectionFacts) -> str:
    """Write the kept names alone, one in each line."""
    return join_lines(facts.names)


def _kept(facts: SelectionFacts, screen: Screen, beside: list[str], everything: bool) -> list[str]:
    retained = facts.curve.retained
    requested = everything or any(name == "k" for name, _ in facts.options)
    names = facts.names if requested else facts.names[:_KEPT]
    lines = ["", f"  {'kept':<{screen.room}} {'explained':>10}{beside[0]}"]
    rows = [
        f"  {i + 1:>3} {screen.fit(name, 4)} {percent_cell(retained[i]):>10}{beside[i + 1]}"
        for i, name in enumerate(names)
    ]
    lines += add_texts(rows, [facts.texts.get(name, "") for name in names], screen.width)
    more = facts.k - len(names)
    where = by_door("names has them", "--all lists them")
    return [*lines, f"      ... and {more:,} more ({where})"] if more else lines


def _share_columns(facts: SelectionFacts, width: int) -> list[str]:
    """Write what stands beside the share explained, the head first: its ceiling, and on new rows.

    A ceiling that says nothing is left empty. A narrow terminal has room for one of the two: what
    holds on new rows, if it is known.
    """
    curve, held_out = facts.curve, facts.held_out
    pairs = list(zip(curve.retained, curve.bound, strict=True))[: facts.k]
    bounds = [percent_cell(most) if most <= MAX_CEILING * share else "" for share, most in pairs]
    ceilings = ["   ceiling", *(f"{bound:>10}" for bound in bounds)]
    if held_out is None:
        return ceilings
    shares = [held_out_figure(share).replace("over ", ">") for share in held_out.share[: facts.k]]
    if width < _WIDE_LETTERS:
        return ["   new rows", *(f"{share:>11}" for share in shares)]
    held = ["   on new rows", *(f"{share:>14}" for share in shares)]
    return [first + second for first, second in zip(ceilings, held, strict=True)]


def _write_dropped(facts: SelectionFacts, words: Words, screen: Screen, top: int) -> list[str]:
    rows = facts.dropped
    if not rows or not top:
        return []
    worst = sorted(rows, key=lambda row: row.first_share)
    which = f"{top} least explained"
    if len(rows) > top and any(row.reason in _REASONS for row in rows):
        each = [[r for r in worst if r.reason == why] for why in _REASONS]
        half = (top + 1) // 2
        which, worst = f"{half} of each reason", [r for part in each for r in part[:half]]
    title = "dropped" if len(rows) <= top else f"dropped, {which}"
    measured = any(row.status for row in rows)
    wide = measured and screen.width >= _WIDE_LETTERS
    heads = ["on new rows", "on these rows"] if wide else ["new rows" if measured else "explained"]
    size = 14 if wide else 10
    head = f"  {title:<{screen.room}} " + "".join(f"{one:>{size}}" for one in heads)
    lines = [(head, words.terminal_head)]
    for row in worst[:top]:
        shares = [percent_cell(row.share)]
        if measured:
            new = "" if row.new_rows is None else held_out_figure(row.new_rows)
            shares = [new.replace("over ", ">"), *shares][: 1 + wide]
        start = f"  {screen.fit(row.column)} " + "".join(f"{one:>{size}}" for one in shares)
        reason = f"{row.reason}: " if row.reason else ""
        chance = is_by_chance(row.share, facts)
        lines.append((start, reason + mostly_by(row, words, screen.name, chance=chance)))
    return ["", *screen.rows(lines), *(["", fates_sentence(facts)] if measured else [])]


def _made(facts: SelectionFacts, screen: Screen, *, everything: bool) -> list[str]:
    most = len(facts.relations) if everything else MAX_RELATIONS
    made = list_made(facts.relations, screen.name, most)
    rows = [part for line in made for part in wrap_sentence(line, screen.width, "  ")]
    return ["", "Determined by other columns:", *rows] if rows else []


def _better(score: ScoreFacts | None, screen: Screen) -> list[str]:
    if score is None:
        return []
    names = list_names(list(map(screen.name, score.best.names)), _KEPT)
    lines = ["", f"The best found: {percent(score.best.retained)} by {names}."]
    shown = [(f"swap {screen.name(leaves)} for", *change) for leaves, *change in score.swaps]
    shown += [("add", *change) for change in score.additions]
    lines += [f"  {what} {screen.name(joins)}: {signed_percent(by)}" for what, joins, by in shown]
    return lines


def _warnings(rows: Sequence[SuspiciousColumn], screen: Screen) -> list[str]:
    texts = [": ".join(filter(None, (warning_text(row), warning_advice(row)))) for row in rows]
    starts = [f"  {screen.fit(row.column)}" for row in rows]
    lines = screen.rows(zip(starts, texts, strict=True))
    return ["", f"{count_words(len(rows), 'thing')} to check:", *lines] if lines else []


def _write_removed(rows: Sequence[RemovedColumn], screen: Screen) -> list[str]:
    if not rows:
        return []
    few = len(rows) <= _MAX_REMOVED_SHOWN
    title = "removed" if few else f"removed, the first {_MAX_REMOVED_SHOWN}"
    head = f"  {title:<{screen.room}} {'error':>10}"
    lines = [(head, "predicted by the columns not yet removed (change in SD per SD)")]
    for row in rows[:_MAX_REMOVED_SHOWN]:
        start = f"  {screen.fit(row.column)} {row.error:>10.4f}"
        lines.append((start, signed_sum(row.weights, short=screen.name)))
    return ["", *screen.rows(lines)]


MAX_NOTES = 6  # above the table of kept columns; what is more stands below it

_MIN_NAMES_LETTERS = 30
_SHARE_LETTERS = 20  # in one line with a name: its share


def split_notes(facts: AnswerFacts, sentence: str, width: int) -> tuple[list[str], list[str]]:
    """Give the first lines of an answer, and the notes for which there is no room among them.

    A name is shortened only where it does not fit into a line of this width.
    """
    longest = max(_MIN_NAMES_LETTERS, width - _SHARE_LETTERS)
    labels, method = facts.labels, facts.method
    first, above, prepared = [sentence], [], []
    if isinstance(facts, SelectionFacts):
        first.append(baselines_sentence(facts))
        first += map(prediction_sentence, facts.predictions)
        first.append(overfit_text(facts.overfit))
        if isinstance(facts.evidence, SearchFacts):
            first += search_sentences(facts.evidence)[:1]
        above = [warning_sentence(row) for row in list_kept_labels(facts)]
        clipped = clipped_sentence(facts.clipped, longest) if facts.clipped else ""
        prepared = [clipped, levels_sentence(facts), shrink_sentence(facts)]
        prepared += row_sentences(facts.row_notes)
    first.append(f"Method: {method.id}, {method.why}." if method.why else "")
    notes = [
        *above,
        missing_sentence(facts.missing, longest),
        *prepared,
        unread_sentence(facts.unread),
        *facts.doubts,
        labels_sentence(labels, longest) if labels else "",
    ]
    notes = [line for line in notes if line]
    return [*filter(None, first), *notes[:MAX_NOTES]], notes[MAX_NOTES:]


def list_kept_labels(facts: SelectionFacts) -> list[SuspiciousColumn]:
    """List the kept columns that look like labels: they may be what the others are kept for."""
    labels = [row for row in facts.warnings if row.looks_like in ("label", "response")]
    return [row for row in labels if row.column in {*facts.names}]


_MAX_SETS_SHOWN = 8
_BLOCKS = 20


def _opinions(facts: SelectionFacts, screen: Screen) -> list[str]:
    if not facts.opinions:
        return []
    lines = [f"  {'dropped':<{screen.room}} {'linear':>10}{'trees':>10}"]
    lines += [
        f"  {screen.fit(row.column)} {percent_cell(row.linear):>10}{percent_cell(row.trees):>10}"
        for row in facts.opinions[:_KEPT]
    ]
    return ["", opinions_sentence(facts.opinions), "", *lines]


def _held_out(facts: SelectionFacts) -> list[str]:
    held_out = facts.held_out
    if held_out is None or not facts.dropped:  # of kept columns all is explained anyway
        return []
    at = facts.k - 1
    again = "" if facts.score else ", columns selected again in each"
    share, low = held_out.share[at], held_out_figure(held_out.low[at]).rstrip("%")
    said = f"{percent(share)} explained ({low} to {percent(held_out.high[at])})."
    if is_worse(share):
        said = f"{WORSE} of each column."
    lines = [f"On new rows ({held_out.folds} folds, each held out in turn{again}): {said}"]
    return ["", *lines]


def _stability(facts: SelectionFacts, screen: Screen) -> list[str]:
    stability = facts.stability
    if stability is None:
        return []
    head = f"  {'kept':<{screen.room}} {'half-samples':>12}"
    rows = [(head, "could be replaced by (change of explained)")]
    names = sorted(facts.names, key=lambda name: stability.frequency.get(name, 0.0))
    for name in names[:_KEPT]:
        often = f"{stability.frequency.get(name, 0.0):.0%}"
        share = "included" if name in facts.included else often
        others = ", ".join(
            f"{screen.name(row.column)} ({signed_percent(row.change)})"
            for row in stability.substitutes[name][:2]
        )
        rows.append((f"  {screen.fit(name)} {share:>12}", others))
    lines = [
        "",
        f"Stability over {stability.samples} half-samples: {stability.index:.2f} "
        f"({stability.low:.2f} to {stability.high:.2f}; 1: always the same columns, 0: chance).",
        *filter(None, [agreement_sentence(facts)]),
        "",
        *screen.rows(rows),
    ]
    if len(names) > _KEPT:
        lines.append(f"      ... and {len(names) - _KEPT:,} more, kept more often")
    sets = [
        f"One of these {len(columns)} is kept in {often:.0%} of the half-samples: "
        + ", ".join(f"{screen.name(name)} ({share})" for name, share in columns)
        for often, columns in list(interchangeable(facts))[:_MAX_SETS_SHOWN]
    ]
    return [*lines, *([""] if sets else []), *sets]


_MINUTE, _HOUR = 100.0, 7000.0  # from which on times are shown in minutes, in hours


def cost_text(
    seconds: float, peak: float, *, rows: int, columns: int, k: int, exact: bool, room: int
) -> str:
    """Say what time and memory are to be expected, and whether the machine has the memory.

    >>> print(cost_text(200, 2e9, rows=10**6, columns=300, k=20, exact=True, room=10**9))
    To keep 20 of 300 columns of numbers, 1,000,000 rows: about 3 minutes of processor time
    (half to twice of it, mostly) and 2.0 GB of memory, more than the 1.0 GB of this machine.
    """
    about = "" if exact else "about "
    enough = "" if peak <= room else f", more than the {room / 1e9:.1f} GB of this machine"
    time = f"{max(seconds, 1):.0f} seconds" if seconds < _MINUTE else f"{seconds / 60:.0f} minutes"
    time = time if seconds < _HOUR else f"{seconds / 3600:.1f} hours"
    return (
        f"To keep {k:,} of {columns:,} columns of numbers, {about}{rows:,} rows: about "
        f"{time} of processor time\n(half to twice of it, mostly) and "
        f"{peak / 1e9:.1f} GB of memory{enough}."
    )


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
        lines += ["", "Hierarchy, with means in SD:"]
        lines += hierarchy_lines(facts["tree"], _MAX_LEVELS_LISTED)
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
    return [] if evidence is None else ["", *_LINES[evidence.kind](evidence.values, screen)]


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
    return [*lines, *(["", *_LINES[more["kind"]](more, screen)] if more else [])]


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
    marks = ", ".join(map(mark_text, tree["marks"]))
    text = count_words(tree["rows"], "row")
    lines = [f"{text}, {cut(marks, _TREE_LETTERS)}" if marks else text]
    for place, part in enumerate(tree["children"] if levels else (), start=1):
        first, *rest = hierarchy_lines(part, levels - 1)
        lines += [f"  {place}: {first}", *(f"     {line}" for line in rest)]
    if tree["hidden"] and levels > 1:
        lines.append(f"  ... and {tree['hidden']} smaller ones")
    return lines
