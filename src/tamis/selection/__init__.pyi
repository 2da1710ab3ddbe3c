# Written by docs/build.py from the registry: run `make docs`.
# ruff: noqa: F401  # the same imports for both kinds
import collections.abc
from typing import Any, Literal

import tamis.selection.backward
import tamis.selection.embedded
import tamis.selection.forward
import tamis.selection.information
import tamis.selection.local
import tamis.selection.neighbourhood
import tamis.selection.relevance

__all__ = [
    "ApproximateQAlpha",
    "Biclustering",
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
    "ProjectedClustering",
    "QAlpha",
    "RedundancyElimination",
    "Representatives",
    "SparsePrincipalComponent",
    "StaticElimination",
    "TreeImportance",
    "VarianceInflation",
]

class ApproximateQAlpha(tamis.selection.relevance.ApproximateQAlpha):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
    ) -> None: ...

class Biclustering(tamis.selection.local.Biclustering):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        algorithm: Literal["annealing", "cheng-church", "hartigan"] = "annealing",
        n_clusters: int = 5,
        residue: float = 0.15,
        random_state: int = 0,
    ) -> None: ...

class ComponentRelevance(tamis.selection.relevance.ComponentRelevance):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
        components: int | None = None,
    ) -> None: ...

class CorrelationGroups(tamis.selection.backward.CorrelationGroups):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
        kind: Literal["pearson", "spearman"] = "pearson",
    ) -> None: ...

class FeatureClustering(tamis.selection.backward.FeatureClustering):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
        linkage: Literal["average", "complete", "single"] = "average",
    ) -> None: ...

class FeatureSimilarity(tamis.selection.backward.FeatureSimilarity):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        neighbours: int | None = None,
    ) -> None: ...

class FirstComponentRelevance(tamis.selection.relevance.FirstComponentRelevance):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
    ) -> None: ...

class FirstSplitOff(tamis.selection.information.FirstSplitOff):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "drop", "category", "auto"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
        laplacian: Literal["unnormalized", "sym", "rw"] = "unnormalized",
        split: Literal["sign", "median"] = "sign",
        tie_break: Literal["score", "index"] = "score",
    ) -> None: ...

class GreedyReconstruction(tamis.selection.forward.GreedyReconstruction):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class ImportantColumns(tamis.selection.information.ImportantColumns):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "drop", "category", "auto"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
    ) -> None: ...

class ImportantDistantColumns(tamis.selection.information.ImportantDistantColumns):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "drop", "category", "auto"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
        laplacian: Literal["unnormalized", "sym", "rw"] = "unnormalized",
        split: Literal["sign", "median"] = "sign",
        distance: Literal["multiply", "divide"] = "multiply",
    ) -> None: ...

class ImportantNewColumns(tamis.selection.information.ImportantNewColumns):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "drop", "category", "auto"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
    ) -> None: ...

class JolliffeIterated(tamis.selection.forward.JolliffeIterated):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class JolliffeOnePass(tamis.selection.forward.JolliffeOnePass):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class LaplacianScore(tamis.selection.neighbourhood.LaplacianScore):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        neighbours: int = 5,
        weight: Literal["heat", "binary"] = "heat",
        t: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
    ) -> None: ...

class LargestVariance(tamis.selection.neighbourhood.LargestVariance):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = False,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class MultiClusterSelection(tamis.selection.neighbourhood.MultiClusterSelection):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        clusters: int = 5,
        neighbours: int = 5,
        weight: Literal["heat", "binary"] = "heat",
        t: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
    ) -> None: ...

class PivotedQR(tamis.selection.forward.PivotedQR):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class PrincipalFeatureAnalysis(tamis.selection.forward.PrincipalFeatureAnalysis):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        component_share: float = 0.95,
        signed: bool = False,
        random_state: int = 0,
    ) -> None: ...

class PrincipalFeatureSelection(tamis.selection.forward.PrincipalFeatureSelection):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        norm: Literal["residual", "original", "none"] = "residual",
    ) -> None: ...

class PrincipalVariables(tamis.selection.forward.PrincipalVariables):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class ProcrustesElimination(tamis.selection.backward.ProcrustesElimination):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        components: int | None = None,
    ) -> None: ...

class ProjectedClustering(tamis.selection.local.ProjectedClustering):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        n_clusters: int = 3,
        dimensions: int | None = None,
        random_state: int = 0,
    ) -> None: ...

class QAlpha(tamis.selection.relevance.QAlpha):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
        clusters: int | None = None,
        mode: Literal["power", "exact"] = "power",
        rounds: int = 4,
        random_state: int | None = None,
    ) -> None: ...

class RedundancyElimination(tamis.selection.backward.RedundancyElimination):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
    ) -> None: ...

class Representatives(tamis.selection.information.Representatives):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        refine: bool = False,
        missing: Literal["error", "drop", "category", "auto"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
    ) -> None: ...

class SparsePrincipalComponent(tamis.selection.forward.SparsePrincipalComponent):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
    ) -> None: ...

class StaticElimination(tamis.selection.backward.StaticElimination):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
    ) -> None: ...

class TreeImportance(tamis.selection.embedded.TreeImportance):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        task: Literal["auto", "classification", "regression"] = "auto",
        random_state: int = 0,
    ) -> None: ...

class VarianceInflation(tamis.selection.backward.VarianceInflation):
    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: bool = True,
        refine: Literal[False, True, "exact"] = False,
        threshold: float | None = None,
    ) -> None: ...
