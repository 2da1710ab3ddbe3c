"""Arrays of the experiments, and when numbers in them count as equal or as nothing."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

# Sums of numbers of size 1 that come so near to a goal have reached it.
NEGLIGIBLE = 1e-12

# Scores and sums of squares so near to each other are equal: another BLAS moves them by 1e-13.
TIE = 1e-9

# A part of the largest eigenvalue that counts as nothing.
RANK_TOL = 1e-10
