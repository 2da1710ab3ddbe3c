"""Class tables for the tests of the filters."""

import numpy as np

from tamis.statistics.class_table import ClassCounts, ClassTable
from tamis.statistics.classes import CountedTarget
from tamis.statistics.gram import DenseGram

CARD = np.array([[30, 10], [20, 40]])


def counts_of(*blocks):
    """Put the counts of several columns (levels by classes) together."""
    starts = np.cumsum([0, *(len(block) for block in blocks[:-1])])
    return ClassCounts(np.concatenate(blocks), starts.astype(np.intp))


def table_of(*blocks):
    """Make what a filter works on; the columns explain nothing of each other."""
    counts = counts_of(*blocks)
    rows = {f"c{i}": int(n) for i, n in enumerate(counts.by_class)}
    classes = CountedTarget("classification", "y", sum(rows.values()), rows, len(rows))
    by_labels = np.zeros(len(blocks), dtype=bool)
    return ClassTable(counts, classes, by_labels, DenseGram(np.eye(len(blocks))))


def crossed(column, classes):
    """Count by a plain loop how often each value meets each class."""
    values, kinds = sorted(set(column.tolist())), sorted(set(classes.tolist()))
    found = np.zeros((len(values), len(kinds)), dtype=np.int64)
    for value, kind in zip(column.tolist(), classes.tolist(), strict=True):
        found[values.index(value), kinds.index(kind)] += 1
    return found
