"""Numbers that are written as text: amounts of money, thousands separators, decimal commas."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import pyarrow as pa

from tamis.rules import tables
from tamis.rules import texts as rules
from tamis.rules.tables import CUT_LINES, MIN_CODE_DIGITS
from tamis.sources.text_layout import is_missing
from tamis.values import dataclass

_SPACES = rules.SPACES
_FACTOR = rf"(?:(?<=\d)[kKMB](?![^\W_])|(?<=\d)[{_SPACES}]?[½¼¾])?"
# One word or a ratio of two: %, kg, m², °C, mmol/L, rooms. 5 PM is a time and 3rd a rank.
_UNIT_WORD = r"[^\W\d_½¼¾]{1,12}[23²³]?"
_AFTER = (
    rf"(?:(?!{rules.NO_UNITS}$)"
    rf"[$€£¥₹%‰°]?(?:{_UNIT_WORD}(?:/{_UNIT_WORD})?)?\.?)"
)
_AMOUNT = re.compile(
    rf"{rules.LIMIT}({rules.BEFORE_AMOUNT})[{_SPACES}]*([-+(]?)({rules.BEFORE_AMOUNT})[{_SPACES}]*"
    rf"([\d.,][\d{_SPACES}.,{rules.QUOTES}]*?(?:[eE][-+]?\d{{1,3}})?)({_FACTOR})"
    rf"{rules.NO_CENTS}\)?[{_SPACES}]*({_AFTER})\)?"
)
_PLAIN_AMOUNT = re.compile(rules.PLAIN_AMOUNT)
_GROUPED_AMOUNT = re.compile(rules.GROUPED_AMOUNT)
_LAKHS = re.compile(rules.LAKHS)


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
        found = _AMOUNT.fullmatch(text)
        digits = found[4] if found else ""
        grouped = _GROUPED_AMOUNT.fullmatch(digits)
        if grouped is not None and grouped[4] is None and grouped[3] == "" and grouped[2] in ".,":
            (decimals if digits[0] == "0" else either).add(grouped[2])
        elif grouped is not None:
            thousands |= {grouped[2]} & {".", ","}
            decimals |= {grouped[4]} - {None}
        elif _LAKHS.fullmatch(digits):
            thousands.add(",")
        elif (plain := _PLAIN_AMOUNT.fullmatch(digits)) is not None:
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
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return None
    grouped = _GROUPED_AMOUNT.fullmatch(found[4])
    if grouped is not None and grouped[2] != decimal:
        fits = grouped[4] in (None, decimal)
    elif _LAKHS.fullmatch(found[4]):
        fits = decimal == "."
    else:
        plain = _PLAIN_AMOUNT.fullmatch(found[4])
        fits = plain is not None and plain[1] in (None, decimal)
    if not fits:
        return None
    digits = re.sub(rf"[^-+\deE{re.escape(decimal)}]", "", found[4]).replace(decimal, ".")
    more = found[5].strip()
    value = float(digits) * rules.FACTORS.get(more, 1.0) + rules.FRACTIONS.get(more, 0.0)
    return -value if found[2] in ("-", "(") else value


_GROUPED_INTEGER = rf"^{tables.GROUPED_INTEGER}$"


@dataclass(frozen=True)
class CommaUse:
    """What was seen in a column.

    `decimal`: a comma that cannot separate thousands (2,5 or 0,125); `grouped`: one that can
    (3,117); `bare`: a number without a comma (987; 0 is written so in either case).
    """

    decimal: bool = False
    grouped: bool = False
    bare: bool = False

    def __or__(self, other: "CommaUse") -> "CommaUse":
        return CommaUse(
            self.decimal or other.decimal, self.grouped or other.grouped, self.bare or other.bare
        )


# What was seen of commas: a file is opened several times, and all of it has to be read for that.
_uses: dict[Any, dict[str, CommaUse]] = {}


def uses_in_file(
    key: Any, names: list[str], read: Callable[[list[str]], Any]
) -> dict[str, CommaUse]:
    """Find how commas are used in the file that the key stands for, once.

    `read` opens these columns as text. The first rows leave no doubt about most of them.
    """
    known = (key, *names)
    if known not in _uses:
        try:
            with read(names) as batches:
                uses = find_uses(islice(batches, 1))
            rest = [name for name in names if name not in uses or not uses[name].decimal]
            if rest:
                with read(rest) as batches:
                    uses |= find_uses(batches)
            _uses[known] = uses
        except (pa.ArrowException, OSError, UnicodeDecodeError):  # the reader says what is wrong
            return {}
    return _uses[known]


def may_be_numbers(dtype: pa.DataType) -> bool:
    """Whether a column of this type, as the first rows have it, is read as numbers."""
    return pa.types.is_null(dtype) or pa.types.is_integer(dtype) or pa.types.is_floating(dtype)


def find_uses(batches: Iterable[pa.RecordBatch]) -> dict[str, CommaUse]:
    """Read all cells of columns of text, until they leave no doubt."""
    uses: dict[str, CommaUse] = {}
    for batch in batches:
        for name, cells in zip(batch.schema.names, batch.columns, strict=True):
            before = uses.setdefault(name, CommaUse())
            if not before.decimal:
                uses[name] = before | _use_in(cells, before)
        if all(use.decimal for use in uses.values()):
            break
    return uses


def judge_commas(uses: Mapping[str, CommaUse]) -> tuple[list[str], tuple[str, ...]]:
    """Give the columns whose commas separate thousands, and those that may be either.

    Decided by whole columns. 987 beside 3,117 is a thousand written with a comma. Where every value
    has one before three digits, all are the same number of thousandths: read as decimals they
    differ by a factor only, which is said. A file with decimal commas has no others, as a rule.

    >>> mixed = CommaUse(grouped=True, bare=True)
    >>> judge_commas({"a": mixed}), judge_commas({"a": mixed, "b": CommaUse(decimal=True)})
    ((['a'], ()), ([], ('a',)))
    """
    elsewhere = any(use.decimal for use in uses.values())
    open_ones = {name.strip(): use for name, use in uses.items() if use.grouped and not use.decimal}
    thousands = [name for name, use in open_ones.items() if use.bare and not elsewhere]
    return thousands, tuple(name for name, use in open_ones.items() if use.bare == elsewhere)


def _use_in(cells: Any, before: CommaUse) -> CommaUse:
    import pyarrow.compute as pc

    marked = pc.match_substring(cells, ",")
    bare = before.bare or _any(pc.match_substring_regex(cells.filter(pc.invert(marked)), "[1-9]"))
    if not _any(marked):
        return CommaUse(bare=bare)
    texts = pc.utf8_trim_whitespace(cells.filter(marked))
    grouped = pc.match_substring_regex(texts, _GROUPED_INTEGER)
    return CommaUse(decimal=_any(pc.invert(grouped)), grouped=_any(grouped), bare=bare)


def _any(found: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(found).as_py())


_CODE = re.compile(r"\d+")


def find_padded_codes(below: str, separator: str, names: Sequence[str]) -> list[str]:
    r"""Name the columns whose cells are digits of one length, some with a zero before them.

    `below` are the first lines below the header.

    >>> find_padded_codes("01067,7,007.5\n80331,12,001.5", ",", ["plz", "age", "x"])
    ['plz']
    """
    mark = re.escape(separator)
    # It begins with the zero, which is quickly searched for; what stands before it comes second.
    padded = rf'0(?<![^{mark}"\n]0)\d{{{MIN_CODE_DIGITS - 1},}}"?(?={mark}|\r?$)'
    if re.search(padded, below, re.MULTILINE) is None:
        return []
    lines = list(io.StringIO(below))
    rows: list[list[str]] = []
    with suppress(csv.Error):  # what the library cannot read is for the reader to say
        rows.extend(
            csv.reader(lines[:-1] if len(lines) > CUT_LINES else lines, delimiter=separator)
        )
    return [
        name for j, name in enumerate(names) if _are_codes([row[j] for row in rows if j < len(row)])
    ]


def _are_codes(cells: Sequence[str]) -> bool:
    bare = [text for cell in cells if not is_missing(text := cell.strip())]
    lengths = {len(text) for text in bare}
    if len(lengths) != 1 or min(lengths) < MIN_CODE_DIGITS or not any(t[0] == "0" for t in bare):
        return False
    return all(map(_CODE.fullmatch, bare)) and len({*bare}) > 1
