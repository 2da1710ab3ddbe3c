"""tamis-papers: the experiments of the papers behind the methods of tamis, run again."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis_papers.api import reproduce as reproduce
    from tamis_papers.result import Reproduction as Reproduction

__all__ = ["Reproduction", "reproduce"]


def __getattr__(name: str) -> Any:
    """Load what computes when it is first used: the help of the command is quick without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tamis_papers import api, result

    return {"reproduce": api.reproduce, "Reproduction": result.Reproduction}[name]
