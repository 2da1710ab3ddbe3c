"""What was done about the missing values of a table, and how much of it that touched."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.missing import Tally


@dataclass(frozen=True)
class MissingValues:
    """How many rows were used, and how much of every column was missing.

    Attributes
    ----------
    done
        What was done, in the word of the option (there were none where it refuses them); in a
        summary also whether each part was filled with its own means, or treated in its own way.
    rows, used
        Rows read, and those that the answer rests on.
    shares
        Share of the rows read in which a column has no value, largest first; columns without
        missing values are not in it.
    complete
        Rows without a missing value; None where that is not known.
    unlabelled
        Rows that were dropped because their label is missing.
    sparse
        Whether the table is sparse, so that it cannot be filled.
    infinite
        How many of the missing values were infinite in the table.
    observed
        Share of all values that are there.
    fewest_common
        Where pairs of columns are related by the rows that have both: the fewest such rows.
    """

    done: str
    rows: int
    used: int
    shares: dict[str, float] = field(default_factory=dict, hash=False)
    complete: int | None = field(default=None, compare=False)
    unlabelled: int = 0
    sparse: bool = False
    infinite: int = 0
    observed: float = 1.0
    fewest_common: int | None = None

    @classmethod
    def of(
        cls,
        policy: MissingPolicy,
        tally: Tally,
        source: Source,
        columns: Sequence[int],
        *,
        codes_text: bool = True,
    ) -> Self:
        """Read the counts of these columns; `codes_text` is whether missing text was a category."""
        names = [source.names[j] for j in columns]
        gone = [source.kinds[columns[j]] for j in np.flatnonzero(tally.counts).tolist()]
        done = policy.done_to(text=codes_text and "categorical" in gone) if gone else policy
        done = done if codes_text else done.of_numbers
        order = np.argsort(-tally.counts, kind="stable")
        shares = {names[j]: int(tally.counts[j]) / tally.rows for j in order if tally.counts[j]}
        return cls(
            tally.done or str(done),
            tally.rows,
            tally.used,
            shares,
            None if tally.done else tally.complete,  # a summary can be treated in no other way
            tally.unlabelled,
            tally.sparse,
            tally.infinite,
            1.0 - int(tally.counts.sum()) / max(tally.rows * len(names), 1),
            tally.fewest_common,
        )
