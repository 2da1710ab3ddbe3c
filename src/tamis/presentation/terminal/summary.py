"""A summary as text for a terminal."""

from typing import Any

from tamis.presentation.names import headline, skipped


def summary_text(facts: dict[str, Any]) -> str:
    """Write what is in a summary, what was done about missing values, and what is not in it."""
    return "\n".join([*headline(facts), *skipped({"constant": [], **facts})])
