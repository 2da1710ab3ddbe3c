# Written by docs/build.py from the registry: run `make docs`.
import collections.abc
from typing import Any, Literal

import tamis.selection.backward
import tamis.selection.clustering
import tamis.selection.embedded
import tamis.selection.filters
import tamis.selection.forward
import tamis.selection.information
import tamis.selection.local
import tamis.selection.neighbourhood
import tamis.selection.relevance
import tamis.selection.wrappers

__all__ = [
    "AnnealingWrapper",
    "ApproximateQAlpha",
    "BackwardWrapper",
    "Biclustering",
    "BrainDamage",
    "CategoryUtility",
    "ChiSquareScore",
    "ComponentRelevance",
    "CorrelationGroups",
    "FeatureClustering",
    "FeatureSimilarity",
    "FirstComponentRelevance",
    "FirstSplitOff",
    "ForwardRegression",
    "ForwardSelection",
    "ForwardWrapper",
    "GeneticWrapper",
    "GreedyReconstruction",
    "ImportantColumns",
    "ImportantDistantColumns",
    "ImportantNewColumns",
    "InformationGain",
    "JointInformation",
    "JolliffeBackward",
    "JolliffeIterated",
    "JolliffeOnePass",
    "JolliffeSummed",
    "LaplacianScore",
    "LargestVariance",
    "LocalParts",
    "MixtureWrapper",
    "MultiClusterSelection",
    "OddsRatio",
    "PermutationImportance",
    "PivotedQR",
    "PrincipalFeatureAnalysis",
    "PrincipalFeatureSelection",
    "PrincipalVariables",
    "ProcrustesElimination",
    "ProjectedClustering",
    "QAlpha",
    "RedundancyElimination",
    "RelevanceRedundancy",
    "Representatives",
    "SparsePrincipalComponent",
    "StaticElimination",
    "TreeImportance",
    "VarianceInflation",
]

class AnnealingWrapper(tamis.selection.wrappers.AnnealingWrapper):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        temperature: float | None = None,
        early_stopping: bool = False,
        learner: Any = "auto",
        scoring: Any = None,
        cv: int = 10,
        test_size: float = 0.2,
        n_jobs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: Any = None,
        random_state: int = 0,
    ) -> None: ...

class ApproximateQAlpha(tamis.selection.relevance.ApproximateQAlpha):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
        policy: Literal["best", "threshold", "incremental"] = "best",
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class BackwardWrapper(tamis.selection.wrappers.BackwardWrapper):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        accept_ties: bool = True,
        learner: Any = "auto",
        scoring: Any = None,
        cv: int = 10,
        test_size: float = 0.2,
        n_jobs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: Any = None,
        random_state: int = 0,
    ) -> None: ...

class Biclustering(tamis.selection.local.Biclustering):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        algorithm: Literal["annealing", "cheng-church", "hartigan"] = "annealing",
        n_clusters: int = 5,
        residue: float = 0.15,
        random_state: int = 0,
    ) -> None: ...

class BrainDamage(tamis.selection.embedded.BrainDamage):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        hidden: int = 5,
        decay: float | None = None,
        random_state: int = 0,
    ) -> None: ...

class CategoryUtility(tamis.selection.clustering.CategoryUtility):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        direction: Literal["forward", "backward"] = "forward",
        over: Literal["all", "subset"] = "all",
        weighted: bool = True,
        acuity: float = 0.28209479177387814,
        n_init: int = 3,
        incremental: bool = False,
        min_gain: float = 0.01,
        sample: int = 1000,
        random_state: int = 0,
    ) -> None: ...

class ChiSquareScore(tamis.selection.filters.ChiSquareScore):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans", "mdl", "chimerge"] = "depth",
        normalise: bool = False,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class ComponentRelevance(tamis.selection.relevance.ComponentRelevance):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
        components: int | None = None,
        policy: Literal["best", "threshold", "incremental"] = "best",
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class CorrelationGroups(tamis.selection.backward.CorrelationGroups):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        threshold: float | None = None,
        kind: Literal["pearson", "spearman"] = "pearson",
    ) -> None: ...

class FeatureClustering(tamis.selection.backward.FeatureClustering):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        threshold: float | None = None,
        linkage: Literal["average", "complete", "single"] = "average",
    ) -> None: ...

class FeatureSimilarity(tamis.selection.backward.FeatureSimilarity):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        neighbours: int | None = None,
    ) -> None: ...

class FirstComponentRelevance(tamis.selection.relevance.FirstComponentRelevance):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
        policy: Literal["best", "threshold", "incremental"] = "best",
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class FirstSplitOff(tamis.selection.information.FirstSplitOff):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
        laplacian: Literal["unnormalized", "sym", "rw"] = "unnormalized",
        split: Literal["sign", "median"] = "sign",
        tie_break: Literal["score", "index"] = "score",
    ) -> None: ...

class ForwardRegression(tamis.selection.forward.ForwardRegression):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        forbid: collections.abc.Sequence[str | int] | None = None,
        costs: collections.abc.Mapping[str | int, float] | None = None,
        groups: collections.abc.Mapping[str, collections.abc.Sequence[str | int]] | None = None,
        at_most: int | collections.abc.Mapping[str, int] | None = None,
        at_least: int | collections.abc.Mapping[str, int] | None = None,
        budget: float | None = None,
        apart: float | None = None,
        axis: collections.abc.Mapping[str | int, float] | None = None,
    ) -> None: ...

class ForwardSelection(tamis.selection.forward.ForwardSelection):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = "auto",
        refine: bool = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        ordered: bool = False,
        forbid: collections.abc.Sequence[str | int] | None = None,
        costs: collections.abc.Mapping[str | int, float] | None = None,
        importance: collections.abc.Mapping[str | int, float] | None = None,
        y_weight: float | None = None,
        groups: collections.abc.Mapping[str, collections.abc.Sequence[str | int]] | None = None,
        at_most: int | collections.abc.Mapping[str, int] | None = None,
        at_least: int | collections.abc.Mapping[str, int] | None = None,
        budget: float | None = None,
        apart: float | None = None,
        axis: collections.abc.Mapping[str | int, float] | None = None,
        shrink: float | str = "auto",
        outliers: Literal["auto", "keep", "clip"] = "auto",
    ) -> None: ...

class ForwardWrapper(tamis.selection.wrappers.ForwardWrapper):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        tol: float = 0.0,
        learner: Any = "auto",
        scoring: Any = None,
        cv: int = 10,
        test_size: float = 0.2,
        n_jobs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: Any = None,
        random_state: int = 0,
    ) -> None: ...

class GeneticWrapper(tamis.selection.wrappers.GeneticWrapper):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        population: int = 50,
        generations: int = 50,
        penalty: float = 0.0,
        early_stopping: bool = False,
        learner: Any = "auto",
        scoring: Any = None,
        cv: int = 10,
        test_size: float = 0.2,
        n_jobs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: Any = None,
        random_state: int = 0,
    ) -> None: ...

class GreedyReconstruction(tamis.selection.forward.GreedyReconstruction):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        forbid: collections.abc.Sequence[str | int] | None = None,
        costs: collections.abc.Mapping[str | int, float] | None = None,
    ) -> None: ...

class ImportantColumns(tamis.selection.information.ImportantColumns):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class ImportantDistantColumns(tamis.selection.information.ImportantDistantColumns):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
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
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        mi_threshold: float = 0.9,
    ) -> None: ...

class InformationGain(tamis.selection.filters.InformationGain):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans", "mdl", "chimerge"] = "depth",
        ratio: bool = False,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class JointInformation(tamis.selection.filters.JointInformation):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 5,
        binning: Literal["depth", "width", "kmeans", "mdl", "chimerge"] = "depth",
        start: Literal["column", "pair"] = "column",
        corrected: bool = False,
    ) -> None: ...

class JolliffeBackward(tamis.selection.backward.JolliffeBackward):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        threshold: float | None = None,
    ) -> None: ...

class JolliffeIterated(tamis.selection.forward.JolliffeIterated):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
    ) -> None: ...

class JolliffeOnePass(tamis.selection.forward.JolliffeOnePass):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
    ) -> None: ...

class JolliffeSummed(tamis.selection.forward.JolliffeSummed):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
    ) -> None: ...

class LaplacianScore(tamis.selection.neighbourhood.LaplacianScore):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        neighbours: int = 5,
        weight: Literal["heat", "binary"] = "heat",
        t: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class LargestVariance(tamis.selection.neighbourhood.LargestVariance):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = False,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class LocalParts(tamis.selection.local.LocalParts):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = False,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        n_clusters: int = 3,
        random_state: int = 0,
    ) -> None: ...

class MixtureWrapper(tamis.selection.clustering.MixtureWrapper):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        direction: Literal["forward", "backward"] = "forward",
        criterion: Literal["trace", "likelihood"] = "trace",
        k_max: int = 10,
        n_init: int = 5,
        min_gain: float = 0.01,
        sample: int = 1000,
        random_state: int = 0,
    ) -> None: ...

class MultiClusterSelection(tamis.selection.neighbourhood.MultiClusterSelection):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        clusters: int = 5,
        neighbours: int = 5,
        weight: Literal["heat", "binary"] = "heat",
        t: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
    ) -> None: ...

class OddsRatio(tamis.selection.filters.OddsRatio):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 2,
        direction: Literal["both", "positive", "negative"] = "both",
        smoothing: Literal["zero", "always", "cell"] = "zero",
        constant: float = 0.5,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class PermutationImportance(tamis.selection.embedded.PermutationImportance):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        oob: bool = False,
        trees: int = 100,
        random_state: int = 0,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class PivotedQR(tamis.selection.forward.PivotedQR):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
    ) -> None: ...

class PrincipalFeatureAnalysis(tamis.selection.forward.PrincipalFeatureAnalysis):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        component_share: float = 0.95,
        signed: bool = False,
        random_state: int = 0,
    ) -> None: ...

class PrincipalFeatureSelection(tamis.selection.forward.PrincipalFeatureSelection):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        norm: Literal["residual", "original", "none"] = "residual",
    ) -> None: ...

class PrincipalVariables(tamis.selection.forward.PrincipalVariables):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
    ) -> None: ...

class ProcrustesElimination(tamis.selection.backward.ProcrustesElimination):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        components: int | None = None,
        direction: Literal["backward", "forward"] = "backward",
    ) -> None: ...

class ProjectedClustering(tamis.selection.local.ProjectedClustering):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        n_clusters: int = 3,
        dimensions: int | None = None,
        random_state: int = 0,
    ) -> None: ...

class QAlpha(tamis.selection.relevance.QAlpha):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        threshold: float | None = None,
        rule: Literal["ceil", "floor"] = "ceil",
        clusters: int | None = None,
        mode: Literal["power", "exact"] = "power",
        rounds: int = 4,
        random_state: int | None = None,
        policy: Literal["best", "threshold", "incremental"] = "best",
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class RedundancyElimination(tamis.selection.backward.RedundancyElimination):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        threshold: float | None = None,
    ) -> None: ...

class RelevanceRedundancy(tamis.selection.forward.RelevanceRedundancy):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        scheme: Literal["quotient", "difference"] = "quotient",
        relevance: Literal["F", "correlation"] = "F",
    ) -> None: ...

class Representatives(tamis.selection.information.Representatives):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        refine: bool = False,
        missing: Literal["error", "auto", "drop", "category"] = "error",
        bins: int = 10,
        binning: Literal["depth", "width", "kmeans"] = "depth",
        corrected: bool = True,
    ) -> None: ...

class SparsePrincipalComponent(tamis.selection.forward.SparsePrincipalComponent):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        loadings: Literal["shared", "single", "deflated"] = "shared",
    ) -> None: ...

class StaticElimination(tamis.selection.backward.StaticElimination):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        threshold: float | None = None,
        collision: Literal["next", "skip"] = "next",
        random_state: int = 0,
    ) -> None: ...

class TreeImportance(tamis.selection.embedded.TreeImportance):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        missing: Literal["error", "auto", "mean", "drop"] = "error",
        task: Literal["auto", "classification", "regression"] = "auto",
        random_state: int = 0,
        policy: Literal["best", "threshold", "incremental"] = "best",
        threshold: float | None = None,
        within: float | None = None,
        redundancy: Literal["keep", "drop"] = "keep",
        redundant_at: float | None = None,
        patience: int = 0,
        min_delta: float = 0.0,
        rank_in_folds: bool = True,
        learner: Any = "auto",
        cv: int = 10,
    ) -> None: ...

class VarianceInflation(tamis.selection.backward.VarianceInflation):
    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        retain: float | None = None,
        include: collections.abc.Sequence[str | int] = (),
        scale: Literal[True, False, "auto", "standard", "none", "pareto", "counts"] = True,
        refine: Literal[False, True, "exact"] = False,
        missing: Literal["error", "auto", "mean", "drop", "covariance"] = "error",
        threshold: float | None = None,
    ) -> None: ...
