"""What is refused before the rows are read: by names and kinds of columns, and the first labels."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell, spell_name
from tamis.registry import Method
from tamis.run.column_options import check_forbidden
from tamis.run.label_column import column_of
from tamis.run.limits import check_limits
from tamis.run.request import Request
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.labels import Target, ask_about_numbers, mark_known
from tamis.statistics.rows import clean_labels, name_labels

__all__ = [
    "check_beforehand",
    "check_excluded",
    "check_label_kind",
    "check_size",
    "first_rows",
    "refuse_forced",
]


SAMPLE_ROWS = 10_000  # that say what a column is


def check_beforehand(
    request: Request,
    source: Source,
    labels: Any,
    usable: Sequence[int],
    skipped: Mapping[str, str],
) -> None:
    """Refuse what cannot work, whatever is in the rows; of the labels the first are read."""
    check_size(request, len(usable), source.label)
    _check_forced(request, source, skipped)
    _check_forbidden(request, source, usable)
    check_limits(request, source, usable)
    decides = request.policy.get("policy") == "incremental"
    settings = {**(request.policy if decides else {}), **request.own}
    if settings.get("checkpoint") is not None:
        from tamis.algorithms.wrappers.search_checkpoint import check_place

        check_place(settings["checkpoint"])
    if "test_size" in settings:
        from tamis.algorithms.wrappers.job import check_share

        check_share(settings["test_size"])
    if request.learns:
        _check_learner(settings, request.task)
        if not request.explains_response:  # which takes numbers as such
            check_label_kind(source, labels, request.task, request.method)


def check_size(request: Request, width: int, label: str) -> None:
    """Refuse more columns than there are, and fewer than must be kept."""
    k, forced = request.k, len(request.include)
    if isinstance(k, float):
        return
    if k is not None and k > width >= request.least:  # with fewer there is nothing to choose
        raise TamisError(
            f"{spell(request.k_name, k)}: {label} has {width} columns to choose from, give at "
            f"most {width}."
        )
    if k is not None and k < forced:
        raise TamisError(
            f"{spell(request.k_name, k)}: {spell_name('include')} names {forced} columns, give "
            f"at least {forced}."
        )


def check_excluded(request: Request, source: Source) -> None:
    """Refuse to keep a column that is also to be skipped."""
    unwanted = set(find_positions(source, request.exclude))
    for j in find_positions(source, request.include):
        if j in unwanted:
            refuse_forced(request, source.names[j], "excluded")


def _check_forced(request: Request, source: Source, skipped: Mapping[str, str]) -> None:
    """Refuse to keep a column that is skipped for what is known of it."""
    for j in find_positions(source, request.include):
        if source.names[j] in skipped:
            refuse_forced(request, source.names[j], skipped[source.names[j]])


def refuse_forced(request: Request, name: str, why: str) -> None:
    """Say why a column cannot be kept."""
    asked = spell(request.include_name, [name])
    raise TamisError(f"{asked}: the column cannot be kept ({why}), omit it.")


def _check_forbidden(request: Request, source: Source, usable: Sequence[int]) -> None:
    place_of = {j: place for place, j in enumerate(usable)}
    barred = find_positions(source, request.own.get("forbid") or ())
    forced = find_positions(source, request.include)
    check_forbidden(
        [place_of[j] for j in barred if j in place_of],
        [place_of[j] for j in forced if j in place_of],
        [source.names[j] for j in usable],
    )


def check_label_kind(source: Source, labels: Any, task: str, method: Method) -> None:
    """Refuse labels of which already the first are not what the task needs.

    Whether many numbers are classes is asked now, and not after all rows are read.
    """
    if isinstance(labels, str):
        return  # clusters, which are not made yet
    column = column_of(labels)
    # Text may follow numbers where a column is not one of numbers.
    asks = task == "auto" and (column is None or source.kinds[column] == "numeric")
    asks = asks and method.needs != "response"  # which takes numbers as such, unless they are few
    if not asks and task != "regression":
        return
    first = labels if column is None else _first_labels(source, column)
    known = np.array([*compress(first, mark_known(first))], dtype=object)
    if not len(known):
        return
    what = name_labels(source, labels)
    if task == "regression":
        Target(known, task, what).numbers  # noqa: B018 - it refuses what is no number
    else:
        part = "" if column is None else f" in the first {len(first):,} rows"
        regresses = not method.supervised or "regression" in method.tasks
        ask_about_numbers(known, what, regresses=regresses, where=part)


def _first_labels(source: Source, column: int) -> Any:
    """Read the first rows of one column; none of what can be read only once."""
    if source.info.once or not source.has_rows:
        return []
    first, _ = first_rows(source, [column])
    return [] if first is None else clean_labels(first.column(0).to_pylist())


def first_rows(source: Source, columns: list[int]) -> tuple[Any, bool]:
    """Read the first rows of some columns as an Arrow table, None where there are none.

    Say also whether there are rows below them that can be read here.
    """
    if (parted := source.in_parts()) is not None:
        return parted.head(columns, SAMPLE_ROWS), False
    if source.n_rows is not None:
        first = source.head(columns, SAMPLE_ROWS)
        return first, first is not None and source.n_rows > first.num_rows
    tables: Any = iter(source.tables(columns, mark_missing=True))
    first = next(tables, None)
    if first is None:
        return None, False
    more = next(tables, None) is not None or first.num_rows > SAMPLE_ROWS
    return first.slice(0, SAMPLE_ROWS), more


def _check_learner(settings: Mapping[str, Any], task: str) -> None:
    """Refuse a scorer that does not exist, and a learner that cannot do the task."""
    from tamis.algorithms.learners import check_scoring, learner_of

    if settings.get("scoring") is not None:
        check_scoring(settings["scoring"])
    if isinstance(settings.get("learner"), str):
        learner_of(settings["learner"], "classification" if task == "auto" else task)
