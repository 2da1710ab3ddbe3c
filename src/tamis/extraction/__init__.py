"""Every extraction method as a scikit-learn estimator."""

from tamis import registry
from tamis.lazy import lazily

_EXTRACTOR_MODULES = {
    name: module
    for module, name in (m.estimator.split(":") for m in registry.methods("extraction"))
}

__all__ = sorted(_EXTRACTOR_MODULES)

__getattr__, __dir__ = lazily(__name__, _EXTRACTOR_MODULES, ())
