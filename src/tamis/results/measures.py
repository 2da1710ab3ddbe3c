"""What the shares of each extraction method are shares of, in words."""

from dataclasses import dataclass

__all__ = ["Measure", "measure_of"]


@dataclass(frozen=True)
class Measure:
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

        >>> Measure("of the variance").counted(1), measure_of("lda").counted(3)
        ('1 component', '3 discriminants')
        """
        return f"{k:,} {self.thing}{'' if k == 1 else 's'}"


_MEASURES = {
    "pca": Measure("of the variance"),
    "wpca": Measure("of the variance of the weighted columns"),
    "gdfe": Measure("of the weighted distances"),
    "lsa": Measure("of the sum of squares of the table"),
    "nmf": Measure("of the sum of all components", divides=True),
    "kernel-pca": Measure("of the variance in kernel space"),
    "lda": Measure("of the between-class variance", thing="discriminant"),
    "kda": Measure("of the between-class variance in kernel space", thing="discriminant"),
    "lfda": Measure("of the local between-class variance", thing="discriminant"),
}


def measure_of(method_id: str) -> Measure:
    """Give the words for a method's shares.

    >>> measure_of("pca").share
    'of the variance'
    """
    return _MEASURES.get(method_id, Measure("of the method's own measure"))
