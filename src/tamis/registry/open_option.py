"""Options that take a name or something else, and those that kernel methods share."""

from dataclasses import dataclass
from typing import Any

from tamis.registry.option import Option
from tamis.registry.value_checks import as_plain


@dataclass(frozen=True)
class OpenOption(Option):
    """A choice of names, or something else that the method checks itself: `also` says what.

    `number` marks one that takes a number in place of a name.
    """

    also: str = ""
    number: bool = False

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        return f"{super().accepts} or {self.also}"

    @property
    def annotation(self) -> Any:
        """Any type: the method checks what is not a name."""
        return Any

    @property
    def type(self) -> str:
        """The type of its values, for a docstring."""
        return f"{super().type} or {self.also}"

    def check(self, value: Any, name: str | None = None) -> Any:
        """Raise a `TamisError` for a name that is not among the choices."""
        value = as_plain(value)
        return super().check(value, name) if isinstance(value, str | bool | None) else value


KERNEL = (
    OpenOption(
        "kernel",
        "choice",
        "rbf",
        "Similarity of two rows: Gaussian, linear or polynomial.",
        choices=("rbf", "linear", "poly"),
        also="a function of two sets of rows",
    ),
    Option(
        "gamma",
        "positive",
        None,
        "Factor of the squared distances or products; by default 1 / number of columns.",
    ),
    Option("degree", "integer", 3, "Degree of the 'poly' kernel.", least=1),
    Option("coef0", "amount", 1.0, "Constant term of the 'poly' kernel."),
)
