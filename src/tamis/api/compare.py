"""`compare`: which method suits a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamis import registry
from tamis.api.keywords import takes_shared
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import common_ground
from tamis.evaluation.contest import (
    Contest,
    Deadline,
    check_contest,
    check_lists,
    enter_lists,
    enter_methods,
    list_sizes,
    methods_named,
    open_checkpoint,
    run_contest,
)
from tamis.evaluation.criteria import choose_criteria
from tamis.evaluation.record import Record, count_labels, describe_missing
from tamis.results.comparison import Comparison
from tamis.results.frame import frame_library
from tamis.run.candidates import LABELS, advise_auto, match_request, skip_empty
from tamis.run.front import BY_INFORMATION, is_settled, prepare, read_table
from tamis.run.look import has_repeating_text
from tamis.run.request import Request
from tamis.sources.source import Source

COMPARED_SIZES = (5, 10, 20, 30)
_LINEAR = "sfs"  # what linear methods are compared by: the columns as they are


@takes_shared("compare")
def compare(
    data: Any,
    methods: str | Sequence[str] = "all",
    *,
    k: int | Sequence[int] | None = None,
    criteria: str | Sequence[str] = "all",
    lists: Mapping[str, Sequence[str | int]] | None = None,
    budget: float | None = None,
    **asked: Any,
) -> Comparison:
    """Run every suitable method on a table and measure what each is worth.

    All methods are measured on the same columns and rows, with their own default settings. The
    share explained is that of the standardised columns, with extreme values limited as `select`
    does by default, whatever a method itself works on.

    Parameters
    ----------
    data
        As for `select`.
    methods
        Ids of methods, or "all" that suit the table.
    k
        Numbers of columns to keep; 5, 10, 20 and 30 as far as the table has more columns.
    y, task
        Labels, as for `select`; with them supervised methods run, and predictions are compared.
    criteria
        What to compare by: "all" that apply, or some of "share", "held-out", "prediction",
        "neighbours", "clusters", "silhouette", "redundancy", "stability" and "seconds"; "memory"
        (in MB, by a process for each method) only where it is named.
    lists
        Own lists of columns by name, compared beside the methods: names, positions or patterns.
        Where fewer columns are compared, the first of a list count; without `k` as many columns
        are compared as the lists have.
    columns, exclude, categories, numbers, missing
        As for `select`.
    budget
        Seconds after which to stop with what is done.
    checkpoint
        File to keep the figures in; a stopped comparison resumes from it.

    Returns
    -------
    Comparison
        A frame of all figures, a recommendation, a report.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, c = np.random.default_rng(0).standard_normal((3, 60))
    >>> table = np.column_stack([a, a + 0.1 * b, a + b, b, c])
    >>> found = compare(table, ["sfs", "pivoted-qr"], k=[2, 3], criteria=["share", "held-out"])
    >>> found.frame.column_names
    ['method', 'k', 'kept', 'share', 'held-out', 'held-out_std']
    """
    entries, wanted, own = methods_named(methods), choose_criteria(criteria), check_lists(lists)
    deadline = Deadline(registry.BUDGET.check(budget))
    usual = {one.name: one.default for one in registry.list_shared("compare")}
    settings = {name: asked.get(name, usual[name]) for name in usual if name in registry.SHARED}
    chosen, saved = methods != "all", settings.pop("checkpoint")

    names = ("columns", "exclude", "categories", "numbers", "na", "y")  # any method reads them
    asks = Request.of(registry.DEFAULT_METHOD, k=1, **{name: settings[name] for name in names})
    for_numbers = chosen and not all(one.takes_text for one in entries)

    def check(source: Source, plain: Request) -> Request:
        """Ask for what all are measured by: correlations, or information where text counts."""
        text = not for_numbers and has_repeating_text(source, plain)
        method = registry.get(BY_INFORMATION if text else _LINEAR)
        lists = {"columns": plain.columns, "exclude": plain.exclude}
        request = Request.of(method.id, k=1, **{**settings, **lists}, held_out=method.resamples)
        _sizes(k, check_contest(request, source, entries, wanted), source.label)
        return request

    def run(source: Source) -> Contest:
        if not source.has_rows:
            raise TamisError(f"{source.label} has no rows to compare methods on: give the table.")
        plain = match_request(asks, source)
        if is_settled(source, plain.y):
            check(source, plain)
        plain, source = prepare(plain, source)
        request = check(source, plain)
        with advise_auto():
            ground = skip_empty(lambda empty: common_ground(request, source, empty))
        asked_sizes = list_sizes(own, ground) if own and k is None else k
        sizes = _sizes(asked_sizes, len(ground.used), source.label)
        contest = enter_methods(ground, entries, sizes, slow=chosen or budget is not None)
        enter_lists(contest, own)
        run_contest(contest, wanted, deadline, open_checkpoint(saved, ground, sizes, own))
        return contest

    kinds = {name: settings[name] for name in ("categories", "numbers")}
    contest = read_table(data, run, **kinds)
    goals = {
        "methods": methods if isinstance(methods, str) else list(methods),
        "k": list(contest.sizes),
        **({} if settings["task"] == "auto" else {"task": settings["task"]}),
        **({} if criteria == "all" else {"criteria": criteria}),
        **({} if budget is None else {"budget": budget}),
        **({} if saved is None else {"checkpoint": str(saved)}),
        **({"lists": own} if own else {}),
    }
    return _comparison(contest, data, goals)


def _sizes(asked: Any, width: int, label: str) -> tuple[int, ...]:
    if asked is None:
        usual = tuple(size for size in COMPARED_SIZES if size < width)
        return usual or tuple(range(1, max(width, 2)))
    given = asked if isinstance(asked, Iterable) and not isinstance(asked, str) else [asked]
    checked = [registry.K.check(size) for size in given]
    if not checked or None in checked:
        raise TamisError("The list of numbers of columns is empty: give at least one.")
    shares = [max(int(size * width), 1) if isinstance(size, float) else size for size in checked]
    sizes = tuple(sorted(set(shares)))
    if sizes[-1] > width:
        raise TamisError(
            f"{spell('k', sizes[-1])}: {label} has {width} columns to choose from, give at most "
            f"{width}."
        )
    return sizes


def _comparison(contest: Contest, data: Any, goals: dict[str, Any]) -> Comparison:
    ground = contest.ground
    request, source = ground.request, ground.source
    labels = None
    if ground.labels is not None:
        column = next((name for name, why in ground.skipped.items() if why == LABELS), None)
        given = ground.labels if column is None else None
        labels = count_labels(ground.labels, column, request.task, used=True, given=given)
    record = Record.of(source, request)
    missed = describe_missing(request.missing, ground.summary.tally, source, ground.usable)
    return Comparison(
        replace(record, k=None),
        contest,
        goals,
        missed,
        tuple(record.relabel(ground.constant)),
        record.relabel_keys(ground.skipped),
        labels,
        frame_library(data),
    )
