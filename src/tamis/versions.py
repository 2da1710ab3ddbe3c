"""The versions of packages, also of a source tree that was never installed."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

__all__ = ["version_of"]

_MODULES = {"scikit-learn": "sklearn"}  # packages whose module has another name


def version_of(package: str) -> str:
    """Give the version that is installed; of what is only on the path, its own.

    >>> from tamis import __version__
    >>> version_of("tamis") == __version__
    True
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return str(import_module(_MODULES.get(package, package)).__version__)
