"""Text tables: CSV, TSV and their relatives, packed or not."""

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

from tamis.errors import NoRows, TamisError, TextAmongNumbers, Unreadable, spell
from tamis.memory import batch_bytes, get_budget
from tamis.numerics.types import Floats
from tamis.rules.kinds import Kind
from tamis.rules.tables import (
    ALIKE,
    EVEN_GAP,
    EVEN_GAP_OF_ALL,
    FALSE_CELLS,
    HEADER_YEARS,
    IN_ORDER,
    MIN_ORDERED_NUMBERS,
    N_HEADER_ROWS,
    NULL_CELLS,
    PROBE_BYTES,
    ROW_NAMES_COLUMN,
    TRUE_CELLS,
)
from tamis.sources.amounts import find_padded_codes, judge_commas, may_be_numbers, uses_in_file
from tamis.sources.arrow import NO_NUMBER, ArrowSource, kind_of
from tamis.sources.faults import (
    commas_sentence,
    header_sentence,
    is_hexadecimal,
    mixed_sentence,
    ragged_sentence,
    text_sentence,
)
from tamis.sources.files import check_unchanged, explain_unreadable, look_at_file
from tamis.sources.shared_passes import read_once
from tamis.sources.source import SourceInfo
from tamis.sources.text_form import LONGEST_LINE, open_bytes
from tamis.sources.text_layout import (
    NUMBER,
    all_integers,
    all_match,
    decimal_comma,
    first_text,
    join_quoted,
    separator_of,
    unquote,
)

_READ_BYTES = 1 << 23
_SCAN = 1 << 26  # how much to read on to list more of the same fault


class DelimitedSource(ArrowSource):
    """A text table; the separator is read from its first lines unless it is given as `mark`.

    Without a `header` line, columns are numbered: x0, x1, ...
    A first column without a name, as `DataFrame.to_csv` writes it, holds the names of the rows.
    The columns in `exact` are written again just as they were read: an id such as 007 stays one.
    Those in `text` are text, whatever their first values look like.
    """

    def __init__(
        self,
        path: Path,
        *,
        mark: str | None = None,
        header: bool = True,
        exact: Collection[str] = (),
        text: Collection[str] = (),
    ) -> None:
        self.path, self._opened = path, look_at_file(path)
        self.info = SourceInfo(names=(), kinds=(), label=path.name, named=header, guessed=True)
        with explain_unreadable(path):
            first, below = self._top(mark)
        self._separator = mark or separator_of(first, below)
        self._decimal = "," if decimal_comma(below, self._separator) else "."
        self._line = len(first)
        width = unquote(first).count(self._separator) + 1
        check_width(width, self.label)
        self._numbered = None if header else [f"x{j}" for j in range(width)]
        self._raw: tuple[str, ...] = ()
        with self._explain_fault(), self._open() as reader:
            schema = reader.schema
            self._raw = tuple(schema.names)
            numbers = numbers_in(self._raw, schema.types) if header else {}
            if numbers and looks_like_values(numbers, reader.read_next_batch()):
                self.info = self.info.with_doubts([header_sentence(self.label, self._raw)])
        texts = {*text, *self._judge_commas(schema, text)}
        names = [field.name.strip() for field in schema]
        texts |= {*find_padded_codes(below, self._separator, names)}
        self._seen = tuple(pa.string() if f.name.strip() in texts else f.type for f in schema)
        if pa.binary() in self._seen:
            raise Unreadable(self._not_utf8(), str(self.path))
        known = self.info
        unnamed = not names[0] and any(names[1:])
        if unnamed:
            names[0] = ROW_NAMES_COLUMN
        schema = pa.schema(list(zip(names, self._seen, strict=True)))
        super().__init__(path.name, schema, path=path)
        # An empty cell at the top may be followed by a number.
        blank = [pa.types.is_null(seen) for seen in self._seen]
        kinds: list[Kind] = ["numeric" if pa.types.is_null(t) else kind_of(t) for t in self._seen]
        self.info = replace(
            known,
            names=self.names,
            kinds=("row names", *kinds[1:]) if unnamed else tuple(kinds),
            files=self.info.files,
            meter=self.meter,
            blank=frozenset(compress(names, blank)),
        )
        self._exact = {j for j, name in enumerate(self.names) if name in exact}

    def _top(self, mark: str | None) -> tuple[str, str]:
        """Read the first row, which holds the names, and some lines below it, which have none."""
        with open_bytes(self.path) as stream:
            lines = first_lines(stream, self.label, str(self.path))
        texts = b"\n".join(lines).decode("utf-8-sig", errors="replace").split("\n")
        header = next(join_quoted(enumerate(texts), mark, "\n"))[1]
        end = header.count("\n") + 1
        try:
            b"\n".join(lines[:end]).decode()
        except UnicodeDecodeError as error:
            raise Unreadable(self._not_utf8(), str(self.path)) from error
        rows = lines[:1] + lines[end:]
        if not rows or not rows[0].strip(b"\xef\xbb\xbf \t"):
            raise Unreadable(
                f"{self.label} starts with an empty line: put the header there.", str(self.path)
            )
        if len(rows) < 2 and self.named:
            raise NoRows(f"{self.label} has no rows below the header: at least 2 are needed.")
        return header, "\n".join(texts[end:] if self.named else texts)

    def _judge_commas(self, schema: pa.Schema, text: Collection[str]) -> list[str]:
        """Name the columns whose commas separate thousands: they are text, until asked for."""
        names = [f.name for f in schema if f.name.strip() not in text and may_be_numbers(f.type)]
        if self._decimal != "," or not names:
            return []

        def read(some: list[str]) -> Any:
            as_text = dict.fromkeys(some, pa.string())
            return self._open(None, some, as_text, strings_can_be_null=True)

        thousands, undecided = judge_commas(uses_in_file(self._opened, names, read))
        doubts = [commas_sentence(self.label, undecided)] if undecided else []
        self.info = replace(self.info, undecided=undecided).with_doubts(doubts)
        return thousands

    def _open(
        self,
        file: Any = None,
        names: list[str] | None = None,
        types: Any = None,
        skips: Any = None,
        **convert: Any,
    ) -> Any:
        # The types are found in the first block; then small ones do, of which Arrow keeps 32 ready.
        block = _READ_BYTES if types is None else min(_READ_BYTES // 4, batch_bytes() // 4)
        size, stream = block_bytes(block, self._line), open_bytes(self.path, file)
        return pc.open_csv(
            first_block(stream, size) if types is None and skips is None else stream,
            # Quoted line ends rule out parallel parsing; without threads, errors tell the line.
            read_options=pc.ReadOptions(
                block_size=size, use_threads=False, column_names=self._numbered
            ),
            parse_options=pc.ParseOptions(
                delimiter=self._separator, newlines_in_values=True, invalid_row_handler=skips
            ),
            convert_options=pc.ConvertOptions(
                include_columns=names,
                column_types=types,
                decimal_point=self._decimal,
                null_values=NULL_CELLS,
                true_values=TRUE_CELLS,
                false_values=FALSE_CELLS,
                **convert,
            ),
        )

    def _read_typed(
        self, columns: Sequence[int], types: Sequence[Any], *, strings_can_be_null: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """Yield these columns in these types; what another pass has parsed is not parsed again."""
        how = (self._opened, self._separator, self._decimal, self.named)
        given = zip(columns, types, strict=True)
        # What an empty text is matters to text only.
        keys = [(*how, j, t, strings_can_be_null and kind_of(t) != "numeric") for j, t in given]
        names = [self.names[j] for j in columns]
        check_unchanged(self.path, self._opened)
        parse = partial(self._parse, columns, types, strings_can_be_null=strings_can_be_null)
        yield from read_once(keys, names, self._opened[1], parse)
        check_unchanged(self.path, self._opened)

    def _parse(
        self, columns: Sequence[int], types: Sequence[Any], **convert: Any
    ) -> Iterator[pa.RecordBatch]:
        raw = [self._raw[j] for j in columns]
        names = [self.names[j] for j in columns]
        given = dict(zip(raw, types, strict=True))
        with (
            self._explain_fault(columns, types),
            pa.OSFile(str(self.path)) as file,
            self._open(file, raw, given, **convert) as reader,
        ):
            for batch in reader:
                self._count(file.tell() / self._opened[1])
                yield batch.rename_columns(names)

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        batches = self._read_typed(columns, [self._type_of(j) for j in columns])
        yield "", (b.slice(start, rows) for b in batches for start in range(0, b.num_rows, rows))

    def _type_of(self, j: int) -> Any:
        """Give the type to read, which allows a decimal below an integer."""
        return pa.float64() if self.kinds[j] == "numeric" else self._seen[j]

    def types(self, columns: Sequence[int], *, mark_missing: bool = False) -> list[pa.DataType]:
        """Give the types that fit from top to bottom: integers where all values are."""
        lasting = {} if mark_missing else self._find_lasting_types(columns)
        return [lasting.get(j) or self._type_of(j) for j in columns]

    def _tables(
        self, columns: Sequence[int], types: list[pa.DataType], mark_missing: bool
    ) -> Iterator[pa.Table]:
        for batch in self._read_typed(columns, types, strings_can_be_null=mark_missing):
            yield pa.Table.from_batches([batch])

    def _find_lasting_types(self, columns: Sequence[int]) -> dict[int, Any]:
        """Find for the columns in doubt the type that fits from top to bottom, in one pass."""
        doubt = [j for j in columns if j in self._exact or pa.types.is_integer(self._seen[j])]
        if not doubt:
            return {}
        integer, number, empty = set(doubt), set(doubt), set(doubt)
        as_text = [pa.string()] * len(doubt)
        for batch in self._read_typed(doubt, as_text, strings_can_be_null=True):
            for j, cells in zip(doubt, batch.columns, strict=True):
                if cells.null_count < len(cells):
                    empty.discard(j)
                if j in number and not all_match(cells, NUMBER):
                    number.discard(j)
                if j in integer and not all_integers(cells):
                    integer.discard(j)
        text = self._exact - (number - empty)
        other = {j: pa.string() if j in text else pa.float64() for j in doubt}
        return other | dict.fromkeys(integer - empty, pa.int64())

    @contextmanager
    def _explain_fault(
        self, columns: Sequence[int] = (), types: Sequence[Any] = ()
    ) -> Iterator[None]:
        """Turn Arrow's parse errors into a sentence about the file."""
        try:
            yield
        except UnicodeDecodeError as error:
            raise Unreadable(self._not_utf8(), str(self.path)) from error
        except (pa.ArrowException, OSError) as error:
            numbers = [j for j, t in zip(columns, types, strict=True) if pa.types.is_floating(t)]
            raise self._error(str(error), numbers) from error

    def _error(self, text: str, numbers: Sequence[int]) -> TamisError:
        if odd := re.search(r"column #(\d+): Row #(\d+): .*?invalid value '(.*)'", text, re.DOTALL):
            first = {self._raw[int(odd[1])].strip(): (odd[3], int(odd[2]))}
            found = first | {n: cell for n, cell in self._texts(numbers).items() if n not in first}
            doubtful = {n: cell for n, cell in found.items() if not is_hexadecimal(cell[0])}
            doubt = mixed_sentence(self.label, doubtful) if doubtful else ""
            return TextAmongNumbers(text_sentence(self.label, found), *found, doubt=doubt)
        if "UTF8" in text:
            sentence = self._not_utf8()
        elif ragged := re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", text):
            line, expected, got = map(int, ragged.groups())
            listed = list_ragged(self.path, lambda note: self._open(skips=note), _SCAN)
            sentence = ragged_sentence(self.label, expected, listed or [(line, got)])
        else:
            short = " ".join(text.split())[:200].rstrip(".")
            sentence = f"{self.label} cannot be read as a text table ({short}): check its lines."
        return Unreadable(sentence, str(self.path))

    def _texts(self, columns: Sequence[int]) -> dict[str, tuple[str, int]]:
        """Find the first text in each of these columns, as far as it is worth reading on."""
        found: dict[str, tuple[str, int]] = {}
        line, size = 2 if self.named else 1, 0
        as_text = [pa.string()] * len(columns)
        try:
            for batch in self._read_typed(columns, as_text, strings_can_be_null=True):
                for name, cells in zip(batch.schema.names, batch.columns, strict=True):
                    place = -1 if name in found else first_text(cells, self._decimal)
                    if place >= 0:
                        found[name] = (cells[place].as_py(), line + place)
                line, size = line + batch.num_rows, size + batch.nbytes
                if size > _SCAN:
                    break
        except TamisError:  # what is found so far is worth saying
            pass
        return found

    def _not_utf8(self) -> str:
        """Say where the first byte is that no UTF-8 text has."""
        with open_bytes(self.path) as stream:
            place = find_not_utf8(stream)
        return (
            f"{self.label} is not UTF-8 text{place}: save it as UTF-8, in a spreadsheet as "
            "'CSV UTF-8'."
        )


_LARGEST_BLOCK = 1 << 30  # Arrow counts the bytes of a block in 32 bits
_TYPE_INFERENCE_BYTES = 10_000  # that finding out the type of a column takes, as measured
_N_TYPED_ROWS = 64  # that say what a column holds


def first_lines(stream: Any, label: str, path: str) -> list[bytes]:
    """Read the first line and some below it, as far as there are any; a huge one is refused."""
    blocks: list[bytes] = []
    size, longest = 0, min(LONGEST_LINE, get_budget() // 4)
    lines: list[bytes] = []
    while len(lines) < 2 and (block := stream.read(PROBE_BYTES)):
        blocks.append(block)
        size += len(block)
        # All that was read is split only once a line has ended: else long lines take forever.
        if lines or b"\n" in block or b"\r" in block:
            lines = b"".join(blocks).splitlines()
        elif size > longest:
            raise Unreadable(
                f"The first line of {label} does not end within {longest >> 20} MB: give a text "
                "table with the names in its first line.",
                path,
            )
    return lines or b"".join(blocks).splitlines()


def check_width(width: int, label: str) -> None:
    """Refuse a table of more columns than memory allows for, before Arrow reads them."""
    if (needed := width * _TYPE_INFERENCE_BYTES) > get_budget():
        size = f"{-(-needed // 10**8) / 10:,.1f}GB"
        raise TamisError(
            f"{label} has {width:,} columns, and a text table of so many takes about {size} of "
            f"memory, more than the {get_budget() / 10**9:,.1f} GB allowed: pass "
            f"{spell('memory', size)} if there is that much, or give the table as .npz."
        )


def block_bytes(usual: int, line: int) -> int:
    """Give the size of the blocks to read: some lines, as long as the first, and not too many."""
    most = min(_LARGEST_BLOCK, max(4 * line, get_budget() // 8))
    return max(usual, min(_N_TYPED_ROWS * line, most))


def first_block(stream: Any, size: int) -> pa.BufferReader:
    """Give the first block as a file, with what a row that begins in it may need of the next.

    From the whole file Arrow reads 32 blocks ahead before anyone asks for a second one.
    """
    with stream:
        return pa.BufferReader(stream.read(2 * size + 1))


def find_not_utf8(stream: Any) -> str:
    """Say where the first byte is that no UTF-8 text has; nothing where the text ends too early."""
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    while block := stream.read(PROBE_BYTES):
        try:
            decoder.decode(block)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            return f" (line {line}, byte 0x{error.object[error.start]:02x})"
        line += block.count(b"\n")
    return ""


def list_ragged(
    path: Path, open_table: Callable[[Callable[[Any], str]], Any], size: int
) -> list[tuple[int, int]]:
    """List the lines and how many values each has, of a file of at most `size` bytes.

    `open_table` reads the file, and calls what it is given for every such line.
    """
    found: list[tuple[int, int]] = []

    def note(row: Any) -> str:
        found.append((row.number, row.actual_columns))
        return "skip"

    try:
        with open_bytes(path) as stream:
            text = stream.read(size)
            if stream.read(1):
                return []
        text.decode()  # Arrow decodes each such line, and writes to the terminal if it cannot
        with open_table(note) as reader:
            for _ in reader:
                pass
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        pass
    return found


def numbers_in(names: Sequence[str], types: Sequence[pa.DataType]) -> dict[int, float]:
    """Give the names over columns of numbers as numbers; none if one of them is no number."""
    found: dict[int, float] = {}
    for j, (name, dtype) in enumerate(zip(names, types, strict=True)):
        if pa.types.is_integer(dtype) or pa.types.is_floating(dtype):
            try:
                found[j] = float(name)
            except ValueError:
                return {}
    return found


def looks_like_values(numbers: dict[int, float], rows: pa.RecordBatch) -> bool:
    """Whether the numbers in the first line are like those below them.

    Years, wavelengths and positions are names: evenly spaced or, many of them, in order, which the
    values of a row are only where those of all rows are (quantiles).
    """
    first = np.array(list(numbers.values()))
    cells = [rows.column(j)[:N_HEADER_ROWS].cast(pa.float64(), safe=False) for j in numbers]
    below = [np.array(np.from_dlpack(column.fill_null(NO_NUMBER))) for column in cells]
    if not first.size or not np.isfinite(first).all():
        return False
    gaps = np.diff(first)
    spaced = gaps.size > 1 and gaps[0] != 0
    if spaced and np.allclose(gaps, gaps[0], rtol=EVEN_GAP_OF_ALL, atol=EVEN_GAP):
        return False
    fits = [_fits(value, column) for value, column in zip(first, below, strict=True)]
    if np.mean(fits) < ALIKE:
        return False
    steps, (oldest, newest) = np.sign(gaps), HEADER_YEARS
    ordered = first.size > 1 and bool((steps == steps[0]).all())
    years = ((first == first.round()) & (first >= oldest) & (first <= newest)).all()
    if ordered and (first.size >= MIN_ORDERED_NUMBERS or years):
        down = np.diff(np.column_stack(below), axis=1) * steps[0] >= 0
        return bool(np.mean(down.all(axis=1)) >= IN_ORDER)
    return True


def _fits(value: float, column: Floats) -> bool:
    """Whether a value is within the range of a column, twice as far to either side."""
    seen = column[np.isfinite(column)]
    if not seen.size:
        return False
    low, high = seen.min(), seen.max()
    return bool(low - (high - low) <= value <= high + (high - low))
