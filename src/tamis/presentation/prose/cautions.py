"""What a reader of the report should check, each with the option that changes it."""

from collections.abc import Iterator
from dataclasses import field

from tamis.errors import spell
from tamis.facts.selection_answer import DroppedColumn, SelectionFacts, WeightKind
from tamis.presentation.prose.about_selection import (
    FIND_NUMBER,
    overfit_advice,
    overfit_effect,
    overfit_sentence,
)
from tamis.presentation.prose.about_table import (
    alike_advice,
    alike_effect,
    alike_sentence,
    warning_advice,
    warning_text,
)
from tamis.presentation.prose.writing import percent
from tamis.registry import get
from tamis.registry.missing_policy import MissingPolicy, was_filled
from tamis.values import dataclass

_NOTABLE_CHANCE = 0.1  # what chance explains that is worth a word
_FILLED = 0.05  # share of missing values that is worth a word
_MAX_COLUMNS_NAMED = 6
_WHOLE_SHARE = 1 - 1e-9  # of a column: written as 100%
_STABLE = 0.4  # stability index, below which other rows would keep mostly other columns
# What is said of one dropped column, and of many, that several kept ones explain completely.
_MIXED_OF = (
    "column is an exact linear combination of kept ones",
    "columns are exact linear combinations of kept ones",
)
_FOLLOW = ("column follows exactly from kept ones", "columns follow exactly from kept ones")


@dataclass(frozen=True)
class Caution:
    """A text, the columns it names, what follows them, an option and what that does.

    `about_missing` marks what the sentence on missing values says as well.
    """

    text: str
    advice: str = ""
    effect: str = ""
    columns: tuple[str, ...] = field(default=(), kw_only=True)
    after: str = field(default="", kw_only=True)
    about_missing: bool = field(default=False, kw_only=True)


def list_cautions(facts: SelectionFacts) -> list[Caution]:
    """List what may be wrong with the answer, each with the option that changes it."""
    seemings = [
        Caution("", warning_advice(row), columns=(row.column,), after=warning_text(row))
        for row in facts.warnings
    ]
    about = [*_warn_missing(facts), *seemings, *_copies(facts), *_about_rows(facts)]
    return about + (list(_overfit(facts)) or [*_few_rows(facts)])


def _warn_missing(facts: SelectionFacts) -> Iterator[Caution]:
    missing = facts.missing
    read, used = missing.rows_read, missing.rows_used
    if used < read:
        yield Caution(*_describe_dropped_rows(facts), about_missing=True)
    elif missing.shares:
        filled = sum(missing.shares.values()) / max(facts.used, 1)
        worst, share = next(iter(missing.shares.items()))
        # To drop most of the rows would do more harm than what was filled in.
        drop = (spell("missing", MissingPolicy.DROP), "uses complete rows only")
        way = drop if missing.complete_rows_suffice else ()
        if share >= _FILLED:
            done = "were filled in" if was_filled(missing.done) else "are missing"
            yield Caution(
                f"{percent(filled)} of all values {done}; most often in",
                *way,
                columns=(worst,),
                after=f"({percent(share)})",
                about_missing=True,
            )


def _describe_dropped_rows(facts: SelectionFacts) -> tuple[str, ...]:
    """Say how many rows were dropped and why, and the option that keeps them if there is one."""
    missing = facts.missing
    count, lost = missing.rows_read - missing.rows_used, missing.rows_unlabelled
    text = f"{count:,} of {missing.rows_read:,} rows were dropped because of missing "
    if lost:
        return (text + ("labels." if lost == count else f"values, {lost:,} for want of a label."),)
    if missing.sparse or missing.rows_complete is None:
        return (f"{text}values.",)
    fill = MissingPolicy.filling(takes_text=get(facts.method.id).takes_text)
    return f"{text}values.", spell("missing", fill), "fills them and keeps the rows"


def _copies(facts: SelectionFacts) -> Iterator[Caution]:
    if constant := facts.constant:
        many = "column is" if len(constant) == 1 else "columns are"
        text = f"{len(constant):,} {many} constant and never kept:"
        yield Caution(text, columns=constant[:_MAX_COLUMNS_NAMED])
    few = facts.measure == "variance" and facts.k >= facts.rows - 1  # then all is explained
    alike = [] if few else [row for row in facts.dropped if row.share >= _WHOLE_SHARE]
    copies = [row.column for row in alike if _is_copy(row, facts.weights_are)]
    mixed = [row.column for row in alike if row.column not in copies]
    mixed_words = _MIXED_OF if facts.weights_are == "coefficients" else _FOLLOW
    for columns, words in ((copies, _describe_copies(facts)), (mixed, mixed_words)):
        if columns:
            text = f"{len(columns):,} dropped {words[len(columns) > 1]}:"
            yield Caution(text, columns=tuple(columns[:_MAX_COLUMNS_NAMED]))


def _is_copy(row: DroppedColumn, weights_are: WeightKind) -> bool:
    """Say whether one kept column explains all; those named may explain only nearly all."""
    if weights_are != "coefficients":
        return bool(max(row.weights.values(), default=0.0) >= _WHOLE_SHARE)
    return bool(len(row.weights) == 1 and row.carried >= _WHOLE_SHARE)


def _describe_copies(facts: SelectionFacts) -> tuple[str, str]:
    if facts.measure == "information":
        same = "all of {} information with a kept one"
        return f"column shares {same.format('its')}", f"columns share {same.format('their')}"
    if facts.weights_are == "shares":
        same = "exactly from one kept column"
        return f"column follows {same}", f"columns follow {same}"
    if facts.ranked:
        same = "the same ranks as a kept one, up to sign"
        return f"column has {same}", f"columns have {same}"
    same = "of kept ones, up to unit and sign"
    return f"column is an exact copy {same}", f"columns are exact copies {same}"


def _about_rows(facts: SelectionFacts) -> Iterator[Caution]:
    if facts.ranked:
        yield Caution(
            "Shares, weights and correlations are those of the ranks (Spearman), not of the values."
        )
    stability, alike = facts.stability, alike_sentence(facts.row_notes)
    if stability and stability.index < _STABLE:
        yield Caution(
            f"Unstable: random halves of the rows keep other columns (stability index "
            f"{stability.index:.2f}, 1 means always the same); see the substitutes of each column."
        )
    if alike:
        yield Caution(alike, alike_advice(facts.row_notes), alike_effect(facts.row_notes))


def _few_rows(facts: SelectionFacts) -> Iterator[Caution]:
    chance, k = facts.chance, facts.k
    known = facts.held_out is not None or facts.measure != "variance"  # new rows say more
    if known or chance is None or chance < _NOTABLE_CHANCE:
        return
    counted = round(chance * (facts.rows - 1))
    levels = "" if counted <= k else f" (which count as {counted:,} by the levels of categories)"
    text = (
        f"{facts.rows:,} rows are few for {k:,} columns{levels}: by chance alone they would "
        f"explain {percent(chance)} of an unrelated column."
    )
    if facts.advises:
        yield Caution(text, spell("held_out", True), "shows what holds on rows not used")
    elif facts.auto or facts.score or facts.whole or not get(facts.method.id).finds_size:
        yield Caution(text)  # the number was found, or the method cannot be repeated on parts
    else:
        yield Caution(text, spell("k", "auto"), FIND_NUMBER)


def _overfit(facts: SelectionFacts) -> Iterator[Caution]:
    held, judged = facts.held_out, facts.overfit
    if held is None or judged is None:
        return
    if facts.auto and held.share[facts.k - 1] <= 0:
        yield Caution(
            "The columns look unrelated: on held-out rows the kept ones explain nothing of the "
            "others, so a column that is dropped is lost."
        )
    elif overfit_sentence(judged):
        yield Caution(overfit_sentence(judged), overfit_advice(judged), overfit_effect(judged))
