"""Every extraction method as a scikit-learn estimator."""

from tamis.extraction.gdfe import GeneralisedDistance
from tamis.extraction.kda import KernelDiscriminants
from tamis.extraction.kernel_pca import KernelComponents
from tamis.extraction.lda import LinearDiscriminants
from tamis.extraction.lfda import LocalDiscriminants
from tamis.extraction.lsa import LatentSemantics
from tamis.extraction.nmf import NonnegativeParts
from tamis.extraction.pca import PrincipalComponents
from tamis.extraction.wpca import WeightedComponents

__all__ = [
    "GeneralisedDistance",
    "KernelComponents",
    "KernelDiscriminants",
    "LatentSemantics",
    "LinearDiscriminants",
    "LocalDiscriminants",
    "NonnegativeParts",
    "PrincipalComponents",
    "WeightedComponents",
]
