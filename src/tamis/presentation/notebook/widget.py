"""The report as a widget (the extra `tamis[notebook]`): its state comes back to Python."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from tamis.errors import TamisError


def explorer(page: str, still: str, state: dict[str, Any], again: Callable[..., Any]) -> Any:
    """Make a widget that shows a page; `again` finds the columns for the state it is in.

    `still` is what a saved notebook shows where no widget runs.
    """
    return _explorer()(page=page, still=still, again=again, **state)


@cache
def _explorer() -> Any:
    """Define the class when it is needed: its base is of a package that may not be there."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise TamisError(
            "A widget needs anywidget, which is not installed: pip install 'tamis[notebook]'."
        ) from error

    class Explorer(anywidget.AnyWidget):  # type: ignore[misc]  # anywidget is untyped
        """The report of a selection, live.

        Attributes
        ----------
        k, names
            How many columns the page keeps now, and which.
        pins, barred, prices
            What was pinned, forbidden and priced on the page.
        selection
            The selection that Python finds for this state.
        height
            Height of the frame, in pixels.
        """

        _esm = files(__package__).joinpath("widget.js").read_text(encoding="utf-8")
        page = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(840).tag(sync=True)
        k = traitlets.Int().tag(sync=True)
        names = traitlets.List(traitlets.Unicode()).tag(sync=True)
        pins = traitlets.List(traitlets.Unicode()).tag(sync=True)
        barred = traitlets.List(traitlets.Unicode()).tag(sync=True)
        prices = traitlets.Dict().tag(sync=True)

        def __init__(self, *, still: str, again: Callable[..., Any], **state: Any) -> None:
            super().__init__(**state)
            self._still = still
            self._again = again

        def _repr_mimebundle_(self, **asked: Any) -> Any:
            """Show the widget; nbconvert and viewers of notebooks without widgets, a card."""
            live, about = super()._repr_mimebundle_(**asked)
            return {**live, "text/html": self._still}, about

        @property
        def selection(self) -> Any:
            """The selection that Python finds for what is pinned, forbidden and asked for."""
            return self._again(self.k, list(self.pins), list(self.barred), dict(self.prices))

    return Explorer
