"""The summary that a registered method needs, of a table: the only switch on what it needs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import scipy.sparse

from tamis.errors import TamisError, spell, spell_name
from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy
from tamis.registry.scale import Scale
from tamis.sources.source import Source
from tamis.statistics import linear
from tamis.statistics.block_moments import FEWEST_BLOCKS, fits_in
from tamis.statistics.linear import collect_gram
from tamis.statistics.row_rules import RowRules
from tamis.statistics.scaled_source import ScaledSource, rewrite_source, settle_scale
from tamis.statistics.summary import Summary
from tamis.values import dataclass

if TYPE_CHECKING:
    from tamis.sources.stored_summary import StoredSummary
    from tamis.statistics.sums_ahead import FoundAhead, SumsAhead


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
    ahead: "SumsAhead | None" = None,
) -> Summary:
    """Read these columns of a table into the summary that the method needs.

    `insist` are positions among `columns` that the user asked for by name; `labels` is the position
    of the column of labels, or one label for each row, and `task` what is learnt from them. With
    `blocks` the rows are also summarised by block, for methods on a Gram matrix (None: where there
    is room for it, and no other read is needed). `checkpoint` is the file from which a linear
    method's pass over the table resumes. `rules` say which rows make a block and how much each
    counts; the rows are then read in blocks, here. What was summed up `ahead` is not read again.
    """
    _check_passes(method, source, missing, labels)
    if method.mixed and not any(source.kinds[j] == "categorical" for j in columns):
        missing = missing.of_numbers
    reading = {name: options[name] for name in method.reads}
    scale = settle_scale(source, columns, scale, checkpoint)
    if scale.counts and reading.get("outliers") == "auto":
        reading["outliers"] = "keep"  # logarithms have drawn in what is extreme
    if blocks is None and rules is None and checkpoint is None and method.needs == "gram":
        _note_unmeasured(source, len(columns))
    written = rewrite_source(source, columns, scale, rules)
    known = None if ahead is None else ahead.take(written, columns)
    found = _WantedTable(
        method,
        written,
        columns,
        scale=scale.divides,
        missing=missing,
        reading=reading,
        insist=insist,
        labels=labels,
        task=task,
        checkpoint=checkpoint,
        rules=rules,
        ahead=known if rules is None else None,
    ).collect(True if rules is not None else blocks)
    if not isinstance(written, ScaledSource) or not found.has_moments:
        return found
    return replace(found, **written.describe_values(columns))


@dataclass(frozen=True, kw_only=True, eq=False)
class _WantedTable:
    """Columns of a table, and how they are summed up for a method."""

    method: Method = field(kw_only=False)
    source: Source = field(kw_only=False)
    columns: Sequence[int] = field(kw_only=False)
    scale: bool
    missing: MissingPolicy
    reading: dict[str, Any]
    insist: Collection[int]
    labels: Any
    task: str
    checkpoint: str | None
    rules: RowRules | None = None
    ahead: "FoundAhead | None" = None

    def collect(self, blocks: bool | None) -> Summary:
        """Read the table as the method needs it, by block of rows too if that is wanted."""
        if self.labels is not None and self.method.needs == "gram":
            _check_beside(self.source, self.missing, self.checkpoint)
        if self.missing.pairs:
            return self._by_pairs(bool(blocks))
        if blocks is None:
            blocks = has_blocks(self.source, len(self.columns), self.checkpoint)
        if self._is_stored(blocks):
            return self._by_parts(blocks)
        match self.method.needs:
            case "gram" | "response":
                return self._gram(blocks)
            case "information":
                from tamis.statistics.mutual_information import collect_information

                return collect_information(
                    self.source, self.columns, insist=self.insist, **self._filled
                )
            case "class counts":
                from tamis.statistics.class_table import collect_class_table

                return collect_class_table(
                    self.source, self.columns, **self._learnt, **self._filled
                )
            case "neighbours":
                from tamis.statistics.neighbours import collect_neighbours

                return collect_neighbours(
                    self.source, self.columns, scale=self.scale, **self._filled
                )
            case "rows" | "labelled rows":
                from tamis.statistics.rows import collect_rows

                more = {"labels": self.labels, "task": self.task, "missing": self.missing}
                more["scale"] = self.scale or self.method.scale is None
                return collect_rows(self.source, self.columns, **more).summary

    @property
    def _filled(self) -> dict[str, Any]:
        return {"missing": self.missing, **self.reading}

    @property
    def _learnt(self) -> dict[str, Any]:
        return {"labels": self.labels, "task": self.task, "insist": self.insist}

    def _is_stored(self, blocks: bool) -> bool:
        """Whether sums are made elsewhere, or kept in a file: of numbers only."""
        if self.checkpoint is not None or not self.source.has_rows:
            return True
        text = any(self.source.kinds[j] == "categorical" for j in self.columns)
        if blocks or text or self.labels is not None:
            return False
        return _runs_on_parts(self.method, self.source, len(self.columns), self.reading)

    def _by_pairs(self, blocks: bool) -> Summary:
        from tamis.statistics.pairwise import check_pairwise, collect_pairwise

        kind = self.reading.get("kind", "pearson")
        check_pairwise(
            self.source,
            kind=kind,
            checkpoint=self.checkpoint,
            blocks=blocks,
            policy=self.missing,
        )
        return collect_pairwise(self.source, self.columns, scale=self.scale, policy=self.missing)

    def _by_parts(self, blocks: bool) -> Summary:
        from tamis.statistics.stored import check_linear, summary_by_parts

        kind = self.reading.get("kind", "pearson")
        check_linear(self.method, self.source, kind, self.checkpoint)
        return summary_by_parts(
            self.source,
            self.columns,
            scale=self.scale,
            missing=self.missing,
            checkpoint=self.checkpoint,
            blocks=blocks,
        )

    def _gram(self, blocks: bool) -> Summary:
        """Read into a Gram matrix: beside a response, with categories, by block, or plainly."""
        how: dict[str, Any] = {"scale": self.scale, "missing": self.missing}
        if self.labels is not None or self.method.needs == "response":
            from tamis.statistics.response import collect_response

            how["scale"] = self.scale or self.method.needs == "response"
            more = {**self._learnt, "blocks": blocks, "rules": self.rules}
            return collect_response(self.source, self.columns, **more, **how)
        plain = {name: value for name, value in self.reading.items() if name != "outliers"}
        if self.method.mixed and _is_learnt(self.source, self.columns, self.reading["outliers"]):
            from tamis.statistics.mixed_gram import collect_mixed

            how |= {"insist": self.insist, "rules": self.rules, "ahead": self.ahead}
            found = collect_mixed(self.source, self.columns, **how, **self.reading)
            if found is not None:
                return found
            how = {name: how[name] for name in how if name in ("scale", "missing")}
        known = None if self.ahead is None else self.ahead.summarise_plain(self.scale, blocks)
        if known is not None and blocks:
            return known
        if not blocks:
            return known or collect_gram(self.source, self.columns, **how, **plain)
        from tamis.statistics.read_blocks import collect_blocks

        return collect_blocks(self.source, self.columns, rules=self.rules, **how, **plain)


def _check_beside(source: Source, missing: MissingPolicy, checkpoint: str | None) -> None:
    """Refuse what cannot be done where a response is read beside the columns."""
    asked = ""
    if missing.pairs:
        asked = f"{spell('missing', missing)} is not for a table with a response"
    elif checkpoint is not None:
        asked = f"{spell('checkpoint', checkpoint)} is not for a table with a response"
    elif not source.has_rows:
        asked = f"{source.label} is a summary and has no rows, which a response needs"
    if asked:
        raise TamisError(f"{asked}: omit {spell_name('y_weight')}.")


def _is_learnt(source: Source, columns: Sequence[int], outliers: str) -> bool:
    """Whether the table is read once before, to learn its categories and its extreme values."""
    if any(source.kinds[j] == "categorical" for j in columns):
        return True
    if outliers == "keep" or source.info.once or not has_blocks(source, len(columns), None):
        return False
    if source.in_parts() is not None or (source.read_anew and source.n_rows):
        return True  # what the parts are like is seen where they are
    first = next(iter(source.batches(columns)), None)
    return first is not None and not scipy.sparse.issparse(first)


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


def _note_unmeasured(source: Source, width: int) -> None:
    """Say why nothing is known of new rows, where there is no room for sums of folds."""
    if source.summary is None and source.has_rows and not has_blocks(source, width, None):
        size = 8 * FEWEST_BLOCKS * width**2 / 1e9
        said = (
            f"The share on new rows is not measured: folds of {width:,} columns would take "
            f"{size:,.0f} GB; choose fewer with {spell_name('columns')} to have it."
        )
        source.info = source.info.with_doubts([said])


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
    rules: RowRules | None = None,
) -> "StoredSummary":
    """Read these columns of a table into the summary that can be kept in a file."""
    from tamis.statistics.stored import collect_stored, collect_weighed

    if rules is not None:
        return collect_weighed(source, columns, missing=missing, blocks=blocks, rules=rules)
    return collect_stored(
        source, columns, missing=missing, checkpoint=checkpoint, blocks=blocks, min_rows=min_rows
    )
