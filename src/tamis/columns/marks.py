"""Texts that stand for a missing value, among numbers and elsewhere."""

import re
from collections.abc import Iterable

from tamis.rules import texts as rules

__all__ = ["find_blanks", "is_known_mark", "looks_like_mark"]

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
    found = signs | words | {text for text in errors if is_known_mark(text)}
    return tuple(sorted(found)) if len(found) < len(bare) else ()


def looks_like_mark(text: str) -> bool:
    """Whether a text is at least no grade or code such as 5+, <10 or X1.

    >>> looks_like_mark("not sampled"), looks_like_mark("5+"), looks_like_mark("X")
    (True, False, False)
    """
    return len(text.strip()) > 1 and not any(c.isdigit() for c in text)
