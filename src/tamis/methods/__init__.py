"""Pure functions: a summary in, a path out. Called, as `tamis.methods()`, it lists the registry."""

import sys
from types import ModuleType

from tamis import registry


class _Methods(ModuleType):
    """A package that is also the public function of its name."""

    def __call__(self) -> tuple[registry.Method, ...]:
        """List every method."""
        return registry.methods()


sys.modules[__name__].__class__ = _Methods
