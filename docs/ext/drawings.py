"""Objects that tamis returns, or plain numbers, as HTML: drawn by the charts of the report."""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from tamis.facts.extraction_answer import SHAPES, STEPS
from tamis.facts.selection_answer import CurveFacts, HeldOutFacts
from tamis.presentation.scenes.curve import curve_chart, curve_scene
from tamis.presentation.scenes.rows import mark, score_plot
from tamis.presentation.scenes.similarity import heat_map

KEYS = {
    "kept": "explained by the kept columns",
    "ceiling": "ceiling: no set of as many columns explains more",
    "held": "explained on held-out rows, with its standard deviation",
}


def curve(found: Any) -> str:
    """Draw the share for 1, 2, ... columns under its ceiling."""
    return _curve(found, None)


def held_out(found: Any) -> str:
    """Draw the same with the share on held-out rows."""
    return _curve(found, (found.held_out.tolist(), found.held_out_std.tolist()))


def _curve(found: Any, held: tuple[list[float], list[float]] | None) -> str:
    curve = CurveFacts(tuple(found.curve.retained.tolist()), tuple(found.curve.bound.tolist()))
    # Two standard errors of four folds are one standard deviation.
    shown = HeldOutFacts(*map(tuple, held), folds=4) if held else None
    scene = curve_scene(curve, found.k, shown)
    keys = [key for key in KEYS if key != "held" or held]
    words = "".join(
        f'<span class="key"><i class="line {key}"></i>{KEYS[key]}</span>' for key in keys
    )
    return f"{curve_chart(scene, found.k)}<p>{words}</p>"


def answer(found: Any) -> str:
    """Draw all columns of a table with the kept ones marked, and the sentence about them."""
    facts = found.to_dict()
    kept = set(found.indices.tolist())
    marks = ['<i class="kept"></i>' if i in kept else "<i></i>" for i in range(facts["columns"])]
    cells, label = "".join(marks), f"{len(kept)} of {len(marks)} columns"
    strip = f'<div class="strip" role="img" aria-label="{label}">{cells}</div>'
    return f'{strip}<p class="answer">{html.escape(facts["sentence"])}</p>'


def bars(rows: Sequence[tuple[str, float]]) -> str:
    """Draw named shares as bars; of a negative one only its number is written."""
    cells = "".join(
        f'<tr><th scope="row">{html.escape(str(name))}</th>'
        f'<td class="bar"><i style="width:{100 * min(max(share, 0), 1):.1f}%"></i></td>'
        f"<td>{share:.1%}</td></tr>"
        for name, share in rows
    )
    return f'<table class="bars"><tbody>{cells}</tbody></table>'


def changes(rows: Sequence[tuple[str, float]]) -> str:
    """Draw named losses as bars, the largest one at full width."""
    most = max(abs(change) for _, change in rows)
    cells = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        f'<td class="bar lost"><i style="width:{100 * abs(change) / most:.1f}%"></i></td>'
        f"<td>{change:+.1%}</td></tr>"
        for name, change in rows
    )
    return f'<table class="bars"><tbody>{cells}</tbody></table>'


def correlations(frame: Any) -> str:
    """Draw the correlations of all pairs of columns."""
    values = (100 * frame.corr().to_numpy()).round().astype(int).tolist()
    names = [str(name) for name in frame.columns]
    return heat_map(names, values, f"Correlations of {len(names)} columns")


def spectrum(parts: tuple[Sequence[float], Sequence[float], Sequence[float]]) -> str:
    """Draw values over an axis, and mark the kept positions; `parts` are these three."""
    across, up, kept = ([float(value) for value in part] for part in parts)
    wide, high, floor = 720, 240, 200
    low, span = min(across), max(across) - min(across)
    bottom, rise = min(up), max(up) - min(up)

    def x(value: float) -> str:
        return f"{20 + (wide - 40) * (value - low) / span:.1f}"

    line = " ".join(
        f"{x(a)},{floor - (floor - 15) * (b - bottom) / rise:.1f}"
        for a, b in zip(across, up, strict=True)
    )
    marks = "".join(
        f'<line class="pick" x1="{x(value)}" x2="{x(value)}" y1="10" y2="{floor}"/>'
        f'<text x="{x(value)}" y="{floor + 18}" text-anchor="middle">{value:g}</text>'
        for value in kept
    )
    label = f"The mean of {len(across)} columns in order, {len(kept)} of them kept"
    return (
        f'<svg class="curve" viewBox="0 0 {wide} {high}" role="img" aria-label="{label}">'
        f'{marks}<polyline class="kept" points="{line}"/></svg>'
    )


def scores(parts: tuple[Sequence[str], Any, Sequence[str]]) -> str:
    """Draw rows on two components, marked by group; `parts` are their names, values and groups."""
    names, points, groups = parts
    values = np.asarray(points)
    kinds = sorted(set(groups))
    places = [kinds.index(group) for group in groups]
    marks = [mark(i, f"c{i}", SHAPES[i], 5) for i in range(len(kinds))]
    keys = "".join(
        f'<span class="key c{i}"><i class="dot"></i>{kind}</span>' for i, kind in enumerate(kinds)
    )
    across, up = (_steps(values[:, axis]) for axis in (0, 1))
    plot = score_plot((across, up), places, marks, ([], []), (names[0], names[1]))
    return f"{plot}<p>{keys}</p>"


def _steps(values: Sequence[float]) -> list[int]:
    low, high = min(values), max(values)
    return [round(STEPS * (0.02 + 0.96 * (value - low) / (high - low))) for value in values]


DRAWINGS = {
    "answer": answer,
    "curve": curve,
    "held-out": held_out,
    "bars": bars,
    "changes": changes,
    "correlations": correlations,
    "spectrum": spectrum,
    "scores": scores,
}
