"""Columns that may not be what they seem: what is said, and the option that changes it."""

from collections.abc import Iterable, Mapping

from tamis.errors import spelled

__all__ = ["warnings_about"]

_TEXTS = {
    "identifier": ("looks like an identifier", "exclude"),
    "label": ("looks like labels, but is analysed as a column", "y"),
    "codes": ("looks like codes for categories, but is analysed as numbers", "categories"),
    "amounts": ("looks like amounts written as text", "numbers"),
    "dates": ("looks like dates, but is analysed as categories", "exclude"),
}


def warnings_about(
    suspects: Iterable[tuple[str, str]], skipped: Mapping[str, str]
) -> list[dict[str, str]]:
    """Say of every suspicious column what it looks like and how to change what is done.

    Columns that were skipped are mentioned only if there is a way to analyse them.

    >>> warnings_about([("nr", "identifier"), ("day", "dates")], {"day": "dates"})
    [{'column': 'nr', 'text': 'looks like an identifier', 'advice': 'exclude=["nr"]'}]
    """
    rows = []
    for column, looks_like in suspects:
        text, option = _TEXTS[looks_like]
        if column in skipped and option != "numbers":
            continue
        value = column if option == "y" else [column]
        rows.append({"column": column, "text": text, "advice": spelled(option, value)})
    return rows
