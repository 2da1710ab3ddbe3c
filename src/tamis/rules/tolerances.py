"""When numbers count as equal, as zero or as found: each limit once, with its reason.

Every limit is relative to the size of what it is compared with: a norm, a largest eigenvalue, a
column's own variance. What belongs to a single algorithm stands beside it, with its reason.
"""

EPS = 2.0**-52  # of float64

# Rounding of a product of two columns, relative to their lengths. The strict bound grows with the
# rows; sums in blocks, as BLAS and the merging of batches make them, grow with its root at most and
# stayed below this in every table tried. Also what is left of a sum of such terms that is 0.
ROUNDING = 64 * EPS

# Residual of an eigenpair that counts as exact; rounding alone leaves less, also where eigenvalues
# repeat.
EXACT = 1e-13

# Shares, similarities and errors of numbers of size 1 that went through some thousand operations:
# below it they are 0, and a sum that comes so near to a goal has reached it.
NEGLIGIBLE = 1e-12

# A column whose spread is at most this share of its mean is constant: its values differ in their
# last four digits only. It has no floor, as columns in tiny units are data.
CONSTANT = 1e-12

# Beyond, values are refused: the squares of a million such values can still be added up.
LARGEST_SUMMABLE = 1e140

# A correlation between two columns is stored as so many steps, in 16 bits with their sign; once a
# page has it back, no more than this is known of what is left of a column.
ROUNDED_STEPS = 32767
ROUNDED_TOL = 1e-3

# What may be left of a column's own variance, or of the largest eigenvalue, that counts as nothing:
# 1e-5 of a standard deviation. Of a difference so small fewer than six digits are known, and picks
# would hang on rounding.
RANK_TOL = 1e-10

# Residual at which an eigenpair found by products alone is accepted, where each product is dear:
# the error of its value is the square of it.
ACCEPTED = 1e-10

# Scores so near to each other are equal. Summing batches in another order, or another BLAS, moves a
# score by about 1e-13; without the margin that would be enough to change a pick.
TIE = 1e-9

# Parts of a variance or of an information that are too small to be named to a reader.
MINOR = 1e-6
