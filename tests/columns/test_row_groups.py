import numpy as np

from tamis.columns.equations import group_by_rows, take_values


def test_a_group_has_the_columns_known_in_its_rows_and_their_correlations():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 5))
    table[:10, [1, 3]] = np.nan
    table[:, 4] = 7.0
    whole, part = group_by_rows(table)
    assert whole.targets.tolist() == [0, 1, 2]
    assert whole.columns.tolist() == [0, 2, 4]
    assert part.rows.tolist() == list(range(10, 40))
    assert part.columns[part.targets].tolist() == [1, 3]
    gram, lengths = part.gram, part.lengths
    expected = np.corrcoef(table[10:, :4], rowvar=False)
    assert np.allclose(gram[:4, :4], expected)
    assert lengths[4] == 0.0
    assert not gram[4].any()


def test_a_table_without_missing_values_is_not_copied():
    table = np.random.default_rng(1).normal(size=(20, 4))
    (group,) = group_by_rows(table)
    assert take_values(*group[:3]) is table
