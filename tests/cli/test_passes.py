"""How often a file is read: as few times as the mathematics allows."""

import pyarrow as pa
import pyarrow.parquet
import pytest
from sklearn.datasets import load_wine

from tamis.cli import main
from tamis.sources import arrow
from tamis.statistics import speculative


@pytest.fixture
def passes(monkeypatch):
    """Count the times that a Parquet file is read, for numbers or for anything else."""
    seen = []
    for name in ("batches", "tables"):
        for cls in (c for c in vars(arrow).values() if isinstance(c, type) and name in vars(c)):
            read = vars(cls)[name]

            def counted(self, *given, _read=read, **options):
                seen.append(_read.__name__)
                return _read(self, *given, **options)

            monkeypatch.setattr(cls, name, counted)
    return seen


@pytest.fixture
def wine(tmp_path):
    X, y = load_wine(return_X_y=True)
    table = {f"c{j}": X[:, j] for j in range(13)} | {"class": [f"class {label}" for label in y]}
    pyarrow.parquet.write_table(pa.table(table), tmp_path / "wine.parquet")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        # The columns are judged, then: the moments, the picture, the output.
        (["extract", "-m", "pca"], 4),
        # A target of text is judged by itself: it may be amounts. Then rows, labels, output.
        (["extract", "-m", "lda", "--target", "class"], 5),
        (["extract", "-m", "pca", "--target", "class"], 6),  # the labels only colour the picture
        # The columns are judged, then: the moments, rows of the report, the output.
        (["select", "-k", "3", "-m", "sfs"], 4),
        # Also bins and counts, and a target of text.
        (["select", "-k", "3", "-m", "chi2", "--target", "class"], 6),
        (["select", "-k", "auto", "-m", "sfs", "--held-out", "--stability"], 4),
        # The default reads once more for the levels and the limits of extreme values.
        (["select", "-k", "3", "--exclude", "class"], 5),
    ],
)
def test_report_and_output_need_few_passes(passes, wine, command, expected, capsys):
    files = ["-o", str(wine / "out.csv"), "--report", str(wine / "page.html")]
    main([command[0], str(wine / "wine.parquet"), *command[1:], *files])
    assert len(passes) == expected
    assert "Wrote" in capsys.readouterr().out


@pytest.mark.parametrize("method", [[], ["-m", "sfs"], ["-m", "sfs", "--held-out"]])
def test_a_large_file_of_measurements_is_read_once(passes, wine, method, monkeypatch):
    monkeypatch.setattr(speculative, "LEAST_CELLS", 1)
    main(["select", str(wine / "wine.parquet"), "-k", "3", "--exclude", "class", *method])
    assert passes == ["tables"]
