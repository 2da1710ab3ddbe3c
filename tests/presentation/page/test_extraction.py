"""What is shown about an extraction: facts, text and page."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.presentation.page.answers import render_extraction as render
from tamis.results.extraction_facts import extraction_facts, group_labels, score_facts

HOSTILE = ["<script>alert(1)</script>", "</script><img onerror=alert(1)>", "{{ 7 * 7 }}", '"&']


def _page(found):
    return render(extraction_facts(found), score_facts(found))


class Page(HTMLParser):
    """The elements of a page; checks that each is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.text.append(data)

    def words(self):
        return " ".join("".join(self.text).split())


@pytest.fixture(scope="module")
def iris():
    from sklearn.datasets import load_iris

    data = load_iris()
    frame = pd.DataFrame(data.data, columns=["sepal l", "sepal w", "petal l", "petal w"])
    return frame.assign(species=data.target_names[data.target])


@pytest.fixture(scope="module")
def wide():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(4200, 25)) * np.linspace(2, 1, 25)
    return table, rng.choice(["a", "b", "c"], 4200)


def test_the_facts_hold_what_the_extraction_holds(iris):
    found = tamis.extract(iris, 2, y="species", scale=False)
    facts = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert facts["sentence"] == "2 components explain 97.8% of the variance."
    assert (facts["rows"], facts["columns"], facts["used"], facts["k"]) == (150, 5, 4, 2)
    assert facts["names"] == ["PC1", "PC2"]
    assert facts["shares"] == found.shares.tolist()
    assert facts["cumulative"] == np.cumsum(found.shares).tolist()
    assert facts["held"] == pytest.approx(0.9777, abs=5e-5)
    assert facts["values"] == found.values.tolist()
    first = facts["loadings"][0]
    assert list(first["weights"]) == ["petal l", "sepal l", "petal w", "sepal w"]
    assert first["weights"]["sepal w"] == pytest.approx(-0.0845, abs=1e-4)
    assert facts["label"] == "species"
    assert facts["skipped"] == [{"column": "species", "why": "the labels"}]
    assert facts["note"] == found.note
    assert ["y", "species"] in facts["options"]


SENTENCES = {
    "pca": "2 components explain 97.8% of the variance.",
    "gdfe": "2 components explain 99.5% of the weighted distances.",
    "lda": "2 discriminants explain 100% of the between-class variance, as all "
    "discriminants together always do.",
    "nmf": "2 components: the largest makes up ",
    "kernel-pca": " of the variance in kernel space.",
}


@pytest.mark.parametrize("method", SENTENCES)
def test_the_sentence_says_what_the_share_is_of(method, iris):
    scale = None if method in ("lsa", "nmf") else False
    found = tamis.extract(iris, 2, method=method, y="species", scale=scale)
    assert SENTENCES[method] in found.to_dict()["sentence"]


def test_every_method_has_words_for_its_shares():
    from tamis import registry
    from tamis.presentation.prose.about_extraction import component_share

    unknown = component_share("no such method")
    assert all(component_share(m.id) != unknown for m in registry.methods("extraction"))


def test_components_that_do_not_exist_are_not_promised(iris):
    text = str(tamis.extract(iris, 4, method="lda", y="species"))
    assert text.startswith(
        "2 discriminants explain 100% of the between-class variance, as all discriminants together "
        "always do; you asked for 4, but no more exist."
    )
    assert "3 classes have no more discriminants" in text


def test_the_text_shows_shares_sums_and_remarks(iris):
    table = iris.assign(one=1.0)
    found = tamis.extract(table, 2, y="species", scale=False)
    lines = str(found).splitlines()
    assert lines[2].split() == ["component", "share", "total", "loadings"]
    assert lines[3].split()[:3] == ["PC1", "92.5%", "92.5%"]
    assert lines[3].endswith("0.86 petal l + 0.36 sepal l + 0.36 petal w - 0.08 sepal w")
    assert "Skipped (constant): one." in lines
    assert "Skipped (the labels): species." in lines
    kernel = str(tamis.extract(iris, 2, method="kernel-pca"))
    assert "   loadings" not in kernel
    assert "Kernel methods have no column weights (loadings)." in kernel


def test_small_weights_keep_their_digits_and_nothing_is_not_listed():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(90, 3)) * [1e5, 2e5, 1e-3]
    found = tamis.extract(table, 1, method="lda", y=np.repeat([0, 1, 2], 30), scale=False)
    listed = found.to_dict()["loadings"][0]["weights"]
    assert "x2" in listed
    assert all(abs(weight) > 0 for weight in listed.values())
    only = tamis.extract(table, 1, scale=False).to_dict()["loadings"][0]
    assert "x2" not in only["weights"]
    assert only["others"] == 3 - len(only["weights"])


def test_names_from_a_stranger_cannot_move_the_cursor(iris):
    found = tamis.extract(iris.rename(columns={"petal l": "a\x1b[2Jb"}), 1)
    assert "\x1b" not in str(found)


def test_ten_thousand_columns_stay_small():
    table = np.random.default_rng(0).normal(size=(40, 10_000))
    found = tamis.extract(table, 30)
    facts = found.to_dict()
    assert len(json.dumps(facts)) < 30_000
    assert len(facts["loadings"]) == 20
    assert facts["loadings"][0]["others"] == 9_990
    page = _page(found)
    assert len(page) < 150_000
    assert "The loadings of the first 20 of 30 components are listed." in page
    assert "The plot shows the first 12 of 30 components." in page


@pytest.mark.parametrize("method", ["pca", "lda", "gdfe", "kernel-pca", "nmf"])
def test_the_page_is_whole_quiet_and_names_no_address(method, iris):
    html = _page(tamis.extract(iris, 2, method=method, y="species"))
    page = Page(html)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        target = attributes.get("href") or attributes.get("aria-labelledby") or ""
        assert not target.startswith("#") or target[1:] in ids
        assert "aria-labelledby" not in attributes or target in ids
    assert not re.search(r"https?://|\bsrc=|@import|url\((?!#)", html)
    assert "default-src 'none'" in html
    assert sum(tag == "use" for tag, _ in page.tags) == 150 + 3  # rows and legend
    assert "setosa50" in page.words()
    assert ("have no column weights" in page.words()) == (method == "kernel-pca")


def test_marks_lie_where_the_scores_are(iris):
    found = tamis.extract(iris, 2, y="species")
    svg = re.search(r'<g id="points">(.*?)</g>', _page(found), re.S)[1]
    points = re.findall(r'href="#m(\d)" x="([\d.]+)" y="([\d.]+)"', svg)
    places, xs, ys = np.array(points, dtype=float).T
    assert places.tolist() == np.repeat([0, 1, 2], 50).tolist()
    scores = found.transform(iris)
    assert np.corrcoef(xs, scores[:, 0])[0, 1] > 0.99999
    assert np.corrcoef(ys, scores[:, 1])[0, 1] < -0.99999


def test_a_large_page_stays_below_half_a_megabyte(wide):
    table, labels = wide
    html = _page(tamis.extract(table, 25, y=labels))
    assert len(html.encode()) < 500_000
    assert "One row in 2 is drawn, 2,100 in all." in Page(html).words()
    whole = _page(tamis.extract(table[:4000], 25, y=labels[:4000]))
    assert len(whole.encode()) < 500_000
    assert "One row in" not in whole


def test_one_direction_is_a_histogram_for_each_label(iris):
    html = _page(tamis.extract(iris, 1, method="lda", y="species"))
    page = Page(html)
    drawn = [a["class"] for t, a in page.tags if t == "path" and "mark" in a.get("class", "")]
    assert drawn == ["mark c0", "mark c1", "mark c2"]
    assert "setosa (50)" in page.words()
    assert 'id="scores"' not in html
    assert 'id="shares-title"' not in html


def test_hostile_names_and_labels_stay_text():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 4)), columns=HOSTILE).assign(
        label=np.repeat(HOSTILE, 10), five=5.0
    )
    for k in (1, 3):
        html = _page(tamis.extract(frame, k, y="label"))
        tags = [tag for tag, _ in Page(html).tags]
        assert tags.count("script") == 2
        assert "img" not in tags
        assert "{{ 7 * 7 }}" in html


def test_up_to_twelve_labels_have_marks_of_their_own():
    groups, places = group_labels([f"t{i % 12}" for i in range(30)], 30)
    assert [g.name for g in groups] == [f"t{i}" for i in range(12)]
    assert len({(g.kind, g.shape) for g in groups}) == 12
    assert places.tolist() == [i % 12 for i in range(30)]
    assert [g.count for g in groups] == [3] * 6 + [2] * 6


def test_of_more_labels_the_frequent_stay_and_the_others_are_one_group():
    labels = [f"t{i}" for i in range(20)] + ["t3", "t19", "no label"]
    groups, places = group_labels(labels, len(labels))
    assert [g.name for g in groups][-2:] == ["8 other labels", "no label"]
    assert {g.kind for g in groups[12:]} == {"rest"}
    assert {"t3", "t19"} <= {g.name for g in groups[:12]}
    assert sum(g.count for g in groups) == len(labels)
    assert groups[places[-1]].name == "no label"


def test_many_numbers_are_five_bins_in_order():
    labels = [str(value) for value in np.arange(100) / 4]
    groups, places = group_labels(labels, 100)
    assert [g.name for g in groups][:2] == ["0 to 4.75", "5 to 9.75"]
    assert [g.count for g in groups] == [20] * 5
    assert (np.diff(places) >= 0).all()
    few, _ = group_labels(["1", "2", "10"], 3)
    assert [g.name for g in few] == ["1", "2", "10"]
    skewed, at = group_labels(["0"] * 90 + [str(i) for i in range(1, 20)], 109)
    assert sum(g.count for g in skewed) == 109
    assert all(g.count for g in skewed)
    assert at.max() == len(skewed) - 1
