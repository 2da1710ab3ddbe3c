"""Columns that say something about rows: labels, which belong together, how much each counts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse

from tamis.columns.name_words import words_in
from tamis.errors import TamisError, in_sentence, spell, spell_name
from tamis.facts.shared_answer import ClusterFacts, RowFacts
from tamis.numerics.types import Floats, Indices
from tamis.rules.kinds import NUMBER_KINDS
from tamis.rules.names import VISIT_WORDS
from tamis.run.request import Request
from tamis.sources.positions import find_positions, names_column
from tamis.sources.source import Source
from tamis.statistics.classes import Responses, RowLabels
from tamis.statistics.column_spread import Weights
from tamis.statistics.fills import fill_alone
from tamis.statistics.labels import (
    CLUSTERS,
    ClusterLabels,
    asks_for_clusters,
    label_text,
    name_clusters,
)
from tamis.statistics.linear import stack_batches
from tamis.statistics.mixed import rows_of_batch
from tamis.statistics.row_hash import RowRules, number_groups, number_stretches, settle_weights
from tamis.statistics.row_patterns import (
    MAX_PATTERN_ROWS,
    SIMILAR,
    choose_columns,
    find_order,
    similarity_within,
)
from tamis.statistics.rows import check_label_count, rows_with_missing
from tamis.statistics.summary import Summary


def find_labels(source: Source, request: Request) -> Any:
    """Give the position of the column of labels, or the labels themselves, or None.

    Where clusters of the rows are asked for in their place, it is that word: the rows are not read
    yet. A column of this name goes first. Several columns, or a table of them, are `Responses`.
    """
    y = request.y
    if y is None:
        if request.learns:
            method, policy = request.method, spell("policy", "incremental")
            if request.explains_response and not method.supervised:
                policy = spell("y_weight", request.own["y_weight"])
            who = f"Method {method.id!r}" if method.supervised else policy
            raise TamisError(
                f"{who} needs labels: name their column, for example {spell('y', 'species')}."
            )
        return None
    if wants_clusters(source, y):
        _check_learns(source, request)
        return CLUSTERS
    if names_column(source, y):
        return find_positions(source, [y])[0]
    found = _find_responses(source, y)
    if isinstance(found, Responses):
        _check_several(request, found)
    elif source.n_rows is not None and not isinstance(found, int):
        check_label_count(source, source.n_rows, found)
    return found


def _find_responses(source: Source, y: Any) -> Any:
    """Give one response or several, from a list of columns or from a table of labels."""
    if names_several(source, y):
        places = find_positions(source, y)
        names = tuple(source.names[j] for j in places)
        return places[0] if len(places) == 1 else Responses(tuple(places), names)
    from tamis.sources.frames import read_label_table

    names, labels = read_label_table(y)
    if labels.ndim != 2 or labels.shape[1] < 2:
        return labels.ravel()
    if source.n_rows is not None:
        check_label_count(source, source.n_rows, labels)
    return Responses(tuple(labels.T), names or tuple(f"y{i}" for i in range(labels.shape[1])))


def names_several(source: Source, y: Any) -> bool:
    """Whether this is a list of columns, and not one label for each row.

    It is one of labels where no text in it names a column, and where there are as many as rows.
    """
    if not isinstance(y, list | tuple) or not y or not all(isinstance(one, str) for one in y):
        return False
    return len(y) != source.n_rows and any(one in source.names for one in y)


def find_label_columns(source: Source, y: Any) -> list[int]:
    """Give the positions of the columns of labels; none where they are arrays, or clusters."""
    if wants_clusters(source, y):
        return []
    if names_column(source, y):
        return find_positions(source, [y])
    return find_positions(source, y) if names_several(source, y) else []


def _check_several(request: Request, found: Responses) -> None:
    """Refuse several responses where a method learns from one column of labels."""
    policy = request.policy.get("policy") == "incremental"
    if policy or (request.method.supervised and not request.method.several):
        who = spell("policy", "incremental") if policy else f"method {request.method.id!r}"
        raise TamisError(
            f"{spell('y', list(found.names))}: {who} learns from one response: name one, or choose "
            "forward-regression, which takes several."
        )


def wants_clusters(source: Source, y: Any) -> bool:
    """Whether clusters of the rows are to stand for labels: a column of that name goes first."""
    return asks_for_clusters(y) and y not in source.names


def _check_learns(source: Source, request: Request) -> None:
    """Refuse clusters where nothing learns from them."""
    if not request.learns:
        raise TamisError(
            f"{source.label} has no column {CLUSTERS!r}, and only supervised methods of select and "
            f"extract, such as chi2 and lda, learn from clusters of the rows: name a column, or "
            "such a method."
        )


def column_of(labels: Any) -> int | None:
    """Give the position of the column of labels, if they are in the table."""
    return labels if isinstance(labels, int) else None


def columns_of(labels: Any) -> tuple[int, ...]:
    """Give the positions of all columns that hold labels."""
    if isinstance(labels, Responses):
        return labels.columns
    return (labels,) if isinstance(labels, int) else ()


_STABILITY_ROWS = 2000  # that seeds and halves are compared on, taken evenly
_FEWEST = 4


def make_labels(request: Request, source: Source, usable: Sequence[int], labels: Any) -> Any:
    """Cluster the rows where `labels` asks for it; give other labels as they are."""
    if not isinstance(labels, str):
        return labels
    _check_clusters(request, source)
    columns = [j for j in usable if source.kinds[j] in NUMBER_KINDS]
    if not columns:
        raise TamisError(
            f"{spell('y', CLUSTERS)}: {source.label} has no columns of numbers to cluster the "
            "rows by: give labels."
        )
    table = stack_batches(list(source.batches(columns)))
    values = np.asarray(table.toarray() if scipy.sparse.issparse(table) else table, np.float64)
    whole = np.arange(len(values))
    if request.missing.drops:
        whole = np.flatnonzero(~rows_with_missing(values))
    if len(whole) < _FEWEST:
        raise TamisError(
            f"{spell('y', CLUSTERS)}: {source.label} has {len(whole):,} complete rows, too few "
            f"to cluster: at least {_FEWEST} are needed."
        )
    return _cluster_rows(values, whole, len(columns))


def _cluster_rows(values: Floats, whole: Indices, columns: int) -> ClusterLabels:
    from tamis.algorithms.cluster_count import (
        CLUSTER_RULE,
        assign_clusters,
        half_agreement,
        seed_agreement,
    )

    codes = assign_clusters(values[whole], values)
    some = slice(None, None, -(-len(whole) // _STABILITY_ROWS))
    rows, count = values[whole][some], len(np.unique(codes[whole]))
    seeds = seed_agreement(rows, assign_clusters(rows, rows, count))
    quality = ClusterFacts(columns, CLUSTER_RULE, seeds, half_agreement(rows, count))
    return ClusterLabels(values, assign_clusters, name_clusters(codes), quality)


def _check_clusters(request: Request, source: Source) -> None:
    asked = spell("y", CLUSTERS)
    if request.task == "regression":
        raise TamisError(
            f"{asked} and {spell('task', 'regression')}: clusters are classes; omit the task."
        )
    if request.own.get("oob"):
        raise TamisError(
            f"{asked} and {spell('oob', True)}: every row would have a part in the clusters that "
            "it is tested on; omit one of them."
        )
    if not source.has_rows:
        raise TamisError(f"{source.label} has no rows to cluster: give the table.")
    if source.info.once:
        raise TamisError(
            f"{source.label} can be read only once, and {asked} needs a second pass: give a "
            "function that opens it anew, or a table (`.read_all()`)."
        )


GROUPS_OF_ROWS, WEIGHTS_OF_ROWS = "the groups of the rows", "the weights of the rows"


def find_roles(source: Source, row_groups: Any, weights: Any) -> dict[int, str]:
    """Give the columns that are not analysed for what they say of the rows, each with the reason.

    None of what is given beside the table.
    """
    given = ((row_groups, GROUPS_OF_ROWS), (weights, WEIGHTS_OF_ROWS))
    named = [(value, why) for value, why in given if isinstance(value, str | int)]
    return {find_positions(source, [value])[0]: why for value, why in named}


def read_rules(source: Source, request: Request) -> RowRules | None:
    """Read which rows make a block and how much each counts; None where nothing is asked."""
    asked = {name: vars(request)[name] for name in ("row_groups", "ordered", "weights")}
    given = [name for name, value in asked.items() if value is not None and value is not False]
    if not given:
        return None
    _check_readable(source, given[0])
    weights = None if request.weights is None else read_weights(source, request.weights)
    if request.row_groups is not None:
        codes, names = _read_groups(source, request.row_groups)
        return RowRules(number_groups(codes, names), weights, groups=len(names))
    if not request.ordered:
        return RowRules(None, weights)
    # A table whose number of rows is not known is read for it.
    tables = source.tables([0]) if source.n_rows is None else ()
    rows = source.n_rows or sum(int(table.num_rows) for table in tables)
    return RowRules(number_stretches(rows), weights, ordered=True)


def read_weights(source: Source, given: Any, *, integers: bool = False) -> Weights:
    """Read the weight of every row, by the name of a column or given beside the table.

    Only `integers` can be added up over tables: of others it matters how they relate to each other.
    """
    _check_readable(source, "weights")
    what = spell("weights", _shown(given))
    weights = settle_weights(_read_numbers(source, given, what), what)
    if integers and weights.dtype.kind == "f":
        raise TamisError(
            f"{what}: a summary counts rows, give integers that say how many rows each stands for."
        )
    return weights


def _check_readable(source: Source, name: str) -> None:
    """Refuse a table whose rows are not here to be read twice in the same order."""
    why = ""
    if not source.has_rows:
        why = "is a summary and has no rows"
    elif source.info.once:
        why = "can be read only once, and a second pass is needed"
    elif source.in_parts() is not None:
        why = "is read by an engine, in no certain order of rows"
    if why:
        raise TamisError(
            f"{spell_name(name)}: {in_sentence(source.label)} {why}; give a file or a frame in "
            "memory."
        )


def _shown(value: Any) -> Any:
    """Give what stands for an array in a message."""
    return value if isinstance(value, str | int) else "an array"


def _read_column(source: Source, column: str | int) -> Iterator[Any]:
    """Read a column as Arrow arrays, missing values as nulls."""
    place = find_positions(source, [column])
    for table in source.tables(place, mark_missing=True):
        yield from table.column(0).chunks


def _read_groups(source: Source, given: Any) -> tuple[Indices, list[str]]:
    """Give the group of every row among the names of all groups."""
    column = isinstance(given, str | int)
    parts = (
        (RowLabels.of_column(part) for part in _read_column(source, given))
        if column
        else (RowLabels.of(np.asarray(given, dtype=object).ravel().tolist()),)
    )
    known: dict[str, int] = {}
    codes: list[Indices] = []
    what = spell("row_groups", _shown(given))
    for part in parts:
        if not part.known.all():
            at = sum(len(one) for one in codes) + int(np.argmin(part.known)) + 1
            raise TamisError(
                f"{what}: row {at:,} has no group, give every row one (its own if it is alone)."
            )
        seen = np.unique(part.places)
        places = np.full(len(part.distinct), -1, dtype=np.intp)
        texts = [label_text(part.distinct[place]) for place in seen.tolist()]
        places[seen] = [known.setdefault(text, len(known)) for text in texts]
        codes.append(places[part.places])
    found = np.concatenate(codes) if codes else np.zeros(0, dtype=np.intp)
    if len(known) < 2:
        raise TamisError(f"{what}: all rows are in one group, so none can be held out; omit it.")
    return found, list(known)


def _read_numbers(source: Source, given: Any, what: str) -> Floats:
    """Give the weight of every row."""
    try:
        if not isinstance(given, str | int):
            return np.asarray(given, dtype=np.float64).ravel()
        parts = [part.to_numpy(zero_copy_only=False) for part in _read_column(source, given)]
        return np.concatenate([part.astype(np.float64) for part in parts])
    except (TypeError, ValueError):
        raise TamisError(f"{what}: a weight is no number, give a number for each row.") from None


_MIN_ROWS_PER_KEY = 1.2  # below, nearly every row has a key of its own
_MAX_KEYS = 5  # that are tried
_MIN_STRETCHES = 20  # of a category, to take its levels for units: states, schools, persons
_MIN_TIMES = 10  # different values of a time


def note_rows(
    request: Request,
    source: Source,
    usable: Sequence[int],
    summary: Summary,
    rules: RowRules | None,
) -> RowFacts:
    """Note what was asked of the rows, and what was seen where nothing was asked."""
    weights = None if rules is None else rules.weights
    counted = summary.n_rows if weights is not None and weights.dtype.kind == "i" else None
    asked = RowFacts(weighted=weights is not None, counted=counted, heavy=summary.heavy)
    if rules is not None and rules.numbers is not None:
        return replace(asked, groups=rules.groups, ordered=rules.ordered)
    if summary.blocks is None:
        return asked
    return _see_alike(request, source, usable, summary.successive, asked)


def _see_alike(
    request: Request,
    source: Source,
    usable: Sequence[int],
    successive: float | None,
    asked: RowFacts,
) -> RowFacts:
    """Note that rows of one key are alike, or rows that follow one another.

    Where a table is sorted by a column that is no time, or lists the rows of one level after those
    of another, rows next to each other are alike, too: that is not said.
    """
    judged = {one.name: one for one in request.judgement.columns}
    kinds = {j: judged[name].kind for j, name in enumerate(source.names) if name in judged}
    keys = [
        j
        for j, kind in kinds.items()
        for one in [judged[source.names[j]]]
        if kind == "key" and 1 < one.distinct < (one.rows - one.missing) / _MIN_ROWS_PER_KEY
    ][:_MAX_KEYS]
    # Where little else is there a key is analysed, too: it says nothing of how alike its rows are.
    numbers = [j for j in usable if source.kinds[j] != "categorical" and j not in keys]
    if not numbers or (not keys and successive is None):
        return asked
    numbers = [numbers[i] for i in choose_columns(len(numbers))]
    # Other numbers and texts by which rows may be in order.
    others = [j for j in range(len(source.names)) if j not in {*numbers, *keys}]
    others = [others[i] for i in choose_columns(len(others))] if successive is not None else []
    ordering = [j for j in others if source.kinds[j] in NUMBER_KINDS]
    texts = [j for j in others if source.kinds[j] == "categorical" or kinds.get(j) == "date"]
    values, codes, known = _read_leading(source, [*numbers, *ordering], [*keys, *texts])
    rows = fill_alone(values[:, : len(numbers)])
    listed = [j for j in texts if _is_listed(codes[j])]
    for several in (keys, [j for j in listed if len(known[j]) >= _MIN_STRETCHES]):
        alike = {j: similarity_within(rows, codes[j]) for j in several}
        best = max(alike, key=lambda j: alike[j], default=-1)
        if best >= 0 and alike[best] >= SIMILAR:
            return replace(asked, key=source.names[best], similarity=alike[best])
    if successive is None:
        return asked
    time, is_sorted = None, bool(listed) or any(_is_listed(codes[j]) for j in keys)
    for j, column in zip([*numbers, *ordering], values.T, strict=True):
        named = bool(VISIT_WORDS & set(words_in(source.names[j])))
        order = find_order(column)
        if order == "even" and kinds.get(j) == "identifier" and not named:
            continue  # rows are numbered
        if order in ("even", "rising") and (named or order == "even"):
            time = time or (source.names[j] if len(np.unique(column)) >= _MIN_TIMES else None)
        is_sorted |= order is not None
    for j in texts:
        dated = kinds.get(j) == "date" and len(known[j]) >= _MIN_TIMES
        if dated and known[j] == sorted(known[j]) and (np.diff(codes[j]) >= 0).all():
            time = time or source.names[j]
    if time is None and is_sorted:
        return asked
    return replace(asked, successive=successive, time=time)


def _is_listed(codes: Indices) -> bool:
    """Whether the rows of one code come after those of another, each in one stretch.

    >>> _is_listed(np.array([0, 0, 0, 1, 1, 2, 2])), _is_listed(np.array([0, 1, 0, 1, 0, 1]))
    (True, False)
    """
    stretches = 1 + np.count_nonzero(np.diff(codes))
    return bool(1 < stretches <= len(codes) / 2 and stretches == len(np.unique(codes)))


def _read_leading(
    source: Source, columns: Sequence[int], keys: Sequence[int]
) -> tuple[Floats, dict[int, Indices], dict[int, list[Any]]]:
    """Read the first rows of some columns, the codes of the keys, and what these stand for.

    Rows without a key are groups of their own.
    """
    parts: list[Floats] = []
    known: dict[int, dict[Any, int]] = {key: {} for key in keys}
    codes: dict[int, list[int]] = {key: [] for key in keys}
    left, width = MAX_PATTERN_ROWS, len(columns)
    for table in source.tables([*columns, *keys], mark_missing=True):
        for batch in table.slice(0, left).combine_chunks().to_batches():
            parts.append(rows_of_batch(batch, tuple(range(width)), ()).numbers)
            for i, key in enumerate(keys):
                labels = RowLabels.of_column(batch.column(width + i))
                seen = known[key]
                own = [seen.setdefault(one, len(seen)) for one in labels.distinct]
                for place in labels.places.tolist():
                    codes[key].append(own[place] if place >= 0 else -1 - len(codes[key]))
        left -= table.num_rows
        if left <= 0:
            break
    rows = np.concatenate(parts) if parts else np.zeros((0, width))
    arrays = {key: np.array(some, dtype=np.intp) for key, some in codes.items()}
    return (
        rows,
        arrays,
        {key: [v for v in values if v is not None] for key, values in known.items()},
    )
