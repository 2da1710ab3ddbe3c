"""What was done about the missing values of a table, and how much of it that touched."""

from collections.abc import Sequence

import numpy as np

from tamis.facts.shared_answer import MissingFacts
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.missing import Tally, leaves_most

__all__ = ["describe_missing"]


def describe_missing(
    policy: MissingPolicy,
    tally: Tally,
    source: Source,
    columns: Sequence[int],
    *,
    codes_text: bool = True,
) -> MissingFacts:
    """Read the counts of these columns; `codes_text` is whether missing text was a category.

    Columns have the names of the user: text, or labels of pandas.
    """
    gone = [source.kinds[columns[j]] for j in np.flatnonzero(tally.counts).tolist()]
    done = policy.done_to(text=codes_text and "categorical" in gone) if gone else policy
    done = done if codes_text else done.of_numbers
    order = np.argsort(-tally.counts, kind="stable")
    names = source.info.labels or source.names
    # A summary can be treated in no other way, so that complete rows do not matter.
    complete = None if tally.done else tally.complete
    return MissingFacts(
        done=tally.done or str(done),
        rows_read=tally.rows,
        rows_used=tally.used,
        rows_complete=complete,
        rows_unlabelled=tally.unlabelled,
        sparse=tally.sparse,
        shares={
            names[columns[j]]: int(tally.counts[j]) / tally.rows for j in order if tally.counts[j]
        },
        complete_rows_suffice=leaves_most(complete, tally.rows),
        infinite=tally.infinite,
        observed=1.0 - int(tally.counts.sum()) / max(tally.rows * len(columns), 1),
        fewest_common=tally.fewest_common,
    )
