"""Every selection method as a scikit-learn estimator."""

from tamis.selection.condensing import FeatureClustering
from tamis.selection.correlation import CorrelationGroups
from tamis.selection.fsfs import FeatureSimilarity
from tamis.selection.greedy_fs import ImportantNewColumns
from tamis.selection.jolliffe_i import JolliffeIterated
from tamis.selection.jolliffe_ni import JolliffeOnePass
from tamis.selection.krzanowski import ProcrustesElimination
from tamis.selection.laplacian import LaplacianScore
from tamis.selection.mcfs import MultiClusterSelection
from tamis.selection.naive_fs import ImportantColumns
from tamis.selection.naive_rspfs import FirstSplitOff
from tamis.selection.pfa import PrincipalFeatureAnalysis
from tamis.selection.pfs import PrincipalFeatureSelection
from tamis.selection.pivoted_qr import PivotedQR
from tamis.selection.principal_variables import PrincipalVariables
from tamis.selection.q_alpha import QAlpha
from tamis.selection.q_alpha_approx import ApproximateQAlpha
from tamis.selection.relpca import ComponentRelevance
from tamis.selection.relpca_first import FirstComponentRelevance
from tamis.selection.rspfs import ImportantDistantColumns
from tamis.selection.sfs import GreedyReconstruction
from tamis.selection.spca import SparsePrincipalComponent
from tamis.selection.ufs import RedundancyElimination
from tamis.selection.ufs_static import StaticElimination
from tamis.selection.variance import LargestVariance
from tamis.selection.vif import VarianceInflation

__all__ = [
    "ApproximateQAlpha",
    "ComponentRelevance",
    "CorrelationGroups",
    "FeatureClustering",
    "FeatureSimilarity",
    "FirstComponentRelevance",
    "FirstSplitOff",
    "GreedyReconstruction",
    "ImportantColumns",
    "ImportantDistantColumns",
    "ImportantNewColumns",
    "JolliffeIterated",
    "JolliffeOnePass",
    "LaplacianScore",
    "LargestVariance",
    "MultiClusterSelection",
    "PivotedQR",
    "PrincipalFeatureAnalysis",
    "PrincipalFeatureSelection",
    "PrincipalVariables",
    "ProcrustesElimination",
    "QAlpha",
    "RedundancyElimination",
    "SparsePrincipalComponent",
    "StaticElimination",
    "VarianceInflation",
]
