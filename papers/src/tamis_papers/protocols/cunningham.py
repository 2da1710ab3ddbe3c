"""Cunningham, Dimension Reduction: the figures of similarity and of selection at work.

Figure 2 compares random objects in 5 and 20 dimensions. Figure 7 adds columns in the order of
their information gain while a classifier improves; Figure 9 removes columns one by one while a
score rises, and both directions of such a search are compared on tables.
"""

from tamis_papers.laboratory.protocol import Protocol
from tamis_papers.protocols.backward_example import FIGURE_9
from tamis_papers.protocols.cosine_similarity import FIGURE_2
from tamis_papers.protocols.gain_figure import FIGURE_7
from tamis_papers.protocols.wrapper_directions import DIRECTIONS

__all__ = ["PROTOCOLS"]

PROTOCOLS: tuple[Protocol, ...] = (FIGURE_2, FIGURE_7, FIGURE_9, DIRECTIONS)
