"""Another fill is a class and a word: the median, added to a copy of the package and used."""

import pytest
from tests.recipes import run_with_diff

DIFF = """
--- a/src/tamis/registry/missing_policy.py
+++ b/src/tamis/registry/missing_policy.py
@@
+    MEDIAN = (
+        "median",
+        "fill with the column median, of text with the share of each level",
+        "fill them",
+        "Missing values filled (numbers: column median; text: the share of each level)",
+    )
     DROP = "drop", "drop rows with missing values", "drop rows with missing values"
@@
-        return self in (MissingPolicy.MEAN, MissingPolicy.AUTO)
+        return self in (MissingPolicy.MEAN, MissingPolicy.MEDIAN, MissingPolicy.AUTO)
--- a/src/tamis/statistics/fills.py
+++ b/src/tamis/statistics/fills.py
@@
+class MedianValues(FillValues):
+    follows_moments = False
+
+    def __init__(self, width):
+        super().__init__(width)
+        self._sketch = None
+
+    def add(self, batch, weights=None, *, complete=False):
+        from tamis.statistics.coding import QuantileSketch
+
+        super().add(batch, weights, complete=complete)
+        rows = batch if weights is None else np.repeat(batch, weights, axis=0)
+        more = QuantileSketch.from_batch if self._sketch is None else self._sketch.follow_by
+        self._sketch = more(np.asarray(rows, dtype=np.float64))
+
+    def merge(self, other):
+        both = self._sketch is not None and other._sketch is not None
+        self._sketch = self._sketch.merge(other._sketch) if both else self._sketch or other._sketch
+        return super().merge(other)
+
+    @property
+    def values(self):
+        from tamis.statistics.coding import read_quantiles
+
+        found = self._means.copy()
+        for j in np.flatnonzero(self.counts):
+            values, counts = self._sketch.points(j)
+            if not np.isin(values, [0.0, 1.0]).all():  # the levels of a text have their shares
+                found[j] = read_quantiles(values, counts, np.array([0.5]))[0]
+        return found
+
+
 _FILLS: dict[MissingPolicy, type[FillValues]] = {
+    MissingPolicy.MEDIAN: MedianValues,
--- a/src/tamis/statistics/missing.py
+++ b/src/tamis/statistics/missing.py
@@
+        if self.learnt is None and not start_fill(policy, 0).follows_moments:
+            tally.fill = self._find_fill()  # new rows may have missing values
         if missing is not None and policy.fills and self.learnt is None:
"""

CHECK = """
import numpy as np, pandas as pd, pyarrow as pa, tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.run.training import encode_columns
from tests.engines import FrameInParts, GivesParts

rng = np.random.default_rng(0)
X = np.exp(rng.standard_normal((400, 8)) @ rng.standard_normal((8, 8)) / 4)
gaps = np.where(rng.random(X.shape) < 0.15, np.nan, X)
gaps[:, 0] = X[:, 0]
filled = np.where(np.isnan(gaps), np.nanmedian(gaps, axis=0), gaps)
names = [f"c{j}" for j in range(8)]
frame, complete = (pd.DataFrame(rows, columns=names) for rows in (gaps, filled))
text = np.array(["a", "b", "c"], dtype=object)[(X[:, 0] > 1) + (X[:, 1] > 1).astype(int)]
text[rng.random(400) < 0.1] = None
y, weights = (X[:, 2] > 1).tolist(), rng.integers(1, 4, 400)

def same(data, other, **options):
    found = tamis.select(data, 3, missing="median", **options)
    expected = tamis.select(other, 3, missing="auto", **options)
    assert found.names == expected.names, options
    assert np.allclose(found.retained, expected.retained, atol=1e-9), options
    assert found.missing.rows == found.missing.used == 400
    return found

found = same(gaps, filled, method="sfs")
assert "filled (numbers: column median" in str(found)
frame.to_csv("gaps.csv", index=False)
same("gaps.csv", complete, method="sfs")
same(GivesParts(FrameInParts(frame, (100, 250))), complete, method="sfs")
same(tamis.summarise(frame, missing="median"), complete, method="sfs")
plain = {"outliers": "keep"}
found = same(frame.assign(t=text), complete.assign(t=text), options=plain)
assert "filled (numbers: column median" in str(found)
same(frame, complete, y=y, options=plain)
same(frame, complete, y=y, method="jmi")
same(frame, complete, method="laplacian")
often = frame.fillna(frame.loc[frame.index.repeat(weights)].median())
same(frame.assign(w=weights), often.assign(w=weights), method="sfs", weights="w")

held_out = {"method": "sfs", "missing": "median", "held_out": True}
assert np.isfinite(tamis.select(gaps, 3, **held_out).held_out).all()  # sums: the fill of all rows
blocks = tamis.select(gaps[:6], 2, **held_out).summary.blocks  # few rows are held, and filled anew
(part,) = blocks.plain_parts(np.where(np.arange(20) == blocks.numbers[0], 0, 1)[None])
rows = np.where(blocks.filled, np.nan, blocks.rows)[blocks.numbers != blocks.numbers[0]]
anew = np.where(np.isnan(rows), np.nanmedian(rows, axis=0), rows)
assert np.allclose(part.mean, anew.mean(axis=0))

for table in (gaps, X):
    found = tamis.extract(table, 2, method="pca", missing="median")
    lacks = np.arange(8) == 1
    new = (np.where(lacks, value, X[:1]) for value in (np.nan, np.nanmedian(table, axis=0)))
    assert np.allclose(*map(found.transform, new))
table = pa.table({"a": pa.array([1.0, None, 2.0, 30.0])})
assert encode_columns(table, MissingPolicy("median"))[0][1, 0] == 2.0
"""


@pytest.mark.slow(reason="starts Python on a copy of the package, and fills every kind of table")
def test_the_median_is_added_in_three_files_for_every_kind_of_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    edited = run_with_diff(DIFF, CHECK, tmp_path)
    assert len(edited) == 3
