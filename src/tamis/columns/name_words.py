"""What the name of a column says it holds: an identifier, labels, codes."""

import re
from collections.abc import Collection
from itertools import pairwise
from math import isfinite

from tamis.rules import names as rules

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_COUNTER = re.compile(rf"[^\W\d]{{2,}}({'|'.join(rules.COUNTER_ENDS)})")


def words_in(name: str) -> list[str]:
    """Split a name into its words, in lower case.

    >>> words_in("customerID"), words_in("default.payment next_month"), words_in("PID")
    (['customer', 'id'], ['default', 'payment', 'next', 'month'], ['pid'])
    """
    return [word for word in re.split(r"[\W_]+", _CAMEL.sub(" ", name).lower()) if word]


def names_identifier(name: str) -> bool:
    """Whether a name is that of an identifier.

    >>> [names_identifier(name) for name in ("customerID", "id_client", "countyid", "paid", "grid")]
    [True, True, True, False, False]
    """
    words = words_in(name)
    ends = {*words[:1], *words[-1:]}
    return bool(ends & rules.IDENTIFIER_WORDS) or any(
        re.fullmatch(rules.GLUED_IDENTIFIER, word) for word in words
    )


def names_counter(name: str) -> bool:
    """Whether a name is that of a running number, where no two values are the same."""
    words = words_in(name)
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


def names_label(name: str, values: int) -> bool:
    """Whether a name is that of labels, for a column with so many values.

    >>> names_label("Class", 3), names_label("default.payment.next.month", 2)
    (True, True)
    >>> names_label("passenger_class", 3), names_label("default_limit", 40)
    (False, False)
    """
    words = words_in(name)
    exact = len(words) == 1 and words[0] in rules.LABEL_WORDS
    return exact or (values == 2 and bool(rules.EVENT_WORDS & set(words)))


def names_response(name: str, others: Collection[str]) -> bool:
    """Whether a name is that of what is to be predicted; y beside x is a coordinate.

    >>> names_response("target", ["a"]), names_response("Y", ["x", "z"])
    (True, False)
    """
    words = words_in(name)
    if len(words) != 1 or words[0] not in rules.RESPONSE_WORDS:
        return False
    return words[0] != "y" or "x" not in {other.lower() for other in others}


def names_codes(name: str) -> bool:
    """Whether a name is that of codes for few categories."""
    return bool(rules.CODE_WORDS & set(words_in(name)))


def names_area(name: str) -> bool:
    """Whether a name is that of codes of places, which may be many.

    >>> [names_area(name) for name in ("zip_code", "PLZ", "Postal code", "statefips", "zipper")]
    [True, True, True, True, False]
    """
    words = words_in(name)
    postal = any(one in ("post", "postal") and two == "code" for one, two in pairwise(words))
    glued = any(re.fullmatch(rules.GLUED_AREA, word) for word in words)
    return postal or glued or bool(rules.AREA_WORDS & set(words))


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
