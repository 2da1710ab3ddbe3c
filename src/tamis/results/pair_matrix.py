"""A symmetric matrix of pairs of columns, by name."""

from dataclasses import field
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.facts.shared_answer import MissingFacts
from tamis.numerics.types import Floats
from tamis.registry import nearest
from tamis.results.frame import make_typed_frame
from tamis.results.shown import Shown
from tamis.values import dataclass

_MAX_MAP_COLUMNS = 60  # columns of the heat map
_MAX_CLOSEST_PAIRS = 8


@dataclass(frozen=True, eq=False)
class PairMatrix(Shown):
    """A symmetric matrix with the names of its rows and columns.

    `np.asarray` gives the plain matrix; `matrix["age", "weight"]` one entry, `matrix["age"]` the
    entries of one column by name.

    Attributes
    ----------
    names
        The columns, as the table has them.
    values
        The matrix, an array.
    missing
        How many rows were used, and the missing values of every column, as in `Selection`.
    constant
        Constant columns; they are not in it.
    skipped
        Skipped columns, each with the reason.
    """

    names: tuple[Any, ...]
    values: Floats = field(repr=False)
    missing: MissingFacts = field(repr=False)
    constant: tuple[Any, ...] = ()
    skipped: dict[Any, str] = field(default_factory=dict)
    library: str = field(default="pyarrow", repr=False)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and key not in self._places:
            first, second = (self._place(name) for name in key)
            return float(self.values[first, second])
        return dict(zip(self.names, self.values[self._place(key)].tolist(), strict=True))

    def to_frame(self) -> Any:
        """Give the matrix with a first column of names.

        A data frame of the library that the table came from, where it is pandas with the names as
        its index instead; otherwise an Arrow table.
        """
        texts = list(map(str, self.names))
        if self.library == "pandas":
            return import_module(self.library).DataFrame(
                self.values.copy(), index=list(self.names), columns=list(self.names)
            )
        first = "column" if "column" not in texts else "column name"
        columns = {first: texts, **dict(zip(texts, self.values.T.tolist(), strict=True))}
        types = {first: "string", **dict.fromkeys(texts, "float64")}
        return make_typed_frame(columns, types, self.library, texts)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import pairs_html

        texts = list(map(str, self.names))
        every = max(1, -(-len(texts) // _MAX_MAP_COLUMNS))
        values = np.rint(100 * self.values[::every, ::every]).astype(int).tolist()
        said = f"Normalised mutual information of {len(texts):,} columns"
        said += f" (every {every:,}th is drawn)." if every > 1 else "."
        closest = [(texts[i], texts[j], share) for i, j, share in self._closest()]
        return pairs_html(said, texts[::every], values, closest)

    def _closest(self) -> list[tuple[int, int, float]]:
        pairs = []
        for i, row in enumerate(self.values):  # all pairs at once would not fit for many columns
            best = np.argsort(-row[i + 1 :], kind="stable")[:_MAX_CLOSEST_PAIRS]
            pairs += [(i, i + 1 + int(j), float(row[i + 1 + j])) for j in best]
        return sorted(pairs, key=lambda pair: -pair[2])[:_MAX_CLOSEST_PAIRS]

    @cached_property
    def _places(self) -> dict[Any, int]:
        """Where every column is, by its name as text and by its label."""
        texts = {str(name): place for place, name in enumerate(self.names)}
        return {**texts, **{name: place for place, name in enumerate(self.names)}}

    def _place(self, name: Any) -> int:
        if name in self._places:
            return self._places[name]
        why = "it is constant" if name in self.constant else self.skipped.get(name)
        hint = f": {why}." if why else nearest(str(name), map(str, self.names))
        raise TamisError(f"The matrix has no column {name!r}{hint}")
