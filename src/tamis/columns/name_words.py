"""What the name of a column says it holds: an identifier, labels, codes."""

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from math import isfinite

from tamis.rules import names as rules

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_COUNTER = re.compile(rf"[^\W\d]{{2,}}({'|'.join(rules.COUNTER_ENDS)})")


@lru_cache(maxsize=1 << 14)
def words_in(name: str) -> list[str]:
    """Split a name into its words, in lower case.

    >>> words_in("customerID"), words_in("default.payment next_month"), words_in("PID")
    (['customer', 'id'], ['default', 'payment', 'next', 'month'], ['pid'])
    """
    return [word for word in re.split(r"[\W_]+", _CAMEL.sub(" ", name).lower()) if word]


def names_identifier(name: str) -> bool:
    """Whether a name is that of an identifier.

    >>> [names_identifier(name) for name in ("customerID", "id_client", "schoolNR", "paid", "grid")]
    [True, True, True, False, False]
    """
    words = words_in(name)
    ends = {*words[:1], *words[-1:]}
    numbered = len(words) > 1 and words[-1] in rules.COUNTER_WORDS
    return (
        bool(ends & rules.IDENTIFIER_WORDS)
        or (numbered and re.fullmatch(rules.OWNERS, words[-2]) is not None)
        or any(re.fullmatch(rules.GLUED_IDENTIFIER, word) for word in words)
    )


def names_counter(name: str) -> bool:
    """Whether a name is that of a running number, where no two values are the same."""
    words = words_in(name)
    if len(words) == 1 and words[0] in rules.ALONE_A_COUNT:
        return False
    glued = any(_COUNTER.fullmatch(word) for word in words[-1:])
    return words in (["index"], ["order"]) or glued or bool({*words[-1:]} & rules.COUNTER_WORDS)


def names_place(name: str) -> bool:
    """Whether a name is that of a running number, or of the place of a row among others.

    >>> names_place("Pos"), names_place("sample number"), names_place("depth")
    (True, True, False)
    """
    return names_counter(name) or bool({*words_in(name)[-1:]} & rules.PLACE_WORDS)


def names_subject(name: str) -> bool:
    """Whether a name is that of one who is measured, of which a number is no value.

    >>> names_subject("Subject"), names_subject("patients"), names_subject("patient age")
    (True, False, False)
    """
    words = words_in(name)
    return len(words) == 1 and words[0] in rules.SUBJECT_WORDS


def names_territory(name: str) -> bool:
    """Whether a name is that of countries, states, cities or the like."""
    return bool(rules.TERRITORY_WORDS & set(words_in(name)))


def names_label(name: str, values: int, *, last: bool = False) -> bool:
    """Whether a name is that of labels, for a column with so many values, the last one or not.

    >>> names_label("diagnosis", 3), names_label("default.payment.next.month", 2)
    (True, True)
    >>> names_label("class", 3), names_label("class", 3, last=True), names_label("classy", 3)
    (False, True, False)
    """
    words = words_in(name)
    known = rules.LABEL_WORDS | (rules.LAST_LABEL_WORDS if last else frozenset())
    exact = len(words) == 1 and words[0] in known
    return exact or (values == 2 and bool(rules.EVENT_WORDS & set(words)))


def names_response(name: str, others: Collection[str]) -> bool:
    """Whether a name is that of what is to be predicted; y is one beside x1 and x2.

    >>> names_response("target", ["a"]), names_response("Y", ["X1", "X2"])
    (True, True)
    >>> names_response("y", ["x"]), names_response("y", ["income"])
    (False, False)
    """
    words = words_in(name)
    if words == ["y"]:
        return sum(bool(re.fullmatch(r"x[._]?\d+", other.lower())) for other in others) > 1
    return len(words) == 1 and words[0] in rules.RESPONSE_WORDS


def names_codes(name: str) -> bool:
    """Whether a name is that of codes for few categories.

    >>> names_codes("MS.SubClass"), names_codes("age_group"), names_codes("group size")
    (True, True, False)
    """
    words = words_in(name)
    return bool({*words[-1:]} & rules.CODE_WORDS) or names_many_codes(name)


def names_many_codes(name: str) -> bool:
    """Whether a name is that of codes, however many there are.

    >>> [names_many_codes(name) for name in ("dcode", "state", "sales_state", "sales_region")]
    [True, True, False, False]
    """
    words = words_in(name)
    units = rules.UNIT_WORDS | rules.SUBJECT_WORDS | rules.CODE_WORDS
    coded = any(re.fullmatch(rules.GLUED_CODE, word) for word in words[-1:])
    return coded or (len(words) == 1 and words[0] in units)


def names_area(name: str) -> bool:
    """Whether a name is that of codes of places, which may be many.

    >>> [names_area(name) for name in ("zip_code", "PLZ", "Postal code", "statefips", "zipper")]
    [True, True, True, True, False]
    """
    words = words_in(name)
    postal = any(one in ("post", "postal") and two == "code" for one, two in pairwise(words))
    glued = any(re.fullmatch(rules.GLUED_AREA, word) for word in words)
    return postal or glued or bool(rules.AREA_WORDS & set(words))


def names_quantity(name: str) -> bool:
    """Whether a name is that of something measured, or of a time."""
    return bool((rules.QUANTITY_WORDS | rules.TIME_WORDS) & set(words_in(name)))


def names_grades(name: str) -> bool:
    """Whether a name is that of an item of a questionnaire, or of a grade.

    >>> [names_grades(name) for name in ("q12", "A1", "Satisfaction", "race", "x3")]
    [True, True, True, False, False]
    """
    bare = name.strip().lower()
    return bool(re.fullmatch(rules.ITEM, bare)) or bool(rules.GRADE_WORDS & set(words_in(name)))


def names_plural(name: str) -> bool:
    """Whether a name ends in a plural, as that of what is counted.

    >>> [names_plural(name) for name in ("visits", "children", "hospital stays", "health", "mass")]
    [True, True, True, False, False]
    """
    return any(re.fullmatch(rules.PLURAL, word) for word in words_in(name)[-1:])


def names_frequencies(name: str) -> bool:
    """Whether a name says how often each row was seen."""
    words = words_in(name)
    return len(words) == 1 and words[0] in rules.FREQUENCY_WORDS


def names_weights(name: str) -> bool:
    """Whether a name is that of the weights of a survey; a weight alone may be one of a body."""
    return bool({*words_in(name)} & rules.WEIGHT_WORDS)


_MIN_AXIS_NAMES = 3


def number_axis(names: list[str]) -> tuple[float, float] | None:
    """Give the ends of the axis where all names are numbers, as the wavelengths of a spectrum.

    >>> number_axis(["400", "402.5", "405"]), number_axis(["400", "red"])
    ((400.0, 405.0), None)
    """
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    steps = [after - before for before, after in pairwise(values)]
    rising = all(step > 0 for step in steps) or all(step < 0 for step in steps)
    known = len(values) >= _MIN_AXIS_NAMES and all(map(isfinite, values))
    return (min(values), max(values)) if known and rising else None
