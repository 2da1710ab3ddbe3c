"""Dates and times that are written as text or as numbers."""

import re
from collections.abc import Iterable

from tamis.columns.marks import is_known_mark
from tamis.numerics.types import Floats
from tamis.rules import texts as rules

__all__ = ["are_date_numbers", "are_dates"]

_PARTS = re.compile(rules.DATE_PARTS)
_NAMED_MONTH = re.compile(rules.NAMED_MONTH, re.IGNORECASE)
_PERIOD = re.compile(rules.PERIOD)
_CLOCK = re.compile(rules.CLOCK)


def are_dates(texts: Iterable[str]) -> bool:
    """Whether texts are dates, times or durations, but for a few and marks for no value.

    1.2.3 is a version, 10.0.0.1 an address, 1:10 beside 1:20 a ratio. Where years have two digits,
    day, month and year must stand in one order.

    >>> are_dates(["31.12.2024", "2023-02-01"]), are_dates(["1.2.3", "10.4.12"])
    (True, False)
    """
    some = [text.strip() for text in texts if not is_known_mark(text)]
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
