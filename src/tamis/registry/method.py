"""What there is to know about a method without running it."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tamis.registry.option import Option


@dataclass(frozen=True)
class Method:
    """What there is to know about a method without running it.

    `needs` names the summary it works on, `kernel` its pure function and `estimator` its
    scikit-learn shell, both as `module:name`. `usual_threshold` is where it stops when the user
    says nothing; without one, 95% of the variance is kept.
    """

    id: str
    name: str
    kind: str
    needs: str
    paper: str
    about: str
    kernel: str
    estimator: str
    options: tuple[Option, ...] = ()
    usual_threshold: float | None = None

    def load_kernel(self) -> Any:
        """Import the pure function."""
        return _load(self.kernel)

    def load_estimator(self) -> Any:
        """Import the scikit-learn class."""
        return _load(self.estimator)


def _load(path: str) -> Any:
    module, name = path.split(":")
    return getattr(import_module(module), name)
