"""The summary that a registered method needs, of a table: the only switch on what it needs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tamis.errors import TamisError, spell, spell_name
from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.shared import Scale
from tamis.sources.source import Source
from tamis.statistics import linear
from tamis.statistics.linear import collect_gram
from tamis.statistics.row_blocks import FEWEST_BLOCKS, fits_in
from tamis.statistics.row_hash import RowRules
from tamis.statistics.scaled_source import ScaledSource, rewrite_source
from tamis.statistics.summary import Summary

if TYPE_CHECKING:
    from tamis.statistics.speculative import SpeculativeSums, SummedColumns


def _check_passes(method: Method, source: Source, missing: MissingPolicy, labels: Any) -> None:
    """Refuse a stream for one pass where two are needed, before it is read."""
    if not source.info.once:
        return
    if method.needs in ("information", "class counts"):
        why = f"method {method.id!r}"
    elif method.needs in ("gram", "response") and missing.expects_missing:
        why = spell("missing", missing)
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
    rules: RowRules | None = None,
    sums: "SpeculativeSums | None" = None,
) -> Summary:
    """Read these columns of a table into the summary that the method needs.

    The `scale` is settled. `insist` are positions among `columns` that the user asked for by name;
    `labels` is the position of the column of labels, or one label for each row, and `task` what is
    learnt from them. With `blocks` the rows are also summarised by block, for methods on a Gram
    matrix (None: where there is room for it, and no other read is needed). `checkpoint` is the file
    from which a linear method's pass over the table resumes. `rules` say which rows make a block
    and how much each counts; the rows are then read in blocks, here. `sums` of a pass that was made
    before are not made again.
    """
    _check_passes(method, source, missing, labels)
    if method.mixed and not any(source.kinds[j] == "categorical" for j in columns):
        missing = missing.of_numbers
    reading = {name: options[name] for name in method.reads}
    if scale.counts and reading.get("outliers") == "auto":
        reading["outliers"] = "keep"  # logarithms have drawn in what is extreme
    doubts, width = [], len(columns)
    wanted = blocks is None and rules is None and checkpoint is None and method.needs == "gram"
    if wanted and source.has_rows and not has_blocks(source, width, None):
        doubts.append(
            f"The share on new rows is not measured: folds of {width:,} columns would take "
            f"{8 * FEWEST_BLOCKS * width**2 / 1e9:,.0f} GB; choose fewer with "
            f"{spell_name('columns')} to have it."
        )
    weights = None if rules is None else rules.weights
    written = rewrite_source(source, columns, scale, weights)
    summed = None if sums is None else sums.take(written, columns)
    found = _collect(
        method,
        written,
        columns,
        scale=scale.divides,
        missing=missing,
        reading=reading,
        insist=insist,
        labels=labels,
        task=task,
        blocks=True if rules is not None else blocks,
        checkpoint=checkpoint,
        rules=rules,
        summed=summed if rules is None else None,
    )
    # A source around this one may have been read: what is said of it comes back in the summary.
    source.info = source.info.with_doubts([*doubts, *found.doubts])
    if not isinstance(written, ScaledSource) or not found.has_moments:
        return found
    return replace(found, **written.describe_values(columns))


def _collect(
    method: Method,
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy,
    reading: Mapping[str, Any],
    insist: Collection[int],
    labels: Any,
    task: str,
    blocks: bool | None,
    checkpoint: str | None,
    rules: RowRules | None,
    summed: "SummedColumns | None",
) -> Summary:
    """Read the table as the method needs it, by block of rows too if that is wanted."""
    if labels is not None and method.needs == "gram":
        _check_response(source, missing, checkpoint)
    kind = reading.get("kind", "pearson")
    if missing.pairs:
        from tamis.statistics.pairwise import check_pairwise, collect_pairwise

        check_pairwise(
            source, kind=kind, checkpoint=checkpoint, blocks=bool(blocks), policy=missing
        )
        return collect_pairwise(source, columns, scale=scale, policy=missing)
    if blocks is None:
        blocks = has_blocks(source, len(columns), checkpoint)
    if checkpoint is not None or not source.has_rows:
        from tamis.statistics.stored import check_linear, collect_stored, summary_of_stored

        check_linear(method, source, kind, checkpoint)
        stored = collect_stored(source, columns, missing=missing, checkpoint=checkpoint)
        return summary_of_stored(stored, scale=scale, blocks=blocks)
    match method.needs:
        case "information":
            from tamis.statistics.mutual_information import collect_information

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
                labels=labels,
                task=task,
                missing=missing,
                scale=scale or method.scale is None,
            ).summary
    # A Gram matrix: with a response, with categories, by block, or plainly.
    if labels is not None or method.needs == "response":
        from tamis.statistics.response import collect_response

        return collect_response(
            source,
            columns,
            labels=labels,
            task=task,
            scale=scale or method.needs == "response",
            missing=missing,
            insist=insist,
            blocks=blocks,
            rules=rules,
        )
    # The table is read once before to learn its categories and its extreme values.
    mixed = method.mixed and any(source.kinds[j] == "categorical" for j in columns)
    clips = method.mixed and reading["outliers"] != "keep" and not source.info.once
    if mixed or (clips and has_blocks(source, len(columns), None)):
        from tamis.statistics.mixed_gram import collect_mixed

        found = collect_mixed(
            source,
            columns,
            scale=scale,
            missing=missing,
            insist=insist,
            rules=rules,
            summed=summed,
            outliers=reading["outliers"],
        )
        if found is not None:
            return found
    first = None if summed is None else summed.take_rows(blocks=blocks)
    if not blocks:
        return collect_gram(source, columns, scale=scale, missing=missing, kind=kind, first=first)
    from tamis.statistics.read_blocks import collect_blocks

    return collect_blocks(
        source, columns, scale=scale, missing=missing, kind=kind, rules=rules, first=first
    )


def _check_response(source: Source, missing: MissingPolicy, checkpoint: str | None) -> None:
    """Refuse what cannot be done where a response is read with the columns."""
    asked = ""
    if missing.pairs:
        asked = f"{spell('missing', missing)} is not for a table with a response"
    elif checkpoint is not None:
        asked = f"{spell('checkpoint', checkpoint)} is not for a table with a response"
    elif not source.has_rows:
        asked = f"{source.label} is a summary and has no rows, which a response needs"
    if asked:
        raise TamisError(f"{asked}: omit {spell_name('y_weight')}.")


def has_blocks(source: Source, width: int, checkpoint: str | None) -> bool:
    """Whether the rows can be summarised by block as well, in the same read."""
    if checkpoint is not None:
        return False
    if source.summary is not None:
        return len(source.summary.blocks) > 1
    rows = source.n_rows
    held = rows is not None and rows < width  # rows are the smaller form
    if width > linear.MOST_COLUMNS:  # otherwise they are sketched
        return held and 8 * (rows or 0) * width <= linear.MAX_SCATTER_BYTES
    return held or fits_in(width, FEWEST_BLOCKS)
