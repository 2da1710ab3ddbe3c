"""What there is to know about a method without running it."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from tamis.errors import TamisError, spell
from tamis.registry.limits import ALL_LIMITS
from tamis.registry.option import Option
from tamis.registry.policies import POLICIES

Kind = Literal["selection", "extraction"]
Needs = Literal[
    "gram", "response", "information", "neighbours", "rows", "labelled rows", "class counts"
]
Task = Literal["classification", "regression"]


@dataclass(frozen=True, kw_only=True)
class Method:
    """What there is to know about a method without running it.

    `when` and `when_not` advise for and against it, and `cost` says how its time grows (n rows, d
    columns, k kept), each in one sentence. `needs` names the summary it works on, `kernel` its pure
    function and `estimator` its scikit-learn class, both as `module:name`; `component` begins the
    names of the components that a method of extraction computes. `usual_threshold` is where it
    stops when no goal is given; without one it keeps the share `usual_retain`. `scale` is whether
    columns are standardised by default, None where that has no meaning. `keeps_copies` is whether
    it may keep a column and a copy of it, `swaps` whether it goes by what the kept columns share
    with all, so that swaps can improve its choice. `decides` is whether it chooses the number of
    columns itself when none is requested, `retains` whether it can stop at a share of the variance,
    `tasks` what labels it can learn from. `ranks` is which scores are best for a method that scores
    every column once, whatever else is kept: such methods share the options of `policies.py`.
    `takes_limits` is how it takes columns one by one, so that limits say which may come next (its
    function has a keyword `limits`): it adds them or removes them. `shares_credit` is whether
    columns that correlate share their scores. `clusters` is whether it finds clusters of rows with
    columns of their own. `searches` is whether it fits a model to every set of columns that it
    tries, which may take long. `mixed` is whether categories are analysed beside numbers, as groups
    of columns, `several` whether it explains several responses at once. `exceptions` names the
    axioms of relevance that the method breaks by design.
    """

    id: str
    name: str
    kind: Kind
    needs: Needs
    paper: str
    about: str
    when: str = ""
    when_not: str = ""
    cost: str = ""
    kernel: str
    estimator: str
    component: str = ""
    options: tuple[Option, ...] = ()
    usual_threshold: float | None = None
    usual_retain: float = 0.95
    scale: bool | str | None = True
    keeps_copies: bool = False
    swaps: bool = False
    decides: bool = False
    retains: bool = True
    tasks: tuple[Task, ...] = ("classification",)
    ranks: Literal["largest", "smallest"] | None = None
    takes_limits: Literal["adding", "removing"] | None = None
    shares_credit: bool = False
    clusters: bool = False
    searches: bool = False
    mixed: bool = False
    several: bool = False
    exceptions: tuple[str, ...] = ()

    @property
    def takes_text(self) -> bool:
        """Whether text and categories are analysed beside numbers."""
        return self.mixed or self.needs in ("information", "class counts")

    def name_components(self, k: int) -> list[str]:
        """Name the first components as the field does: PC1, PC2, ..."""
        return [f"{self.component}{i}" for i in range(1, k + 1)]

    @property
    def supervised(self) -> bool:
        """Whether every row must have a label."""
        return self.needs in ("labelled rows", "class counts", "response")

    @property
    def refines(self) -> bool:
        """Whether swaps can improve its choice: of all that go by the variance explained."""
        return self.swaps or (self.kind == "selection" and self.needs in ("gram", "neighbours"))

    @property
    def resamples(self) -> bool:
        """Whether it can be repeated on parts of the rows: it works on sums that parts add to."""
        return self.kind == "selection" and self.needs in ("gram", "response")

    @property
    def finds_size(self) -> bool:
        """Whether `k="auto"` has a meaning: it asks what the columns explain of each other."""
        return self.resamples and self.needs != "response"

    def check_resamples(self, name: str, value: Any) -> None:
        """Refuse an option that repeats the search on parts of the rows."""
        if name == "k" and self.resamples and not self.finds_size:
            raise TamisError(
                f"{spell(name, value)}: it asks what the columns explain of each other, and "
                f"method {self.id!r} explains a response: give a number, or omit it."
            )
        if not self.resamples:
            instead = {
                "information": "mutual information",
                "neighbours": "neighbours of rows",
                "class counts": "counts by class",
            }
            other = "give a number" if name == "k" else "omit it"
            raise TamisError(
                f"{spell(name, value)}: this is for methods on correlations, such as sfs; method "
                f"{self.id!r} works on {instead.get(self.needs, 'the rows')}: {other}, or choose "
                "another method."
            )

    @property
    def measure(self) -> str:
        """What the kept columns explain: variance, or information."""
        return "information" if self.needs == "information" else "variance"

    @property
    def taken(self) -> tuple[Option, ...]:
        """Its own options, then those that it shares with other methods that rank columns."""
        own = {option.name for option in self.options}
        shared = POLICIES if self.ranks else ()
        return (*self.own_options, *(option for option in shared if option.name not in own))

    @property
    def limited(self) -> bool:
        """Whether limits say which columns may be kept: it takes, or scores, one by one."""
        return self.takes_limits is not None or self.ranks is not None

    @property
    def own_options(self) -> tuple[Option, ...]:
        """Its own options, and the limits of its search."""
        return (*self.options, *(ALL_LIMITS if self.limited else ()))

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the options that are needed while the table is read."""
        return tuple(option.name for option in self.options if option.reads)

    def kernel_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Choose what its pure function takes, of checked options."""
        names = {option.name for option in self.options if not option.reads}
        return {name: value for name, value in given.items() if name in names}

    def has(self, name: str) -> bool:
        """Whether the method has an option of this name."""
        return any(option.name == name for option in self.own_options)

    def names_columns(self, name: str) -> bool:
        """Whether its option of this name is a list of columns."""
        return any(option.name == name and option.kind == "columns" for option in self.own_options)

    def load_kernel(self) -> Any:
        """Import the pure function."""
        return _load(self.kernel)

    def load_estimator(self) -> Any:
        """Import the scikit-learn class."""
        return _load(self.estimator)


def _load(path: str) -> Any:
    module, name = path.split(":")
    return getattr(import_module(module), name)
