"""Yen, Chen and Lin, Unsupervised Feature Selection: Minimize Information Redundancy of Features.

Their two experiments: dependent columns removed from an artificial table (Table 2), and how little
a linear classifier changes on three real ones (Table 4, Figures 5 to 7); and the cost of a removal,
of which they give the order of growth.
"""

from tamis_papers.laboratory.protocol import Protocol
from tamis_papers.protocols.yen_cost import COST
from tamis_papers.protocols.yen_table_2 import TABLE_2
from tamis_papers.protocols.yen_table_4 import TABLE_4

__all__ = ["PROTOCOLS"]

PROTOCOLS: tuple[Protocol, ...] = (TABLE_2, TABLE_4, COST)
