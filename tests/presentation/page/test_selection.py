import base64
import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reports import Report

import tamis
from tamis.facts.selection_answer import (
    AutoFacts,
    DroppedColumn,
    HeldOutFacts,
    RemovedColumn,
    StabilityFacts,
    Substitute,
)
from tamis.facts.shared_answer import MethodFacts, SkippedColumn
from tamis.presentation.prose.about_selection import selection_sentence

Make = Callable[..., Report]
HOSTILE = [
    "<script>alert(1)</script>",
    '"quoted"',
    "</script><img onerror=alert(1)>",
    "it's & <b>bold</b>",
    "{{ 7 * 7 }}",
    "</textarea><i>",
    "",
    "\u2028line\u202eright",
]

TIMES = "\N{MULTIPLICATION SIGN}"


class _Page(HTMLParser):
    """The elements, attributes and text of a page; checks that every element is closed."""

    void = ("meta", "link", "input", "br", "stop", "rect", "image", "line", "circle")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.text.setdefault(self.open[-1], []).append(data)

    def ids(self) -> list[str]:
        return [attributes["id"] or "" for _, attributes in self.tags if "id" in attributes]


def _data(page: str) -> dict[str, Any]:
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert block
    return json.loads(block[1])


def _block(data: dict[str, Any], name: str) -> bytes:
    return zlib.decompress(base64.b64decode(data["blocks"][name]))


def _table(page: str) -> dict[str, Any]:
    return json.loads(_block(_data(page), "table"))


def test_the_page_is_complete_and_well_formed(make_summary: Make) -> None:
    html = make_summary().render()
    page = _Page(html)
    assert html.startswith("<!DOCTYPE html>")
    assert page.text["title"] == ["breast_cancer.csv \N{EN DASH} tamis"]
    assert len(page.ids()) == len(set(page.ids()))
    for part in ("verdict", "chips", "slider", "kept", "rows-lost", "card", "heat-title", "take"):
        assert part in page.ids()


def test_every_control_has_a_label_and_every_reference_a_target(make_summary: Make) -> None:
    page = _Page(make_summary(skipped=(SkippedColumn("id", "text"),), columns=31).render())
    ids = set(page.ids())
    labelled = {attributes["for"] for tag, attributes in page.tags if tag == "label"}
    for tag, attributes in page.tags:
        if tag in ("input", "textarea"):
            assert attributes["id"] in labelled or attributes["aria-label"]
        assert {attributes.get("aria-labelledby"), attributes.get("for")} <= ids | {None}
        if (attributes.get("href") or "").startswith("#"):
            assert (attributes["href"] or "")[1:] in ids
    assert any("aria-live" in attributes for _, attributes in page.tags)


def test_the_asked_choice_is_in_the_page_without_the_script(make_summary: Make) -> None:
    summary = make_summary(30, 7)
    html = summary.render()
    static = html[: html.index('id="data"')]
    assert selection_sentence(summary.facts) in static
    assert f'id="verdict" aria-live="polite">{selection_sentence(summary.facts)}</h1>' in static
    assert static.count("<bdi>") > 30
    for column in summary.explorer.path_names[:7]:
        assert f'<th role="rowheader" scope="row"><bdi>{column}</bdi>' in static
        assert f'<span class="chip"><bdi>{column}</bdi>' in static
    body = static[static.index('id="drawer-safe"') : static.index('id="find"')]
    _, new, low = summary.explorer.shares_now
    for kind, part in zip(("safe", "partly", "lost"), body.split("</details>"), strict=False):
        rows = re.findall(r'row"><bdi>(.*?)</bdi>.*?number">([\d.]+%|worse)<', part)
        places = [summary.explorer.every_name.index(name) for name, _ in rows]
        assert [f"{new[j] / 10:.1f}%" if new[j] >= 0 else "worse" for j in places] == [
            share for _, share in rows
        ]
        assert [new[j] for j in places] == sorted(new[j] for j in places)
        assert all((low[j] >= 950) == (kind == "safe") for j in places)
        assert all((low[j] < 950 and new[j] < 100) == (kind == "lost") for j in places)
        assert len(places) == int(re.search(rf'id="count-{kind}">(\d+)<', part)[1])
    assert 'id="drawer-dropped" hidden' in static


def test_where_new_rows_were_not_measured_nothing_is_called_safe(make_summary: Make) -> None:
    summary = make_summary(30, 7, measured=False)
    static = summary.render()[: summary.render().index('id="data"')]
    body = static[static.index("<body>") :]
    assert "safe" not in body.lower()
    assert "All dropped columns" in body
    assert 'id="count-dropped">23<' in body
    assert body.count("new rows were not measured") == 3  # the figure, the strip and the list
    assert f"{summary.facts.retained:.1%}" in body


def test_names_within_a_reason_keep_their_letters(make_summary: Make) -> None:
    assert "small-caps" not in make_summary(3, 2).render()


def test_a_dropped_column_says_what_it_is_made_from(make_summary: Make) -> None:
    summary = make_summary(3, 2, names=["weight", "height", "bmi"])
    names = summary.explorer.path_names
    (dropped,) = summary.facts.dropped
    weights = {names[0]: 0.81, names[1]: -0.35}
    made = DroppedColumn(dropped.column, 0.91, weights, 0.78, "")
    summary = summary.change(dropped=(made,), shares_now=((910,) * 3, (880,) * 3, (860,) * 3))
    html = summary.render().replace("&nbsp;", " ").replace("\u00a0", " ")
    row = re.sub("<.*?>", "", html[html.index('id="rows-partly">') : html.index('id="rows-lost"')])
    first, second = f"0.81 {TIMES} {names[0]}", f"\N{MINUS SIGN}0.35 {TIMES} {names[1]}"
    assert f"{first}, {second} (these two alone: 78.0%)" in row
    assert "88.0%" in row
    assert "91.0%" in row


@pytest.mark.parametrize(("columns", "limit"), [(5, 150_000), (60, 215_000), (200, 335_000)])
def test_the_page_stays_small(make_summary: Make, columns: int, limit: int) -> None:
    assert len(make_summary(columns, min(columns, 40)).render().encode()) < limit


@pytest.mark.slow
@pytest.mark.nightly
def test_two_thousand_columns_stay_below_700_kilobytes(make_summary: Make) -> None:
    html = make_summary(2000, 40, m=100).render()
    assert len(html.encode()) < 700_000
    assert html.count("<tr") < 200
    assert len(_table(html)["names"]) == 2000


def test_the_embedded_shares_and_sources_read_back(make_summary: Make) -> None:
    summary = make_summary(20, 5)
    data = _data(summary.render())
    shares = np.frombuffer(_block(data, "shares"), dtype=np.uint8).astype(int)
    codes = (shares[: len(shares) // 2] + 256 * shares[len(shares) // 2 :]).reshape(-1, 20)
    steps = np.where(codes % 2, -(codes + 1) // 2, codes // 2)
    read = dict(zip(_table(summary.render())["names"], np.cumsum(steps, axis=0)[4], strict=True))
    columns = np.frombuffer(_block(data, "columns"), dtype="<u4")
    records = iter(np.frombuffer(_block(data, "records"), dtype="<i2").tolist())
    latest = {}
    for column in columns:
        step, carried, count = next(records), next(records), next(records)
        pairs = [(next(records), next(records)) for _ in range(count)]
        if step <= 5:
            latest[summary.explorer.every_name[column]] = carried, pairs
    path = summary.explorer.path_names
    for row in summary.facts.dropped:
        assert abs(read[row.column] - 1000 * row.share) <= 0.5 + 1e-9
        carried, pairs = latest[row.column]
        assert {path[place] for place, _ in pairs} == set(row.weights)


def test_hostile_names_stay_text_everywhere(make_summary: Make) -> None:
    summary = make_summary(
        8,
        3,
        names=HOSTILE,
        title=HOSTILE[0],
        shortfall=HOSTILE[2],
        skipped=(SkippedColumn(HOSTILE[0], HOSTILE[2]),),
        constant=(HOSTILE[1],),
        options=((HOSTILE[0], HOSTILE[2]),),
    )
    summary = summary.change(repeat=replace(summary.facts.repeat, command=HOSTILE[2]))
    html = summary.render()
    page = _Page(html)
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert "img" not in {tag for tag, _ in page.tags}
    assert not any(key.startswith("on") for _, attributes in page.tags for key in attributes)
    assert "{{ 7 * 7 }}" in html
    assert "(no name)" in html
    assert sorted(_table(html)["names"]) == sorted(HOSTILE)


def test_the_page_names_no_address_and_forbids_loading(make_summary: Make) -> None:
    html = make_summary(60, 10).render()
    assert not re.search(r"https?://|\bsrc=|@import|url\((?!#)", html)
    addresses = [a.get("href") for _, a in _Page(html).tags if a.get("href")]
    assert all((address or "").startswith(("#", "data:")) for address in addresses)
    assert "default-src 'none'" in html


def test_the_least_summary_gives_a_page(make_summary: Make) -> None:
    summary = make_summary(1, 1, m=1, options=(), names=["only"], method=MethodFacts("sfs"))
    repeat = replace(summary.facts.repeat, python="", versions={})
    summary = summary.change(repeat=repeat)
    html = summary.render()
    _Page(html)
    assert "No column is dropped." in html
    assert "Correlations before and after" not in html
    assert "Skipped columns" not in html
    assert "In Python" not in html


def test_a_page_on_many_columns_knows_and_counts_all_of_them(wide: Report) -> None:
    html = wide.render()
    assert _table(html)["names"] == list(wide.explorer.every_name)
    kept = set(wide.explorer.path[: wide.facts.k])
    _, new, low = np.delete(np.array(wide.explorer.shares_now), [*kept], axis=1)
    lost = max(100, round(1000 * wide.facts.chance))
    expected = {
        "safe": int((low >= 950).sum()),
        "lost": int(((low < 950) & (new < lost)).sum()),
        "dropped": 0,
    }
    expected["partly"] = len(new) - sum(expected.values())
    shown = re.findall(r'id="count-(\w+)">([\d,]+)<', html)
    assert {kind: int(count.replace(",", "")) for kind, count in shown} == expected
    assert len(wide.facts.dropped) == 2295
    assert html.count("<tr") < 200


def test_the_map_of_a_wide_table_has_the_path_and_columns_from_everywhere(
    wide: Report,
) -> None:
    columns = wide.explorer.map.columns
    assert set(wide.explorer.path) <= set(columns)
    assert len(columns) == 160
    others = sorted(set(columns) - set(wide.explorer.path))
    assert max(np.diff(others)) < 30
    assert "160 are drawn: the first of the path, and others evenly spaced" in wide.render()


def test_the_commands_are_those_that_were_given(make_summary: Make) -> None:
    html = make_summary(30, 7).render()
    repeat = html[html.index('id="repeat-title"') :]
    assert 'id="command">tamis select breast_cancer.csv -k 7 --method sfs<' in repeat
    assert "asked" not in re.sub(
        r"<style>.*?</style>|<script.*?</script>|<svg.*?</svg>", "", html, flags=re.S
    )


def test_optimal_and_unnested_results_say_so(make_summary: Make) -> None:
    plain = make_summary(12, 4).render()
    told = make_summary(12, 4, optimal=True, nested=False).render()
    assert "Proven optimal" not in plain
    assert "not separate selections" not in plain
    assert "Proven optimal: no other 4 columns could explain more." in told
    assert "not separate selections" in told


def test_skipped_columns_are_grouped_by_reason_and_folded_when_many(
    make_summary: Make,
) -> None:
    left = [SkippedColumn(f"gene {i}", "all values missing") for i in range(30)]
    left.append(SkippedColumn("id", "text, not a number"))
    html = make_summary(12, 4, skipped=tuple(left), constant=("batch",)).render()
    assert "<strong>30 columns:</strong> all values missing</summary>" in html
    assert "<strong>Text, not a number:</strong> <bdi>id</bdi>" in html
    assert "<strong>Constant:</strong> <bdi>batch</bdi>" in html


def test_removals_are_listed_with_the_equations_that_made_them(make_summary):
    removed = (
        RemovedColumn("bmi", 0.0, {"weight": 0.98, "height": -0.31}),
        RemovedColumn("<b>", 0.25, {str(i): 1.0 for i in range(6)}),
        RemovedColumn("sum", 0.0, {}),
    )
    html = make_summary(5, 2, removed=removed).render()
    body = html[html.index('id="removed">') : html.index('id="repeat-title"')]
    text = re.sub("<.*?>", "", body).replace("\N{NO-BREAK SPACE}", " ").replace("&nbsp;", " ")
    assert "1. bmi0= 0.98 weight \N{MINUS SIGN} 0.31 height" in text
    text = text.replace("&#34;", '"')
    assert '2. &lt;b&gt;0.2500= 1.00 "0" + 1.00 "1" + 1.00 "2" + 1.00 "3" and smaller' in text
    assert "exact linear combination of the others" in text
    assert 'id="removed"' not in make_summary(5, 2).render()


def test_what_holds_on_rows_not_used_is_on_the_page(make_summary: Make) -> None:
    held = HeldOutFacts((0.2, 0.3, -0.1), (0.1, 0.1, 0.1), 10)
    auto = AutoFacts(3, 2, 5, "a reason", (1.0, 0.8, 0.8))
    text = make_summary(k=3, held_out=held, auto=auto).render()
    _Page(text)
    assert '<dd id="figure-share" class="strong long">worse</dd>' in text
    here = f"{make_summary(k=3).facts.retained:.1%} on these rows"
    assert f'<dd id="figure-here">{here}</dd>' in text
    assert "on new rows: worse than predicting the mean</span>" in text
    why = (
        "a reason. Half of the rows, with a stricter or a looser limit than 0.75, give 2 to "
        "5 columns."
    )
    assert why in text
    assert text.count('class="held" points=') == 2
    assert "drawn at 0% where it is below" in text
    plain = make_summary(k=3).render()
    assert 'id="figure-here" hidden' in plain
    assert "on these rows; new rows were not measured" in plain
    assert 'class="held" points=' not in plain


def test_stability_and_substitutes_are_listed_rarest_first(make_summary: Make) -> None:
    summary = make_summary(k=2)
    first, second = summary.explorer.path_names[:2]
    others = {first: (), second: (Substitute(HOSTILE[0], -0.001),)}
    found = StabilityFacts(0.5, 0.4, 0.6, 50, {first: 0.9, second: 0.62}, others)
    text = summary.change(stability=found).render()
    _Page(text)
    rows = text.split('id="stability">')[1].split("</tbody>")[0]
    assert rows.index(second) < rows.index(first)
    assert "62%" in rows
    assert "(-0.1%)" in rows
    assert HOSTILE[0] not in text


def test_the_order_of_the_kept_columns_is_told_as_it_is(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1)) + rng.normal(size=(60, 8))

    def order(found: tamis.Selection) -> str:
        page = found.report(tmp_path / "r.html").read_text(encoding="utf-8")
        return page.split('<span id="order-about">')[1].split("</span>")[0]

    assert order(tamis.select(X, k=3)) == "Best first."
    included = tamis.select(X, k=3, include=["x5"])
    assert order(included) == "The columns you included, then best first."
    assert order(tamis.score(X, ["x5", "x1"])) == "In the order given."


def test_no_script_looks_up_a_column_by_name_in_what_an_object_inherits() -> None:
    scripts = sorted(files("tamis.presentation.page").iterdir(), key=lambda file: file.name)
    by_name = re.compile(r"\b(skipped|missing|reasons|frequency|often|swaps|costs|prices)(\?\.)?\[")
    for script in scripts:
        if script.name.endswith(".js") and not script.name.endswith("greedy.js"):
            assert by_name.findall(script.read_text(encoding="utf-8")) == [], script.name


def test_what_was_spent_is_said_once(tmp_path):
    rows = np.random.default_rng(0).normal(size=(60, 6))
    found = tamis.select(rows, k=3, options={"budget": 4.0})
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("3 of 4 spent") == 1
    assert "The kept columns cost 3 of 4" not in page
