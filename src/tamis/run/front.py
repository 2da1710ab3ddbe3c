"""The front of every call: a table opened once, its columns judged and read as what they are."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeVar

from tamis.columns.judgement import (
    DESCRIBES_ROWS,
    NAMES_OF_ROWS,
    NOT_JUDGED,
    ColumnJudgement,
    TableJudgement,
)
from tamis.errors import TamisError, TextAmongNumbers, Unreadable, spell
from tamis.memory import limit_memory
from tamis.registry import DEFAULT_METHOD, get, nearest
from tamis.rules.kinds import Kind
from tamis.run.request import Request
from tamis.run.roles import find_label_columns, find_roles
from tamis.sources.marked import MarkedSource, Reading
from tamis.sources.open import is_path, open_source
from tamis.sources.positions import find_positions, has_patterns, match_columns
from tamis.sources.source import Source, Unread
from tamis.sources.stored_summary import MOST_COLUMNS
from tamis.statistics.clipping import Outliers
from tamis.statistics.collect import has_blocks

if TYPE_CHECKING:
    from tamis.statistics.speculative import SpeculativeSums


T = TypeVar("T")

BY_INFORMATION = "representatives"  # the method that takes all as categories
WHY_DEFAULT = "the default"


def request_default(asked: dict[str, Any]) -> Request:
    """Make the request of the default method, or of the one for categories if it takes more of it.

    Where neither takes what is asked, the one with most of the options says what is wrong.
    """
    own = asked.get("options") or ()
    ids = sorted(
        (DEFAULT_METHOD, BY_INFORMATION), key=lambda one: sum(not get(one).has(n) for n in own)
    )
    try:
        request = Request.of(ids[0], **asked, why=WHY_DEFAULT)
    except TamisError as refusal:
        with suppress(TamisError):
            request = Request.of(ids[1], **asked, why=WHY_DEFAULT)
            if request.missing.codes_numbers:  # which is for categories alone
                return request
        raise refusal from None
    return request


def read_for(
    request: Request, data: Any, run: Callable[[Source], T], *, takes_text: bool = True
) -> T:
    """Open a table as a request says, within its memory, and run on it."""
    with limit_memory(request.memory):
        return read_table(
            data,
            run,
            takes_text=takes_text,
            skip_corrupt=request.skip_corrupt,
            categories=request.categories,
            numbers=request.numbers,
            as_text=request.judgement.opened_as_text,
        )


def read_table(
    data: Any,
    run: Callable[[Source], T],
    *,
    takes_text: bool = True,
    skip_corrupt: bool = False,
    categories: Sequence[str | int] = (),
    numbers: Sequence[str | int] = (),
    as_text: Sequence[str] = (),
) -> T:
    """Run on a table, and anew where reading it shows that it must be opened in another way.

    Text files are typed by their first lines: chromosomes 1, 2, ... become X and Y only later. That
    is an error where text is not taken. A damaged part is an error, too, unless it is to be
    skipped: every pass then does without all of it, and `info.unread` lists it. Columns in
    `categories` and `numbers` are taken for such; those in `as_text` hold text, as was seen before.
    """
    text: list[str] = list(as_text)
    doubts: list[str] = []
    late: dict[str, Exception] = {}
    unread: Unread | None = {} if skip_corrupt else None
    while True:
        try:
            source = open_table(data, text, categories, numbers, unread)
            info = source.info.with_doubts(doubts)
            source.info = replace(info, late=late, unread=tuple(unread or ()))
            return run(source)
        except TextAmongNumbers as found:
            more = [name for name in found.columns if name not in text]
            if not more or not takes_text:
                raise
            text += more
            late |= dict.fromkeys(more, found)
            doubts += [found.doubt] if found.doubt else []
        except Unreadable as found:
            if unread is None or found.part in unread:
                raise
            unread[found.part] = str(found)


def open_table(
    data: Any,
    text: Sequence[str] = (),
    categories: Sequence[str | int] = (),
    numbers: Sequence[str | int] = (),
    unread: Unread | None = None,
    exact: Sequence[str] = (),
) -> Source:
    """Open a table, some columns of which are taken for another kind than they seem.

    Those in `exact` are given as they are written.
    """
    if has_patterns([*categories, *numbers]):
        first = open_source(data, text=list(text), unread=unread)
        categories = match_columns(first, "categories", categories)
        numbers = match_columns(first, "numbers", numbers)
    codes = [name for name in categories if isinstance(name, str)]
    as_text = dict.fromkeys([*codes, *text])
    source = open_source(data, exact=exact, text=list(as_text), unread=unread)
    if not categories and not numbers:
        return source
    asked = {source.names[j] for j in find_positions(source, numbers)}
    if thousands := asked & set(source.info.undecided):  # which is now decided
        as_text |= dict.fromkeys(sorted(thousands))
        source = open_source(data, exact=exact, text=list(as_text), unread=unread)
    from tamis.sources.marked import recast

    return recast(source, categories, numbers)


_NO_VALUES = "none"


def name_missing(source: Source, given: Sequence[Any]) -> tuple[dict[int, Reading], frozenset[int]]:
    """Say how columns are read, by position, and in which nothing is to be guessed.

    What is given is a value for all columns, COLUMN=VALUE for one, "none" for nothing.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from tamis.sources.open import open_source
    >>> table = open_source(pa.table({"T": [1.0], "b": [2.0]}))
    >>> readings, plain = name_missing(table, ["T=-200", "b=none"])
    >>> sorted(readings[0].absent), sorted(plain)
    ([-200.0], [1])
    """
    values: dict[int, list[Any]] = {}
    plain: set[int] = set()
    for one in given:
        columns, value = _split(source, one)
        if isinstance(value, str) and value.strip().lower() == _NO_VALUES:
            plain.update(columns)
            continue
        for j in columns:
            values.setdefault(j, []).append(value)
    return {j: _make_reading(some) for j, some in values.items()}, frozenset(plain)


def _split(source: Source, given: Any) -> tuple[list[int], Any]:
    """Give the positions that a value is for, and the value."""
    every = list(range(len(source.names)))
    if not isinstance(given, str) or "=" not in given:
        return every, given
    name, _, value = given.rpartition("=")
    exact = [j for j, known in enumerate(source.names) if known == name.strip()]
    found = exact or [j for j, known in enumerate(source.names) if fnmatchcase(known, name)]
    if not found:
        raise TamisError(
            f"{spell('na', [given])}: the table has no column {name!r}{nearest(name, source.names)}"
        )
    return found, value


def _make_reading(values: Sequence[Any]) -> Reading:
    absent, marks = set(), set()
    for value in values:
        marks.add(str(value).strip())
        try:
            absent.add(float(value))
        except ValueError:
            continue
    return Reading(frozenset(absent), frozenset(marks))


MIN_ROWS_TO_JUDGE = 2  # below, there is nothing to say of a column


def prepare(
    request: Request, source: Source, *, refuses_text: bool = False, sums_up: bool = False
) -> tuple[Request, Source]:
    """Judge the columns of a table, and give the request and the table ready to be analysed.

    Read as numbers are texts that are such but for marks; missing are values that stand for a
    missing one; set aside are keys and free text. Columns that the request names itself stay what
    it says. Where that is known already, from a first reading, the table is not read again.
    `refuses_text` says that texts far down a column of numbers are an error, unless they are marks;
    `sums_up` that the rows are summed up next, which is done at once where that may be of use.
    """
    judgement = request.judgement
    if judgement is NOT_JUDGED:
        named, plain = name_missing(source, request.na)
        # Rows are read twice; an array in memory is what somebody made it.
        rows = source.has_rows and not source.info.once
        if rows and (source.named or source.origin is not None):
            judgement = _judge(request, source, named, plain, sums_up=sums_up)
        else:
            readings = {source.names[j]: one for j, one in named.items()}
            judgement = TableJudgement(readings=readings, unfit=_list_keys(request, source))
        late = source.info.late if refuses_text else {}
        judged = {one.name for one in judgement.columns}
        judged -= {*judgement.opened_as_text, *judgement.unfit}
        for name, error in late.items():
            if name in judged:
                raise error
        texts, doubt = describe_columns(source, request.names)
        amounts = find_positions(source, match_columns(source, "numbers", request.numbers))
        judgement = replace(
            judgement,
            numbers=tuple(source.names[j] for j in amounts),
            texts_of=texts,
            notes=(*judgement.notes, *([doubt] if doubt else ())),
        )
    return replace(request, judgement=judgement), judgement.apply(source)


def open_like(
    judgement: TableJudgement, data: Any, exact: Sequence[str] = (), unread: Unread | None = None
) -> Source:
    """Open a table as one that was judged; columns in `exact` are given as they are written."""
    columns = judgement.opened_as_text, (), judgement.numbers
    return judgement.apply(open_table(data, *columns, unread, exact))


def is_settled(source: Source, y: Any = None) -> bool:
    """Whether no column can turn out to be another than it seems: all hold numbers, but labels."""
    beside = {*find_label_columns(source, y)}
    return all(kind != "categorical" for j, kind in enumerate(source.kinds) if j not in beside)


def _list_keys(request: Request, source: Source) -> Mapping[str, str]:
    """Give the columns that a summary knows as keys of its rows, but for those that are named."""
    named = _find_asked(source, "numbers", request.numbers)
    named |= _find_asked(source, request.include_name, request.include)
    named |= _find_asked(source, "columns", request.columns or ())
    asked = {source.names[j] for j in named}
    found = {name: why for name, why in source.info.unfit.items() if name not in asked}
    return found if len(source.names) - len(found) >= request.least else {}


def _judge(
    request: Request,
    source: Source,
    named: Mapping[int, Reading],
    plain: frozenset[int],
    *,
    sums_up: bool,
) -> TableJudgement:
    from tamis.run.look import judge_related

    categories = _find_asked(source, "categories", request.categories)
    asked = categories | _find_asked(source, "numbers", request.numbers)
    asked |= _find_asked(source, request.include_name, request.include)
    asked |= _find_asked(source, "columns", request.columns or ())
    labels = {*find_label_columns(source, request.y)}
    wanted = set(range(len(source.names)))
    if request.columns is not None:
        wanted = _find_asked(source, "columns", request.columns) | asked
    wanted -= labels | _find_asked(source, "exclude", request.exclude)
    wanted -= set(find_roles(source, request.row_groups, request.weights))
    readings = {source.names[j]: one for j, one in named.items()}
    try:
        marked = MarkedSource(source, named) if named else source
        target = next(iter(labels)) if len(labels) == 1 else request.y
        aims = sorted(labels - categories) if request.task != "classification" else []
        sums = plan_sums(request, source, sorted(wanted)) if sums_up and marked is source else None
        judgement = judge_related(marked, sorted(wanted), plain, target, aims, sums)
    except Unreadable:  # it may be in a column that is not needed: the run says so, or not
        return TableJudgement(readings=readings)
    unfit: dict[str, str] = {}
    free = [(j, one) for j, one in zip(sorted(wanted), judgement.columns, strict=True)]
    free = [(j, one) for j, one in free if j not in categories]
    for j, column in free:
        reading = column.make_reading(guesses=j not in plain, given=named.get(j))
        if reading is not None:
            readings[column.name] = reading
        if j not in asked and _is_set_aside(column, source.kinds[j]):
            unfit[column.name] = column.why
    if len(wanted) - len(unfit) < request.least:  # that columns are empty is said where it matters
        empty = {one.name for one in judgement.columns if one.kind == "empty"}
        unfit = {name: why for name, why in unfit.items() if name not in empty}
    measured = _judge_targets(marked, aims, judgement, plain)
    for aim in measured:
        reading = aim.make_reading(guesses=True, given=readings.get(aim.name))
        if reading is not None:
            readings[aim.name] = reading
    notes = note_preparation([*(one for _, one in free), *measured], readings, unfit)
    recast = tuple(source.names[j] for j in categories)
    return replace(
        judgement, readings=readings, unfit=unfit, categories=recast, notes=tuple(notes), sums=sums
    )


def plan_sums(request: Request, source: Source, columns: Sequence[int]) -> "SpeculativeSums | None":
    """Give what sums up columns while they are judged; None where that would be of no use.

    Labels, weights and groups of rows are read by themselves, every pass must see what is damaged,
    and of a table in memory a second read costs little. Of an engine's table sums are made over all
    rows only, of numbers that are to be analysed as they are.
    """
    from tamis.columns.judge import list_readable
    from tamis.statistics.speculative import SpeculativeSums, is_small

    method, own = request.method, request.own
    in_parts = source.in_parts() is not None
    others = (request.row_groups, request.weights, request.checkpoint)
    if request.explains_response if in_parts else request.y is not None:
        return None
    if request.skip_corrupt or request.ordered or any(one is not None for one in others):
        return None
    if not source.read_anew or method.needs != "gram" or own.get("kind", "pearson") != "pearson":
        return None
    if request.missing.pairs or request.scale.rewrites:
        return None
    outliers: Outliers = own.get("outliers", "keep") if method.mixed else "keep"
    readable = list_readable(source, columns)
    if in_parts:
        kinds = [source.kinds[j] for j in columns]
        numbers = kinds.count("numeric") + kinds.count("boolean")
        few = source.n_rows is not None and source.n_rows < numbers
        text = method.takes_text and "categorical" in kinds
        if request.blocks is not False or request.missing.expects_missing or text or few:
            return None
        if not 2 <= numbers <= MOST_COLUMNS:
            return None
        return SpeculativeSums(source, readable, request.missing, blocks=False)
    if is_small(source):
        return None
    possible = has_blocks(source, len(columns), None)
    blocks = request.blocks if outliers == "keep" else True
    blocks = possible if blocks is None else blocks
    if blocks and not possible:
        return None
    learnt = None if outliers == "keep" else outliers
    return SpeculativeSums(source, readable, request.missing, blocks=blocks, outliers=learnt)


def _judge_targets(
    source: Source, labels: Sequence[int], judgement: TableJudgement, plain: Collection[int]
) -> list[ColumnJudgement]:
    """Give the targets that are measured and not read as they are written.

    Of texts each amount would be a class; of numbers, -999 would decide every sum.
    """
    from tamis.columns.judge import judge_columns

    found = judgement.aims
    if source.in_parts() is None and labels:
        found = dict(zip(labels, judge_columns(source, labels).columns, strict=True))
    return [
        one
        for j, one in found.items()
        if one.kind in ("number", "count") and (one.decimal or (one.absent and j not in plain))
    ]


def _is_set_aside(column: ColumnJudgement, kind: Kind) -> bool:
    """Whether a column is skipped for what was seen in it; for its type it is so in any case."""
    empty = column.kind == "empty" and column.rows < MIN_ROWS_TO_JUDGE
    apart = kind == "beside" and column.why == DESCRIBES_ROWS
    aside = column.action == "skipped" and kind not in ("row names", "other")
    return aside and not empty and not apart


def _find_asked(source: Source, option: str, names: Iterable[str | int]) -> set[int]:
    return set(find_positions(source, match_columns(source, option, list(names))))


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
    taken = [one for one in columns if one.name in read and {*one.absent} & read[one.name].absent]
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


def _oddities(columns: Sequence[ColumnJudgement], read: Mapping[str, Reading]) -> list[str]:
    """Name the values that may stand for a missing one, and are left as they are."""
    odd = [
        (one, sentinel)
        for one in columns
        for sentinel in one.sentinels
        if one.name not in read or sentinel.value not in read[one.name].absent
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
    first = next((one for one in columns if one.why != NAMES_OF_ROWS), columns[0])
    what, one = ("an identifier", "it") if len(columns) == 1 else ("identifiers", "one")
    back = f"(to analyse {one}: {_take_back(first)})"
    return [f"Skipped as {what}: {_list_columns(columns)} {back}."]


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
    kinds = {"free text": "free text", "date": "dates", "category": "few rows for each value"}
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


MAX_TEXT = 500  # letters of what a column means
_SHOWN = 3  # names in a sentence


def describe_columns(source: Source, given: Any) -> tuple[dict[str, str], str]:
    """Give what columns of a table mean, by name, and a sentence on names that are no columns.

    `given` is a mapping, or a table (or its path) whose first two columns are names and texts; what
    the table says itself stays where nothing else is given.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = open_source(pa.table({"q1": [1.0], "q2": [2.0]}))
    >>> describe_columns(table, {"q1": "I am happy", "q9": "?"})
    ({'q1': 'I am happy'}, 'names: 1 of 2 names is no column of the table (q9).')
    """
    known = {n: t for n, t in source.info.texts.items() if t.lower() != n.lower()}
    if given is None:
        return known, ""
    pairs = dict(given) if isinstance(given, Mapping) else _read_pairs(given, source.names)
    pairs = {str(name).strip(): _tidy(text) for name, text in pairs.items()}
    there = {name.strip(): name for name in source.names}
    unknown = [name for name in pairs if name not in there]
    if len(unknown) == len(pairs):
        first = f", such as {unknown[0]!r}" if unknown else ""
        raise TamisError(
            f"{_label(given)}: no column of {source.label} is named there{first}; give a column of "
            "names, as in the table, and one of texts."
        )
    known |= {there[name]: text for name, text in pairs.items() if name in there and text}
    return known, _say_unknown(_label(given), unknown, len(pairs))


def _tidy(text: Any) -> str:
    return "" if text is None else " ".join(str(text).split())[:MAX_TEXT]


def _label(given: Any) -> str:
    return spell("names", str(given)) if is_path(given) else "names"


def _say_unknown(label: str, unknown: list[str], count: int) -> str:
    if not unknown:
        return ""
    shown = ", ".join(unknown[:_SHOWN]) + (", ..." if len(unknown) > _SHOWN else "")
    verb = "is no column" if len(unknown) == 1 else "are no columns"
    return f"{label}: {len(unknown):,} of {count:,} names {verb} of the table ({shown})."


def _read_pairs(given: Any, columns: Sequence[str]) -> dict[Any, Any]:
    """Read the first two columns as text; their head is a pair, too, where it names a column."""
    table = open_source(given)
    if len(table.names) < 2:
        raise TamisError(f"{_label(given)}: give two columns, names and texts.")
    first, second = table.names[:2]
    if is_path(given):
        table = open_source(given, text=[first, second])
    pairs: dict[Any, Any] = {first: second} if first in columns else {}
    for part in table.tables([0, 1]):
        names, texts = (column.to_pylist() for column in part.columns)
        pairs |= dict(zip(names, texts, strict=True))
    return {name: text for name, text in pairs.items() if name is not None}
