"""The files that paths stand for; many with one schema (a list, a folder) as one table."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.errors import NoRows, TamisError, TextAmongNumbers, Unreadable, spell
from tamis.progress import Meter
from tamis.rules.kinds import Kind
from tamis.sources.faults import no_header
from tamis.sources.files import NAME, FileState, explain_unreadable, look_at_file, standard_input
from tamis.sources.source import JoinableSource, Source, Unread
from tamis.sources.table_file import SUFFIXES, TableFile, suffix_of

_PATTERN = frozenset("*?[")

# Opens a file; columns of these names are text, whatever their first values look like.
OpenFile = Callable[[Path, Collection[str]], Source]


def look_at_files(given: Any) -> dict[Path, FileState]:
    """Note the state of every file that paths stand for, if it is there."""
    paths = [path for name in TableFile.of(given).names for path in expand_path(name)]
    return {path: look_at_file(path) for path in paths if path.exists()}


def expand_path(name: str) -> list[Path]:
    """Give the files that a path stands for, those of a folder or pattern sorted by name."""
    if name == NAME:
        return [standard_input()]
    path = Path(name)
    with explain_unreadable(name):
        if path.is_dir() and suffix_of(path) not in SUFFIXES:
            return _in_folder(path)
        if path.exists() or not _PATTERN & set(name):
            return [path]
        # Path.glob takes no absolute pattern.
        found = sorted(Path(match) for match in glob(name, recursive=True))  # noqa: PTH207
    files = [match for match in found if match.is_file()]
    if not files:
        raise TamisError(f"No file matches {name!r}: check the pattern and the folder.")
    return files


def _in_folder(folder: Path) -> list[Path]:
    """List the tables in a folder and those below it; hidden files and marks are none."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if suffix_of(path) in SUFFIXES
        and path.is_file()
        and not any(part[0] in "._" for part in path.relative_to(folder).parts)
    ]
    kinds = sorted({suffix_of(path) for path in files})
    if not files:
        raise TamisError(
            f"The folder {str(folder)!r} has no table: put files in it that end in "
            f"{', '.join(SUFFIXES)}."
        )
    if len(kinds) > 1:
        pattern = str(folder / f"*{kinds[0]}")
        raise TamisError(
            f"The folder {str(folder)!r} has files of several types ({', '.join(kinds)}): give a "
            f"pattern such as {pattern!r}."
        )
    return files


def label_of(names: list[str]) -> str:
    """Say in a few words which paths were given."""
    first = names[0] if _PATTERN & set(names[0]) else Path(names[0]).name or names[0]
    more = len(names) - 1
    return first if not more else f"{first} and {more} more file{'s' if more > 1 else ''}"


def join_parts(
    paths: list[Path], label: str, open_one: OpenFile, unread: Unread | None
) -> "PartsSource":
    """Open files and put them under each other; what is damaged goes to `unread`, if given."""
    opened: list[tuple[Path, JoinableSource]] = []
    for path in paths:
        if unread is not None and (str(path), "") in unread:
            continue
        try:
            opened.append((path, _open_part(path, (), open_one)))
        except NoRows:
            continue
        except Unreadable as error:
            if unread is None:
                advice = f"; pass {spell('skip_corrupt', True)} to do without such files."
                raise Unreadable(str(error).rstrip(".") + advice, *error.part) from error
            unread[error.part] = str(error)
    if not opened:
        reason = f", the first: {next(iter(unread.values()))}" if unread else " with rows."
        raise TamisError(f"{label} has no file that can be read{reason}")
    for _, part in opened[1:]:
        _check_names(part, opened[0][1])
    kinds = _agree_on_kinds([part for _, part in opened])
    parts = []
    for path, part in opened:  # columns without values are text where they are so in other parts
        texts = [name for name in part.info.blank if kinds[name] == "categorical"]
        parts.append(_open_part(path, texts, open_one) if texts else part)
    return PartsSource(parts, kinds, label)


def _open_part(path: Path, text: Collection[str], open_one: OpenFile) -> JoinableSource:
    source = open_one(path, text)
    part = source.as_part()
    if part is None:
        raise TamisError(
            f"{source.label} is a summary and has no rows to put under those of other files: merge "
            "summaries into one first, or give tables."
        )
    return part


def _check_names(part: Source, first: Source) -> None:
    """Refuse a part that has other columns than the first one; their order does not matter."""
    ours, theirs = set(first.names), set(part.names)
    if ours == theirs:
        return
    differences = {
        "lacks": [name for name in first.names if name not in theirs],
        "also has": [name for name in part.names if name not in ours],
    }
    what = " and ".join(
        f"{verb} {', '.join(map(repr, names[:5]))}{' ...' if len(names) > 5 else ''}"
        for verb, names in differences.items()
        if names
    )
    hint = f", or pass {no_header()} if the first lines have values" if part.info.doubts else ""
    raise TamisError(
        f"{part.label} has other columns than {first.label}: it {what}; give files with the same "
        f"columns{hint}."
    )


def _agree_on_kinds(parts: Sequence[Source]) -> dict[str, Kind]:
    """Find the kind of every column, on which all parts that have values in it must agree."""
    known: dict[str, tuple[Kind, Source]] = {}
    for part in parts:
        for name, kind in zip(part.names, part.kinds, strict=True):
            if name in part.info.blank or kind == "empty":
                continue
            seen, where = known.setdefault(name, (kind, part))
            if kind != seen:
                sentence = (
                    f"Column {name!r} holds {_PART_KINDS[kind]} in {part.label} and "
                    f"{_PART_KINDS[seen]} in {where.label}: make them the same, or skip it with "
                    f"{spell('exclude', [name])}."
                )
                if part.info.guessed and "categorical" in (kind, seen):
                    raise TextAmongNumbers(sentence, name)  # text files can be read as text
                raise TamisError(sentence)
    kinds = dict(zip(parts[0].names, parts[0].kinds, strict=True))
    return kinds | {name: kind for name, (kind, _) in known.items()}


_PART_KINDS: dict[Kind, str] = {
    "numeric": "numbers",
    "boolean": "true or false",
    "categorical": "text",
    "row names": "row names",
    "other": "dates or another type",
}


_EXAMPLES = re.compile(r"\(.*?\)|'.*?'|\d")


class PartsSource(Source):
    """Files with one schema under each other, in the order given; columns are found by name."""

    def __init__(
        self, parts: Sequence[JoinableSource], kinds: Mapping[str, Kind], label: str
    ) -> None:
        self._parts = tuple(parts)
        self.read_anew = all(part.read_anew for part in parts)
        infos = [part.info for part in parts]
        counts = [info.n_rows for info in infos if info.n_rows is not None]
        doubts: dict[str, str] = {}
        for info in infos:
            for said in info.doubts:
                # Of several files it is said of the first, whatever the lines and the examples.
                doubts.setdefault(_EXAMPLES.sub("", said.replace(info.label, "")), said)
        self._meter = Meter(sum(info.meter.total for info in infos if info.meter))
        self.info = replace(
            infos[0],
            kinds=tuple(kinds[name] for name in infos[0].names),
            label=label,
            n_rows=sum(counts) if len(counts) == len(infos) else None,
            files=tuple(path for info in infos for path in info.files or ()),
            meter=self._meter,
            doubts=tuple(doubts.values()),
            undecided=tuple({name: 0 for info in infos for name in info.undecided}),
            blank=frozenset(),
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, file after file."""
        return self._in_turn(lambda part: part.batches(self._find_positions(part, columns)))

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns of any kind as Arrow tables, of the same types in all files."""
        types = self._types(columns, mark_missing)
        return self._in_turn(
            lambda part: part.tables(
                self._find_positions(part, columns), mark_missing=mark_missing, types=types
            )
        )

    def _in_turn(self, read: Callable[[JoinableSource], Iterator[Any]]) -> Iterator[Any]:
        before = self._meter.done = 0
        for part in self._parts:
            for batch in read(part):
                self._meter.done = before + (part.meter.done if part.meter else 0)
                yield batch
            before += part.meter.total if part.meter else 0

    def _find_positions(self, part: Source, columns: Sequence[int]) -> list[int]:
        if part.names == self.names:
            return list(columns)
        place = {name: j for j, name in enumerate(part.names)}
        return [place[self.names[j]] for j in columns]

    def _types(self, columns: Sequence[int], mark_missing: bool) -> list[pa.DataType]:
        """Find for every column one type that holds what it has in every file."""
        found: dict[int, dict[pa.DataType, None]] = {j: {} for j in columns}
        for part in self._parts:
            types = part.types(self._find_positions(part, columns), mark_missing=mark_missing)
            for j, dtype in zip(columns, types, strict=True):
                if self.names[j] not in part.info.blank:
                    found[j][dtype] = None
        return [_common(list(types)) for types in found.values()]


def _common(types: list[pa.DataType]) -> pa.DataType:
    if not types:
        return pa.float64()
    schemas = [pa.schema([("x", dtype)]) for dtype in types]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.string()
