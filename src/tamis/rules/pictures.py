"""What a page knows to draw again what Python has drawn: thresholds, sizes, colours and words."""

# The axis of shares.
MOSTLY = 0.95  # share explained of most columns where their losses are shown
LOW_SHARE = 0.6  # below, the axis ends at the ceiling
HIGH_SHARE = 0.4  # above, the axis of single columns begins near the least
MIN_COLUMN_LOSS = 1e-3  # shares of single columns are stored in thousandths
MIN_DROPPED = 4  # columns, of which losses are shown
MAX_LOSS_TICKS = 7

# What becomes of every column.
MAX_DOTS = 800  # more columns than this are drawn as an image
IMAGE_PIXELS = (300, 80)
COUNT_ALPHAS = (90, 150, 205, 255)  # of 1, 2, 3 and more columns in a pixel
NAME_ROWS = 2  # of names above the strip
NAME_HEIGHT = 13
NAME_LETTER = 6.6  # width of a letter, about
NAME_LETTERS = 16
DRAWER_COLOURS = {
    "safe": (0x7E, 0x86, 0x8C),
    "partly": (0xC0, 0x84, 0x2B),
    "lost": (0xC9, 0x4A, 0x42),
    "dropped": (0x5F, 0x7F, 0x9E),  # where new rows were not measured, and nothing is called safe
}
DRAWER_WORDS = {
    **{"kept": "kept", "safe": "safe to drop", "partly": "partly lost", "lost": "lost"},
    "dropped": "dropped",
}
WORSE = "worse than predicting the mean"
MOVED = 0.01  # by more than that limits of extreme values change a share
MAX_CEILING = 1.5  # times what is explained: a higher ceiling says nothing

# Similarities: blue through near-white to red, readable with every common kind of colour blindness.
HEAT_COLOURS = (
    (0x21, 0x66, 0xAC),
    (0x43, 0x93, 0xC3),
    (0x92, 0xC5, 0xDE),
    (0xD1, 0xE5, 0xF0),
    (0xF7, 0xF7, 0xF7),
    (0xFD, 0xDB, 0xC7),
    (0xF4, 0xA5, 0x82),
    (0xD6, 0x60, 0x4D),
    (0xB2, 0x18, 0x2B),
)
MAX_LABELLED_ROWS = 24  # a heat map with more rows than this has no room for names
LABEL_LETTERS = 17

# Levels from the smallest to the largest value of a sampled column; 255 stands for a missing one.
LARGEST_LEVEL = 254
