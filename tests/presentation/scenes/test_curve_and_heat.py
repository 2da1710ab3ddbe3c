import re
import struct
import zlib
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.reports import Report

from tamis.facts.selection_answer import CurveFacts, HeldOutFacts
from tamis.presentation.scenes.curve import curve_chart, curve_scene
from tamis.presentation.scenes.similarity import (
    colour_scale,
    diverging_palette,
    heat_map,
    heat_png,
)
from tamis.presentation.scenes.svg import palette_png


def _decode(png: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Read a palette PNG back by the book: every chunk and its checksum."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", png, at + 8 + length)
        assert checksum == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 3, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8)
    rows = rows.reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:], np.frombuffer(chunks[b"PLTE"], dtype=np.uint8).reshape(-1, 3)


def _chart(
    k: int, retained: tuple[float, ...], bound: tuple[float, ...], *held: float, width: int = 720
) -> str:
    """Draw a curve; the band around the held-out share reaches 0.1 to either side."""
    shown = HeldOutFacts(held, (0.1,) * len(held), 4) if held else None
    return curve_chart(curve_scene(CurveFacts(retained, bound), k, shown), k, width=width)


def _points(chart: ElementTree.Element, kind: str) -> list[list[float]]:
    (line,) = chart.findall(f".//polyline[@class='{kind}']")
    return [[float(part) for part in pair.split(",")] for pair in line.attrib["points"].split()]


def test_a_png_decodes_to_the_pixels_it_was_made_from() -> None:
    pixels = np.arange(12, dtype=np.uint8).reshape(3, 4)
    palette = diverging_palette(12)
    decoded, colours = _decode(palette_png(pixels.tolist(), palette))
    np.testing.assert_array_equal(decoded, pixels)
    np.testing.assert_array_equal(colours, palette)


def test_correlations_map_to_the_ends_and_the_middle_of_the_palette() -> None:
    pixels, palette = _decode(heat_png([[100, -100], [0, 250]]))
    assert pixels.tolist() == [[200, 0], [100, 200]]
    assert palette[100].tolist() == [247, 247, 247]
    red, _, blue = palette[200].astype(int)
    assert red > blue


def test_a_held_out_share_below_zero_is_drawn_at_zero_and_labelled() -> None:
    retained, bound = (0.3, 0.6, 1.0), (0.4, 0.7, 1.0)
    low = _chart(2, retained, bound, 0.1, -0.2, -0.313)
    assert "held-out: worse than predicting the mean" in low
    assert _points(ElementTree.fromstring(low), "held")[2][1] == 250
    fine = _chart(2, retained, bound, 0.1, 0.2, 0.3)
    assert "below" not in fine


def test_the_palette_gets_steadily_paler_towards_the_middle() -> None:
    brightness = np.array(diverging_palette(201)).sum(axis=1)
    assert (np.diff(brightness[:101]) >= 0).all()
    assert (np.diff(brightness[100:]) <= 0).all()


def test_a_few_columns_are_named_beside_the_heat_map_and_many_are_not() -> None:
    few = heat_map(("a & b", "c" * 40), ((100, 5), (5, 100)), "two")
    texts = [text.text for text in ElementTree.fromstring(few).iter("text")]
    assert texts[0] == "a & b"
    assert texts[1] is not None
    assert len(texts[1]) < 20
    many = heat_map(tuple(map(str, range(40))), ((0,) * 40,) * 40, "many")
    assert not list(ElementTree.fromstring(many).iter("text"))


def test_names_and_labels_are_escaped() -> None:
    name = '"><script>alert(1)</script>'
    svg = heat_map((name,), ((100,),), name)
    assert "<script" not in svg
    assert ElementTree.fromstring(svg).attrib["aria-label"] == name


def test_the_curve_has_one_point_for_each_number_and_stays_below_its_ceiling() -> None:
    retained, bound = (0.4, 0.7, 0.9), (0.5, 0.8, 0.95)
    chart = ElementTree.fromstring(_chart(2, retained, bound))
    kept, ceiling = _points(chart, "kept"), _points(chart, "ceiling")
    assert len(kept) == len(ceiling) == 3
    assert all(low[1] > high[1] for low, high in zip(kept, ceiling, strict=True))
    marker = chart.find(".//g[@class='marker']/circle[@class='kept']")
    assert marker is not None
    assert [float(marker.attrib["cx"]), float(marker.attrib["cy"])] == kept[1]


@pytest.mark.parametrize("m", [1, 2, 7, 30, 31, 100, 1999])
@pytest.mark.parametrize("width", [340, 720])
def test_every_length_of_curve_fits_in_its_frame_without_crowding(m: int, width: int) -> None:
    line = tuple(np.linspace(0.01, 1, m).tolist())
    chart = ElementTree.fromstring(_chart(m, line, line, width=width))
    assert all(0 <= x <= width for x, _ in _points(chart, "kept"))
    ticks = [text for text in chart.iter("text") if (text.text or "").isdigit()]
    assert 1 <= len(ticks) <= width / 60 + 2
    assert ticks[0].text == "1"


@pytest.mark.parametrize(("known", "dots"), [(2, 2), (5, 3), (9, 3)])
def test_the_held_out_share_is_drawn_as_far_as_it_is_known(
    known: int, dots: int, make_summary: Callable[..., Report]
) -> None:
    share = (-0.2, 0.3, 0.4, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6)[:known]
    held = HeldOutFacts(share, (0.1,) * known, 4)
    curve = CurveFacts((0.4, 0.5, 0.6, 0.7, 0.8), (0.9,) * 5)
    facts = make_summary(9, 3, curve=curve, held_out=held).facts
    svg = curve_chart(curve_scene(facts.curve, facts.k, facts.held_out), facts.k)
    line = re.search(r'<polyline class="held" points="([^"]*)"', svg)
    band = re.search(r'<polygon class="band" points="([^"]*)"', svg)
    assert line is not None
    assert band is not None
    assert len(line[1].split()) == min(known, 5)
    assert len(band[1].split()) == 2 * min(known, 5)
    assert line[1].split()[0].endswith(",250")  # below 0% at the bottom
    marker = svg.split('class="marker"')[1]
    assert marker.count("<circle") == dots


def test_no_chart_names_an_address() -> None:
    charts = (
        _chart(1, (1.0,), (1.0,)),
        heat_map(("a",), ((100,),), "a"),
        colour_scale(),
    )
    for chart in charts:
        assert "http" not in chart
        assert "src=" not in chart
