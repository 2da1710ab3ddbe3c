"""What can be done about missing values: every word for it, and all that follows from the word.

Others ask a `MissingPolicy` and never compare its word: to add a way of treating missing values, or
to change one, begin here. What it does to rows is in `statistics/missing.py`, what is filled in
`statistics/fills.py`.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Self

from tamis.registry.option import Door, Option
from tamis.rules.search import USUAL_MAX_MISSING


class MissingPolicy(StrEnum):
    """A way to treat missing values; it is also the word for it, in calls, files and answers.

    `phrase` says what it does, for the help of an option, `remedy` the same after "pass this to",
    for advice, and `treatment` what was done; nothing of rows that were dropped.

    >>> MissingPolicy("auto").fills, MissingPolicy("drop").fills
    (True, False)
    """

    phrase: str
    remedy: str
    treatment: str

    def __new__(cls, word: str, phrase: str = "", remedy: str = "", treatment: str = "") -> Self:
        """Make the word, with what is said of it."""
        policy = str.__new__(cls, word)
        policy._value_ = word
        policy.phrase, policy.remedy, policy.treatment = phrase, remedy, treatment
        return policy

    ERROR = "error", "stop with a message"
    AUTO = (
        "auto",
        "fill with the column mean, of text with the share of each level (with a category of its "
        "own where information is counted), and take infinite values as missing",
        "fill them",
        "Missing values filled (numbers: column mean; text: a category of its own)",
    )
    MEAN = (
        "mean",
        "fill with the column mean",
        "fill them",
        "Missing values filled with the column mean",
    )
    DROP = "drop", "drop rows with missing values", "drop rows with missing values"
    CATEGORY = (
        "category",
        "count as a category",
        "treat them as a category",
        "Missing values taken as a category",
    )
    COVARIANCE = (
        "covariance",
        "use the values observed in every two columns, nothing filled or dropped, for linear "
        "methods",
        "use the values observed in every two columns",
        "Correlations from the values observed in every two columns",
    )

    __repr__ = str.__repr__  # a call that repeats an answer shows the word alone

    @property
    def refuses(self) -> bool:
        """Whether a missing value ends the work."""
        return self is MissingPolicy.ERROR

    @property
    def drops(self) -> bool:
        """Whether rows with missing values, or without a label, are dropped."""
        return self is MissingPolicy.DROP

    @property
    def fills(self) -> bool:
        """Whether numbers that are missing are filled in."""
        return self in (MissingPolicy.MEAN, MissingPolicy.AUTO)

    @property
    def codes_numbers(self) -> bool:
        """Whether a missing number is a category, so that numbers are analysed as categories."""
        return self is MissingPolicy.CATEGORY

    @property
    def takes_infinite(self) -> bool:
        """Whether infinite values count as missing; otherwise they are refused."""
        return self in (MissingPolicy.AUTO, MissingPolicy.COVARIANCE)

    @property
    def pairs(self) -> bool:
        """Whether missing values stay so, and columns are related by the rows that have both."""
        return self is MissingPolicy.COVARIANCE

    @property
    def for_numbers_only(self) -> bool:
        """Whether it has no meaning where text is analysed."""
        return self in (MissingPolicy.MEAN, MissingPolicy.COVARIANCE)

    @property
    def expects_missing(self) -> bool:
        """Whether it reads the table twice even if nothing turns out to be missing."""
        return self is MissingPolicy.MEAN

    def makes_level(self, levels: int) -> bool:
        """Whether missing text is a level of its own, beside so many others.

        Where that is asked for, or where there is one other: a box that is ticked, or is not.
        """
        return self.codes_numbers or (self.fills and levels == 1)

    @property
    def of_numbers(self) -> "MissingPolicy":
        """What is done about missing numbers in a table of which numbers stay numbers."""
        return MissingPolicy.AUTO if self.codes_numbers else self

    def done_to(self, *, text: bool, codes_text: bool) -> str:
        """Say what was done, by whether `text` was missing too or numbers only.

        `codes_text` is whether missing text was a category of its own.
        """
        if self is MissingPolicy.AUTO and text and not codes_text:
            return _LEVEL_SHARES
        policy = self if codes_text else self.of_numbers
        return str(MissingPolicy.MEAN if policy is MissingPolicy.AUTO and not text else policy)

    @property
    def stored(self) -> "MissingPolicy":
        """What a summary remembers of it."""
        return MissingPolicy.MEAN if self is MissingPolicy.AUTO else self

    @classmethod
    def for_method(cls, *, takes_text: bool, linear: bool = False) -> tuple["MissingPolicy", ...]:
        """List the policies of methods that take text, or of those that take numbers only.

        Those of selection that are `linear`, on a Gram matrix, can do without rows.
        """
        others = {policy for policy in cls if policy.pairs and not linear}
        if takes_text:
            others |= {policy for policy in cls if policy.for_numbers_only}
        else:
            others |= {policy for policy in cls if policy.codes_numbers}
        return tuple(policy for policy in cls if policy not in others)

    @classmethod
    def filling(cls, *, takes_text: bool) -> "MissingPolicy":
        """Give the policy that fills, for advice: by default the one that always can."""
        return cls.AUTO if takes_text else cls.MEAN

    @classmethod
    def finite_check(cls, word: object) -> bool | str:
        """Say what scikit-learn is to refuse, by a word that was not checked yet.

        True stands for missing and infinite values, "allow-nan" for infinite ones.
        """
        known: dict[object, bool | str] = {policy: False for policy in cls if policy.takes_infinite}
        known[cls.ERROR] = True
        return known.get(word, "allow-nan")


USUAL_POLICY = MissingPolicy.AUTO

# What was done where no one policy says it: to text, while numbers got their mean, and in parts.
_LEVEL_SHARES, _PART_MEANS, _MIXED = "level shares", "part means", "mixed"
_FILLED = {
    _LEVEL_SHARES: "Missing values filled (numbers: column mean; text: the share of each level)",
    _PART_MEANS: "Missing values filled with the column mean, in each part with its own",
    _MIXED: "Missing values filled with the column mean in some parts, rows dropped in others",
}

# What a summary file may say was done in the tables that went into it.
STORED_WORDS = tuple(p.value for p in MissingPolicy.for_method(takes_text=False) if p.stored is p)


def explain_policies(policies: Collection[MissingPolicy]) -> str:
    """Say in words what each policy does, for the help of an option.

    >>> explain_policies([MissingPolicy.MEAN, MissingPolicy.ERROR])
    'fill with the column mean (mean), stop with a message (error)'
    """
    return ", ".join(f"{policy.phrase} ({policy})" for policy in policies)


def treatment_of(words: Collection[str], parts: int) -> str:
    """Say in a word what was done in the `parts` tables of a summary.

    >>> treatment_of(["error", "mean"], 1), treatment_of(["mean"], 2)
    ('mean', 'part means')
    """
    done = set(words) - {MissingPolicy.ERROR}
    if len(done) > 1:
        return _MIXED
    if done == {MissingPolicy.MEAN} and parts > 1:
        return _PART_MEANS
    return str(next(iter(done), MissingPolicy.ERROR))


def was_filled(done: str) -> bool:
    """Whether values were filled in, by what `treatment_of` or a policy says was done.

    >>> was_filled("mean"), was_filled("part means"), was_filled("category")
    (True, True, False)
    """
    return done in _FILLED or MissingPolicy(done).fills


def describe_treatment(done: str) -> str:
    """Say what was done about missing values that were not dropped; nothing of those that were.

    >>> describe_treatment("category")
    'Missing values taken as a category'
    """
    return _FILLED.get(done) or MissingPolicy(done).treatment


_COLUMN_DOORS: tuple[Door, ...] = ("select", "score", "compare")
_NUMBER_DOORS: tuple[Door, ...] = ("extract", "summarise")
_FOR_TEXT = MissingPolicy.for_method(takes_text=True)
_FOR_NUMBERS = MissingPolicy.for_method(takes_text=False)
_FOR_LINEAR = MissingPolicy.for_method(takes_text=False, linear=True)


def _missing_help(policies: Iterable[MissingPolicy]) -> str:
    *most, last = policies
    words = f"{', '.join(most)} or {last}"
    return (
        f"Missing values: {words}. In words: {explain_policies([*most, last])}. Default: "
        f"{USUAL_POLICY}."
    )


MISSING = Option(
    "missing",
    "choice",
    USUAL_POLICY.value,
    f"Missing values: {explain_policies(list(MissingPolicy))}.",
    choices=tuple(policy.value for policy in MissingPolicy),
    doors=(*_COLUMN_DOORS, *_NUMBER_DOORS),
    group="How",
    placeholder="HOW",
    texts=tuple((door, _missing_help(MissingPolicy)) for door in _COLUMN_DOORS),
)
MISSING_NUMBERS = replace(
    MISSING,
    choices=tuple(policy.value for policy in _FOR_NUMBERS),
    about=f"Missing values: {explain_policies(_FOR_NUMBERS)}.",
    texts=tuple((door, _missing_help(_FOR_NUMBERS)) for door in _NUMBER_DOORS),
)
MISSING_LINEAR = replace(
    MISSING,
    choices=tuple(policy.value for policy in _FOR_LINEAR),
    about=f"Missing values: {explain_policies(_FOR_LINEAR)}.",
)
MISSING_TEXT = replace(
    MISSING,
    choices=tuple(policy.value for policy in _FOR_TEXT),
    about=f"Missing values: {explain_policies(_FOR_TEXT)}.",
)
MAX_MISSING = Option(
    "max_missing",
    "share",
    USUAL_MAX_MISSING,
    "Skip columns of which a larger share than this is missing, unless they are named; 1 skips "
    "none that has a value.",
    doors=(*_COLUMN_DOORS, "extract"),
    placeholder="SHARE",
)
