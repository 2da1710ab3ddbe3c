"""One thing a user can set: its name, its values, its text, and where it can be set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tamis.errors import TamisError, or_none, spell
from tamis.registry.kinds import KINDS, OptionKind
from tamis.registry.value_checks import as_plain, is_one_of

Door = Literal[
    "select",
    "score",
    "extract",
    "compare",
    "summarise",
    "merge",
    "look",
    "check",
    "reconstruct",
]
Group = Literal["How many", "Which columns", "How", "What comes out", ""]
Role = Literal["answer", "work", "output"]


@dataclass(frozen=True)
class Option:
    """One thing a user can set, under the same name everywhere.

    `least` is the smallest integer. `reads` marks what is needed while the table is read, before
    the method proper. A learner is one of the `choices` or any scikit-learn estimator.

    The rest is for options that functions and commands share. `doors` are those that take it,
    `flag` its name on the command line where that is another one, `short` a letter for it, `words`
    what the command line writes for some of its values, `placeholder` what stands for a value,
    `many` whether the flag may be repeated, `switch` whether the flag of a choice may also stand
    alone, for True, and has a form with no- before, for False, `group` where the help lists it
    (nowhere: only with all options), `texts` its help at a door where `about` would not do. `role`
    says whether it can change the answer, only how the work is done, or only what is shown and
    written.
    """

    name: str
    kind: OptionKind
    default: Any
    about: str
    choices: tuple[Any, ...] = ()
    least: int = 0
    reads: bool = False
    doors: tuple[Door, ...] = ()
    flag: str = ""
    short: str = ""
    words: tuple[tuple[Any, str], ...] = ()
    group: Group = ""
    texts: tuple[tuple[Door, str], ...] = ()
    placeholder: str = ""
    many: bool = False
    switch: bool = False
    role: Role = "answer"

    def check(self, value: Any, name: str | None = None) -> Any:
        """Give `value` as a plain one, or raise a `TamisError` if this option does not take it."""
        if value is None and self.default is None:
            return None
        kind = KINDS[self.kind]
        value = kind.convert(as_plain(value))
        if not kind.takes(value, self.least, self.choices):
            raise TamisError(f"{spell(name or self.name, value)}: give {self.accepts}.")
        if self.kind == "choice":
            return next(choice for choice in self.choices if is_one_of(value, choice))
        return value

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        choices = " or ".join(map(repr, self.choices))
        text = KINDS[self.kind].accepts.format(least=self.least, choices=choices)
        return or_none(text) if self.default is None else text

    @property
    def annotation(self) -> Any:
        """The type of its values, for a signature."""
        if self.kind == "choice":
            return Literal[(*self.choices, *((None,) if self.default is None else ()))]
        hint = KINDS[self.kind].hint
        return hint | None if self.default is None and hint is not Any else hint

    @property
    def type(self) -> str:
        """The type of its values, for a docstring.

        >>> Option("norm", "choice", "l2", "Norm.", choices=("l1", "l2")).type
        '"l1" or "l2"'
        """
        text = _list_choices(self.choices) if self.kind == "choice" else KINDS[self.kind].type
        return f"{text} or None" if self.default is None else text

    def text_at(self, door: Door) -> str:
        """Give the help of its flag at a door."""
        return dict(self.texts).get(door, self.about)

    def word_for(self, value: Any) -> Any:
        """Give what the command line writes for a value.

        >>> REFINE = Option("refine", "choice", False, "Swap.", words=((True, "swap"),))
        >>> REFINE.word_for(True), REFINE.word_for("exact")
        ('swap', 'exact')
        """
        return next((word for known, word in self.words if known is value), value)

    @property
    def metavar(self) -> str:
        """What stands for its value on the command line."""
        return self.placeholder or KINDS[self.kind].metavar

    @property
    def flags(self) -> tuple[str, ...]:
        """How it is written on the command line, the usual way last.

        >>> Option("output", "file", None, "Where to.", short="o").flags
        ('-o', '--output')
        """
        name = self.flag or self.name
        long = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
        return (f"-{self.short}", long) if self.short else (long,)


def write_value(value: Any) -> str:
    """Write a value as in code."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _list_choices(choices: Sequence[Any]) -> str:
    *most, last = map(write_value, choices)
    return f"{', '.join(most)} or {last}"
