"""Texts that stand for a missing value, among numbers and elsewhere."""

__all__ = ["MAX_MARK_SHARE", "is_known_mark", "looks_like_mark"]

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
    ]
)


def is_known_mark(text: str) -> bool:
    r"""Whether a text is one that people write where there is no value.

    >>> [is_known_mark(text) for text in (".", "?", "N/A", "***", "--", "Missing", "12", "X")]
    [True, True, True, True, True, True, False, False]
    """
    bare = text.strip()
    return bare.lower() in _MISSING_WORDS or (bare != "" and not any(c.isalnum() for c in bare))


def looks_like_mark(text: str) -> bool:
    """Whether a text is at least no grade or code such as 5+, <10 or X1.

    >>> looks_like_mark("not sampled"), looks_like_mark("5+"), looks_like_mark("X")
    (True, False, False)
    """
    return len(text.strip()) > 1 and not any(c.isdigit() for c in text)
