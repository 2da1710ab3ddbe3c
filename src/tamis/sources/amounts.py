"""Numbers that are written as text: amounts of money, thousands separators, decimal commas."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Notation", "is_limit", "notation_of", "parse_amount"]

_SPACES = "\\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_QUOTES = "'\N{RIGHT SINGLE QUOTATION MARK}"  # 1'250 as it is written in Switzerland
# ISO 4217. Other capitals before a number make a name of it: LH 123 is a flight.
_CURRENCY_CODES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP "
    "GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS "
    "KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR "
    "MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF "
    "SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD "
    "TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL"
).replace(" ", "|")
_BEFORE = rf"(?:(?:{_CURRENCY_CODES})(?=[{_SPACES}\d+(-])|[A-Z]{{0,2}}\$|[€£¥₹])?"
_LIMIT = rf"(?:(?:[<>]=?|[≤≥])[{_SPACES}]*)?"  # <0.5: below what can be measured
# A letter right behind the digits is a factor: 950, 1.2K and 3M may stand in one column.
_FACTORS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_FACTOR = rf"(?:(?<=\d)[kKMB](?![^\W_])|(?<=\d)[{_SPACES}]?[½¼¾])?"
_NO_CENTS = "(?:[.,][-\N{EN DASH}\N{EM DASH}]{1,2})?"  # 1'250.-
# One word or a ratio of two: %, kg, m², °C, mmol/L, rooms. 5 PM is a time and 3rd a rank.
_UNIT_WORD = r"[^\W\d_½¼¾]{1,12}[23²³]?"
_AFTER = (
    r"(?:(?!(?:AM|PM|am|pm|st|nd|rd|th|er|e|E)$)"
    rf"[$€£¥₹%‰°]?(?:{_UNIT_WORD}(?:/{_UNIT_WORD})?)?\.?)"
)
_AMOUNT = re.compile(
    rf"^{_LIMIT}({_BEFORE})[{_SPACES}]*([-+(]?)({_BEFORE})[{_SPACES}]*"
    rf"([\d.,][\d{_SPACES}.,{_QUOTES}]*?(?:[eE][-+]?\d{{1,3}})?)({_FACTOR}){_NO_CENTS}\)?"
    rf"[{_SPACES}]*({_AFTER})\)?$"
)
_PLAIN_AMOUNT = re.compile(r"^(?:\d+\.?|\d*([.,])\d+)(?:[eE][-+]?\d{1,3})?$")
# 1,234,567.80, and 12,34,567.80 as it is written in India.
_GROUPED_AMOUNT = re.compile(
    rf"^(\d{{1,3}})([{_SPACES}.,{_QUOTES}])\d{{3}}((?:\2\d{{3}})*)(?:(?!\2)([.,])\d+)?$"
)
_LAKHS = re.compile(r"^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$")


@dataclass(frozen=True)
class Notation:
    """How amounts are written, as seen in some texts; that of more texts can be added.

    `decimals` and `thousands` are the marks that are certainly such, `either` those seen only
    before exactly three digits. `units` are what stands beside the numbers, "" where nothing does;
    `odd` is a text that is no amount.
    """

    decimals: frozenset[str] = frozenset()
    thousands: frozenset[str] = frozenset()
    either: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    odd: str | None = None

    def __add__(self, other: "Notation") -> "Notation":
        odd = [text for text in (self.odd, other.odd) if text is not None]
        return Notation(
            self.decimals | other.decimals,
            self.thousands | other.thousands,
            self.either | other.either,
            self.units | other.units,
            min(odd, default=None),
        )

    @property
    def decimal(self) -> str | None:
        """The mark before the decimals; None if the texts are no amounts, or contradict each other.

        A mark before exactly three digits separates thousands if it does so in all texts with it.
        """
        certain = self.decimals | {"," if mark == "." else "." for mark in self.thousands}
        if not certain:
            certain = frozenset("," if mark == "." else "." for mark in self.either or ",")
        return next(iter(certain)) if self.odd is None and len(certain) == 1 else None


def notation_of(texts: Iterable[str]) -> Notation:
    """See how amounts are written; no order of the texts changes it.

    Where both marks occur the later one comes before the decimals.

    >>> notation_of(["€ 1.234,50", "€ 7,00"]).decimal, notation_of(["3,117", "987"]).decimal
    (',', '.')
    >>> sorted(notation_of(["900 g", "1.2 kg", "0"]).units)
    ['g', 'kg']
    """
    decimals: set[str] = set()
    thousands: set[str] = set()
    either: set[str] = set()
    units: set[str] = set()
    for text in texts:
        found = _AMOUNT.match(text)
        digits = found[4] if found else ""
        grouped = _GROUPED_AMOUNT.match(digits)
        if grouped is not None and grouped[4] is None and grouped[3] == "" and grouped[2] in ".,":
            (decimals if digits[0] == "0" else either).add(grouped[2])
        elif grouped is not None:
            thousands |= {grouped[2]} & {".", ","}
            decimals |= {grouped[4]} - {None}
        elif _LAKHS.match(digits):
            thousands.add(",")
        elif (plain := _PLAIN_AMOUNT.match(digits)) is not None:
            decimals |= {plain[1]} - {None}
        else:
            return Notation(odd=text)
        if found is not None and digits.strip("0.,"):  # nothing is nothing in every unit
            units.add((found[1] + found[3] + found[6]).rstrip("."))
    return Notation(frozenset(decimals), frozenset(thousands), frozenset(either), frozenset(units))


def is_limit(text: str) -> bool:
    """Whether a text says that a value is below or above a number.

    >>> is_limit("< 0.5"), is_limit(">=100"), is_limit("0.5"), is_limit("<NA>")
    (True, True, False, False)
    """
    return text[:1] in ("<", ">", "≤", "≥") and notation_of([text]).odd is None


def parse_amount(text: str, decimal: str) -> float | None:
    """Read an amount; None if it is none with this decimal mark.

    What is below or above a limit (<0.5) is read as the limit: nothing else is known of it.

    >>> parse_amount("€ 1.234,50", ","), parse_amount("(12.00)", "."), parse_amount("1.5M", ".")
    (1234.5, -12.0, 1500000.0)
    >>> parse_amount("<0.5", "."), parse_amount("1,2E+05", ",")
    (0.5, 120000.0)
    >>> parse_amount("n/a", "."), parse_amount("1.5", ",")
    (None, None)
    """
    found = _AMOUNT.match(text)
    if found is None:
        return None
    grouped = _GROUPED_AMOUNT.match(found[4])
    if grouped is not None and grouped[2] != decimal:
        fits = grouped[4] in (None, decimal)
    elif _LAKHS.match(found[4]):
        fits = decimal == "."
    else:
        plain = _PLAIN_AMOUNT.match(found[4])
        fits = plain is not None and plain[1] in (None, decimal)
    if not fits:
        return None
    digits = re.sub(rf"[^-+\deE{re.escape(decimal)}]", "", found[4]).replace(decimal, ".")
    more = found[5].strip()
    value = float(digits) * _FACTORS.get(more, 1.0) + _FRACTIONS.get(more, 0.0)
    return -value if found[2] in ("-", "(") else value
