# Written by docs/build.py from the registry: run `make docs`.
from typing import Any, Literal

from tamis.extraction import base

__all__ = [
    "GeneralisedDistance",
    "KernelDiscriminants",
    "KernelPCA",
    "LatentSemanticAnalysis",
    "LinearDiscriminants",
    "LocalDiscriminants",
    "LocalityPreserving",
    "NonNegativeMatrixFactorisation",
    "PrincipalComponents",
    "SpectralEmbedding",
    "WeightedPCA",
]

class GeneralisedDistance(base.Reversible, base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        omega: Any = "kernel",
        sigma: Any = "pooled_quantile",
        weights: Any = None,
        twice: bool = False,
    ) -> None: ...

class KernelDiscriminants(base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 1.0,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        cut: float = 1e-08,
        ridge: float | None = None,
    ) -> None: ...

class KernelPCA(base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
    ) -> None: ...

class LatentSemanticAnalysis(base.Reversible, base.LatentExtractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
    ) -> None: ...

class LinearDiscriminants(base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 1.0,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        solver: Literal["auto", "regular", "svd", "nullspace", "pca+lda"] = "auto",
    ) -> None: ...

class LocalDiscriminants(base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        affinity: Any = "local",
        neighbours: int = 7,
        metric: Literal["plain", "weighted"] = "plain",
    ) -> None: ...

class LocalityPreserving(base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        neighbours: int = 5,
        weight: Literal["heat", "binary"] = "heat",
        t: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
    ) -> None: ...

class NonNegativeMatrixFactorisation(base.Reversible, base.FactorExtractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        loss: Literal["frobenius", "kullback-leibler"] = "frobenius",
        max_iter: int = 1000,
        random_state: int = 0,
    ) -> None: ...

class PrincipalComponents(base.Reversible, base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
    ) -> None: ...

class SpectralEmbedding(base.SpectralExtractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 1.0,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        sigma: Any = "median",
        neighbours: int = 5,
        random_state: int = 0,
    ) -> None: ...

class WeightedPCA(base.Reversible, base.Extractor):
    def __init__(
        self,
        n_components: int | None = None,
        *,
        share: float = 0.95,
        rule: Literal["ceil", "floor"] = "ceil",
        scale: bool = True,
        weights: Any = "relpca",
    ) -> None: ...
