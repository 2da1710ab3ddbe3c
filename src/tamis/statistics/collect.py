"""The summary that a registered method needs, of a table: the only switch on what it needs."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError, in_sentence, spelled, spelled_name
from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.scale import Scale
from tamis.sources.source import Source
from tamis.statistics import linear
from tamis.statistics.block_moments import FEWEST_BLOCKS, fitting
from tamis.statistics.linear import collect_gram, refuse_unfit
from tamis.statistics.missing import Tally
from tamis.statistics.scaled_source import rewrite_source, settle_scale

if TYPE_CHECKING:
    from tamis.sources.stored_summary import StoredSummary


class Summary(Protocol):
    """What is known of a table once it has been read.

    `varying` are the positions, among the columns read, of those analysed; `refused`
    gives the reason of those that turned out unfit; `statistic` is what the kernel works on.
    """

    @property
    def n_rows(self) -> int:
        """Number of rows that counted."""

    @property
    def varying(self) -> NDArray[np.intp]:
        """Columns that are analysed."""

    @property
    def refused(self) -> dict[int, str]:
        """Columns that are unfit, each with the reason."""

    @property
    def tally(self) -> Tally:
        """Rows read and used, and missing values by column."""

    @property
    def statistic(self) -> Any:
        """What a method of selection works on."""

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What a method of extraction works on."""


def check_used(summary: Summary, count: int, label: str) -> None:
    """Refuse a table of whose `count` columns none is used."""
    if len(summary.varying):
        return
    label = in_sentence(label)
    if not summary.refused:
        raise TamisError(
            f"All {count} columns of {label} are constant: there is nothing to choose from."
        )
    refuse_unfit(count, label, summary.refused)


def _check_passes(method: Method, source: Source, missing: MissingPolicy, labels: Any) -> None:
    """Refuse a stream for one pass where two are needed, before it is read."""
    if not source.info.once:
        return
    if method.needs in ("information", "class counts"):
        why = f"method {method.id!r}"
    elif method.needs in ("gram", "response") and missing.expects_missing:
        why = spelled("missing", missing)
    elif isinstance(labels, int):
        why = f"the column of labels {source.names[labels]!r}"
    else:
        return
    raise TamisError(
        f"{source.label} can be read only once, and {why} needs a second pass: give a function "
        "that opens it anew, or a table (`.read_all()`)."
    )


def summarise(
    method: Method,
    source: Source,
    columns: Sequence[int],
    *,
    scale: Scale,
    missing: MissingPolicy = MissingPolicy.ERROR,
    options: Mapping[str, Any],
    insist: Collection[int] = (),
    labels: Any = None,
    task: str = "classification",
    checkpoint: str | None = None,
    blocks: bool | None = False,
) -> Summary:
    """Read these columns of a table into the summary that the method needs.

    `insist` are positions among `columns` that the user asked for by name; `labels` is the position
    of the column of labels, or one label for each row, and `task` what is learnt from them. With
    `blocks` the rows are also summarised by block, for methods on a Gram matrix (None: where there
    is room for it, and no other read is needed). `checkpoint` is the file from which a linear
    method's pass over the table resumes.
    """
    _check_passes(method, source, missing, labels)
    reading = {name: options[name] for name in method.reads}
    scale = settle_scale(source, columns, scale, checkpoint)
    if scale.counts and reading.get("outliers") == "auto":
        reading["outliers"] = "keep"  # logarithms have drawn in what is extreme
    return _collect(
        method,
        rewrite_source(source, columns, scale),
        columns,
        scale=scale.divides,
        missing=missing,
        reading=reading,
        insist=insist,
        labels=labels,
        task=task,
        checkpoint=checkpoint,
        blocks=blocks,
    )


def _collect(
    method: Method,
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy,
    reading: dict[str, Any],
    insist: Collection[int],
    labels: Any,
    task: str,
    checkpoint: str | None,
    blocks: bool | None,
) -> Summary:
    """Read a table as it is to be summed up."""
    if labels is not None and method.needs == "gram":
        _check_beside(source, missing, checkpoint)
    if missing.pairs:
        from tamis.statistics.pairwise import check_pairwise, collect_pairwise

        kind = reading.get("kind", "pearson")
        check_pairwise(
            source, kind=kind, checkpoint=checkpoint, blocks=bool(blocks), policy=missing
        )
        return collect_pairwise(source, columns, scale=scale, policy=missing)
    if blocks is None:
        blocks = _has_blocks(source, len(columns), checkpoint)
    on_parts = (
        not blocks
        and labels is None
        and not any(source.kinds[j] == "categorical" for j in columns)
        and _runs_on_parts(method, source, len(columns), reading)
    )
    if on_parts or checkpoint is not None or not source.has_rows:
        from tamis.statistics.stored import check_linear, summary_by_parts

        check_linear(method, source, reading.get("kind", "pearson"), checkpoint)
        return summary_by_parts(
            source, columns, scale=scale, missing=missing, checkpoint=checkpoint, blocks=blocks
        )
    beside_response = partial(
        _collect_response,
        source,
        columns,
        labels=labels,
        task=task,
        missing=missing,
        insist=insist,
        blocks=blocks,
    )
    match method.needs:
        case "information":
            from tamis.statistics.information import collect_information

            return collect_information(source, columns, missing=missing, insist=insist, **reading)
        case "class counts":
            from tamis.statistics.class_table import collect_class_table

            return collect_class_table(
                source,
                columns,
                labels=labels,
                task=task,
                missing=missing,
                insist=insist,
                **reading,
            )
        case "neighbours":
            from tamis.statistics.neighbours import collect_neighbours

            return collect_neighbours(source, columns, scale=scale, missing=missing, **reading)
        case "rows" | "labelled rows":
            from tamis.statistics.rows import collect_rows

            return collect_rows(
                source,
                columns,
                missing=missing,
                labels=labels,
                scale=scale or method.scale is None,
                task=task,
            )
        case "response":
            return beside_response(scale=True)
        case "gram" if labels is not None:
            return beside_response(scale=scale)
        case "gram" if method.mixed and _is_learnt(source, columns, reading["outliers"]):
            from tamis.statistics.mixed_gram import collect_mixed

            return collect_mixed(
                source, columns, scale=scale, missing=missing, insist=insist, **reading
            )
        case "gram":
            reading.pop("outliers", None)
            if not blocks:
                return collect_gram(source, columns, scale=scale, missing=missing, **reading)
            from tamis.statistics.read_blocks import collect_blocks

            return collect_blocks(source, columns, scale=scale, missing=missing, **reading)


def _collect_response(source: Source, columns: Sequence[int], **how: Any) -> Summary:
    from tamis.statistics.response import collect_response

    return collect_response(source, columns, **how)


def _check_beside(source: Source, missing: MissingPolicy, checkpoint: str | None) -> None:
    """Refuse what cannot be done where a response is read beside the columns."""
    asked = ""
    if missing.pairs:
        asked = f"{spelled('missing', missing)} is not for a table with a response"
    elif checkpoint is not None:
        asked = f"{spelled('checkpoint', checkpoint)} is not for a table with a response"
    elif not source.has_rows:
        asked = f"{source.label} is a summary and has no rows, which a response needs"
    if asked:
        raise TamisError(f"{asked}: omit {spelled_name('y_weight')}.")


def _is_learnt(source: Source, columns: Sequence[int], outliers: str) -> bool:
    """Whether the table is read once before, to learn its categories and its extreme values."""
    if any(source.kinds[j] == "categorical" for j in columns):
        return True
    if outliers == "keep" or source.info.once or not _has_blocks(source, len(columns), None):
        return False
    first = next(iter(source.batches(columns)), None)
    return first is not None and not scipy.sparse.issparse(first)


def _has_blocks(source: Source, width: int, checkpoint: str | None) -> bool:
    """Whether the rows can be summarised by block as well, in the same read."""
    if checkpoint is not None or source.in_parts() is not None:
        return False
    if source.summary is not None:
        return len(source.summary.blocks) > 1
    rows = source.n_rows
    held = rows is not None and rows < width  # rows are the smaller form
    if width > linear.MOST_COLUMNS:  # otherwise they are sketched
        return held and 8 * (rows or 0) * width <= linear.ROOM
    return held or fitting(width, FEWEST_BLOCKS)


def _runs_on_parts(method: Method, source: Source, width: int, reading: Mapping[str, Any]) -> bool:
    """Whether an engine (Dask, Spark) can do the work where the parts of the table are.

    What it cannot do there is done here, on batches that the engine brings one after the other;
    so is a table known to have more columns than rows, which are then the smaller form.
    """
    linear = method.needs == "gram" and reading.get("kind", "pearson") == "pearson"
    wide = source.n_rows is not None and source.n_rows < width
    return linear and source.in_parts() is not None and not wide


def collect_summary(
    source: Source,
    columns: Sequence[int],
    *,
    missing: MissingPolicy = MissingPolicy.ERROR,
    checkpoint: str | None = None,
    blocks: bool = False,
    min_rows: int = 1,
) -> "StoredSummary":
    """Read these columns of a table into the summary that can be kept in a file."""
    from tamis.statistics.stored import collect_stored

    return collect_stored(
        source, columns, missing=missing, checkpoint=checkpoint, blocks=blocks, min_rows=min_rows
    )
