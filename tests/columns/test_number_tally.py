import numpy as np

from tamis.columns.tally import NumberTally


def test_the_ends_of_many_values_are_those_of_all_sorted():
    rng = np.random.default_rng(0)
    for values in (
        rng.normal(size=5000),
        rng.integers(0, 40, 5000) / 4,
        np.repeat([1.0, 2.0], 900),
    ):
        tally = NumberTally(100)
        for part in np.array_split(values, 7):
            tally.add(part)
        different, times = np.unique(values, return_counts=True)
        expected = dict(zip(different[:12].tolist(), times[:12].tolist(), strict=True))
        assert tally.lowest == expected
        assert list(tally.highest) == different[-12:][::-1].tolist()
