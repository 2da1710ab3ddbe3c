"""What a page needs to choose columns again: the Gram matrix, what was asked, how to repeat it."""

from dataclasses import replace
from typing import Any

import numpy as np

from tamis import registry
from tamis.evaluation.measure import Measure, Variance, bound_by_components
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.record import Record
from tamis.facts.explorer import LiveFacts
from tamis.facts.shared_answer import RepeatFacts
from tamis.numerics.types import Floats, Indices
from tamis.presentation.flags import as_flag, flag
from tamis.results.call_words import command_for, repeat_patterns
from tamis.rules.tolerances import ROUNDED_STEPS
from tamis.statistics.gram import part_of

_METHOD = "sfs"
_DEFAULT = "forward"
_WISHES = ("include", "forbid", "costs")
_REPEATED_OPTIONS = ("refine", "held_out", "stability", "k")


def live_facts(
    outcome: Outcome, path: Indices, shares: Floats, ceiling: Floats, y: Any
) -> LiveFacts | None:
    """Give what the loop of the page works on; None where there is no Gram matrix.

    `path` and `shares` are what the page shows at first, `ceiling` what 1, 2, ... columns could
    explain at most, as far as it may go.
    """
    held = gram_facts(outcome.measure, path, shares, ceiling)
    if held is None:
        return None
    request = outcome.request
    shrink, noise = _find_shrinkage(outcome, held.columns)
    asked = request.settings

    def name(column: str | int) -> str:
        return column if isinstance(column, str) else request.names[column]

    return replace(
        held,
        same=request.method.id in (_METHOD, _DEFAULT) and not asked.get("refine"),
        shrink=shrink,
        noise=noise,
        include=tuple(name(column) for column in asked.get("include") or ()),
        forbid=tuple(name(column) for column in asked.get("forbid") or ()),
        costs={name(column): price for column, price in (asked.get("costs") or {}).items()},
        patterns=live_patterns(request, y, shrink="auto" if noise else shrink),
    )


def _find_shrinkage(
    outcome: Outcome, columns: tuple[int, ...] | None
) -> tuple[float, tuple[float, ...] | None]:
    """Give the shrinkage of the search, and with what that of each column is multiplied, if any."""
    if outcome.request.method.id != _DEFAULT:
        return 0.0, None
    options = outcome.search_options
    shrink, noise = float(options.get("shrink") or 0.0), options.get("noise")
    if not (shrink and noise):
        return shrink, None
    chosen = range(len(outcome.used)) if columns is None else columns
    return shrink, tuple(float(noise.get(j, 1.0)) for j in chosen)


def live_patterns(request: Record, y: Any = None, *, shrink: float | str = 0.0) -> RepeatFacts:
    """Give the command and the Python line of the same table, with room for wishes.

    They name `sfs`, or the default with the shrinkage of the page: extreme values are limited, too.
    """
    method = _DEFAULT if request.method.id == _DEFAULT else _METHOD
    own = {option.name for option in request.method.taken} - {"outliers"}
    dropped = own | {*_WISHES, *_REPEATED_OPTIONS}
    asked = {name: value for name, value in request.settings.items() if name not in dropped}
    if method == _DEFAULT:
        asked["shrink"] = shrink
    again = replace(request, method=registry.get(method), settings=asked, command=None)
    patterns = repeat_patterns(again, y)
    if request.command and request.command.startswith("tamis select "):
        flags = [flag(name) for name in sorted(dropped)]
        command = command_for(request.command, without=["-m", "--method", *flags])
        usual = asked.get("scale") in (None, True, "auto") or "scale" in command
        more = f" --method {method}"
        if method == _DEFAULT:
            more += f" --shrink {shrink if isinstance(shrink, str) else f'{shrink:g}'}"
        more += "" if usual else f" {as_flag('scale', asked['scale'])}"
        command = command.replace(" -k {k}", f"{more} -k {{k}}")
        return replace(patterns, command=command)
    return patterns


MOST = 500  # columns: 330 kB as text
SOME = 120  # columns of a table so wide that its page has no room for more
_MAX_GRAM_COLUMNS = 2_000
_MAX_KEPT_WITH_GRAM = 2_000  # columns kept: 21 MB as text, and no page holds more
_MAX_EXACT = 200  # columns: 210 kB as text


def gram_facts(
    measure: Measure, path: Indices, shares: Floats, ceiling: Floats
) -> LiveFacts | None:
    """Give the matrix of the columns that a page can choose from.

    They are all columns or, of more than 500, those on the path and then those that it explains
    least: 500, or 120 of a table with more than 2,000 columns; `shares` is what it explains of
    each. With it comes the most that 1, 2, ... columns can explain of them, as many as the
    `ceiling` of all columns has. None where a method goes by information, or keeps more columns
    than a page can hold.
    """
    if not isinstance(measure, Variance) or measure.importance is not None:
        return None
    if not measure.single:
        return _grouped_facts(measure, ceiling)
    if len(path) > _MAX_KEPT_WITH_GRAM:
        return None
    columns = _choose_gram_columns(path, shares)
    every = len(columns) == len(shares)
    gram = measure.statistic.gram
    if not every:
        gram = part_of(gram, columns)
        ceiling = bound_by_components(gram, min(len(ceiling), len(columns)))
    return LiveFacts(
        columns=None if every else tuple(columns.tolist()),
        width=len(columns),
        matrix=_write(gram.block(slice(None))),
        rounded=len(columns) > _MAX_EXACT,
        bound=tuple(ceiling.tolist()),
    )


def _grouped_facts(measure: Variance, ceiling: Floats) -> LiveFacts | None:
    """Give the matrix of all columns where some are categories, unless it is too wide."""
    statistic = measure.statistic
    sizes, width = statistic.groups.sizes, len(statistic.gram.diagonal())
    if width > MOST:
        return None
    return LiveFacts(
        columns=None,
        width=width,
        matrix=_write(statistic.gram.block(slice(None))),
        rounded=width > _MAX_EXACT,
        bound=tuple(ceiling.tolist()),
        sizes=tuple(sizes.tolist()),
        rows=statistic.n_rows,
    )


def _write(gram: Floats) -> bytes:
    return write_exactly(gram) if len(gram) <= _MAX_EXACT else write_rounded(gram)


def write_exactly(gram: Floats) -> bytes:
    """Give the lower triangle, row by row."""
    return np.asarray(gram[np.tril_indices(len(gram))], dtype="<f8").tobytes()


def write_rounded(gram: Floats) -> bytes:
    """Give the lengths of all columns, then their correlations in 16 bits, below the diagonal.

    Low bytes come before high ones: those are alike, and get shorter when deflated.
    """
    lengths = np.sqrt(np.diagonal(gram)).astype("<f8")
    below = np.tril_indices(len(gram), -1)
    links = gram[below] / (lengths[below[0]] * lengths[below[1]])
    steps = np.rint(np.clip(links, -1.0, 1.0) * ROUNDED_STEPS).astype("<i2")
    return lengths.tobytes() + steps.view(np.uint8).reshape(-1, 2).T.tobytes()


def _choose_gram_columns(path: Indices, shares: Floats) -> Indices:
    if len(shares) <= MOST:
        return np.arange(len(shares))
    left = 1.0 - shares
    left[path] = np.inf
    room = MOST if len(shares) <= _MAX_GRAM_COLUMNS else max(SOME, len(path))
    return np.sort(np.argsort(-left, kind="stable")[:room])
