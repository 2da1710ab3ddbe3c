"""Whether the variables of a table are in its rows: genes in rows, cells in columns."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from tamis.errors import TamisError, by_door, spell
from tamis.sources.source import Source

__all__ = ["check_orientation", "looks_transposed"]

_FEWEST_ROWS = 20
_FEWEST_COLUMNS = 5
_MAX_TEXTS = 3  # columns that describe variables, before the numbers or behind: id, taxonomy
_LEAST_NUMBERED = 3  # columns of one word with a number: ctrl_1, ctrl_2, ctrl_3
_NUMBER_KINDS = ("numeric", "boolean")
_ALIKE = 0.8  # of the names that a pattern must fit
_NAMES_LOOKED_AT = 1_000  # names to look at
# Ids of databases of variables, in the spelling of the database: nothing else is written so.
_IDS = re.compile(
    r"ENS[A-Z]{0,6}[GTP]\d{11}(\.\d+)?|rs\d{3,}|cg\d{8}|\d{4,}(_[a-z])?_at|[NX][MRP]_\d{6,}(\.\d+)?|"
    r"(OTU|ASV)[ _.-]?\d+|HMDB\d{5,}|ILMN_\d+|A_\d+_P\d+"
)
_VARIABLES = re.compile(
    r"#?(gene|probe|probe ?set|feature|otu|asv|transcript|snp|cpg|metabolite|protein|peptide|taxon|"
    r"taxa|variable|marker|ensembl|analyte|lipid)s?[ _.]?(ids?|names?|symbols?)?|id_ref|symbol|"
    r"rsid",
    re.IGNORECASE,
)
_OBSERVATIONS = re.compile(
    r"[ACGT]{8,}([-_.]\w+)?|[ACGT]{4,}\d+-\d+|(GSM|SRR|ERR|DRR)\d+|TCGA[-.]\w.*|"
    r"(sample|cell|patient|subject|donor|participant|respondent|individual|mouse|rat|case|control|"
    r"tumou?r|replicate|spot|barcode)s?[ _.-]?[A-Z]?\d+.*",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(.*?)[ _.-]?\d+")


def check_orientation(source: Source) -> None:
    """Ask, by an error that names both ways out, where the variables seem to be in rows."""
    kinds = source.kinds
    if len(kinds) <= _FEWEST_COLUMNS or kinds[0] not in ("categorical", "row names"):
        return
    texts_first = next((j for j, kind in enumerate(kinds) if kind in _NUMBER_KINDS), len(kinds))
    if texts_first > _MAX_TEXTS or len(kinds) - texts_first < _FEWEST_COLUMNS:
        return
    numbers = [j for j, kind in enumerate(kinds) if kind in _NUMBER_KINDS]
    last = numbers[-1] + 1
    if len(kinds) - last > _MAX_TEXTS or len(numbers) < last - texts_first:
        return
    first = next(iter(islice(source.tables([0]), 1)), None)
    rows = [] if first is None else first.column(0).slice(0, _NAMES_LOOKED_AT).to_pylist()
    texts = [str(text) for text in rows if text is not None]
    columns = source.names[texts_first:last]
    named = _may_be_observations(columns) or _are_numbered(columns)
    if (named or last == len(kinds)) and looks_transposed(source.names[0], texts, columns):
        raise TamisError(_sentence(source.label, columns, texts))


def _may_be_observations(columns: Sequence[str]) -> bool:
    return _share(columns[:_NAMES_LOOKED_AT], _OBSERVATIONS) >= _ALIKE


def looks_transposed(first: str, rows: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether the names of the rows look like variables, or those of the columns like rows.

    >>> genes = [f"ENSG{j:011d}" for j in range(40)]
    >>> looks_transposed("", genes, ["a", "b", "c"]), looks_transposed("", ["a"] * 40, genes)
    (True, False)
    """
    if len(rows) < _FEWEST_ROWS or len(set(rows)) < len(rows):
        return False
    if _share(rows, _IDS) >= _ALIKE:
        return True
    observed = _may_be_observations(columns)
    if _VARIABLES.fullmatch(first.strip()):
        return observed or _are_numbered(columns)
    return observed and _share(rows, _OBSERVATIONS) < _ALIKE


def _share(names: Sequence[str], pattern: re.Pattern[str]) -> float:
    some = [name[:100] for name in names[:_NAMES_LOOKED_AT]]
    return sum(pattern.fullmatch(name) is not None for name in some) / max(len(some), 1)


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether most names are one word or a few with a number: S1, S2, ..."""
    found = [_NUMBERED.fullmatch(name[:100]) for name in names[:_NAMES_LOOKED_AT]]
    words = Counter(match[1] for match in found if match is not None)
    numbered = sum(times for times in words.values() if times >= _LEAST_NUMBERED)
    return numbered >= _ALIKE * len(names[:_NAMES_LOOKED_AT])


def _sentence(label: str, names: Sequence[str], rows: Sequence[str]) -> str:
    yes, no = spell("transpose", True), spell("transpose", False)
    ways = by_door(
        f"read it as `tamis.TableFile(path, {yes})` if they are, with {no} if not",
        f"pass {yes} if they are, {no} if not",
    )
    shown = ", ".join(map(repr, rows[:2]))
    columns = ", ".join(map(repr, names[:2]))
    return (
        f"The variables of {label} may be in rows: its rows are named {shown}, ... and its columns "
        f"{columns}, ...: {ways}."
    )
