"""Whole groups are swapped until no swap helps, against all swaps."""

from itertools import chain

import numpy as np
from tests.algorithms.forward.test_together import error_of, random_sensors

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits
from tamis.algorithms.refine.swap import swap_units
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary


def test_no_swap_of_whole_groups_is_left_and_none_is_worse_than_greedy():
    for seed in range(30):
        Z, groups = random_sensors(seed)
        d = Z.shape[1]
        gram, limits = DenseGram(Z.T @ Z), Limits.of(d, groups=groups)
        greedy = take_groups(gram, 3, limits=limits, together=True, retain=9.0)
        found = swap_units(as_summary(gram), greedy, limits)
        assert found.share >= greedy.share - 1e-12
        single = [[j] for j in range(d) if not any(j in some for some in groups.values())]
        units = [*groups.values(), *single]
        kept = [some for some in units if some[0] in found.indices]
        assert sorted(chain(*kept)) == sorted(found.indices.tolist())
        here = error_of(Z, [*chain(*kept)])
        assert np.isclose(found.share, 1 - here / (Z**2).sum())
        for i in range(len(kept)):
            for other in units:
                if other not in kept:
                    swapped = [*chain(*kept[:i], *kept[i + 1 :], other)]
                    assert error_of(Z, swapped) >= here - 1e-9
