import re

from tamis_papers.views.overlay import draw_overlay, list_keys


def series(name, y, spread=(), paper=()):
    return {"name": name, "x": list(range(len(y))), "y": y, "spread": list(spread), "paper": paper}


def drawing(*lines):
    return {"title": "Error <of> six", "x_label": "k", "y_label": "error", "series": list(lines)}


def test_title_and_names_are_escaped_and_accessible():
    drawn = draw_overlay(drawing(series("a & b", [1.0, 2.0])))
    assert 'role="img" aria-label="Error &lt;of&gt; six"' in drawn
    assert "<title>Error &lt;of&gt; six</title>" in drawn
    assert "<title>a &amp; b</title>" in drawn


def test_every_line_has_its_own_dashes_and_marks():
    lines = [series(f"m{i}", [1.0, 2.0], paper=[[0, 1.0]]) for i in range(8)]
    keys = [swatch for _, swatch in list_keys(drawing(*lines))]
    assert len({re.sub(r"c\d", "", swatch) for swatch in keys}) == 8


def test_missing_values_and_empty_lines_do_not_break_it():
    assert draw_overlay(drawing()) == ""
    drawn = draw_overlay(drawing(series("a", [1.0, None, 3.0]), series("b", [], paper=[[1, 2.0]])))
    assert drawn.count("<polyline") == 1
    assert len(re.search(r'points="([^"]+)"', drawn)[1].split()) == 2


def test_one_value_is_drawn_in_the_middle_of_its_axis():
    drawn = draw_overlay(drawing(series("a", [0.5])), width=720)
    assert drawn.count("<circle") == 1
    assert "nan" not in drawn


def test_the_axes_hold_the_spread_and_the_papers_points():
    drawn = draw_overlay(drawing(series("a", [1.0, 2.0], [0.0, 3.0], [[0, -4.0]])))
    heights = [float(y) for y in re.findall(r'cy="([\d.]+)"|,([\d.]+)', drawn) for y in y if y]
    assert all(0 <= y <= 340 for y in heights)
    assert "\N{MINUS SIGN}5</text>" in drawn  # the axis goes on to a round number
