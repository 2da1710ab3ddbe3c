"""The Gram matrix of centred columns, in the form that suits the table's shape.

`Gram` lists the questions that methods ask; none of them asks for the form. `DenseGram` holds the
d x d matrix. `RowGram` and `SparseGram` hold the rows instead and never make a d x d array: they
serve tables with more columns than rows. `SketchGram` holds random sums of the rows, where both
would be too large. A further form is one more file here.
"""

from tamis.statistics.gram.protocol import Columns, DenseGram, Gram, Samples, part_of
from tamis.statistics.gram.row_gram import RowGram, SketchGram
from tamis.statistics.gram.sparse import SparseGram

__all__ = [
    "Columns",
    "DenseGram",
    "Gram",
    "RowGram",
    "Samples",
    "SketchGram",
    "SparseGram",
    "part_of",
]
