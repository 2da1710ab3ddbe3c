r"""Texts that are no words: marks for a missing value, numbers, amounts, dates, file names.

Where a pattern of JavaScript would need a class of letters (`\p{L}`), the code has it.
"""

# Marks for a missing value, in lower case, where the other values are numbers.
MISSING_WORDS = frozenset(
    "na|n/a|n.a.|n.a|#n/a|#na|#value!|#div/0!|#ref!|#null!|#num!|#name?|nan|nil|null|none|missing|"
    "miss|unknown|unk|not available|not applicable|not recorded|not known|no data|nodata|n.d.|nd|"
    "n/d|nr|n.r.|not done|refused|<na>|(null)|empty|-nan|1.#ind|1.#qnan|not detected|no value|"
    "not measured|tbd|xx|blank|(blank)|k.a.|keine angabe|sin dato|s/d|not asked|dk|don't know|"
    "[null]|\\n|undefined|invalid|error|err|#error|not reported|not tested|bad|no info|"
    "unavailable|not given|bdl|b.d.l.|bld|bql|blq|below detection limit|undetected|n.n.|"
    "undetermined|s.o.|sans objet|non détecté|n.b.|nicht bestimmt".split("|")
)
# What says nothing but that there is no value; "unknown" and "none" may be categories.
NO_VALUE_WORDS = frozenset("na|n/a|n.a.|n.a|#na|nan|null|nil|<na>|(null)|[null]|(blank)".split("|"))
MARK_SIGNS = ".?*-_\N{EN DASH}\N{EM DASH}"
MAX_MARK_SHARE = 0.2  # of the values that a text which is no known mark may be

# Plain numbers; whether a point may separate thousands is open where three digits follow.
PLAIN_NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?"
SURE_POINT = r"[-+]?(\d*\.(\d{1,2}|\d{4,})|0\d*\.\d{3}|\d{4,}\.\d{3}|\.\d{3}|.*[eE].*)"
OPEN_POINT = r"[-+]?[1-9]\d{0,2}\.\d{3}"
MAX_ODD_TEXTS = 50  # different texts among numbers, beyond which a column holds texts
MAX_UNITS = 8  # different ones; beyond, numbers before words are names: 12 Oak, 7 Elm

# Amounts: 1,234.50, € 7,00, 12 kg.
SPACES = "\\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
QUOTES = "'\N{RIGHT SINGLE QUOTATION MARK}"  # 1'250 as it is written in Switzerland
# ISO 4217. Other capitals before a number make a name of it: LH 123 is a flight.
CURRENCY_CODES = (
    "AED|AFN|ALL|AMD|ANG|AOA|ARS|AUD|AWG|AZN|BAM|BBD|BDT|BGN|BHD|BIF|BMD|BND|BOB|BRL|BSD|BTN|BWP|"
    "BYN|BZD|CAD|CDF|CHF|CLP|CNY|COP|CRC|CUP|CVE|CZK|DJF|DKK|DOP|DZD|EGP|ERN|ETB|EUR|FJD|FKP|GBP|"
    "GEL|GHS|GIP|GMD|GNF|GTQ|GYD|HKD|HNL|HRK|HTG|HUF|IDR|ILS|INR|IQD|IRR|ISK|JMD|JOD|JPY|KES|KGS|"
    "KHR|KMF|KPW|KRW|KWD|KYD|KZT|LAK|LBP|LKR|LRD|LSL|LYD|MAD|MDL|MGA|MKD|MMK|MNT|MOP|MRU|MUR|MVR|"
    "MWK|MXN|MYR|MZN|NAD|NGN|NIO|NOK|NPR|NZD|OMR|PAB|PEN|PGK|PHP|PKR|PLN|PYG|QAR|RON|RSD|RUB|RWF|"
    "SAR|SBD|SCR|SDG|SEK|SGD|SHP|SLE|SOS|SRD|SSP|STN|SVC|SYP|SZL|THB|TJS|TMT|TND|TOP|TRY|TTD|TWD|"
    "TZS|UAH|UGX|USD|UYU|UZS|VES|VND|VUV|WST|XAF|XCD|XOF|XPF|YER|ZAR|ZMW|ZWL"
)
BEFORE_AMOUNT = rf"(?:(?:{CURRENCY_CODES})(?=[{SPACES}\d+(-])|[A-Z]{{0,2}}\$|[€£¥₹])?"
LIMIT = rf"(?:(?:[<>]=?|[≤≥])[{SPACES}]*)?"  # <0.5: below what can be measured
# A letter right behind the digits is a factor: 950, 1.2K and 3M may stand in one column.
FACTORS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
NO_CENTS = "(?:[.,][-\N{EN DASH}\N{EM DASH}]{1,2})?"  # 1'250.-
# What stands behind a number is no unit here: 5 PM is a time and 3rd a rank.
NO_UNITS = "(?:AM|PM|am|pm|st|nd|rd|th|er|e|E)"
PLAIN_AMOUNT = r"(?:\d+\.?|\d*([.,])\d+)(?:[eE][-+]?\d{1,3})?"
# 1,234,567.80, and 12,34,567.80 as it is written in India.
GROUPED_AMOUNT = rf"(\d{{1,3}})([{SPACES}.,{QUOTES}])\d{{3}}((?:\2\d{{3}})*)(?:(?!\2)([.,])\d+)?"
LAKHS = r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"

# Dates and times.
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
TIME_OF_DAY = r"(?:[ T]+\d{1,2}:\d{2}.*)?"
DATE_PARTS = rf"(\d{{1,4}})([-./])(\d{{1,2}})\2(\d{{1,4}}){TIME_OF_DAY}"
# In any case: 3. March 2024, Mar-24, 2024 March 3.
NAMED_MONTH = (
    rf"(?:(?:\d{{1,2}}[-. ]+)?(?:{MONTHS})[a-z]*\.?[-. ]+(?:\d{{1,2}},? +)?\d{{2,4}}"
    rf"|\d{{4}}[-. ]+(?:{MONTHS})[a-z]*(?:[-. ]+\d{{1,2}})?){TIME_OF_DAY}"
)
# A month of a year, a quarter or a week: 2024-01, 01/2024, 2024-Q1, Q1 2024, 2024-W05.
PERIOD = (
    r"(?:(\d{4})[-./](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[-./](\d{4})"
    r"|(\d{4})[- ]?(?:[Qq][1-4]|W[0-5]\d)|[Qq][1-4][-/ ]?(\d{4}))"
)
# Times of the day, and durations: 18:05, 6:05:59 PM, 18.00.00, 3:59.4, 130:05:00.
CLOCK = (
    r"(?:\d{1,3}:[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?|(?:[01]?\d|2[0-4])\.[0-5]\d\.[0-5]\d)"
    r"(?: ?[AaPp][Mm])?"
)
# What Arrow takes for a date or a time: the parts of a day, and the time alone.
ISO_MOMENT = (
    r"(\d{4})-(\d{2})-(\d{2})(?:[ T]([01]\d|2[0-3])(?::?([0-5]\d)(?::?([0-5]\d)(?:\.\d{1,9})?)?)?"
    r"(?:Z|[-+]\d{2}(?::?\d{2})?)?)?"
)
ISO_CLOCK = r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?"
DATE_ORDERS = ("ymd", "dmy", "mdy")
DATE_YEARS = (1500, 2500)
CENTURIES = (1900, 2100)  # of dates that are written as one number
MAX_OTHER_TEXTS = 0.05  # share of the different texts that need be no dates
LEAST_MONTHS = 13  # up to twelve numbers in a row may all end in a month

# File names and addresses (found anywhere in a text, in any case): a date has slashes, too.
FILE_NAMES = (
    r"^(https?|s3|file):\/\/|^([a-z]:|\.{0,2})[\\\/][^\\\/\s]+[\\\/]"
    r"|\.(tiff?|png|jpe?g|csv|txt|gz|pdf|dcm)$"
)
# Two numbers in one text: 120/80, 30x40.
_DECIMAL = r"(?:[1-9]\d*|0(?=[.,]))(?:[.,]\d+)?"
_BETWEEN = "[/x\N{MULTIPLICATION SIGN}]"
NUMBER_PAIR = rf'({_DECIMAL}) ?{_BETWEEN} ?({_DECIMAL})"?'
COORDINATES = r"\(?-?\d+\.\d+[,;] ?-?\d+\.\d+\)?"  # 52.52, 13.40
# Units in lower case, "" where none stands: other letters behind a number are part of a name.
KNOWN_UNITS = frozenset(
    "|g|kg|mg|\N{MICRO SIGN}g|lb|lbs|oz|m|km|cm|mm|mi|ft|in|inch|inches|feet|l|ml|dl|h|hr|"
    "hrs|hour|hours|min|mins|minutes|sec|seconds|ms|day|days|week|weeks|month|months|year|years|yr|yrs|%|"
    "\N{DEGREE SIGN}c|\N{DEGREE SIGN}f|$|\N{EURO SIGN}|\N{POUND SIGN}|usd|eur|gbp|chf|kb|mb|gb|mph|"
    "km/h|kw|kwh|mw|hz|khz|mhz|ghz|pa|kpa|bar|psi|ppm".split("|")
)
