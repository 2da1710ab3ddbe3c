import numpy as np
import pytest

from tamis.presentation.names import cut, shortened


def test_a_name_is_cut_in_the_middle() -> None:
    assert cut("temperature_inlet_left", 12) == "temper\N{HORIZONTAL ELLIPSIS}_left"


@pytest.mark.parametrize("width", [4, 7, 12, 30])
@pytest.mark.parametrize(
    "names",
    [
        [f"a long start {j} and the same long end" for j in range(30)],
        [f"the same long start and then {j:04d}" for j in range(300)],
        [f"{j:04d} and the same long end of a name" for j in range(300)],
        ["a" * n for n in range(1, 40)],
    ],
)
def test_shortened_names_stay_distinct_and_short_ones_as_they_are(
    names: list[str], width: int
) -> None:
    short = shortened(names, width)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(short[name] == name for name in names if len(name) <= width)


def test_random_names_fit_the_width() -> None:
    letters = np.random.default_rng(0).choice(list("abcdef"), size=(500, 40))
    short = shortened(["".join(row) for row in letters], 14)
    assert {len(text) for text in short.values()} == {14}
