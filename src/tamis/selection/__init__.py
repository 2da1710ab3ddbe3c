"""Every selection method as a scikit-learn estimator."""

from tamis import registry
from tamis.lazy import lazily

_SELECTOR_MODULES = {
    name: module for module, name in (m.estimator.split(":") for m in registry.methods("selection"))
}

__all__ = sorted(_SELECTOR_MODULES)

__getattr__, __dir__ = lazily(__name__, _SELECTOR_MODULES, ())
