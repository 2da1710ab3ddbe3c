"""`methods`: the registry, as a table where a notebook shows it."""

from tamis import registry
from tamis.registry import Kind, Method


class MethodTable(tuple[Method, ...]):
    """Methods; in a notebook they are shown as a table."""

    __slots__ = ()

    def __str__(self) -> str:
        from tamis.presentation.terminal.methods import methods_text

        return methods_text(self)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import methods_html

        return methods_html(self)


def methods(kind: Kind | None = None) -> MethodTable:
    """List every method, or those of one kind: selection or extraction.

    Examples
    --------
    >>> [method.id for method in methods("selection")][:3]
    ['forward', 'forward-regression', 'mrmr']
    """
    return MethodTable(registry.methods(kind))
