"""From which numbers on a column is what: keys, codes, counts, free text, rows of a panel."""

from typing import Literal

# What a column holds, as its file or frame says it.
Kind = Literal["numeric", "boolean", "categorical", "row names", "beside", "empty", "other"]
NUMBER_KINDS: tuple[Kind, ...] = ("numeric", "boolean")

# What is counted of a column, whatever it is.
MAX_EXTREMES = 12  # different values kept at each end
MAX_TEXT_LETTERS = 200  # of a text that are kept: what differs only beyond is free text in any case
DISTINCT_KEPT = (256, 20_000)  # fewest and most different values that are kept of a column
MAX_DISTINCT_KEPT = 1 << 20  # of all columns together
MIN_DISTINCT_SHARE = 0.97  # of the values that all differ: long columns are estimated
MAJORITY = 0.5  # of the different values, at least
MIN_FILLED_SHARE = 0.5  # fewer, and a column is mostly missing

# Columns of numbers.
MIN_KEY_ROWS = 20  # below, numbers in a row may be chance
MIN_KEYS = 10  # different values of an identifier that repeats; fewer are codes
MIN_ID_DIGITS = 12  # of integers that all differ and are equally long: article or account numbers
ROWS_PER_CODE = 2  # fewer, and a code says no more of a row than its number
DENSE = 1.5  # integers per value up to which all-distinct ones count the rows, with gaps
EQUAL_PAIRS_BY_CHANCE = 12.0  # equal pairs to be expected of measurements, where there is none
ALMOST_DISTINCT = 0.8  # more of the values differ: those that repeat may be copies of rows
CHANCE_OF_EQUAL = 8  # times fewer pairs than expected are equal, where numbers are no measurements
EVEN_KEYS = 20  # different values that all come equally often, in a column named as a number
PLACED = 0.25  # of the largest, at least the middle one: counts have a thin end
MAX_EARLY = 0.25  # of the range, up to which the middle value of a column with a thin end comes
YEAR_RANGE = (1500.0, 2200.0)
FIRST_NAMED_YEAR = 1800.0  # earlier ones may be amounts
FIRST_DATE_NUMBER = 190_001.0  # January 1900, as one number
SECOND_RANGE = (1e8, 4.2e9)  # since 1970, as of 1973 to 2103
FINE_SECOND_RANGE = (1e11, 4.2e18)  # in thousandths, millionths, billionths
MAX_CODES, MAX_CODE_SPREAD = 12, 15.0  # different grades, and how far they reach
MAX_NAMED_CODES, ROWS_PER_NAMED_CODE = 50, 10  # codes by their name: more of them, in more rows
LONG_SCALE = (0.0, 10.0)  # other scales begin at 1: from 0 on people count
MIN_GRADES = 4  # different answers of a scale
MIN_SCALES = 3  # columns with the same answers are a questionnaire
MIN_COUNTS, USUAL_ZEROS = 8, 0.7  # different counts, and zeros beside what is most frequent
LARGE_COUNT, LARGEST_COUNT = 200.0, 200.0

# Values that come far more often than others.
NEARLY_CONSTANT = 0.99  # of the rows
MIN_SPIKED_VALUES = 20  # fewer different ones all come often
MIN_SPIKE_SHARE, MIN_SPIKE_TIMES = 0.05, 50  # of the rows, and of what is usual

# Columns of texts.
MIN_DISTINCT_ROWS = 8  # rows from which texts that all differ name them
MIN_PANEL_VALUES = 20
MIN_EVEN_SHARE = 0.7  # of the keys that have as many rows as most, where some have more
MIN_KEYS_OF_NAME = 10
MIN_ANSWERS = 12
MAX_PANEL_DISPERSION = 0.5  # variance of the rows of a key, over their mean
MIN_TEXTS = 10  # different ones, up to which a column has few
ROWS_PER_VALUE = 5  # fewer, and a text explains every column by chance
MOST_TEXTS = 0.8  # share of the different texts that a rule must hold for
WORDY = 5.0  # words in a text, on average: names of things have fewer
FREE_TEXT_LETTERS = 40.0  # characters
CASED = 4  # letters of texts of which it matters that they differ only in case
MAX_DAY = 31  # larger, and the first of two numbers is no part of a date

# Texts that are numbers.
MANY_NUMBERS = 30  # different ones: chromosomes are 1 to 22, X and Y
MIN_MEASURED = 5  # different values beside limits of what can be measured
VALUES_PER_LIMIT = 2
FEW_CODES = 12  # different numbers, stored as text without need: categories
READ_SHARE = 0.8  # share of the values that are numbers, where they cannot be read
# How many different odd texts there may be, and up to which share of the values.
ODD_TEXTS = ((5, 0.1), (20, 0.02))

# All columns together.
MAX_CLASSES = 20  # of labels, and levels of a factor
MIN_TICKS, MIN_TICKED_SHARE = 5, 0.01  # rows with a value, and without: fewer make no category
MAX_VISITS = 1.5  # different times for each row that a key has at most

# Tables of sparse counts: words in texts, reads in cells.
MIN_COUNT_COLUMNS = 100
MIN_ZERO_SHARE = 0.8  # of all values
MIN_SPARSE_SHARE = 0.95  # of the columns: mostly zeros
MIN_REPEAT_SHARE = 0.05  # of the columns: with a value of 2 or more
MIN_DOUBT_COLUMNS = 20  # of counts, or of what was made of them: two scales are tried
MIN_DOUBT_ZEROS = 0.5  # of all values, and of the columns that are mostly zeros
MAX_UNIT_RATIO = 30.0  # of the largest value of any column to that of most: of one unit
MIN_REPEATED = 0.8  # of the columns: with a value of 2 or more, where not nearly all is 0
MIN_LARGE_SHARE = 0.1  # of the columns: with a value that is too large for a code
FEW_ZEROS = 0.2  # share up to which a column of counts is near to one without zeros
EXPECTED_ZEROS = 5.0  # of counts with this mean, where there is none
EVEN_SPREAD = 0.5  # variance beside the mean, below which values are no counts
MAX_ROW_CLASSES = 20
RAREST_CLASS = 0.4  # of the rows that a class has on average: counts have a thin end

# Levels of a category that have a column of their own; all others are pooled.
MIN_LEVEL_ROWS = 5
MIN_LEVEL_SHARE = 0.01
MAX_ASKED_LEVELS = 20  # of a column whose levels are all rare, if it is asked for
MAX_LEVELS = 65_000  # different values that are counted
OTHER_LEVEL, MISSING_LEVEL = "(other)", "(missing)"
