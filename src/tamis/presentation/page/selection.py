"""A selection as one self-contained HTML page.

The template gives the finished page for the chosen number of columns. The script redraws it for
other numbers, from the same facts packed into a JSON block.
"""

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tamis.errors import is_number
from tamis.facts.explorer import ExplorerFacts, MapFacts
from tamis.facts.selection_answer import DroppedColumn, SelectionFacts
from tamis.presentation.page.fill import CURVE_HEIGHTS, WIDTHS, deflate, fill
from tamis.presentation.prose.about_relations import list_made, relation_reasons
from tamis.presentation.prose.about_selection import (
    agreement_sentence,
    interchangeable,
    limit_lines,
    selection_sentence,
    spent_sentence,
)
from tamis.presentation.prose.about_table import SAMPLE_GAPS, kind_words
from tamis.presentation.prose.cautions import list_cautions
from tamis.presentation.prose.words import Words, words_of
from tamis.presentation.scenes.curve import curve_chart, curve_scene
from tamis.presentation.scenes.evidence import block_map, means_chart, ranking_chart, search_course
from tamis.presentation.scenes.fate import fate_chart, fate_scene
from tamis.presentation.scenes.similarity import choose_colours, colour_scale, heat_map
from tamis.presentation.scenes.trees import cluster_chart, dendrogram, hierarchy_chart, search_tree
from tamis.rules.pictures import MAX_CEILING

Signs = tuple[tuple[str, str], tuple[str, str]]  # of the first term and the others, plus and minus
Terms = tuple[tuple[str, str, str], ...]  # of each: what stands before it, the column, what follows

_STYLES = ("trees", "curve", "selection", "explorer", "table", "card", "whatif")
_PARTS = ("fate", "columns", "card", "more")  # below the curve: templates `selection_<part>`
DRAWERS = (
    ("safe", "Safe to drop", "at least 95% explained on new rows, at the lower limit of each"),
    ("partly", "Partly lost", "explained on new rows, but not surely to 95%"),
    (
        "lost",
        "Lost",
        "hardly explained on new rows, or no better than by chance: you may want these back",
    ),
    ("dropped", "All dropped columns", "explained on these rows; new rows were not measured"),
)
_ROWS_AT_FIRST = 40  # of a table shown at first
_MAX_PAGE_CHIPS = 400
_MAX_KEPT_ROWS = 20  # of kept columns; the script lists the others on request
_CLUSTERINGS = ("clusters", "concepts", "mixture")  # kinds of evidence that are the answer itself
_EQUALS = 11  # columns named beside one of the same share
_TERMS = 4  # of a linear combination
_SUM: Signs = (("{}\u00a0", "\u2212{}\u00a0"), (" +\u00a0{}\u00a0", " \u2212\u00a0{}\u00a0"))


# What a method found besides the columns to keep; the text around a drawing is the template
# `evidence_<kind>.html.j2`.
_DRAWN: dict[str, Callable[[Mapping[str, Any], int], str]] = {
    "concepts": lambda facts, width: hierarchy_chart(facts["tree"], width),
    "mixture": lambda facts, width: means_chart(
        facts["columns"], facts["means"], facts["sizes"], width
    ),
    "clusters": lambda facts, width: block_map(facts["picture"], width=width),
    "ranking": ranking_chart,
    "search_tree": search_tree,
    "search_course": search_course,
}


def render(facts: SelectionFacts, explorer: ExplorerFacts) -> str:
    """Return the complete HTML page of a selection."""
    from markupsafe import Markup

    words, tree = words_of(facts.measure, facts.weights_are), None
    if facts.tree and len(facts.tree.order) > 1:
        tree = dendrogram(facts.tree.order, facts.tree.depth, explorer.path_names, facts.k)
    chance = facts.measure == "variance"
    curve = curve_scene(explorer.curve, facts.k, explorer.held_out, words, chance=chance)
    kept, names, shown = explorer.path[: facts.k], explorer.analysed_names, explorer.map
    rows, drawers = "new" if explorer.has_new_rows else "these", explorer.drawers_at(facts.k)
    fates = fate_scene(
        names,
        [share / 1000 for share in explorer.first_shares],
        kept,
        drawers,
        places=list(map(float, names)) if explorer.axis else None,
        means=explorer.means,
        about=f"Share explained on {rows} rows of each of {len(names):,} columns, {facts.k:,} kept",
    )
    dropped = set(range(len(names))) - set(kept)
    groups = explorer.rules.group_of if explorer.rules and not explorer.axis else ()
    pairs = pairwise((0.0, *explorer.curve.retained))
    gains = [max(share - before, 0.0) for before, share in pairs]
    evidence = facts.evidence
    draw = _DRAWN.get(evidence.kind) if evidence else None
    often = facts.stability.frequency if facts.stability else {}
    return fill(
        "selection",
        facts,
        _embed_facts(facts, explorer, words, _ROWS_AT_FIRST),
        more=_sort_cautions(facts),
        explorer=explorer,
        path=list(zip(explorer.path_names, gains, strict=True)),
        script="selection_live" if explorer.live else "selection",
        parts=_PARTS,
        styles=_STYLES,
        w=words,
        charts=[
            Markup(curve_chart(curve, facts.k, explorer.knee, width=width, height=height))
            for width, height in zip(WIDTHS, CURVE_HEIGHTS, strict=True)
        ],
        max_ceiling=MAX_CEILING,
        chance_line=bool(curve.points_of("chance")),
        clusters_first=evidence is not None and evidence.kind in _CLUSTERINGS,
        kept_rows=_MAX_KEPT_ROWS,
        fates=[Markup(fate_chart(fates, groups, width=width)) for width in WIDTHS],
        maps=[(kind, Markup(svg)) for kind, svg in _draw_maps(shown, set(kept), words)],
        scale=Markup(colour_scale(words, choose_colours(shown.values) if shown else None)),
        clusters=Markup(cluster_chart(shown, set(kept)) if shown else ""),
        tree=tree,
        trees=[Markup(tree.draw(width=width)) for width in WIDTHS] if tree else [],
        evidence=[Markup(draw(evidence.values, width)) for width in WIDTHS if evidence and draw],
        largest=max(gains, default=0) or 1,
        drawers=DRAWERS if explorer.has_new_rows else DRAWERS[-1:],
        counts=Counter(drawers[j] for j in dropped),
        dropped=_list_dropped(facts, explorer, words),
        terms_of=lambda row: _terms(
            row.weights.items(), words.before, words.after, in_percent=words.in_percent
        ),
        removed=[
            (row, _terms(list(row.weights.items())[:_TERMS], _SUM))
            for row in facts.removed[:_ROWS_AT_FIRST]
        ],
        most_terms=_TERMS,
        made=list_made(facts.relations, most=_ROWS_AT_FIRST),
        rarest=sorted(facts.names, key=lambda name: often.get(name, 0.0)),
        agreement=agreement_sentence(facts),
        one_of=list(interchangeable(facts)),
        rows=_ROWS_AT_FIRST,
        chips=_MAX_PAGE_CHIPS,
        equals=_EQUALS,
        heads=_list_heads(explorer),
    )


def _sort_cautions(facts: SelectionFacts) -> dict[str, object]:
    """Give what to check; what is missing is said once, with the option that changes it."""
    cautions = list_cautions(facts)
    advised = [caution for caution in cautions if caution.about_missing and caution.advice]
    spent = spent_sentence(facts)
    return {
        "cautions": [caution for caution in cautions if not caution.about_missing],
        "missing_caution": advised[0] if advised else None,
        # What was spent stands beside the bar already.
        "limit_lines": [line for line in limit_lines(facts) if line not in ("", spent)],
    }


def _list_heads(explorer: ExplorerFacts) -> list[tuple[str, str, str]]:
    """Give the heads of the table of all columns: what it is sorted by, a word, what it means."""
    new = explorer.has_new_rows
    return [
        ("name", "Column", ""),
        ("status", "Status", "kept first, then the dropped ones, the lost first"),
        ("kind", "Kind", ""),
        ("missing", "Missing", "share of the rows without a value"),
        ("distinct", "Distinct", "different values; ~ marks an estimate"),
        ("range", "Range", "smallest and largest value"),
        *([("new_rows", "New rows", "share explained on new rows")] if new else []),
        ("share", "These rows", "share explained on the rows of the table"),
        (
            "why",
            "Reason; related column",
            "why, and the column that could replace it or explains most of it",
        ),
    ]


# A dropped column as it is shown, with the share that stands first.
Shown = tuple[DroppedColumn, float]


def _list_dropped(
    facts: SelectionFacts, explorer: ExplorerFacts, words: Words
) -> dict[str, list[list[Shown]]]:
    """Give the first dropped columns of each drawer, the least explained first, as they are shown.

    Columns of the same shares that nothing explains stand together, all others alone.
    """
    levels = explorer.curve.chance
    chance = round(levels[facts.k - 1] or 0.0, 3) if levels else 0.0
    # Rounded so that no column seems to lie beyond the limit of its drawer.
    place = {name: j for j, name in enumerate(explorer.analysed_names)}
    first, here, drawers = (
        explorer.first_shares,
        explorer.shares_now[0],
        explorer.drawers_at(facts.k),
    )
    made = relation_reasons(facts.relations, facts.names)
    found: dict[str, list[list[Shown]]] = {kind: [] for kind, *_ in DRAWERS}
    counts: Counter[str] = Counter()
    for row in sorted(facts.dropped, key=lambda row: first[place[row.column]]):
        j = place[row.column]
        kind, share, new = drawers[j], here[j] / 1000, first[j] / 1000
        counts[kind] += 1
        if counts[kind] > _ROWS_AT_FIRST:
            continue
        # Weights of a column that is explained no better than by chance say nothing.
        known = row.weights.items() if share > chance else ()
        weights = {name: w for name, w in known if abs(w) >= words.least}
        reason = row.reason or made.get(row.column, "")
        row = replace(row, share=share, weights=weights, reason=reason)
        above, at = found[kind][-1][0] if found[kind] else (None, None)
        bare = not weights and above is not None and not above.weights
        alike = above is not None and (at, above.share, above.reason) == (new, share, reason)
        if bare and alike:
            found[kind][-1].append((row, new))
        else:
            found[kind].append([(row, new)])
    return found


def _terms(
    pairs: Iterable[tuple[str, float]], before: Signs, after: str = "", *, in_percent: bool = False
) -> Terms:
    terms = []
    for place, (column, weight) in enumerate(pairs):
        size = f"{abs(weight):.0%}" if in_percent else f"{abs(weight):.2f}"
        mark = '"' if is_number(column) else ""
        start, end = before[place > 0][weight < 0].format(size), after.format(size)
        terms.append((f"{start}{mark}", column, f"{mark}{end}"))
    return tuple(terms)


def _draw_maps(shown: MapFacts | None, kept: set[int], words: Words) -> Iterator[tuple[str, str]]:
    """Draw the similarity of the columns before and after, in the same order, size and colours."""
    if not shown:
        return
    marked = [column in kept for column in shown.columns]
    names, values, colours = shown.names, shown.values, choose_colours(shown.values)
    about = words.maps.format(len(names), "before")
    yield "before", heat_map(names, values, about, marked, colours)
    rows = [row for row, is_marked in enumerate(marked) if is_marked]
    left = [[values[i][j] for j in rows] for i in rows]
    about = words.maps.format(len(rows), "after")
    yield "after", heat_map([names[i] for i in rows], left, about, [True] * len(rows), colours)


_SPOKEN = ("before", "after", "alone", "nothing", "share", "signed", "in_percent")


def _embed_facts(
    facts: SelectionFacts, explorer: ExplorerFacts, words: Words, rows: int
) -> Mapping[str, object]:
    """Return what the script needs; `rows` are shown of a table at first."""
    curve, shown, held = explorer.curve, explorer.map, explorer.held_out
    return {
        "rows": rows,
        "title": facts.title,
        "words": {name: vars(words)[name] for name in _SPOKEN},
        "measure": facts.measure,
        "ranked": facts.ranked,
        "sentence": selection_sentence(facts),
        "k": facts.k,
        "knee": explorer.knee,
        "path": explorer.path,
        "axis": explorer.axis,
        "retained": _round_shares(curve.retained),
        "bound": _round_shares(curve.bound),
        "held": _round_shares(held.share) if held else [],
        "chance": [None if level is None else round(level, 6) for level in curve.chance],
        "steps": explorer.share_steps,
        "new_rows": explorer.new_rows_to,
        "sources": explorer.has_all_sources,
        "swaps": explorer.swaps,
        "included": facts.included,
        "frequency": facts.stability.frequency if facts.stability else None,
        "sample": {
            "why": SAMPLE_GAPS[explorer.sample_gap],
            "rows": explorer.sample_rows,
            "seen": explorer.sample_seen,
        },
        "patterns": {name: vars(explorer.patterns)[name] for name in ("command", "python")},
        "map": shown and {"columns": shown.columns},
        "live": explorer.live,
        "blocks": _blocks(facts, explorer),
    }


def _blocks(facts: SelectionFacts, explorer: ExplorerFacts) -> dict[str, str]:
    kinds = explorer.kinds
    skipped = {row.column: row.why for row in facts.skipped}
    skipped |= dict.fromkeys(facts.constant, "constant")
    words, each = kind_words(kinds, explorer.kind_of) if kinds else ([], None)
    table = {
        "names": explorer.every_name,
        "used": explorer.analysed,
        "skipped": skipped,
        "missing": facts.missing.shares,
        "texts": facts.texts,
        "reasons": relation_reasons(facts.relations, facts.names)
        | {row.column: row.reason for row in facts.dropped if row.reason},
        "kinds": {"words": words, "each": each} if kinds else None,
        "sampled": explorer.sampled,
    }
    lines = enumerate(explorer.map.values) if explorer.map else ()
    below = array("b", (value for row, line in lines for value in line[:row]))  # the diagonal
    return {
        "table": _written(table),
        "map": deflate(below.tobytes()),
        "listed": _written(explorer.listed),
        "shares": deflate(explorer.stored_shares),
        "columns": deflate(explorer.source_columns),
        "records": deflate(explorer.source_records),
        "values": deflate(explorer.sampled_values),
        **({"gram": deflate(explorer.matrix)} if explorer.live else {}),
    }


def _written(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return deflate(text.encode("utf-8", "surrogatepass"))


def _round_shares(shares: Sequence[float]) -> list[float]:
    return [round(share, 6) for share in shares]
