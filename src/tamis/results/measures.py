"""What the shares of each extraction method are shares of, in words."""

from dataclasses import dataclass

__all__ = ["ComponentWords", "measure_of"]


@dataclass(frozen=True)
class ComponentWords:
    """How the shares of a method are spoken of.

    Attributes
    ----------
    share
        What the shares are shares of, to follow "91.2%".
    divides
        Whether the components always add up to the whole.
    thing
        What a component is called.
    """

    share: str
    divides: bool = False
    thing: str = "component"

    def counted(self, k: int) -> str:
        """Write a number of components.

        >>> ComponentWords("of the variance").counted(1), measure_of("lda").counted(3)
        ('1 component', '3 discriminants')
        """
        return f"{k:,} {self.thing}{'' if k == 1 else 's'}"


_MEASURES = {
    "pca": ComponentWords("of the variance"),
    "wpca": ComponentWords("of the variance of the weighted columns"),
    "gdfe": ComponentWords("of the weighted distances"),
    "lsa": ComponentWords("of the sum of squares of the table"),
    "nmf": ComponentWords("of the sum of all components", divides=True),
    "kernel-pca": ComponentWords("of the variance in kernel space"),
    "lpp": ComponentWords("of the agreement between neighbouring rows"),
    "spectral": ComponentWords("of the sum of their eigenvalues", divides=True),
    "lda": ComponentWords("of the between-class variance", thing="discriminant"),
    "kda": ComponentWords("of the between-class variance in kernel space", thing="discriminant"),
    "lfda": ComponentWords("of the local between-class variance", thing="discriminant"),
}


def measure_of(method_id: str) -> ComponentWords:
    """Give the words for a method's shares.

    >>> measure_of("pca").share
    'of the variance'
    """
    return _MEASURES.get(method_id, ComponentWords("of the method's own measure"))
