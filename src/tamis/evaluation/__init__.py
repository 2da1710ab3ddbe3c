"""What a choice of columns keeps: of the rows' neighbours and clusters, and of itself."""

from typing import TYPE_CHECKING

from tamis.lazy import lazily

if TYPE_CHECKING:
    from tamis.evaluation.neighbour_agreement import cluster_agreement as cluster_agreement
    from tamis.evaluation.neighbour_agreement import label_information as label_information
    from tamis.evaluation.neighbour_agreement import medoid_widths as medoid_widths
    from tamis.evaluation.neighbour_agreement import nearest_first as nearest_first
    from tamis.evaluation.neighbour_agreement import (
        neighbourhood_agreement as neighbourhood_agreement,
    )
    from tamis.evaluation.neighbour_agreement import pair_agreement as pair_agreement
    from tamis.evaluation.neighbour_agreement import shared_neighbours as shared_neighbours
    from tamis.evaluation.subsets import redundancy as redundancy

__all__ = [
    "cluster_agreement",
    "label_information",
    "medoid_widths",
    "nearest_first",
    "neighbourhood_agreement",
    "pair_agreement",
    "redundancy",
    "shared_neighbours",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "cluster_agreement": "tamis.evaluation.neighbour_agreement",
        "label_information": "tamis.evaluation.neighbour_agreement",
        "medoid_widths": "tamis.evaluation.neighbour_agreement",
        "nearest_first": "tamis.evaluation.neighbour_agreement",
        "neighbourhood_agreement": "tamis.evaluation.neighbour_agreement",
        "pair_agreement": "tamis.evaluation.neighbour_agreement",
        "redundancy": "tamis.evaluation.subsets",
        "shared_neighbours": "tamis.evaluation.neighbour_agreement",
    },
    ("subsets",),
)
