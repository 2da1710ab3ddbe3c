"""From a request and a table to the columns to keep."""

from collections.abc import Callable
from dataclasses import field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tamis.algorithms.path import NO_GOAL, Path
from tamis.columns.judgement import NOT_JUDGED
from tamis.errors import spell
from tamis.facts.shared_answer import RowFacts, SuspiciousColumn
from tamis.numerics.types import Indices
from tamis.registry.shared import Scale
from tamis.rules.kinds import MIN_DOUBT_ZEROS
from tamis.rules.search import FIRST_SIZE, USUAL_RETAIN
from tamis.run.beforehand import (
    check_beforehand,
    check_importance,
    check_met,
    make_limits,
    name_axis,
    refuse_forced,
)
from tamis.run.candidates import (
    NO_REASONS,
    Reasons,
    advise_auto,
    check_filled,
    check_rows,
    count_analysed,
    find_candidates,
    find_named,
    match_request,
    note_unjudged,
    place_options,
    skip_empty,
)
from tamis.run.front import is_settled, prepare, read_for
from tamis.run.request import Request
from tamis.run.roles import columns_of, find_labels, make_labels, note_rows, read_rules
from tamis.run.scale import NEAREST, TriedScales, try_scales
from tamis.run.search import Search, judge_limits, settle_shrinkage
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.collect import summarise
from tamis.statistics.row_hash import RowRules
from tamis.statistics.scaled_source import (
    CountEvidence,
    check_scale,
    list_numbers,
    look_for_counts,
)
from tamis.statistics.summary import Summary, check_used
from tamis.values import dataclass

# From a search and a share of held-out rows to an object with a number of columns, `k`; None where
# that cannot be found. Without a share a rule finds the number.
SizeRule = Callable[[Search, float | None], Any]
Read = Callable[..., Summary]  # as `summarise`


class Usable(NamedTuple):
    """Labels or where they are, columns that can be analysed, and why others cannot."""

    labels: Any
    columns: list[int]
    skipped: dict[str, str]


@dataclass(frozen=True, eq=False)
class FoundColumns:
    """The path that a method took through the columns of a table.

    `usable` are the positions of the columns that were read and `used`, among all columns, of those
    that the path counts; `skipped` gives the reason of the others. `search` runs it again for
    another number of columns. `labels` is the position of their column, or one for each row; `auto`
    is what a rule has found that gives the number, `folds` are the errors on held-out rows that say
    how many explain a share, `suspects` are columns that may not be what they seem, `notes` is what
    is known of the rows.
    """

    request: Request
    source: Source
    path: Path
    summary: Summary
    usable: list[int]
    used: Indices
    constant: tuple[str, ...]
    skipped: dict[str, str]
    search: Search
    labels: Any = None
    auto: Any = None
    folds: Any = None
    suspects: tuple[SuspiciousColumn, ...] = ()
    notes: RowFacts = field(default_factory=RowFacts)

    @property
    def shortfall(self) -> str | None:
        """Why fewer columns are kept than requested; None if there are as many."""
        return self.path.shortfall(self.request.k, self.request.retain)


def select_from(
    request: Request, data: Any, rule: SizeRule | None = None, *, doubts_columns: bool = False
) -> FoundColumns:
    """Open a table, judge its columns once, and find those to keep.

    What can be refused unread is. Where `doubts_columns`, those that may not be what they seem are
    looked for among the first rows; those that predict the labels are in any case.
    """
    from tamis.run.look import suspect_columns, suspect_leaks

    def run(source: Source) -> FoundColumns:
        matched = match_request(request, source)
        checked = None
        # A summary is read already, and knows keys that may be asked for.
        if request.judgement is NOT_JUDGED and source.has_rows and is_settled(source, request.y):
            checked = _list_usable(matched, source, NO_REASONS)
        # What is no number is skipped where the method takes no text.
        refuses = not request.method.takes_text
        judged, ready = prepare(matched, source, refuses_text=refuses, sums_up=True)
        same = ready is source and not judged.judgement.unfit  # no column is read in another way
        found = _select_matched(judged, ready, rule, summarise, checked if same else None)
        doubted = suspect_columns(ready, judged) if doubts_columns else ()
        return replace(found, suspects=(*suspect_leaks(judged), *doubted))

    return read_for(request, data, run)


def _list_usable(request: Request, source: Source, empty: Reasons) -> Usable:
    """Give the labels and the columns to analyse; refuse what cannot be done with them."""
    labels = find_labels(source, request)
    usable, skipped = find_candidates(request, source, columns_of(labels), empty)
    check_beforehand(request, source, labels, usable, skipped)
    return Usable(labels, usable, skipped)


def select_columns(request: Request, source: Source, read: Read = summarise) -> FoundColumns:
    """Read the table into the summary that the method needs, and find the columns to keep.

    `read` may know the summary already.
    """
    return _select_matched(match_request(request, source), source, None, read)


def _select_matched(
    request: Request,
    source: Source,
    rule: SizeRule | None,
    read: Read,
    checked: Usable | None = None,
) -> FoundColumns:
    def run(empty: Reasons) -> FoundColumns:
        usable = checked if checked and not empty else _list_usable(request, source, empty)
        return _select_columns(request, source, rule, read, usable)

    with advise_auto():
        return skip_empty(run)


def _select_columns(
    request: Request, source: Source, rule: SizeRule | None, read: Read, sorted_out: Usable
) -> FoundColumns:
    labels, usable, skipped = sorted_out
    note_unjudged(source, skipped)
    labels = make_labels(request, source, usable, labels)
    scale = _settle_scale(request, source, usable)
    # All that follows takes a table of counts as such.
    request = request if scale.divides else replace(request, scale=scale)
    rules = read_rules(source, request)
    read_it = partial(
        _read_summary, source=source, usable=usable, read=read, scale=scale, labels=labels
    )
    summary = read_it(request, rules=rules)
    used, constant = count_analysed(source, usable, summary, skipped)
    check_rows(source, summary.n_rows)
    check_used(summary, len(usable), source.label)
    request = request.with_size(len(used))
    asked = _make_search(request, source, summary, used, skipped)
    search, sized, path = _search(asked, request, rule, len(used))
    costs = False
    if path is not None:
        summary, costs = _judge_limits(asked, search, len(path.kept))
    if costs and summary.clipped is not None:  # judged by some rows of a large table
        as_they_are = replace(request, own={**request.own, "outliers": "keep"})
        judgement = replace(request.judgement, sums=None)
        summary = read_it(replace(as_they_are, judgement=judgement), rules=rules)
    search = replace(search, summary=summary)
    if costs:
        search, sized, path = _search(replace(asked, summary=summary), request, rule, len(used))
    if path is None:
        from tamis.run.policy import decide
        from tamis.run.training import TrainingTable

        table = TrainingTable(replace(request, scale=scale), source, used, labels)
        path = decide(request, search, _most(request, len(used)), table)
    path = _explain_shortfall(path, request.k, used, skipped)
    check_met(request, search.limits, path)
    read_from = (request, source, path, summary, usable, used, constant, skipped)
    notes = note_rows(request, source, usable, summary, rules)
    auto, folds = (sized, None) if request.auto else (None, sized)
    return FoundColumns(*read_from, search, labels, auto, folds, notes=notes)


def _retains_new_rows(request: Request, search: Search) -> bool:
    """Whether `retain` is a share of new rows: where that is shown, of columns taken one by one."""
    shown = request.method.mixed if request.held_out is None else request.held_out
    known = search.summary.blocks is not None and not search.together and not search.by_score
    return request.retain is not None and shown and known


def _search(
    asked: Search, request: Request, rule: SizeRule | None, width: int
) -> tuple[Search, Any, Path | None]:
    """Settle what was left open, the number of columns by its rule, and search.

    Where scores of columns decide there is no path yet.
    """
    search, sized = _settle(asked, request, width), None
    if rule is not None and (request.auto or _retains_new_rows(request, search)):
        sized = rule(search, request.retain)
        if request.auto and "shrink" in asked.options and sized.k > FIRST_SIZE:
            search = settle_shrinkage(asked, sized.k)
            sized = rule(search, None)
    most = _most(request, width) if sized is None else sized.k
    if search.by_score:
        return search, sized, None
    goal = NO_GOAL if sized is not None or request.retain is None else request.retain
    return search, sized, search(most, goal)


def _judge_limits(asked: Search, search: Search, size: int) -> tuple[Summary, bool]:
    """Give the summary to go on with, and say if extreme values are to be left as they are.

    A small table is known both ways; some rows of a large one are.
    """
    summary = search.summary
    limited = summary if summary.sample is None else summary.sample
    same = np.array_equal(limited.varying, summary.varying)
    if summary.clipped is None or limited.as_is is None or not size or not same:
        return replace(summary, as_is=None, sample=None), False
    if limited is not summary:
        search = settle_shrinkage(replace(asked, summary=limited), size)
    as_is = settle_shrinkage(replace(asked, summary=limited.as_is), size)
    share, costs = judge_limits(search, as_is, size) or (None, False)
    if costs and limited is summary:
        return replace(limited.as_is, cells=None), True
    clipped = replace(summary.clipped, share_as_is=share)
    return replace(summary, clipped=clipped, as_is=None, sample=None), costs


def _settle_scale(request: Request, source: Source, usable: list[int]) -> Scale:
    """Let the table decide on its scale where that is wanted: it is the standard one for most.

    Where counts, or what was made of them, leave doubt, two scales are tried on new rows.
    """
    check_scale(request.scale, request.checkpoint)
    if not request.scale.looks:
        return request.scale
    if request.checkpoint is not None or _is_surely_standard(request, source, usable):
        return Scale.STANDARD
    found = look_for_counts(source, usable)
    if found is None:
        return Scale.STANDARD
    other = Scale.COUNTS if found.are_whole else Scale.NONE
    k = int(request.with_size(len(usable)).k or FIRST_SIZE)
    tried = try_scales(source, list_numbers(source, usable), k, other)
    if tried is None and not found.are_counts:
        return Scale.STANDARD
    taken = other if found.are_counts else Scale.STANDARD
    if tried is not None and tried.clear:
        taken = Scale.STANDARD if tried.standard > tried.other else other
    source.info = source.info.with_doubts([_describe_scale(found, taken, other, tried)])
    return taken


def _is_surely_standard(request: Request, source: Source, usable: list[int]) -> bool:
    """Whether what was judged shows already that values are below 0, or few of them 0."""
    names = {source.names[j] for j in usable}
    numbers = [
        one
        for one in request.judgement.columns
        if one.name in names and isinstance(one.smallest, float)
    ]
    known = sum(one.rows - one.missing for one in numbers)
    below = any(isinstance(one.smallest, float) and one.smallest < 0 for one in numbers)
    return below or sum(one.zeros for one in numbers) < MIN_DOUBT_ZEROS * known


_DONE = {
    Scale.COUNTS: "divided by the sum of their row, then log1p, not standardised",
    Scale.NONE: "not standardised",
    Scale.STANDARD: "standardised",
}
_OTHERS = {
    Scale.COUNTS: "those chosen from log counts",
    Scale.NONE: "those chosen without that",
    Scale.STANDARD: "those chosen from standardised columns",
}


def _describe_scale(
    found: CountEvidence, taken: Scale, other: Scale, tried: TriedScales | None
) -> str:
    """Say which scale was taken, by what, and how to have the other."""
    what = "Sparse counts" if found.are_counts else "Mostly zeros"
    said = f"{what} ({found.zero_share:.0%} zeros): {_DONE[taken]}"
    against = other if taken is Scale.STANDARD else Scale.STANDARD
    option = spell("scale", against.value)
    if tried is None:
        return f"{said}; {option} standardises the columns."
    shares = {Scale.STANDARD: tried.standard, other: tried.other}
    return (
        f"{said}. Of the {NEAREST} rows nearest to a new row {tried.k:,} columns so chosen keep "
        f"{shares[taken]:.0%}, {_OTHERS[against]} {shares[against]:.0%} ({option})."
    )


def _read_summary(
    request: Request,
    source: Source,
    usable: list[int],
    read: Read,
    *,
    scale: Scale,
    labels: Any,
    rules: RowRules | None,
) -> Summary:
    """Read the columns into what the method needs."""
    asked = [*(request.columns or ()), *request.include, *request.judgement.categories]
    sums = request.judgement.sums
    summary = read(
        request.method,
        source,
        usable,
        scale=scale,
        missing=request.missing,
        options=request.own,
        insist=find_named(source, usable, asked),
        labels=labels if request.method.supervised or request.explains_response else None,
        task=request.task,
        checkpoint=request.checkpoint,
        blocks=request.blocks,
        **({} if rules is None else {"rules": rules}),
        **({} if sums is None else {"sums": sums}),
    )
    check_filled(request, source, usable, summary.tally)
    return summary


def _make_search(
    request: Request, source: Source, summary: Summary, used: Indices, skipped: dict[str, str]
) -> Search:
    """Put together what is searched for, columns by their places among those analysed."""
    forced = _place_included(source, request, used, skipped)
    own = place_options(request.method, name_axis(request.own, source), source, used, forced)
    check_importance(request, own.get("importance"), len(used))
    return Search(
        request.method,
        summary,
        tuple(forced),
        request.refine,
        own,
        make_limits(own, len(used)),
        request.policy,
        # The number of columns counts the groups that are taken whole.
        whole=int(request.k) if own.get("together") and request.k is not None else None,
    )


def _settle(search: Search, request: Request, width: int) -> Search:
    """Choose the shrinkage for as many columns as will be kept, so far as that is known."""
    size = _most(request, width)
    if "shrink" not in search.options or size is None:
        return search
    if request.k is None or search.whole is not None:
        plain = replace(search, options={**search.options, "shrink": 0.0}, refine=False)
        share = request.retain if request.retain is not None else USUAL_RETAIN
        share = share if request.k is None else NO_GOAL
        # The rule for their number keeps far fewer than explain 95%, and looks at these first.
        size = min(size, FIRST_SIZE) if request.auto else size
        size = max(1, len(plain(size, share).indices))
    return settle_shrinkage(search, size)


def _most(request: Request, width: int) -> int | None:
    """Give the largest number of columns to keep; None where the method decides."""
    if request.k is None and request.retain is None and request.method.decides:
        return None
    return width if request.own.get("together") else min(int(request.k or width), width)


def _explain_shortfall(path: Path, k: float | None, used: Indices, skipped: dict[str, str]) -> Path:
    """Say why, where a method keeps all columns that vary and more were requested."""
    if k is None or not k > used.size == len(path.kept):
        return path
    others = "skipped or constant" if skipped else "constant"
    return replace(path, stopped=f"all others are {others}")


def _place_included(
    source: Source, request: Request, used: Indices, skipped: dict[str, str]
) -> list[int]:
    """Turn the columns to include into positions among the columns used."""
    position_of = {int(j): i for i, j in enumerate(used)}
    wanted = find_positions(source, request.include)
    for j in wanted:
        if j not in position_of:
            name = source.names[j]
            refuse_forced(request, name, skipped.get(name, "constant"))
    return [position_of[j] for j in wanted]
