"""Columns that may not be what they seem: what is said, and the option that changes it."""

from collections.abc import Iterable, Mapping

from tamis.errors import spelled

__all__ = ["warnings_about"]

_TEXTS = {
    "identifier": ("looks like an identifier", "exclude"),
    "label": ("looks like labels, but is analysed as a column", "y"),
    "codes": ("looks like codes for categories, but is analysed as numbers", "categories"),
    "many codes": ("looks like codes, too many for categories, analysed as numbers", "exclude"),
    "amounts": ("looks like amounts written as text", "numbers"),
    "units": ("has amounts in different units (%s): convert them to one unit", ""),
    "mixed": ("is text, not numbers, because of %s: empty such cells", ""),
    "dates": ("looks like dates or times, but is analysed as categories", "exclude"),
    "date numbers": ("looks like dates, but is analysed as numbers", "exclude"),
}
_ALSO_SKIPPED = ("amounts", "units", "mixed")  # there is a way to analyse them


def warnings_about(
    suspects: Iterable[tuple[str, str, str]], skipped: Mapping[str, str]
) -> list[dict[str, str]]:
    """Say of every suspicious column what it looks like and how to change what is done.

    Columns that were skipped are mentioned only if there is a way to analyse them.

    >>> warnings_about([("nr", "identifier", ""), ("day", "dates", "")], {"day": "dates"})
    [{'column': 'nr', 'text': 'looks like an identifier', 'advice': 'exclude=["nr"]'}]
    """
    rows = []
    for column, looks_like, detail in suspects:
        text, option = _TEXTS[looks_like]
        if column in skipped and looks_like not in _ALSO_SKIPPED:
            continue
        value = column if option == "y" else [column]
        advice = spelled(option, value) if option else ""
        said = text.replace("%s", detail)
        rows.append({"column": column, "text": said, "advice": advice})
    return rows
