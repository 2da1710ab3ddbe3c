"""What the shares of each method of extraction are shares of, in words."""

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
        Whether the directions divide a whole that they always make up together.
    thing
        What a direction is called.
    """

    share: str
    divides: bool = False
    thing: str = "direction"

    def counted(self, k: int) -> str:
        """Write a number of directions.

        >>> Measure("of the variance").counted(1), measure_of("nmf").counted(3)
        ('1 direction', '3 parts')
        """
        return f"{k:,} {self.thing}{'' if k == 1 else 's'}"


_MEASURES = {
    "pca": Measure("of the variance"),
    "wpca": Measure("of the variance of the weighted columns"),
    "gdfe": Measure("of the weighted distances"),
    "lsa": Measure("of the sum of squares of the table"),
    "nmf": Measure("of the amount that all parts add up to", divides=True, thing="part"),
    "kernel-pca": Measure("of the variance in the space of the kernel"),
    "lda": Measure("of what sets the classes apart"),
    "kda": Measure("of what sets the classes apart in the space of the kernel"),
    "lfda": Measure("of what sets the classes apart locally"),
}


def measure_of(method_id: str) -> Measure:
    """Give the words for a method's shares.

    >>> measure_of("pca").share
    'of the variance'
    """
    return _MEASURES.get(method_id, Measure("of the method's own measure"))
