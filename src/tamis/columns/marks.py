"""Texts that stand for a missing value, among numbers and elsewhere."""

import re
from collections.abc import Iterable

__all__ = ["MAX_MARK_SHARE", "find_blanks", "is_known_mark", "looks_like_mark"]

MAX_MARK_SHARE = 0.2  # of the values that a text which is no known mark may be

_MISSING_WORDS = frozenset(
    [
        *("na", "n/a", "n.a.", "n.a", "#n/a", "#na", "#value!", "#div/0!", "#ref!", "#null!"),
        *("#num!", "#name?", "nan", "nil", "null", "none", "missing", "miss", "unknown", "unk"),
        *("not available", "not applicable", "not recorded", "not known", "no data", "nodata"),
        *("n.d.", "nd", "n/d", "nr", "n.r.", "not done", "refused", "<na>", "(null)", "empty"),
        *("-nan", "1.#ind", "1.#qnan", "not detected", "no value", "not measured", "tbd", "xx"),
        *("blank", "(blank)", "k.a.", "keine angabe", "sin dato", "s/d", "not asked", "dk"),
        *("don't know", "[null]", "\\n", "undefined", "invalid", "error", "err", "#error"),
        *("not reported", "not tested", "bad", "no info", "unavailable", "not given"),
        *("bdl", "b.d.l.", "bld", "bql", "blq", "below detection limit", "undetected", "n.n."),
        *("undetermined", "s.o.", "sans objet", "non détecté", "n.b.", "nicht bestimmt"),
    ]
)

# What says nothing but that there is no value; "unknown" and "none" may be categories.
_NO_VALUE_WORDS = frozenset(
    ["na", "n/a", "n.a.", "n.a", "#na", "nan", "null", "nil", "<na>", "(null)", "[null]", "(blank)"]
)
_NAMED_LIMIT = re.compile(r"[<>]=? ?[^\W\d_]{2,6}")  # below what can be measured: <LOD, < LLOQ
_MARK_SIGNS = frozenset(".?*-_\N{EN DASH}\N{EM DASH}")


def is_known_mark(text: str) -> bool:
    r"""Whether a text is one that people write where there is no value.

    >>> [is_known_mark(text) for text in (".", "?", "N/A", "***", "Missing", "<LOD", "12", "X")]
    [True, True, True, True, True, True, False, False]
    """
    bare = text.strip()
    if bare.lower() in _MISSING_WORDS or _NAMED_LIMIT.fullmatch(bare):
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
    if any(set(bare[text]) - _MARK_SIGNS for text in signs):
        signs = set()
    words = {text for text, one in bare.items() if one.lower() in _NO_VALUE_WORDS}
    found = signs | words | {text for text in errors if is_known_mark(text)}
    return tuple(sorted(found)) if len(found) < len(bare) else ()


def looks_like_mark(text: str) -> bool:
    """Whether a text is at least no grade or code such as 5+, <10 or X1.

    >>> looks_like_mark("not sampled"), looks_like_mark("5+"), looks_like_mark("X")
    (True, False, False)
    """
    return len(text.strip()) > 1 and not any(c.isdigit() for c in text)
