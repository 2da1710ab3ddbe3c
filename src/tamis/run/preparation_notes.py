"""What was done with the columns of a table, in at most six sentences, each with its way back."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tamis.columns.judgement import ColumnJudgement
from tamis.columns.row_descriptions import DESCRIBES_ROWS
from tamis.errors import spell
from tamis.sources.marked import Reading

__all__ = ["note_preparation"]

MAX_NAMED = 4  # columns in a sentence

_KEYS = ("identifier", "key")


def note_preparation(
    columns: Sequence[ColumnJudgement], readings: Mapping[str, Reading], unfit: Mapping[str, str]
) -> list[str]:
    """Say what was done with these columns."""
    read = {n: one for n, one in readings.items() if n not in unfit}
    there = [one for one in columns if one.name not in unfit]
    beside = [one for one in columns if unfit.get(one.name) == DESCRIBES_ROWS]
    aside = [one for one in columns if one.name in unfit and one not in beside]
    return [
        *_marks([one for one in there if one.name in read], read),
        *_sentinels(there, read),
        *_oddities(there, read),
        *_descriptions(beside),
        *_keys([one for one in aside if one.kind in _KEYS]),
        *_texts([one for one in aside if one.kind not in (*_KEYS, "empty")]),
    ]


def _marks(columns: Sequence[ColumnJudgement], read: Mapping[str, Reading]) -> list[str]:
    marked = [one for one in columns if set(one.marks) & read[one.name].marks]
    found = []
    if marked:
        marks = Counter(text for one in marked for text in one.marks)
        shown = ", ".join(repr(text[:20]) for text, _ in marks.most_common(3))
        more = f" and {len(marks) - 3} other text{'s'[: len(marks) > 4]}" if len(marks) > 3 else ""
        verb, first = "are" if len(marks) > 1 else "is", marked[0]
        numbers = bool(first.decimal)
        back = spell("categories", [first.name]) if numbers else spell("na", [f"{first.name}=none"])
        what = "of numbers" if all(one.decimal for one in marked) else ""
        found.append(
            f"{shown}{more} {verb} taken as missing in {_name_columns(marked, what)}; "
            f"{back} takes {'a column as text' if numbers else 'them as values'}."
        )
    return [*found, *_amounts([one for one in columns if one.decimal])]


def _amounts(columns: Sequence[ColumnJudgement]) -> list[str]:
    """Name the columns of amounts, and what is known of some values only to be beyond a limit."""
    read = [one for one in columns if not one.marks or one.limits]
    if not read:
        return []
    limits = sorted({text for one in read for text in one.limits})
    shown = f", {limits[0]!r} as the number in it" if limits else ""
    return [
        f"Text is read as numbers in {_name_columns(read)}{shown}; "
        f"{spell('categories', [read[0].name])} takes a column as text."
    ]


def _sentinels(columns: Sequence[ColumnJudgement], read: Mapping[str, Reading]) -> list[str]:
    """Name the values that are taken as missing because they stand far from the rest."""
    taken = [one for one in columns if _absent(one, read)]
    if not taken:
        return []
    times: Counter[str] = Counter()
    for one in taken:
        times.update({s.text: s.count for s in one.sentinels if s.obvious})
    values = ", ".join(value for value, _ in times.most_common(4))
    off = taken[0].name if len(taken) == 1 else ""
    return [
        f"{values} {'are' if len(times) > 1 else 'is'} taken as missing in {_name_columns(taken)} "
        f"({sum(times.values()):,} values far from all others); "
        f"{spell('na', [f'{off}=none' if off else 'none'])} analyses them as numbers."
    ]


def _absent(column: ColumnJudgement, read: Mapping[str, Reading]) -> bool:
    there = read.get(column.name, Reading()).absent
    return bool(set(column.absent) & there)


def _oddities(columns: Sequence[ColumnJudgement], read: Mapping[str, Reading]) -> list[str]:
    """Name the values that may stand for a missing one, and are left as they are."""
    odd = [
        (one, sentinel)
        for one in columns
        for sentinel in one.sentinels
        if sentinel.value not in read.get(one.name, Reading()).absent
    ]
    if not odd:
        return []
    values = Counter(sentinel.text for _, sentinel in odd)
    shown = ", ".join(value for value, _ in values.most_common(3))
    first, value = odd[0][0], odd[0][1].text
    many = "stand" if len(values) > 1 else "stands"
    return [
        f"{shown} {many} apart from all other values in {_name_columns([one for one, _ in odd])} "
        f"and {'are analysed as numbers' if len(values) > 1 else 'is analysed as a number'}; "
        f"{spell('na', [f'{first.name}={value}'])} takes one as missing."
    ]


def _keys(columns: Sequence[ColumnJudgement]) -> list[str]:
    if not columns:
        return []
    back = _take_back(columns[0])
    return [f"Skipped as identifiers or keys: {_list_columns(columns)}; {back} analyses one."]


def _descriptions(columns: Sequence[ColumnJudgement]) -> list[str]:
    """Name the columns that stand beside counts and are none."""
    if not columns:
        return []
    many = len(columns) > 1
    verb, what, one = ("describe", "are", "one") if many else ("describes", "is", "it")
    return [
        f"{_list_columns(columns)} {verb} the rows of a table of sparse counts and {what} not "
        f"analysed; {_take_back(columns[0])} analyses {one}."
    ]


def _take_back(column: ColumnJudgement) -> str:
    """Name the option that analyses a column that is skipped."""
    text = isinstance(column.smallest, str) or column.smallest is None
    return spell("categories" if text else "numbers", [column.name])


def _texts(columns: Sequence[ColumnJudgement]) -> list[str]:
    if not columns:
        return []
    kinds = {"free text": "free text", "date": "dates", "category": "too many values"}
    said = sorted(
        {kinds.get(one.kind, one.why.partition(":")[0].partition(", such")[0]) for one in columns}
    )
    what = " or ".join(said)
    readable = [one for one in columns if one.kind in kinds]
    back = f"; {_take_back(readable[0])} analyses one" if readable else ""
    return [f"Skipped for {what}: {_list_columns(columns)}{back}."]


def _name_columns(columns: Sequence[ColumnJudgement], what: str = "") -> str:
    unique = list({one.name: one for one in columns}.values())
    if len(unique) == 1:
        return f"column {unique[0].name!r}"
    beside = f" {what}" if what else ""
    return f"{len(unique):,} columns{beside} ({_list_columns(unique)})"


def _list_columns(columns: Sequence[ColumnJudgement]) -> str:
    names = [repr(one.name) for one in columns[:MAX_NAMED]]
    more = len(columns) - len(names)
    return ", ".join([*names, f"and {more:,} more"] if more else names)
