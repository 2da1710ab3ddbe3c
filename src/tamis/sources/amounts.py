"""Numbers that are written as text: amounts of money, thousands separators, decimal commas."""

import re
from collections.abc import Iterable

_SPACES = "\\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_BEFORE = rf"(?:[A-Z]{{2,3}}[{_SPACES}]|[$€£¥₹])?[{_SPACES}]*"
_AFTER = rf"[{_SPACES}]*(?:[A-Z]{{2,3}}|[a-z]{{1,3}}\.?|[$€£¥₹%])?"
_AMOUNT = re.compile(rf"^{_BEFORE}([-+(]?){_BEFORE}(\d[\d{_SPACES}.,']*)\)?{_AFTER}$")
_GROUPS = re.compile(rf"^\d{{1,3}}(?:[{_SPACES}.,']\d{{3}})+$")


def decimal_mark(texts: Iterable[str]) -> str | None:
    """Find out whether a point or a comma comes before the decimals; None if they are no amounts.

    Where both occur the later one is the decimal mark. A single mark before exactly three digits
    separates thousands if it does so in every text that has it.

    >>> decimal_mark(["€ 1.234,50", "€ 7,00"]), decimal_mark(["1,234", "12"]), decimal_mark(["a1"])
    (',', '.', None)
    """
    marks: set[str] = set()
    grouped: set[str] = set()
    for text in texts:
        found = _AMOUNT.match(text)
        if found is None:
            return None
        digits = found[2].strip()
        last = max(digits.rfind("."), digits.rfind(","))
        if last < 0:
            continue
        both = "." in digits and "," in digits
        (marks if both or not _GROUPS.match(digits) else grouped).add(digits[last])
    if len(marks) > 1:
        return None
    if marks:
        return marks.pop()
    return "," if grouped == {"."} else "."


def amount(text: str, decimal: str) -> float | None:
    """Read an amount; None if it is none.

    >>> amount("€ 1.234,50", ","), amount("(12.00)", "."), amount("n/a", ".")
    (1234.5, -12.0, None)
    """
    found = _AMOUNT.match(text)
    if found is None:
        return None
    kept = re.sub(rf"[^\d{re.escape(decimal)}]", "", found[2]).replace(decimal, ".")
    try:
        value = float(kept)
    except ValueError:
        return None
    return -value if found[1] in ("-", "(") else value
