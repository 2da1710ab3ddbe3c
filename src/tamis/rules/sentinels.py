"""When a value at an end of a column stands for something else: -999 for missing."""

MIN_REPEATS = 3
LEAST_OFTEN = 0.001  # of the other values, that they come together
MIN_REST = 5  # different other values, for one to be odd
MAX_GROUP = 4  # different codes at one end, as -9, -8 and -7

FAR_IN_SPREADS = 3.0  # distances of the rest that make a value obvious
FAR_BELOW = 1.0  # enough for the only negative values, and for nines that come often
FAR_BELOW_NINES = (0.2, 0.5)  # enough for -9.9 below decimals, and for -99 below integers
FAR_WITHOUT_CODE = 5.0  # for -127, which is no usual code, beside many different values
MANY_VALUES, OFTEN = 20, 3  # such values, and how many times as often as they it must come
ODD_FAR = 1.0
SUPPORTED = 0.2  # enough where the same value is obvious in other columns
FAR_ZERO = 1.5  # enough to name 0 where it repeats
OFTEN_BELOW = 2.0  # times as often as others the only negative value comes
FAR_FROM_ZERO = 10.0  # for integers: 0 before 1, 2, 3 is a count
INTEGER_LIMITS = (32767.0, -32768.0, 65535.0, 2147483647.0, -2147483648.0, 4294967295.0)
HUGE = 1e15
ANSWER_CODES = frozenset([7.0, 8.0, 9.0])  # "does not know" and "refused", after grades
SPIKE = 3  # times as often as the others a value comes that is odd
SPIKE_OF_FEW = (20, 10)  # or in one of so many rows, beside more different values than these
GRADES = (3, 7.0)  # fewest different grades, and the largest
TWO_ANSWERS = (1.0, 2.0)  # yes and no, before 9
ANSWER_GAP = 2.0
ANSWER_COLUMNS = 3  # that have such codes in the same way
LEAST_DIGIT = -7.0  # -7, -8 and -9 are codes where no other value is negative
