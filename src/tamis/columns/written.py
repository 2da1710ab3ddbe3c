"""How people write what is no value, dates and times."""

import re
from collections.abc import Iterable

from tamis.numerics.types import Floats
from tamis.rules import texts as rules

_NAMED_LIMIT = re.compile(r"[<>]=? ?[^\W\d_]{2,6}")  # below what can be measured: <LOD, < LLOQ


def is_known_mark(text: str) -> bool:
    r"""Whether a text is one that people write where there is no value.

    >>> [is_known_mark(text) for text in (".", "?", "N/A", "***", "Missing", "<LOD", "12", "X")]
    [True, True, True, True, True, True, False, False]
    """
    bare = text.strip()
    if bare.lower() in rules.MISSING_WORDS or _NAMED_LIMIT.fullmatch(bare):
        return True
    return bare != "" and not any(c.isalnum() for c in bare)


def find_blanks(texts: Iterable[str]) -> tuple[str, ...]:
    """Give the texts among categories that stand for no value, in order.

    A sign alone does unless another sign is a value, as + beside -.

    >>> find_blanks(["low", "n/a", "-", "NA"]), find_blanks(["+", "-"]), find_blanks(["none", "a"])
    (('-', 'NA', 'n/a'), (), ())
    """
    bare = {text: text.strip() for text in texts}
    signs = {text for text, one in bare.items() if one and not any(c.isalnum() for c in one)}
    errors = {text for text, one in bare.items() if one.startswith("#") and one[-1:] in "!?A"}
    if any(set(bare[text]).difference(rules.MARK_SIGNS) for text in signs):
        signs = set()
    words = {text for text, one in bare.items() if one.lower() in rules.NO_VALUE_WORDS}
    words -= {text for text, one in bare.items() if one == "Na"}  # sodium
    found = signs | words | {text for text in errors if is_known_mark(text)}
    return tuple(sorted(found)) if len(found) < len(bare) else ()


def looks_like_mark(text: str) -> bool:
    """Whether a text is at least no grade or code such as 5+, <10 or X1.

    >>> looks_like_mark("not sampled"), looks_like_mark("5+"), looks_like_mark("X")
    (True, False, False)
    """
    return len(text.strip()) > 1 and not any(c.isdigit() for c in text)


_PARTS = re.compile(rules.DATE_PARTS)
_NAMED_MONTH = re.compile(rules.NAMED_MONTH, re.IGNORECASE)
_PERIOD = re.compile(rules.PERIOD)
_CLOCK = re.compile(rules.CLOCK)
_NEGATIVE = re.compile(r"-\d{1,4}")


def are_dates(texts: Iterable[str]) -> bool:
    """Whether texts are dates, times or durations, but for a few and marks for no value.

    1.2.3 is a version, 10.0.0.1 an address, 1:10 beside 1:20 a ratio. Where years have two digits,
    day, month and year must stand in one order.

    >>> are_dates(["31.12.2024", "2023-02-01"]), are_dates(["1.2.3", "10.4.12"])
    (True, False)
    """
    some = [text.strip() for text in texts if not is_known_mark(text)]
    some = [text for text in some if not _NEGATIVE.fullmatch(text)]  # -9 stands for no date
    if not some or all(text.startswith("1:") for text in some):
        return False
    orders, others, most = set(rules.DATE_ORDERS), 0, rules.MAX_OTHER_TEXTS * len(some)
    for text in some:
        found = _PARTS.fullmatch(text)
        if _CLOCK.fullmatch(text) or _NAMED_MONTH.fullmatch(text) or _is_period(text):
            continue
        seen = _orders(found[1], found[3], found[4]) if found is not None else set()
        if found is not None and seen and max(len(found[1]), len(found[4])) == 4:
            continue
        if not seen:
            others += 1
        orders &= seen or orders
        if others > most or not orders:
            return False
    return True


def _is_period(text: str) -> bool:
    found = _PERIOD.fullmatch(text)
    year = int(next(filter(None, found.groups()))) if found is not None else 0
    return rules.DATE_YEARS[0] <= year <= rules.DATE_YEARS[1]


def _orders(first: str, second: str, third: str) -> set[str]:
    """Give the orders of day, month and year in which three numbers are a date."""
    found = set()
    for order in rules.DATE_ORDERS:
        part = dict(zip(order, (first, second, third), strict=True))
        year, padded = part["y"], len(part["d"]) == len(part["m"]) == 2
        fits = 1 <= int(part["m"]) <= 12 and 1 <= int(part["d"]) <= 31
        is_year = len(year) == 4 and rules.DATE_YEARS[0] <= int(year) <= rules.DATE_YEARS[1]
        if fits and (is_year or (len(year) == 2 and padded)):
            found.add(order)
    return found


def are_date_numbers(values: Floats) -> bool:
    """Whether all different integers are dates, written 20240131 or 202401.

    >>> import numpy as np
    >>> are_date_numbers(np.array([20240131.0, 20231224.0])), are_date_numbers(np.arange(90.0))
    (True, False)
    """
    if values.size < 2:
        return False
    months, days = values // 100 % 100, values % 100
    years = values // 10_000
    if _within(years, rules.CENTURIES) and _within(months, (1, 12)) and _within(days, (1, 31)):
        return True
    many = values.size >= rules.LEAST_MONTHS
    return many and _within(values // 100, rules.CENTURIES) and _within(days, (1, 12))


def _within(values: Floats, limits: tuple[int, int]) -> bool:
    return bool(((values >= limits[0]) & (values <= limits[1])).all())
