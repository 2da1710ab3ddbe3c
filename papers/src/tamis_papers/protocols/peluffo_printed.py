"""Tables 1 and 2 of Peluffo et al. as printed: NMI, its deviation, and the number kept."""

from dataclasses import dataclass

SELECTION = ("raw", "relpca", "q-alpha", "q-alpha-approx")
EXTRACTION = ("pca", "wpca-relpca", "gdfe", "wpca-q-alpha", "wpca-q-alpha-approx")
METHODS = (*SELECTION, *EXTRACTION)

# For each table the methods of Table 1 and, below, those of Table 2, in the order of METHODS.
_PRINTED = """
iris      .73 .07  4  .71 .05  2  .57 .06  1  .58 .04  1
          .79 .00  1  .82 .02  4  .85 .00  1  .80 .00  4  .79 .00  4
x80       .64 .06  8  .65 .06  6  .38 .07  5  .38 .07  5
          .66 .06  5  .72 .08  3  .74 .07  5  .67 .06  4  .67 .06  4
malaysia  .38 .01  8  .47 .02  4  .57 .01  1  .57 .01  1
          .42 .01  1  .41 .01  8  .42 .01  1  .46 .01  2  .46 .01  2
breast_w  .75 .00  9  .75 .00  7  .77 .00  6  .77 .00  6
          .75 .00  6  .79 .00  4  .75 .00  4  .76 .00  5  .75 .00  5
chromo    .41 .01  8  .42 .01  6  .43 .01  5  .42 .01  5
          .41 .01  5  .45 .01  3  .51 .01  5  .47 .01  3  .47 .01  3
satellite .56 .06 36  .57 .05 32  .61 .02  5  .60 .02  5
          .58 .05  5  .61 .02  4  .65 .05  5  .62 .06  5  .61 .07  5
soybean   .68 .03 35  .69 .02 18  .65 .02 15  .65 .01 15
          .66 .01 15  .68 .01  4  .75 .02 15  .71 .03  5  .72 .02  5
twonorm   .85 .00 20  .85 .00 18  .81 .00 18  .81 .00 18
          .85 .00 18  .83 .00 17  .87 .00 18  .86 .00 18  .85 .00 18
"""


@dataclass(frozen=True)
class Printed:
    """Mean and deviation of the NMI, and the number p of columns or components."""

    mean: float
    std: float
    p: int


def printed() -> dict[str, dict[str, Printed]]:
    """Give the cells of the paper by table and method.

    Examples
    --------
    >>> printed()["iris"]["relpca"]
    Printed(mean=0.71, std=0.05, p=2)
    """
    lines = _PRINTED.strip().split("\n")
    found = {}
    for upper, lower in zip(lines[::2], lines[1::2], strict=True):
        name, *words = (upper + lower).split()
        cells = [words[i : i + 3] for i in range(0, len(words), 3)]
        figures = [Printed(float(mean), float(std), int(p)) for mean, std, p in cells]
        found[name] = dict(zip(METHODS, figures, strict=True))
    return found


TABLES = tuple(printed())


def key_of(table: str, method: str) -> str:
    """Give the key of the cell of a method on a table."""
    return f"{table}-{method}"
