"""Every extraction method as a scikit-learn estimator, made of its entry in the registry."""

from tamis import registry
from tamis.declaration import declare_estimators

__all__ = sorted(method.estimator for method in registry.methods("extraction"))

__getattr__, __dir__ = declare_estimators("extraction")
