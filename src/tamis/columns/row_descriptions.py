"""Columns that describe the rows of a table of sparse counts: classes, totals, measurements.

In a table of words in texts, or of reads in cells, nearly all columns are mostly 0. What stands
beside them and is no count (the class of a text, the cluster of a cell, the sum of its reads) must
not enter the sums of the rows by which counts are divided, nor be chosen among them.
"""

from collections.abc import Sequence

import numpy as np

from tamis.columns.judgement import ColumnJudgement
from tamis.columns.name_words import names_codes, names_label
from tamis.columns.number_tally import NumberFacts
from tamis.rules import kinds as rules

DESCRIBES_ROWS = "describes the rows, where nearly all other columns are sparse counts"


def find_row_descriptions(
    columns: Sequence[ColumnJudgement], facts: Sequence[NumberFacts | None]
) -> set[int]:
    """Give the places of the columns that describe the rows; none if the others are no counts.

    They are texts, numbers that cannot be counts, codes and classes by name or values, and columns
    that are never 0 where others are mostly 0. Among counts that all rows have (a gene in every
    cell) other columns have few zeros: a column that stands alone is none of them.
    """
    there = [j for j, one in enumerate(columns) if one.action != "skipped" and one.distinct > 1]
    known = {j: one for j in there if (one := facts[j]) is not None}
    sparse = {j for j, one in known.items() if _may_be_counts(one) and 2 * one.zeros > one.filled}
    if not _are_sparse_counts(known, sparse):
        return set()
    dense = {j: one for j, one in known.items() if j not in sparse}
    near = sum(0 < one.zeros <= rules.FEW_ZEROS * one.filled for one in dense.values())
    never = sum(one.smallest > 0 for one in dense.values())
    found = {j for j in there if columns[j].action == "categories"}
    for j, one in dense.items():
        distinct = columns[j].distinct
        named = names_label(columns[j].name, distinct) or names_codes(columns[j].name)
        alone = one.smallest > 0 and (near < never or _needs_zeros(one))
        if named or alone or not _may_be_counts(one) or _are_even_classes(one):
            found.add(j)
    return found


def _may_be_counts(facts: NumberFacts) -> bool:
    return facts.integers and facts.smallest >= 0


def _are_sparse_counts(known: dict[int, NumberFacts], sparse: set[int]) -> bool:
    """Whether the columns of numbers are sparse counts but for a few: as `CountEvidence` does."""
    if len(sparse) < max(rules.MIN_COUNT_COLUMNS, rules.MIN_SPARSE_SHARE * len(known)):
        return False
    zeros, filled = (sum(getattr(known[j], of) for j in sparse) for of in ("zeros", "filled"))
    repeated = sum(known[j].largest > 1 for j in sparse)
    return zeros >= rules.MIN_ZERO_SHARE * filled and repeated >= rules.MIN_REPEAT_SHARE * len(
        sparse
    )


def _needs_zeros(facts: NumberFacts) -> bool:
    """Whether counts with this mean would be 0 at times, or would vary more than these values.

    Of counts with mean m, a share of exp(-m) is 0, and more where they vary more than by chance.
    """
    mean = float(np.average(facts.values, weights=facts.counts))
    variance = float(np.average(np.square(facts.values - mean), weights=facts.counts))
    return (
        facts.filled * np.exp(-mean) > rules.EXPECTED_ZEROS or variance < rules.EVEN_SPREAD * mean
    )


def _are_even_classes(facts: NumberFacts) -> bool:
    """Whether values are few integers without a gap, of which none is rare."""
    if not facts.whole or facts.distinct > rules.MAX_ROW_CLASSES:
        return False
    contiguous = facts.spread == facts.distinct - 1 and facts.smallest <= 1
    return contiguous and bool(facts.counts.min() >= rules.RAREST_CLASS * facts.counts.mean())
