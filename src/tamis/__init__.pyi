# Written by docs/build.py from the registry: run `make docs`.
import collections.abc
import typing

import tamis.results.comparison
import tamis.results.extraction
import tamis.results.score
import tamis.results.selection
from tamis import clustering as clustering
from tamis import evaluation as evaluation
from tamis import extraction as extraction
from tamis import pictures as pictures
from tamis import progress as progress
from tamis import selection as selection
from tamis.api.check import check as check
from tamis.api.load import load as load
from tamis.api.look import look as look
from tamis.api.methods import methods as methods
from tamis.api.mutual_information import mutual_information as mutual_information
from tamis.api.summarise import load_summary as load_summary
from tamis.api.summarise import summarise as summarise
from tamis.api.summarise import summary as summary
from tamis.errors import TamisError as TamisError
from tamis.results import Comparison as Comparison
from tamis.results import Extraction as Extraction
from tamis.results import Selection as Selection
from tamis.results.choice_check import ChoiceCheck as ChoiceCheck
from tamis.results.look import Look as Look
from tamis.results.saved_choice import SavedChoice as SavedChoice
from tamis.results.summary import DataSummary as DataSummary
from tamis.sources.table_file import TableFile as TableFile

__version__: str

def compare(
    data: typing.Any,
    methods: str | collections.abc.Sequence[str] = "all",
    *,
    k: int | collections.abc.Sequence[int] | None = None,
    criteria: str | collections.abc.Sequence[str] = "all",
    lists: collections.abc.Mapping[str, collections.abc.Sequence[str | int]] | None = None,
    budget: float | None = None,
    columns: collections.abc.Sequence[str | int] | None = None,
    exclude: collections.abc.Sequence[str | int] = (),
    y: typing.Any = None,
    task: typing.Literal["auto", "classification", "regression"] = "auto",
    categories: collections.abc.Sequence[str | int] = (),
    numbers: collections.abc.Sequence[str | int] = (),
    na: typing.Any = (),
    missing: typing.Literal["error", "auto", "mean", "drop", "category", "covariance"] = "auto",
    max_missing: float = 0.5,
    checkpoint: typing.Any = None,
) -> tamis.results.comparison.Comparison: ...
def extract(
    data: typing.Any,
    k: int | None = None,
    *,
    method: str = "pca",
    options: collections.abc.Mapping[str, typing.Any] | None = None,
    retain: float | None = None,
    columns: collections.abc.Sequence[str | int] | None = None,
    exclude: collections.abc.Sequence[str | int] = (),
    y: typing.Any = None,
    categories: collections.abc.Sequence[str | int] = (),
    numbers: collections.abc.Sequence[str | int] = (),
    na: typing.Any = (),
    scale: typing.Literal[True, False, "auto", "standard", "none", "pareto", "counts", None] = None,
    rule: typing.Literal["ceil", "floor"] = "ceil",
    missing: typing.Literal["error", "auto", "mean", "drop"] = "auto",
    max_missing: float = 0.5,
    memory: int | str | None = None,
    skip_corrupt: bool = False,
) -> tamis.results.extraction.Extraction: ...
def score(
    data: typing.Any,
    columns: collections.abc.Sequence[str | int],
    *,
    method: str | None = None,
    options: collections.abc.Mapping[str, typing.Any] | None = None,
    exclude: collections.abc.Sequence[str | int] = (),
    y: typing.Any = None,
    categories: collections.abc.Sequence[str | int] = (),
    numbers: collections.abc.Sequence[str | int] = (),
    na: typing.Any = (),
    names: typing.Any = None,
    scale: typing.Literal[True, False, "auto", "standard", "none", "pareto", "counts", None] = None,
    missing: typing.Literal["error", "auto", "mean", "drop", "category", "covariance"] = "auto",
    max_missing: float = 0.5,
    memory: int | str | None = None,
    skip_corrupt: bool = False,
    held_out: bool | None = None,
    stability: bool = False,
    second_opinion: bool = False,
    row_groups: typing.Any = None,
    ordered: bool = False,
    weights: typing.Any = None,
) -> tamis.results.score.Score: ...
def select(
    data: typing.Any,
    k: float | typing.Literal["auto"] | None = None,
    *,
    method: str | None = None,
    forbid: collections.abc.Sequence[str | int] | None = None,
    costs: collections.abc.Mapping[str | int, float] | None = None,
    threshold: float | None = None,
    policy: str = "best",
    redundancy: str = "keep",
    options: collections.abc.Mapping[str, typing.Any] | None = None,
    retain: float | None = None,
    columns: collections.abc.Sequence[str | int] | None = None,
    exclude: collections.abc.Sequence[str | int] = (),
    include: collections.abc.Sequence[str | int] = (),
    y: typing.Any = None,
    task: typing.Literal["auto", "classification", "regression"] = "auto",
    categories: collections.abc.Sequence[str | int] = (),
    numbers: collections.abc.Sequence[str | int] = (),
    na: typing.Any = (),
    names: typing.Any = None,
    scale: typing.Literal[True, False, "auto", "standard", "none", "pareto", "counts", None] = None,
    refine: typing.Literal[False, True, "exact"] = False,
    missing: typing.Literal["error", "auto", "mean", "drop", "category", "covariance"] = "auto",
    max_missing: float = 0.5,
    memory: int | str | None = None,
    skip_corrupt: bool = False,
    held_out: bool | None = None,
    stability: bool = False,
    second_opinion: bool = False,
    row_groups: typing.Any = None,
    ordered: bool = False,
    weights: typing.Any = None,
    checkpoint: typing.Any = None,
) -> tamis.results.selection.Selection: ...
