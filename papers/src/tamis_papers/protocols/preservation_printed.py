"""The figures of the VIMICA / RSPFS note as printed: Figures 3, 10 and 11.

Chess is `kr_vs_kp` here. Figure 11 has no row for splice; the column of FSFS in Figure 10 is cut
off; of the curves of NaiveFS, NaiveRSPFS and RSPFS in Figure 3 only parts can be read.
"""

PAPER = "VIMICA / RSPFS note (2015)"
TOLERANCE = 0.06  # of an average, to count as reproduced
NEIGHBOURS = (3, 5, 10)
METHODS = ("rspfs", "naive-rspfs", "naive-fs", "greedy-fs", "mcfs", "laplacian", "fsfs")
# Figure 10 of the note, in the order of METHODS; the column of fsfs is cut off.
RAND: dict[str, tuple[float, ...]] = {
    "abalone": (0.91557, 0.90883, 0.8855, 0.8796, 0.89713, 0.92999),
    "sonar": (0.75281, 0.65689, 0.72799, 0.76915, 0.73314, 0.72551),
    "robot": (0.58214, 0.59327, 0.61589, 0.59575, 0.60786, 0.63346),
    "spectf": (0.62281, 0.60433, 0.61641, 0.61811, 0.62602, 0.64572),
    "lrs": (0.70566, 0.62288, 0.66521, 0.75181, 0.89901, 0.884),
    "ionosphere": (0.58465, 0.68851, 0.62953, 0.72225, 0.76215, 0.73149),
    "kr_vs_kp": (0.49641, 0.58833, 0.56102, 0.62619, 0.63828, 0.73026),
    "splice": (0.54662, 0.55257, 0.5797, 0.55405, 0.56857, 0.77664),
    "spambase": (0.78173, 0.71567, 0.72758, 0.69114, 0.74651, 0.71741),
}
# Figure 11, in hundredths: for each of METHODS the means with 3, 5 and 10 neighbours.
JACCARD: dict[str, str] = {
    "abalone": "13 13 13  15 15 15  13 13 12  14 14 14  14 12 13   9  9  9  13 13 13",
    "sonar": "37 35 31  33 26 23  37 35 32  40 36 34  41 42 36  37 38 32  28 23 20",
    "robot": "43 41 39  43 41 39  50 46 45  50 47 47  43 43 45  38 34 37  33 30 30",
    "spectf": "34 31 33  32 27 30  37 33 35  37 33 35  32 28 32  32 31 32  22 19 21",
    "lrs": "35 31 32  41 36 35  39 36 38  50 45 45  42 41 43  25 22 24  35 30 29",
    "ionosphere": "32 29 28  33 30 32  31 27 28  34 32 35  34 32 36  24 21 21  24 22 22",
    "kr_vs_kp": " 4  4  5   8  8 10   6  7  8  12 13 14   5  6  7   8  9 12   2  2  3",
    "spambase": "18 15 13  34 26 21  26 21 17  21 17 15  32 25 19  18 15 13   8  7  6",
}
# Figure 3, in hundredths: sonar with the best 1, 2, ... columns, for 3, 5 and 10 neighbours.
_CURVES: dict[str, tuple[str, str, str]] = {
    "rspfs": (
        "- 7 14 19 25 27 29 32 32",
        "- 6 13 16 20 21 25 27 29",
        "- 10 13 14 18 19 23 25 25",
    ),
    "naive-rspfs": (
        "- 9 20 23 23 23 24 25 26",
        "- 10 14 15 16 16 16 17 19",
        "- 9 12 12 12 13 13 16 17",
    ),
    "naive-fs": (
        "2 8 21 23 24 24 27 29 32 35 35",
        "2 10 15 17 18 18 21 22 26 29",
        "- 12 13 14 15 16 18 20 23",
    ),
    "greedy-fs": (
        "2 8 21 23 24 26 31 31 35 34 34 35 38 38 40 42 45 45 46 48 49 51 53 53 53 55 55 58 59 59",
        "2 10 15 17 17 20 25 27 29 29 29 31 35 33 36 39 41 44 43 46 50 51 51 52 51 52 53 54 56 55",
        "5 12 13 14 16 19 22 22 25 25 25 28 30 31 33 35 38 40 41 43 45 46 47 49 49 50 50 51 53 54",
    ),
    "mcfs": (
        "2 9 23 25 31 33 36 38 38 41 42 42 44 44 44 45 44 44 45 48 49 49 50 50 52 52 52 54 54 54",
        "3 13 20 20 26 30 33 36 37 40 41 42 44 46 46 47 47 47 48 50 51 52 52 53 53 54 54 55 55 55",
        "4 13 18 18 22 26 29 32 33 35 35 35 36 36 36 37 38 38 40 41 42 44 45 46 47 47 47 48 48 49",
    ),
    "laplacian": (
        "2 6 18 23 25 25 29 33 34 34 34 36 38 38 39 41 44 43 45 46 46 45 48 50 49 50 50 51 51 52",
        "3 8 15 19 21 20 25 30 33 34 35 36 37 39 40 41 41 43 46 47 48 49 51 53 53 54 55 54 54 55",
        "5 9 15 16 19 18 21 26 28 29 30 31 32 32 33 33 35 36 38 39 39 41 44 45 45 45 46 46 47 47",
    ),
    "fsfs": (
        "2 8 8 17 21 21 23 23 25 26 24 26 26 25 25 29 29 31 35 34 35 35 35 37 34 35 41 40 41 40",
        "2 8 8 13 14 14 15 16 18 20 19 20 20 22 22 28 28 27 29 31 28 28 28 30 29 31 33 37 38 37",
        "4 9 9 10 11 11 14 14 16 17 17 17 17 20 20 23 23 24 26 25 25 25 26 26 25 28 29 33 34 34",
    ),
}


def printed_rand(table: str) -> dict[str, float]:
    """Give the average Rand index of a table by method, as far as it can be read.

    Examples
    --------
    >>> printed_rand("sonar")["greedy-fs"]
    0.76915
    """
    return dict(zip(METHODS, RAND[table], strict=False))


def printed_jaccard(table: str) -> dict[tuple[str, int], float]:
    """Give the average Jaccard index of a table by method and number of neighbours.

    Examples
    --------
    >>> printed_jaccard("sonar")["greedy-fs", 3]
    0.4
    """
    keys = [(method, k) for method in METHODS for k in NEIGHBOURS]
    return {key: int(word) / 100 for key, word in zip(keys, JACCARD[table].split(), strict=True)}


def printed_curve(method: str, neighbours: int) -> list[tuple[float, float]]:
    """Give the legible points of a curve of sonar: number of columns, Jaccard index.

    Examples
    --------
    >>> printed_curve("rspfs", 10)[:2]
    [(2.0, 0.1), (3.0, 0.13)]
    """
    words = _CURVES[method][NEIGHBOURS.index(neighbours)].split()
    return [
        (float(size), int(word) / 100) for size, word in enumerate(words, start=1) if word != "-"
    ]
