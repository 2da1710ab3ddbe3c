"""What there is to know about a method without running it."""

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any, Literal

from tamis.errors import TamisError, spell
from tamis.registry.option import Option
from tamis.rules.search import USUAL_RETAIN
from tamis.values import dataclass

# Options of methods that take columns one by one: what they must respect, and what matters.
FORBID = Option(
    "forbid",
    "columns",
    None,
    "Columns never kept, but analysed and explained.",
    group="Which columns",
)
COSTS = Option(
    "costs",
    "prices",
    None,
    "Price of a column, 1 where none is given. At each step the column with the largest gain per "
    "price is added.",
    flag="cost",
)
IMPORTANCE = Option(
    "importance",
    "weights",
    None,
    "How much it matters to explain a column, 1 where nothing is said. With 0 it may explain "
    "others, and need not be explained.",
)
Y_WEIGHT = Option(
    "y_weight",
    "share",
    None,
    "How much a response matters beside all columns, from 0 to 1: 0.5 keeps columns that explain "
    "it and stand for the others.",
)
GROUPS = Option(
    "groups",
    "groups",
    None,
    "Groups of columns, each with a name, that at_most and at_least count, or that are taken "
    "together; on the command line also @FILE, a CSV file with columns and their groups.",
    flag="group",
)
AT_MOST = Option(
    "at_most", "counts", None, "Keep at most so many columns of every group, or of one."
)
AT_LEAST = Option(
    "at_least", "counts", None, "Keep at least so many columns of every group, or of one."
)
MAX_PRICE = Option(
    "budget",
    "positive",
    None,
    "What the kept columns may cost together; a column costs 1 where no price is given.",
)
APART = Option(
    "apart",
    "positive",
    None,
    "Smallest distance of kept columns on an axis. Names of columns that are numbers, such as "
    "wavelengths, are the axis.",
)
AXIS = Option(
    "axis",
    "axis",
    None,
    "Position of every column on the axis, where the names are no numbers; on the command line a "
    "CSV file with columns and positions.",
)
TOGETHER = Option(
    "together",
    "flag",
    None,
    "Take every group whole, as a sensor with all its columns; the number of columns to keep then "
    "counts groups, and columns that are in none.",
    switch=True,
)
LIMITS = (GROUPS, AT_MOST, AT_LEAST, MAX_PRICE, APART, AXIS)
ALL_LIMITS = (FORBID, COSTS, *LIMITS)

LEARNER = Option(
    "learner",
    "learner",
    "auto",
    "Model trained on the kept columns; 'auto': naive Bayes for classes, ridge regression for "
    "numbers.",
    choices=("auto", "naive-bayes", "knn", "logistic", "ridge", "tree"),
)
SCORING = Option(
    "scoring",
    "scoring",
    None,
    "Name of a scikit-learn scorer, or a function of learner, X and y; by default accuracy, or R² "
    "for regression.",
)
CV = Option("cv", "integer", 10, "Number of cross-validation folds.", least=2)

Kind = Literal["selection", "extraction"]
Needs = Literal[
    "gram", "response", "information", "neighbours", "rows", "labelled rows", "class counts"
]
Task = Literal["classification", "regression"]


def rank_iris(model: str, ranking: str) -> str:
    """Write the example of a method that needs nothing but the numbers of a table."""
    fit = f">>> {model}.fit(load_iris().data).ranking_"
    return f">>> from sklearn.datasets import load_iris\n{fit}\narray({ranking})"


@dataclass(frozen=True, kw_only=True)
class Method:
    """What there is to know about a method without running it.

    `when` and `when_not` advise for and against it, and `cost` says how its time grows (n rows, d
    columns, k kept), each in one sentence. `needs` names the summary it works on, `kernel` its pure
    function as `module:name` and `estimator` its scikit-learn class, which is made of this entry:
    `details`, `example` and `references` are for its docstring. `component` begins the names of the
    components that a method of extraction computes; `rebuilds` is whether these lead back to rows,
    `takes_sparse` whether they are computed of a sparse table. `usual_threshold` is where it
    stops when no goal is given; without one it keeps the share `usual_retain`. `scale` is whether
    columns are standardised by default, None where that has no meaning. `keeps_copies` is whether
    it may keep a column and a copy of it, `swaps` whether it goes by what the kept columns share
    with all, so that swaps can improve its choice. `decides` is whether it chooses the number of
    columns itself when none is requested, `retains` whether it can stop at a share of the variance,
    `tasks` what labels it can learn from. `ranks` is which scores are best for a method that scores
    every column once, whatever else is kept: such methods share the options of `method.py`.
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
    kind: Kind = "selection"
    needs: Needs = "gram"
    paper: str
    about: str
    when: str = ""
    when_not: str = ""
    cost: str = ""
    kernel: str
    estimator: str
    details: str = ""
    example: str = ""
    references: str = ""
    component: str = ""
    rebuilds: bool = False
    takes_sparse: bool = False
    options: tuple[Option, ...] = ()
    usual_threshold: float | None = None
    usual_retain: float = USUAL_RETAIN
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

    def load_kernel(self) -> Any:
        """Import the pure function."""
        module, name = self.kernel.split(":")
        return getattr(import_module(module), name)

    def load_estimator(self) -> Any:
        """Make the scikit-learn class."""
        return getattr(import_module(f"tamis.{self.kind}"), self.estimator)


POLICY = Option(
    "policy",
    "choice",
    "best",
    "How the scores decide: the best columns, those that reach a threshold, or as many as improve "
    "the cross-validated accuracy of a learner (needs labels).",
    choices=("best", "threshold", "incremental"),
)
THRESHOLD = Option(
    "threshold",
    "number",
    None,
    "Keep the columns whose score is at least this, or at most where small scores are best.",
)
WITHIN = Option(
    "within",
    "share",
    None,
    "Keep the columns whose score is within this share of the best: 0.5 for at least half of it, "
    "the default of the policy 'threshold'.",
)
REDUNDANCY = Option(
    "redundancy",
    "choice",
    "keep",
    "'drop': do not keep columns that the kept ones already explain, whatever their score.",
    choices=("keep", "drop"),
)
REDUNDANT_AT = Option(
    "redundant_at",
    "share",
    None,
    "With redundancy 'drop': a column explained to at least this share is not kept; by default 0.9 "
    "of its variance or 0.5 of its information.",
)
PATIENCE = Option(
    "patience",
    "integer",
    0,
    "With policy 'incremental': number of columns to add without an improvement before stopping.",
)
MIN_DELTA = Option(
    "min_delta",
    "amount",
    0.0,
    "With policy 'incremental': a smaller gain in accuracy is no improvement.",
)
RANK_IN_FOLDS = Option(
    "rank_in_folds",
    "flag",
    True,
    "With policy 'incremental': rank the columns again in each fold, on its training rows only; "
    "otherwise once on all rows, which makes the accuracy too optimistic.",
)

POLICIES = (
    POLICY,
    THRESHOLD,
    WITHIN,
    REDUNDANCY,
    REDUNDANT_AT,
    PATIENCE,
    MIN_DELTA,
    RANK_IN_FOLDS,
    LEARNER,
    CV,
)
_HALF = 0.5  # of the best score: where the policy 'threshold' cuts when no number is given
_ONLY_WITH = {
    ("policy", "incremental"): (PATIENCE, MIN_DELTA, RANK_IN_FOLDS, LEARNER, CV),
    ("redundancy", "drop"): (REDUNDANT_AT,),
}


def check_policy(ranks: bool, named: Collection[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Let a threshold choose the policy and the policy a threshold; refuse what has no effect.

    `ranks` is whether the method takes these options, `named` are the names of its own ones.
    """
    own = dict(given)
    if not ranks:
        return own
    for (name, value), options in _ONLY_WITH.items():
        for option in options:
            set_ = option.name not in named and own[option.name] != option.default
            if set_ and own[name] != value:
                raise TamisError(
                    f"{spell(option.name, own[option.name])} has no effect without "
                    f"{spell(name, value)}: add that, or omit it."
                )
    cut, own_rule = own["within"] is not None, "threshold" in named
    if own["policy"] == "best" and (cut or (own["threshold"] is not None and not own_rule)):
        own["policy"] = "threshold"
    elif own["policy"] == "threshold" and not cut and own["threshold"] is None:
        own["within"] = _HALF
    elif own["policy"] == "threshold" and own_rule and not cut:
        raise TamisError(
            f"{spell('threshold', own['threshold'])} is for this method the share of the total "
            f"relevance to keep, not a score to reach: omit {spell('policy', 'threshold')} for "
            f"that, or pass {spell('within', _HALF)} for scores near the best."
        )
    return own
