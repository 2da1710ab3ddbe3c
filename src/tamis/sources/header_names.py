"""The names of columns, where the first line of a text table does not give each its own."""

from collections import Counter
from collections.abc import Sequence

from tamis.sources.text_lines import is_number

__all__ = ["complete", "join_names", "joins_names"]

MAX_COMPLETED = 2  # names that may be missing, or there again; of more, the line may have values


def joins_names(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two lines have the names together: those of the first repeat, as over merged cells.

    >>> joins_names(["", "Pump", "Pump"], ["s", "flow", "level"]), joins_names(["a"], ["m"])
    (True, False)
    """
    alone = [name.strip() for name in first if name.strip()]
    both = join_names(first, second)
    return len(set(alone)) < len(alone) and len(set(both)) == len(both) and all(both)


def join_names(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Put the names of two lines together.

    >>> join_names(["", "Pump", "Pump"], ["time", "flow", "level"])
    ('time', 'Pump flow', 'Pump level')
    """
    pairs = zip(first, second, strict=False)
    return tuple(" ".join(part.strip() for part in pair if part.strip()) for pair in pairs)


def complete(names: Sequence[str]) -> dict[int, str]:
    """Give names to the few columns that have none, or that of another; nothing if they are many.

    The first column may be without: it has the names of the rows. Numbers may be values.

    >>> complete(["id", "value", "", "value"]), complete(["", "a"]), complete(["1", "1", "2"])
    ({2: 'column 3', 3: 'value.1'}, {}, {})
    """
    bare = [name.strip() for name in names]
    blank = [j for j, name in enumerate(bare) if j and not name]
    counts = Counter(name for name in bare if name)
    twice = [name for name, count in counts.items() if count > 1]
    if max(len(blank), len(twice)) > MAX_COMPLETED or any(map(is_number, bare)):
        return {}
    found = {j: _find_free(f"column {j + 1}", counts, "column {}", j + 2) for j in blank}
    for name in twice:
        places = [j for j, one in enumerate(bare) if one == name][1:]
        for i, j in enumerate(places, start=1):
            found[j] = _find_free(f"{name}.{i}", counts, f"{name}.{{}}", i + 1)
            counts[found[j]] += 1
    return dict(sorted(found.items()))


def _find_free(name: str, taken: Counter[str], pattern: str, start: int) -> str:
    """Give a name that no column has."""
    while name in taken:
        name, start = pattern.format(start), start + 1
    return name
