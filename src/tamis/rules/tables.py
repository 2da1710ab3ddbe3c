"""How a table lies in a text file, and which way it stands."""

# How much of a file is looked at before it is read.
PROBE_BYTES = 1 << 20
TAIL_BYTES = 1 << 16

# Lines of a text table.
SEPARATORS = ",;\t|"
LAYOUT_ROWS = 50
LAYOUT_LETTERS = 100_000
LEAST_ROWS = 6
MOST_TITLES = 20  # lines above the header
ALIKE = 0.8  # of the columns, rows or names that a rule must hold for
LONGEST_NUMBER = 40  # letters
CELLS_LOOKED_AT = 50
NO_VALUE = r"|[.?*-]+|n/?a|null|none|nan|missing|#n/a"  # in any case, as those below
TOTAL = (
    "(grand |over)?(all|totals?|sum|mean|average|avg|summe|gesamt|insgesamt|mittelwert|somme|"
    "moyenne) ?:?"
)
# Beside a mean these are statistics of the rows; alone SD is a state, and Max a person.
STATISTIC = (
    r"(sd|s\.d\.|std\.?( ?dev\.?)?|stdev|standard deviation|sem|cv ?%?|rsd ?%?|median|min|max|"
    "minimum|maximum|n|count|standardabweichung) ?:?"
)
NOTE_WORDS = "sources?|notes?|quelle|footnotes?|last updated|data from"
SUBTOTAL_WORD = "(sub)?-?totals?"  # in any case, alone or among up to 60 other characters
FIRST_CELLS = 2  # of a line, among which a total is named
MIN_SUBTOTALS = 2
MAX_TRIED_LINES = 10_000

# Cells, as Arrow reads them.
NULL_CELLS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("N/A", "NA", "NULL", "NaN", "n/a", "nan", "null"),
)
TRUE_CELLS, FALSE_CELLS = ("1", "true", "True", "TRUE"), ("0", "false", "False", "FALSE")
ROW_NAMES_COLUMN = "row names"  # the name of a column that holds them, where it has none
GROUPED_INTEGER = r"[-+]?[1-9]\d{0,2}(,\d{3})+"
MIN_CODE_DIGITS = 3  # 07 may be a month or an hour
CUT_LINES = 100  # beyond, the last line may be cut where the first bytes end

# Whether the first line is a row of values.
N_HEADER_ROWS = 1_000  # to compare the first line with
MIN_ORDERED_NUMBERS = 6  # numbers are in order by chance once in 360 times
EVEN_GAP, EVEN_GAP_OF_ALL = 1e-8, 1e-6  # by which numbers that are evenly spaced may differ
IN_ORDER = 0.9  # of the rows, where every row is in order
HEADER_YEARS = (1800, 2100)

# Whether the variables are in the rows.
FEWEST_ROWS = 20
FEWEST_COLUMNS = 5
MAX_TEXTS = 3  # columns that describe variables, before the numbers or behind: id, taxonomy
LEAST_NUMBERED = 3  # columns of one word with a number: ctrl_1, ctrl_2, ctrl_3
NAMES_LOOKED_AT = 1_000
NAME_LETTERS_LOOKED_AT = 100
# Ids of databases of variables, in the spelling of the database: nothing else is written so.
IDS = (
    r"ENS[A-Z]{0,6}[GTP]\d{11}(\.\d+)?|rs\d{3,}|cg\d{8}|\d{4,}(_[a-z])?_at|[NX][MRP]_\d{6,}(\.\d+)?|"
    r"(OTU|ASV)[ _.-]?\d+|HMDB\d{5,}|ILMN_\d+|A_\d+_P\d+"
)
# In any case.
VARIABLES = (
    "#?(gene|probe|probe ?set|feature|otu|asv|transcript|snp|cpg|metabolite|protein|peptide|taxon|"
    "taxa|variable|marker|ensembl|analyte|lipid)s?[ _.]?(ids?|names?|symbols?)?|id_ref|symbol|"
    "rsid"
)
OBSERVATIONS = (
    r"[ACGT]{8,}([-_.]\w+)?|[ACGT]{4,}\d+-\d+|(GSM|SRR|ERR|DRR)\d+|TCGA[-.]\w.*|"
    "(sample|cell|patient|subject|donor|participant|respondent|individual|mouse|rat|case|control|"
    r"tumou?r|replicate|spot|barcode)s?[ _.-]?[A-Z]?\d+.*"
)
NUMBERED = r"(.*?)[ _.-]?\d+"
