"""The clusters that the kept columns lead to, and the search for them, for a terminal."""

from collections.abc import Mapping
from typing import Any

from tamis.presentation.prose.names import cut
from tamis.presentation.terminal.hierarchy import hierarchy_lines
from tamis.presentation.terminal.screen import Screen

__all__ = ["clustering_lines"]

_STEPS = 20
_MAX_LEVELS_LISTED = 2
_CLUSTERS = 10


def clustering_lines(facts: Mapping[str, Any], screen: Screen) -> list[str]:
    """Write the steps of the search, the sizes of the clusters, and their hierarchy."""
    verb = "added" if facts["direction"] == "forward" else "removed"
    steps = facts["steps"]
    lines = [f"  {verb:<{screen.room}} {cut(facts['criterion'], 22):>22}   clusters"]
    if facts["start"] is not None:
        lines.append(f"  {'none':<{screen.room}} {facts['start']:>22.4f}")
    lines += [
        f"  {screen.fit(step['column'])} {step['value']:>22.4f}   {step['clusters']:>8}"
        for step in steps[:_STEPS]
    ]
    if len(steps) > _STEPS:
        lines.append(f"      ... and {len(steps) - _STEPS:,} more")
    lines += ["", _sizes(facts)]
    if facts["tree"] is not None and len(facts["sizes"]) > 1:
        lines += [
            "",
            "Hierarchy, with means in SD:",
            *hierarchy_lines(facts["tree"], _MAX_LEVELS_LISTED),
        ]
    return lines


def _sizes(facts: Mapping[str, Any]) -> str:
    sizes = facts["sizes"]
    drawn = "" if facts["rows"] == facts["of"] else f" (a random sample of the {facts['of']:,})"
    if len(sizes) == 1:
        return f"No clusters: all {facts['rows']:,} rows{drawn} belong together."
    listed = ", ".join(f"{size:,}" for size in sizes[:_CLUSTERS])
    more = f" and {len(sizes) - _CLUSTERS} more" if len(sizes) > _CLUSTERS else ""
    return f"Clusters of the {facts['rows']:,} rows{drawn}: {len(sizes)}, with {listed}{more} rows."
