"""What the name of a column says it holds: an identifier, labels, codes."""

import re
from itertools import pairwise

__all__ = ["names_area", "names_codes", "names_counter", "names_identifier", "names_label"]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_IDENTIFIERS = frozenset(["id", "ids", "pid", "uid", "oid", "uuid", "guid"])
# Words that end in "id" are many (paid, grid, humid): only these become one with "id".
_GLUED = re.compile(
    r"(user|customer|client|patient|subject|order|account|person|employee|member|transaction|"
    r"product|item|case|sample|session|device|participant|respondent|student|record|row|object)ids?"
)
_COUNTERS = frozenset(["key", "nr", "no", "number", "row", "rowname", "rownames"])
_LABELS = frozenset(
    [
        "class",
        "classes",
        "label",
        "labels",
        "target",
        "targets",
        "outcome",
        "outcomes",
        "response",
        "diagnosis",
        "species",
        "churn",
        "churned",
        "default",
        "defaulted",
        "y",
        "survived",
        "fraud",
        "attrition",
        "readmitted",
        "relapse",
        "spam",
    ]
)
# Binary columns whose names have one of these among other words: default.payment.next.month.
_EVENTS = frozenset(
    [
        "label",
        "target",
        "outcome",
        "diagnosis",
        "churn",
        "churned",
        "default",
        "defaulted",
        "survived",
        "fraud",
        "attrition",
        "readmitted",
        "relapse",
        "spam",
    ]
)
_CODES = frozenset(
    [
        "code",
        "codes",
        "type",
        "category",
        "group",
        "class",
        "region",
        "sector",
        "branch",
        "status",
        "cluster",
    ]
)
_AREAS = frozenset(["zip", "zips", "zipcode", "plz", "postcode", "postleitzahl"])


def words_in(name: str) -> list[str]:
    """Split a name into its words, in lower case.

    >>> words_in("customerID"), words_in("default.payment next_month"), words_in("PID")
    (['customer', 'id'], ['default', 'payment', 'next', 'month'], ['pid'])
    """
    return [word for word in re.split(r"[\W_]+", _CAMEL.sub(" ", name).lower()) if word]


def names_identifier(name: str) -> bool:
    """Whether a name is that of an identifier.

    >>> [names_identifier(name) for name in ("customerID", "id_client", "userid", "paid", "grid")]
    [True, True, True, False, False]
    """
    words = words_in(name)
    ends = {*words[:1], *words[-1:]}
    return bool(ends & _IDENTIFIERS) or any(_GLUED.fullmatch(word) for word in words)


def names_counter(name: str) -> bool:
    """Whether a name is that of a running number, where no two values are the same."""
    words = words_in(name)
    return words in (["index"], ["order"]) or bool({*words[-1:]} & _COUNTERS)


def names_label(name: str, values: int) -> bool:
    """Whether a name is that of labels, for a column with so many values.

    >>> names_label("Class", 3), names_label("default.payment.next.month", 2)
    (True, True)
    >>> names_label("passenger_class", 3), names_label("default_limit", 40)
    (False, False)
    """
    words = words_in(name)
    exact = len(words) == 1 and words[0] in _LABELS
    return exact or (values == 2 and bool(_EVENTS & set(words)))


def names_codes(name: str) -> bool:
    """Whether a name is that of codes for few categories."""
    return bool(_CODES & set(words_in(name)))


def names_area(name: str) -> bool:
    """Whether a name is that of postal codes, which may be many.

    >>> [names_area(name) for name in ("zip_code", "PLZ", "Postal code", "zipper")]
    [True, True, True, False]
    """
    words = words_in(name)
    postal = any(one in ("post", "postal") and two == "code" for one, two in pairwise(words))
    return postal or bool(_AREAS & set(words))
