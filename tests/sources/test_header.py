import numpy as np
import pytest

from tamis.sources.delimited import DelimitedSource


def doubts(tmp_path, header, rows):
    path = tmp_path / "t.csv"
    lines = [",".join(map(str, row)) for row in [header, *rows]]
    path.write_text("\n".join(lines) + "\n")
    return DelimitedSource(path).info.doubts


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("width", [1, 2, 4, 8, 40])
def test_a_row_of_values_in_place_of_the_header_is_noticed(tmp_path, rng, width):
    for _ in range(5):
        first, *rows = rng.normal(size=(30, width)).round(4)
        assert "'" + str(first[0]) + "'" in doubts(tmp_path, first, rows)[0]


def test_text_among_the_values_changes_nothing(tmp_path, rng):
    rows = [[*row, "setosa"] for row in rng.normal(size=(30, 4)).round(3)]
    assert doubts(tmp_path, rows[0], rows[1:])
    assert not doubts(tmp_path, ["sepal", 2, 3, 4, "kind"], rows)


@pytest.mark.parametrize(
    "header",
    [
        range(1990, 2000),
        [1950, 1960, 1975, 1990],
        np.linspace(428.0, 1833.0, 40).round(2),
        np.sort(np.random.default_rng(0).uniform(0, 3, 40)).round(4)[::-1],
        range(8),
        [7157, 672, 675, 5728],
    ],
)
def test_years_wavelengths_positions_and_numbers_of_genes_are_names(tmp_path, rng, header):
    for scale in (1.0, 2000.0):
        header = list(header)
        rows = rng.uniform(0, 1, size=(30, len(header))) * scale
        alike = scale == 2000.0 and header[0] == 7157  # then it cannot be told
        assert alike or not doubts(tmp_path, header, rows.round(4))


def test_quantiles_are_in_order_in_every_row_and_so_is_a_first_row_of_them(tmp_path, rng):
    first, *rows = np.sort(rng.normal(size=(30, 9)).round(4), axis=1)
    assert doubts(tmp_path, first, rows)
