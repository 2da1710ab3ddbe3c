"""Every selection method as a scikit-learn estimator."""

from tamis.selection.condensing import FeatureClustering
from tamis.selection.correlation import CorrelationGroups
from tamis.selection.fsfs import FeatureSimilarity
from tamis.selection.jolliffe_i import JolliffeIterated
from tamis.selection.jolliffe_ni import JolliffeOnePass
from tamis.selection.krzanowski import ProcrustesElimination
from tamis.selection.pfa import PrincipalFeatureAnalysis
from tamis.selection.pfs import PrincipalFeatureSelection
from tamis.selection.pivoted_qr import PivotedQR
from tamis.selection.principal_variables import PrincipalVariables
from tamis.selection.sfs import GreedyReconstruction
from tamis.selection.spca import SparsePrincipalComponent
from tamis.selection.ufs import RedundancyElimination
from tamis.selection.ufs_static import StaticElimination
from tamis.selection.vif import VarianceInflation

__all__ = [
    "CorrelationGroups",
    "FeatureClustering",
    "FeatureSimilarity",
    "GreedyReconstruction",
    "JolliffeIterated",
    "JolliffeOnePass",
    "PivotedQR",
    "PrincipalFeatureAnalysis",
    "PrincipalFeatureSelection",
    "PrincipalVariables",
    "ProcrustesElimination",
    "RedundancyElimination",
    "SparsePrincipalComponent",
    "StaticElimination",
    "VarianceInflation",
]
