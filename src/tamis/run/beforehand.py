"""What is refused before the rows are read: by names and kinds, first labels, and limits."""

from collections.abc import Mapping, Sequence
from itertools import compress, pairwise
from typing import Any

import numpy as np

from tamis.algorithms.limits import Limits, Units, count_of
from tamis.algorithms.path import Path
from tamis.errors import TamisError, spell, spell_name
from tamis.registry import Method
from tamis.registry.method import ALL_LIMITS
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.run.candidates import check_forbidden
from tamis.run.request import Request
from tamis.run.roles import column_of
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.labels import Target, ask_about_numbers, mark_known
from tamis.statistics.rows import clean_labels, name_labels

SAMPLE_ROWS = 10_000  # that say what a column is


def check_beforehand(
    request: Request, source: Source, labels: Any, usable: Sequence[int], skipped: Mapping[str, str]
) -> None:
    """Refuse what cannot work, whatever is in the rows; of the labels the first are read."""
    check_size(request, len(usable), source.label)
    for j in find_positions(source, request.include):
        if source.names[j] in skipped:
            refuse_forced(request, source.names[j], skipped[source.names[j]])
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
    first = first_rows(source, [column])
    return [] if first is None else clean_labels(first.column(0).to_pylist())


def first_rows(source: Source, columns: list[int]) -> Any:
    """Read the first rows of some columns as an Arrow table, None where there are none."""
    if (parted := source.in_parts()) is not None:
        return parted.head(columns, SAMPLE_ROWS)
    if source.n_rows is not None:
        return source.head(columns, SAMPLE_ROWS)
    first: Any = next(iter(source.tables(columns, mark_missing=True)), None)
    return None if first is None else first.slice(0, SAMPLE_ROWS)


def _check_learner(settings: Mapping[str, Any], task: str) -> None:
    """Refuse a scorer that does not exist, and a learner that cannot do the task."""
    from tamis.algorithms.learners import check_scoring, learner_of

    if settings.get("scoring") is not None:
        check_scoring(settings["scoring"])
    if isinstance(settings.get("learner"), str):
        learner_of(settings["learner"], "classification" if task == "auto" else task)


LIMITING = tuple(option.name for option in ALL_LIMITS)
_MAX_SPELT = 4  # entries of a list in a message
_MIN_ON_AXIS = 2  # columns, without which there is no distance


def make_limits(options: Mapping[str, Any], width: int) -> Limits:
    """Put the options that limit a search together, columns by position."""
    return Limits.of(width, **{name: options[name] for name in LIMITING if name in options})


def name_axis(own: Mapping[str, Any], source: Source) -> dict[str, Any]:
    """Take the names that are numbers as the axis, where a distance is asked for and no axis."""
    if own.get("apart") is None or own.get("axis") is not None:
        return dict(own)
    axis = {name: place for name in source.names if (place := _number(name)) is not None}
    if len(axis) < _MIN_ON_AXIS:
        raise TamisError(
            f"{spell('apart', own['apart'])}: the names of the columns are no numbers, so there "
            f"is no axis to measure on: give {spell_name('axis')}."
        )
    return {**own, "axis": axis}


def _number(name: str) -> float | None:
    try:
        found = float(name)
    except ValueError:
        return None
    return found if np.isfinite(found) else None


def check_importance(request: Request, importance: Mapping[int, float] | None, width: int) -> None:
    """Refuse weights by which nothing is to be explained."""
    if not importance or len(importance) < width or any(importance.values()):
        return
    if not request.explains_response:
        raise TamisError(
            f"{spell('importance', request.own['importance'])}: no analysed column is to be "
            "explained, give one of them a weight above 0."
        )


def check_limits(request: Request, source: Source, usable: Sequence[int]) -> None:
    """Refuse demands that exclude each other, by what is known of the columns."""
    own = request.own
    asked = any(own.get(name) is not None for name in LIMITING if name not in ("costs", "forbid"))
    if not asked and not own.get("together"):
        return
    _check_alone(own)
    _check_whole(own)
    own = name_axis(own, source)
    place_of = {j: i for i, j in enumerate(usable)}

    def find(wanted: Any) -> list[int]:
        return [place_of[j] for j in find_positions(source, wanted) if j in place_of]

    placed = {name: own[name] for name in LIMITING if own.get(name) is not None}
    for name in ("costs", "axis"):
        if name in placed:
            pairs = [(find([column]), value) for column, value in placed[name].items()]
            placed[name] = {found[0]: value for found, value in pairs if found}
    placed["forbid"] = find(own.get("forbid") or ())
    placed["groups"] = {name: find(some) for name, some in (own.get("groups") or {}).items()}
    limits, kept = make_limits(placed, len(usable)), np.array(find(request.include), dtype=np.intp)
    names = [source.names[j] for j in usable]
    _check_groups(own, placed["groups"], limits, names)
    if own.get("together"):
        _check_units(request, limits, kept)
    if own.get("together") or request.judges:
        return
    _check_kept(own, limits, kept, names)
    _check_size(request, limits, kept)


def _refuse(demands: Mapping[str, Any], why: str) -> None:
    """Say which demands are in conflict; of long lists the first columns are enough."""
    spelt = (spell(name, _shorten(value)) for name, value in demands.items())
    raise TamisError(f"{' and '.join(spelt)}: {why}.")


def _shorten(value: Any) -> Any:
    """Keep the first entries of lists and mappings."""
    if isinstance(value, Mapping):
        first = dict(list(value.items())[:_MAX_SPELT])
        short = {name: _shorten(one) for name, one in first.items()}
        return {**short, "...": "..."} if len(value) > _MAX_SPELT else short
    long = isinstance(value, list | tuple) and len(value) > _MAX_SPELT
    return [*value[:_MAX_SPELT], "..."] if long else value


def _check_alone(own: Mapping[str, Any]) -> None:
    """Refuse a demand that says nothing without another one."""
    for name in ("at_most", "at_least"):
        if own.get(name) is None:
            continue
        if not own.get("groups"):
            _refuse({name: own[name]}, f"it counts columns of groups, give {spell_name('groups')}")
        if isinstance(own[name], Mapping):
            for group in own[name]:
                if group not in own["groups"]:
                    known = ", ".join(map(repr, own["groups"]))
                    _refuse({name: own[name]}, f"there is no group {group!r}, there is {known}")
    counted = own.get("at_most") is not None or own.get("at_least") is not None
    if own.get("groups") and not counted and not own.get("together"):
        _refuse(
            {"groups": own["groups"]},
            f"nothing is asked of the groups, give {spell_name('at_most')} or "
            f"{spell_name('at_least')}, or take them {spell_name('together')}",
        )
    if own.get("axis") is not None and own.get("apart") is None:
        _refuse({"axis": own["axis"]}, f"no distance is asked for, give {spell_name('apart')}")


def _check_whole(own: Mapping[str, Any]) -> None:
    """Refuse what says nothing of groups that are taken whole, and whole groups without any."""
    if not own.get("together"):
        return
    whole = {"together": True}
    if not own.get("groups"):
        _refuse(whole, f"it takes groups of columns whole, give {spell_name('groups')}")
    for name in ("at_most", "at_least", "apart", "importance"):
        if own.get(name) is not None:
            _refuse({**whole, name: own[name]}, "groups are taken whole, omit one of them")


def _check_units(request: Request, limits: Limits, kept: Any) -> None:
    """Refuse more groups than there are, and what a group taken whole cannot be."""
    own, units = request.own, Units.of(limits)
    if isinstance(request.k, int) and request.k > len(units.members):
        many = f"there are {len(units.members)} groups, and columns in none, to take"
        _refuse({"together": True, request.k_name: request.k}, many)
    for group, name in enumerate(limits.names):
        inside = limits.barred[limits.group == group]
        if inside.any() and not inside.all():
            _refuse(
                {"together": True, "forbid": own["forbid"]},
                f"group {name!r} has columns that may be kept and others that may not",
            )
    prices, free = units.limit().price, ~units.limit().barred
    must = units.list_units(kept)
    cost = float(prices[must].sum()) if must else float(prices[free].min(initial=np.inf))
    if cost > limits.budget:
        what = "what must be kept" if must else "the cheapest group, or column in none,"
        _refuse({"together": True, "budget": own["budget"]}, f"{what} costs {cost:g}")


def _check_groups(
    own: Mapping[str, Any],
    groups: Mapping[str, Sequence[int]],
    limits: Limits,
    names: Sequence[str],
) -> None:
    """Refuse groups that overlap or are empty, and counts that a group cannot have."""
    owner: dict[int, str] = {}
    for group, columns in groups.items():
        if not columns:
            _refuse({"groups": {group: own["groups"][group]}}, "none of its columns is analysed")
        for j in columns:
            if owner.setdefault(j, group) != group:
                both = {one: own["groups"][one] for one in (owner[j], group)}
                _refuse({"groups": both}, f"column {names[j]!r} is in both, leave it in one")
    for i, group in enumerate(groups):
        least, most = count_of(own.get("at_least"), group, 0), limits.most[i]
        if least > most:
            demands = {"at_least": own["at_least"], "at_most": own["at_most"]}
            _refuse(demands, f"group {group!r} cannot have at least {least} and at most {most:g}")
        if least > limits.sizes[i]:
            barred = f", others are in {spell_name('forbid')}" if limits.barred.any() else ""
            _refuse(
                {"at_least": own["at_least"]},
                f"group {group!r} has {limits.sizes[i]} columns that may be kept{barred}",
            )


def _check_kept(own: Mapping[str, Any], limits: Limits, kept: Any, names: Sequence[str]) -> None:
    """Refuse columns to keep in any case that break a limit."""
    taken = limits.count_taken(kept)
    for i, group in enumerate(limits.names):
        if taken[i] > limits.most[i]:
            inside = [names[j] for j in kept.tolist() if limits.group[j] == i]
            demands = {"include": inside, "at_most": own["at_most"]}
            _refuse(demands, f"group {group!r} has {taken[i]} columns to keep in any case")
    if limits.apart:
        on_axis = [j for j in kept.tolist() if not np.isnan(limits.place[j])]
        on_axis.sort(key=lambda j: limits.place[j])
        for a, b in pairwise(on_axis):
            if not limits.mark_far(np.array([a]))[b]:
                demands = {"include": [names[a], names[b]], "apart": own["apart"]}
                _refuse(demands, f"they are {limits.place[b] - limits.place[a]:g} apart")
    if limits.spend(kept) > limits.budget:
        demands = {"include": [names[j] for j in kept.tolist()], "budget": own["budget"]}
        _refuse(demands, f"these columns alone cost {limits.spend(kept):g}")


def _check_size(request: Request, limits: Limits, kept: Any) -> None:
    """Refuse a number of columns for which the limits leave no room, or that they exceed."""
    own, k = request.own, request.k if isinstance(request.k, int) else None
    missing = np.maximum(limits.least - limits.count_taken(kept), 0)
    needed = len(kept) + int(missing.sum())
    size = {} if k is None else {request.k_name: k}
    if k is not None and needed > k:
        more = f" with {spell_name('include')}" if len(kept) else ""
        _refuse({"at_least": own["at_least"], **size}, f"the groups need {needed} columns{more}")
    _check_budget(own, limits, kept, missing, size)
    if k is None:
        return
    free = ~limits.barred
    free[kept] = False
    room = np.append(limits.most, np.inf)
    loose = int(np.count_nonzero(free & (limits.group < 0)))
    own_room = np.minimum(room[:-1], limits.sizes)
    loose += int(np.count_nonzero(limits.group[kept] < 0))
    if limits.names and own_room.sum() + loose < k:
        most = int(own_room.sum()) + loose
        demands = {"at_most": own.get("at_most"), **size} if own.get("at_most") else size
        _refuse(demands, f"there are only {most} columns that may be kept together")
    if limits.apart:
        most = _count_apart(limits)
        if most < k:
            demands = {"apart": own["apart"], **size}
            _refuse(demands, f"at most {most} columns are so far from each other")


def _check_budget(
    own: Mapping[str, Any], limits: Limits, kept: Any, missing: Any, size: Mapping[str, int]
) -> None:
    """Refuse a budget that does not pay for what must be kept, or for so many columns."""
    if not np.isfinite(limits.budget):
        return
    free = ~limits.barred
    free[kept] = False
    cost, bought = limits.spend(kept), len(kept)
    rest = free.copy()
    for i in np.flatnonzero(missing).tolist():
        inside = np.flatnonzero(free & (limits.group == i))
        cheapest = inside[np.argsort(limits.price[inside], kind="stable")][: missing[i]]
        cost, bought, rest[cheapest] = (
            cost + limits.price[cheapest].sum(),
            bought + len(cheapest),
            0,
        )
    if cost > limits.budget:
        demands = {"at_least": own["at_least"], "budget": own["budget"]}
        _refuse(demands, f"what must be kept costs {cost:g} at the least")
    more = max(next(iter(size.values()), 1) - bought, 0)
    prices = np.sort(limits.price[rest])[:more]
    if cost + prices.sum() > limits.budget:
        demands = {"budget": own["budget"], **size}
        many = f"{bought + more} columns cost" if size else "the cheapest column costs"
        _refuse(demands, f"{many} {cost + prices.sum():g} at the least")


def _count_apart(limits: Limits) -> int:
    """Count the columns that can be kept at their distance: each as near as may be to the last."""
    places = np.sort(limits.place[~limits.barred])
    nowhere, count, last = int(np.isnan(places).sum()), 0, -np.inf
    for place in places[~np.isnan(places)].tolist():
        if place - last >= limits.apart * (1 - 1e-9):
            count, last = count + 1, place
    return nowhere + count


def check_met(request: Request, limits: Limits, path: Path) -> None:
    """Refuse a result that breaks a limit: too near, too dear, or too few of a group are left."""
    if request.judges:
        return
    _check_broken(request.own, limits, path)
    if request.own.get("at_least") is None:
        return
    missing = limits.least - limits.count_taken(path.kept)
    for i in np.flatnonzero(missing > 0).tolist():
        others = [n for n in ("apart", "budget") if request.own.get(n) is not None]
        demands = {name: request.own[name] for name in ("at_least", *others)}
        _refuse(
            demands,
            f"no further column of group {limits.names[i]!r} may follow the {len(path.kept)} kept, "
            "or they explain it completely",
        )


def _check_broken(own: Mapping[str, Any], limits: Limits, path: Path) -> None:
    """Refuse columns that are left too near to each other, or that cost too much, together."""
    kept = path.kept
    least = {"at_least": own["at_least"]} if own.get("at_least") is not None else {}
    if limits.mark_near(kept).any():
        _refuse({**least, "apart": own["apart"]}, f"the {len(kept)} columns left break it")
    if limits.spend(kept) > limits.budget + NEGLIGIBLE * limits.budget:
        _refuse({**least, "budget": own["budget"]}, f"what is left costs {limits.spend(kept):g}")
