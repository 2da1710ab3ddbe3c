"""How columns are searched for: folds, shrinkages, sizes, and what comes before the search."""

# What is analysed, and how much of it is explained, where nothing else is asked for.
USUAL_RETAIN = 0.95  # of the variance
USUAL_MAX_MISSING = 0.5  # share of a column's rows

# The greedy loop.
TRACE_FALL = 30.0  # norms are computed again once the trace is so many times smaller
LEAST_FREE = 0.5  # rows: where none is free, more columns still count as worse

# Blocks of rows, which are held out in turn.
N_BLOCKS = 20
MOST_DEALT = 1 << 21  # cells of a table of which all rows are held to be put in order
MOST_CODED = 1024  # rows that differ, of a larger table that is held by them and their counts
CODE_ROWS = 4  # for each row that differs: copies of measured units are fewer
BY_CHANCE = 0.1  # of the pairs of equal rows, where values would meet independently
FINE = 2.0**30  # sums that differ less than so many of the largest are equal
HELD_OUT_FOLDS = 10
CLEAR = 2.0  # standard errors that cover nine times in ten; what is beyond is more than noise

# The shrinkage of the search.
SEARCH_SHRINKAGES = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)  # of a column's variance
MANY_ROWS = 50  # for each column kept: chance then explains less than 2% of another one
SEARCH_FOLDS = 5
HEAVY_TAILS = 1.5  # times the kurtosis of a normal distribution, the mean of all columns
MAX_BY_TAILS = 1.0  # shrinkage of a column of normal tails, where those of others is stronger
NOISE = 0.5  # standard errors by which a choice may be worse than the best

# The shrinkage of regressions on what was found.
SHRINKAGES = (0.0, *(10.0 ** (step / 4) for step in range(-16, 7)))  # of a column's variance
FREEDOM = 1.4  # degrees that a direction takes: the columns were chosen for these very rows
PLAIN_REST = 1e-6  # of a column is left: no digits that matter are lost

# The number of columns that the table gives: what a column must add, in variances of a column.
BAR, STRICT, LOOSE = 0.75, 1.0, 0.5
SIZE_TAILS = (0.05, 0.95)
FIRST_SIZE, FIRST_FOLDS = 50, 3

# Kept columns that are named beside a dropped one.
MAX_CARRIERS = 3
ENOUGH_OF_SHARE = 0.95  # of what all kept columns explain, by the few that are named

# Extreme values are drawn in.
CLIP_DEVIATIONS = 5.0  # standard deviations, as the median absolute deviation tells them
STD_PER_MAD = 1.4826  # standard deviations of a normal distribution in a median absolute deviation
HEAVY_TAIL = 1.25  # the variance is so many times what it is once extreme values are drawn in
NORMAL_KURTOSIS = 3.0
MAX_HELD_CELLS = 200_000  # of a table that is also judged with its extreme values as they are
LIMITS_COST = 0.01  # of the variance of held-out values as they are: more is too much for limits
MAX_SAMPLE_VALUES = 1 << 23
LEAST_SAMPLE_ROWS, MOST_SAMPLE_ROWS = 512, 2048

# What becomes of a dropped column, by its share on new rows and the lower limit of that.
SAFE_SHARE = 0.95  # of it at the lower limit, at least: safe to drop
LOST_SHARE = 0.1  # of it or less, or no more than chance explains: lost

# That lower limit.
ONE_SIDED = 1.645  # standard errors: 95% of a normal distribution are below
LITTLE = 0.1  # of a column is left: what the choice flatters is measured on these
FEWEST_CHOSEN = 3  # folds that drop a column when columns are chosen again in them
LEAST_CARRIERS = 10  # rows for each unit of kurtosis: fewer rows carry a column
