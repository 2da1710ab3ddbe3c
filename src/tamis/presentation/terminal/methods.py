"""The table of methods as text for a terminal."""

from collections.abc import Sequence

from tamis.registry import Method

_KINDS = {
    "selection": "To select columns, with tamis select:",
    "extraction": "To compute components, with tamis extract:",
}


def methods_text(methods: Sequence[Method]) -> str:
    """Write the table of methods with their options."""
    lines: list[str] = []
    kind = ""
    for method in methods:
        if method.kind != kind:
            kind = method.kind
            lines += ["", _KINDS[kind], ""] if lines else [_KINDS[kind], ""]
        lines.append(f"{method.id:<20} {method.name} - {method.paper}")
        lines.append(f"{'':<20} {method.about}")
        for option in method.options:
            flag = ("--" if len(option.name) > 1 else "-") + option.name.replace("_", "-")
            choices = " or ".join(map(str, option.choices)) or option.accepts
            choices += " or a number" if getattr(option, "number", False) else ""
            default = "" if option.default is None else f" (default {option.default})"
            lines.append(f"{'':<20}   {flag}: {choices}{default}")
    return "\n".join(lines)
