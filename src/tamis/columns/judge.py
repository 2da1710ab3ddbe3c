"""Judge every column of a table by all of its values, in one pass."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from tamis.columns.judgement import (
    DESCRIBES_ROWS,
    NAMES_OF_ROWS,
    ColumnJudgement,
    ColumnKind,
    TableJudgement,
)
from tamis.columns.name_words import (
    names_area,
    names_codes,
    names_frequencies,
    names_label,
    names_response,
    names_weights,
    words_in,
)
from tamis.columns.numbers import (
    NumberFacts,
    find_number_key,
    find_scale,
    find_sentinels,
    may_be_codes,
    number_badges,
    number_kind,
    share_sentinels,
)
from tamis.columns.tally import ColumnTally, NumberTally, OtherTally, TextTally, count_columns
from tamis.columns.texts import (
    MAY_BE_KEY,
    TextFacts,
    find_differing,
    find_numbers,
    say_repeats,
    text_badges,
    text_kind,
    times,
    usual_count,
)
from tamis.columns.written import find_blanks
from tamis.numerics.types import Floats
from tamis.rules import kinds as rules
from tamis.rules.names import VISIT_WORDS
from tamis.sources.read import Accumulator
from tamis.sources.source import Source

OTHER = "dates or another type not supported yet"
MAY_BE_CODES = "unsure: may be codes"
ROW_NAMES = "first column without a name, taken as the names of the rows"


def judge_columns(
    source: Source,
    columns: Sequence[int] | None = None,
    others: Sequence[Accumulator] = (),
    target: Sequence[int] = (),
    aims: Sequence[int] = (),
) -> TableJudgement:
    """Read a table once and say what each of these columns is, all of them by default.

    Those of a type that is neither numbers nor text are not read. The pass fills `others`, with
    the columns of the `target` behind. Of a table in the hands of an engine `aims` are judged from
    the same pass, by themselves.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from tamis.sources.open import open_source
    >>> lab = {"id": range(40), "iron": ["1.5", ".", "2.25", "3", "0.5"] * 8}
    >>> found = judge_columns(open_source(pa.table(lab)))
    >>> [(one.name, one.kind, one.missing) for one in found.columns]
    [('id', 'identifier', 0), ('iron', 'number', 8)]
    """
    wanted = list(range(len(source.names)) if columns is None else columns)
    read = list_readable(source, wanted)
    aims = list_readable(source, aims) if source.in_parts() is not None else []
    counts = count_columns(source, read, others, target, aims)
    rows, guessed = counts.rows, source.info.guessed
    judged = [
        judge_counts([source.names[j] for j in some], tallies, rows, guessed=guessed)
        for some, tallies in (
            (read, counts.columns[: len(read)]),
            (aims, counts.columns[len(read) :]),
        )
    ]
    found = dict(zip(read, judged[0], strict=True))
    for j in wanted:
        if source.kinds[j] == "row names":
            kind: ColumnKind = "date" if found[j].kind == "date" else "identifier"
            found[j] = replace(found[j], kind=kind, action="skipped", why=ROW_NAMES)
        elif source.kinds[j] == "other":
            found[j] = ColumnJudgement(
                source.names[j], "other", rows, 0, 0, False, action="skipped", why=OTHER
            )
    known_aims = dict(zip(aims, judged[1], strict=True))
    return TableJudgement(rows, tuple(found[j] for j in wanted), aims=known_aims)


def list_readable(source: Source, columns: Sequence[int]) -> list[int]:
    """List the columns that hold numbers or text, which are read to be judged."""
    return [j for j in columns if source.kinds[j] != "other"]


def judge_counts(
    names: Sequence[str], tallies: Sequence[ColumnTally | None], rows: int, *, guessed: bool
) -> list[ColumnJudgement]:
    """Say what columns with these counts are."""
    numbers = [find_numbers(one, guessed=guessed) for one in tallies]
    habits = share_sentinels([() if one is None else find_sentinels(one) for one in numbers])
    judged: list[ColumnJudgement] = []
    facts: list[NumberFacts | None] = []
    for name, one, found in zip(names, tallies, numbers, strict=True):
        if found is not None and found.filled:
            column, known = _judge_numbers(name, found, rows, habits)
            judged.append(column)
            facts.append(known)
        else:
            judged.append(_judge_other(name, one, rows))
            facts.append(None)
    return judge_together(judged, facts, tallies)


def _judge_numbers(
    name: str, found: NumberTally, rows: int, habits: frozenset[float]
) -> tuple[ColumnJudgement, NumberFacts]:
    sentinels = find_sentinels(found, habits)
    facts = NumberFacts.of(found, [one.value for one in sentinels if one.obvious])
    badges = [f"{one.text} {times(one.count)}, {one.place}" for one in sentinels]
    if found.infinite:
        badges.append(f"{found.infinite:,} infinite values")
    texts = _mark_badges(found)
    column = ColumnJudgement(
        name,
        "constant" if facts.distinct == 1 else number_kind(name, facts),
        rows,
        rows - facts.filled,
        facts.distinct,
        facts.whole,
        facts.smallest,
        facts.largest,
        facts.zeros,
        (*texts, *badges, *number_badges(facts, rows)),
        marks=tuple(found.marks),
        decimal=found.decimal,
        limits=tuple(found.limits),
        sentinels=sentinels,
    )
    if (key := find_number_key(name, facts)) is not None:
        kind, why = key
        column = replace(
            column, kind=kind, action="skipped", why=why, sentinels=(), badges=tuple(texts)
        )
    return column, facts


def _mark_badges(column: NumberTally) -> list[str]:
    """Name the texts of a column that are no plain numbers, and how its numbers are written."""
    pairs = sorted(((count, text) for text, count in column.marks.items()), reverse=True)
    found = [f"{text!r} {times(count)}" for count, text in pairs[:3]]
    found += [f"{len(pairs) - 3} more text{'s'[: len(pairs) > 4]}"] if len(pairs) > 3 else []
    found += [f"{text!r} {times(count)}" for text, count in [*column.limits.items()][:2]]
    found += ["decimal comma"] if column.decimal == "," else []
    return [*found, f"unit {column.unit}"] if column.unit else found


def _judge_other(name: str, tally: ColumnTally | None, rows: int) -> ColumnJudgement:
    if tally is None or not tally.filled:
        return ColumnJudgement(
            name, "empty", rows, rows, 0, action="skipped", why="without any value"
        )
    if isinstance(tally, TextTally):
        return _judge_texts(name, tally, rows)
    missing = rows - tally.filled
    dates = isinstance(tally, OtherTally) and tally.dates
    why = "dates, times or durations, not supported yet" if dates else "a type not supported yet"
    sort: ColumnKind = "date" if dates else "other"
    return ColumnJudgement(name, sort, rows, missing, 0, False, action="skipped", why=why)


def _judge_texts(name: str, tally: TextTally, rows: int) -> ColumnJudgement:
    whole = tally.sketch.whole
    marks = find_blanks(map(str, tally.sketch.values)) if whole else ()
    facts = TextFacts.of(tally, marks)
    kind, why = text_kind(name, facts, rows)
    if differing := find_differing(tally):
        kind, why = "other", differing
    fewest = max(rules.MIN_TICKS, rules.MIN_TICKED_SHARE * rows)
    if kind == "constant" and fewest <= facts.filled <= rows - fewest:
        kind = "category"  # a box that is ticked: nothing is the other answer
    # As text, dates are in order only where the year is first.
    years = kind != "date" or all(text[:4].isdigit() for text in facts.texts)
    ordered = sorted(facts.texts) if whole and years else [None]
    counts = zip(map(str, tally.sketch.values), tally.sketch.counts.tolist(), strict=True)
    absent = sorted((text, count) for text, count in counts if text in marks)
    badges = [f"{text!r} {times(count)}" for text, count in absent[:3]]
    if kind == "category" and not why and usual_count(facts):
        badges.append(MAY_BE_KEY)
    return ColumnJudgement(
        name,
        kind,
        rows,
        rows - facts.filled,
        facts.distinct,
        whole,
        ordered[0],
        ordered[-1],
        badges=(*badges, *text_badges(facts, rows)),
        action="skipped" if why else "categories",
        why=why,
        marks=marks,
        blank=tally.blank,
    )


def judge_together(
    columns: Sequence[ColumnJudgement],
    facts: Sequence[NumberFacts | None],
    tallies: Sequence[ColumnTally | None],
) -> list[ColumnJudgement]:
    """Change what columns are taken for by what the others are."""
    scales = Counter(map(find_scale, facts))
    answers = {ends for ends, count in scales.items() if ends and count >= rules.MIN_SCALES}
    times = _count_times(columns, facts)
    named = [one for one in map(_list_row_names, columns, facts) if one is not None]
    columns = [
        _judge_beside(column, known, tally, times, answers)
        for column, known, tally in zip(columns, facts, tallies, strict=True)
    ]
    columns = [
        _skip_copy(column, known, named) for column, known in zip(columns, facts, strict=True)
    ]
    most = _rows_per_key(columns, tallies)
    found = []
    for column, known in zip(columns, facts, strict=True):
        # The other half of a key: named as a time, with a value for each row.
        if (
            known is not None
            and _names_time(column.name)
            and known.integers
            and any(rows <= known.distinct <= rules.MAX_VISITS * rows for rows in most)
        ):
            why = "the time of a key that repeats"
            column = replace(column, kind="key", action="skipped", why=why)
        found.append(column)
    for j in find_row_descriptions(found, facts):
        found[j] = replace(found[j], action="skipped", why=DESCRIBES_ROWS)
    return _find_looks(found, facts)


def _names_time(name: str) -> bool:
    return bool(VISIT_WORDS & set(words_in(name)))


def _list_row_names(column: ColumnJudgement, facts: NumberFacts | None) -> Floats | None:
    """Give the names of the rows where these are integers of which all are known."""
    known = facts is not None and facts.whole and facts.integers and facts.all_differ
    return facts.values if known and facts is not None and column.why == NAMES_OF_ROWS else None


def _skip_copy(
    column: ColumnJudgement, facts: NumberFacts | None, named: Sequence[Floats]
) -> ColumnJudgement:
    """Skip a column with the same different integers as the names of the rows."""
    if facts is None or column.action == "skipped" or not facts.all_differ:
        return column
    if facts.filled < rules.MIN_KEY_ROWS or not any(np.array_equal(facts.values, n) for n in named):
        return column
    why = "the same integers as the names of the rows"
    return replace(column, kind="identifier", action="skipped", why=why, sentinels=())


def _count_times(
    columns: Sequence[ColumnJudgement], facts: Sequence[NumberFacts | None]
) -> set[int]:
    """Give how many different times there are, by each column of integers named as a time."""
    return {
        known.distinct
        for column, known in zip(columns, facts, strict=True)
        if known is not None and known.integers and known.whole and _names_time(column.name)
    }


def _judge_beside(
    column: ColumnJudgement,
    facts: NumberFacts | None,
    tally: ColumnTally | None,
    times: set[int],
    answers: set[tuple[float, float]],
) -> ColumnJudgement:
    """Judge a column beside the times and the scales of answers in its table."""
    if facts is None:
        if MAY_BE_KEY not in column.badges or not isinstance(tally, TextTally):
            return column
        texts = TextFacts.of(tally, column.marks)
        if usual_count(texts) not in times:
            return column
        left = tuple(one for one in column.badges if one != MAY_BE_KEY)
        why = say_repeats(texts)
        return replace(column, kind="key", action="skipped", why=why, badges=left)
    if column.action == "skipped" or column.kind not in ("number", "category"):
        return column
    if facts.integers and facts.distinct >= rules.EVEN_KEYS and facts.evenly_repeated:
        usual = int(facts.counts.max())
        if usual in times and not _names_time(column.name):
            why = f"key that repeats, {facts.distinct:,} values, up to {usual:,} rows each"
            return replace(column, kind="key", action="skipped", why=why, sentinels=())
    if column.kind == "number" and find_scale(facts) in answers:
        return replace(column, kind="ordinal code")
    if column.kind == "number" and may_be_codes(facts):
        return replace(column, badges=(*column.badges, MAY_BE_CODES))
    return column


_MIN_MEASURED, _MEASURED = 4, 0.9  # columns, and their share, that are numbers and no factors


def _find_looks(
    columns: Sequence[ColumnJudgement], facts: Sequence[NumberFacts | None]
) -> list[ColumnJudgement]:
    """Say what columns that are analysed may be instead, by their names and values."""
    names, found = [one.name for one in columns], list(columns)
    # A class that stands last beside measurements is one to be learnt; beside factors it is one.
    measured = sum(known is not None and known.distinct > 2 for known in facts[:-1])
    measured_only = measured >= max(_MIN_MEASURED, _MEASURED * (len(columns) - 1))
    for j, (column, known) in enumerate(zip(columns, facts, strict=True)):
        if column.action == "skipped" or column.distinct < 2:
            continue
        few = column.exact and column.distinct <= rules.MAX_CLASSES
        few = few and (known is None or known.integers)
        coded = known is not None and column.kind == "category" and column.distinct > 2
        if names_response(column.name, names):
            found[j] = replace(column, looks_like="response")
        elif few and names_label(
            column.name, column.distinct, last=measured_only and j == len(columns) - 1
        ):
            found[j] = replace(column, looks_like="label")
        elif coded and (names_codes(column.name) or names_area(column.name)):
            found[j] = replace(column, looks_like="codes")
        elif known is not None and (
            (names_weights(column.name) and known.smallest >= 0)
            or (names_frequencies(column.name) and _are_crossed(columns, j))
        ):
            found[j] = replace(column, looks_like="frequencies")
    return found


def _are_crossed(columns: Sequence[ColumnJudgement], frequencies: int) -> bool:
    """Whether all other columns are factors of which every combination has one row."""
    others = [one for j, one in enumerate(columns) if j != frequencies and one.kind != "identifier"]
    few = all(one.exact and 1 < one.distinct <= rules.MAX_CLASSES for one in others)
    rows = columns[frequencies].rows
    whole = few and not any(one.missing for one in (*others, columns[frequencies]))
    named = any(isinstance(one.smallest, str) for one in others)  # others may be places of a grid
    return len(others) > 1 and named and whole and prod(one.distinct for one in others) == rows


def _rows_per_key(
    columns: Sequence[ColumnJudgement], tallies: Sequence[ColumnTally | None]
) -> set[int]:
    """Give how many rows the keys that repeat have at most."""
    found = set()
    for column, one in zip(columns, tallies, strict=True):
        if column.kind == "key" and isinstance(one, NumberTally | TextTally) and one.sketch.whole:
            found.add(int(one.sketch.counts.max()))
    return {most for most in found if most > 1}


def find_row_descriptions(
    columns: Sequence[ColumnJudgement], facts: Sequence[NumberFacts | None]
) -> set[int]:
    """Give the places of the columns that describe the rows; none if the others are no counts.

    They are texts, numbers that cannot be counts, codes and classes by name or values, and columns
    that are never 0 where others are mostly 0. Among counts that all rows have (a gene in every
    cell) other columns have few zeros: a column that stands alone is none of them.
    """
    there = [j for j, one in enumerate(columns) if one.action != "skipped" and one.distinct > 1]
    known = {j: one for j in there if (one := facts[j]) is not None}
    sparse = {j for j, one in known.items() if _may_be_counts(one) and 2 * one.zeros > one.filled}
    if not _are_sparse_counts(known, sparse):
        return set()
    dense = {j: one for j, one in known.items() if j not in sparse}
    near = sum(0 < one.zeros <= rules.FEW_ZEROS * one.filled for one in dense.values())
    never = sum(one.smallest > 0 for one in dense.values())
    found = {j for j in there if columns[j].action == "categories"}
    for j, one in dense.items():
        distinct = columns[j].distinct
        named = names_label(columns[j].name, distinct) or names_codes(columns[j].name)
        alone = one.smallest > 0 and (near < never or _needs_zeros(one))
        if named or alone or not _may_be_counts(one) or _are_even_classes(one):
            found.add(j)
    return found


def _may_be_counts(facts: NumberFacts) -> bool:
    return facts.integers and facts.smallest >= 0


def _are_sparse_counts(known: dict[int, NumberFacts], sparse: set[int]) -> bool:
    """Whether the columns of numbers are sparse counts but for a few: as `CountEvidence` does."""
    if len(sparse) < max(rules.MIN_COUNT_COLUMNS, rules.MIN_SPARSE_SHARE * len(known)):
        return False
    zeros, filled = (sum(getattr(known[j], of) for j in sparse) for of in ("zeros", "filled"))
    repeated = sum(known[j].largest > 1 for j in sparse)
    return zeros >= rules.MIN_ZERO_SHARE * filled and repeated >= rules.MIN_REPEAT_SHARE * len(
        sparse
    )


def _needs_zeros(facts: NumberFacts) -> bool:
    """Whether counts with this mean would be 0 at times, or would vary more than these values.

    Of counts with mean m, a share of exp(-m) is 0, and more where they vary more than by chance.
    """
    mean = float(np.average(facts.values, weights=facts.counts))
    variance = float(np.average(np.square(facts.values - mean), weights=facts.counts))
    return (
        facts.filled * np.exp(-mean) > rules.EXPECTED_ZEROS or variance < rules.EVEN_SPREAD * mean
    )


def _are_even_classes(facts: NumberFacts) -> bool:
    """Whether values are few integers without a gap, of which none is rare."""
    if not facts.whole or facts.distinct > rules.MAX_ROW_CLASSES:
        return False
    contiguous = facts.spread == facts.distinct - 1 and facts.smallest <= 1
    return contiguous and bool(facts.counts.min() >= rules.RAREST_CLASS * facts.counts.mean())
