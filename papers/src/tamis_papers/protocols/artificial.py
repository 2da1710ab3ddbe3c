"""Yen, Chen & Lin's artificial experiment: are dependent columns the first to be removed.

Base columns are independent and fall into groups; derived columns mix the base columns of one group
with a little noise. Half of all columns are removed. The score is the number of independent
dimensions lost with them: 0 is best. The paper leaves the distribution, the noise and the
sizes open; here they are parameters. Its table is captioned "remaining independent features"; the
text (removed ones that the remaining cannot express) is what is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis_papers.laboratory.numbers import Floats, Indices


@dataclass(frozen=True, eq=False)
class Artificial:
    """A generated table and how it was made.

    `mixing` (base columns x all columns) holds the coefficients of every column, without the noise;
    `groups` is the group of every column.
    """

    X: Floats
    groups: Indices
    mixing: Floats

    @property
    def is_base(self) -> NDArray[np.bool_]:
        """Which columns are base columns: they come first."""
        return np.arange(self.X.shape[1]) < len(self.mixing)


def generate_table(
    random_state: int | np.random.Generator = 0,
    *,
    n_samples: int = 500,
    n_base: int = 500,
    n_derived: int = 500,
    n_groups: int = 10,
    group_sizes: Sequence[int] | None = None,
    derived: str = "equal",
    weights: str = "normal",
    sparsity: float = 0.0,
    noise_std: float = 0.01,
) -> Artificial:
    """Make the table of one run.

    Parameters
    ----------
    random_state
        Seed or generator.
    n_samples, n_base, n_derived, n_groups
        Sizes of the experiment.
    group_sizes
        Base columns of each group; cut at random when not given.
    derived
        Derived columns of each group: "equal" numbers, "proportional" to its base columns, or
        "cuts", at random as the base columns are cut.
    weights
        Distribution of the coefficients: "normal" or "uniform" (between -1 and 1).
    sparsity
        Share of the coefficients set to 0; every derived column keeps at least one.
    noise_std
        Standard deviation of the noise, for derived columns of standard deviation 1.

    Examples
    --------
    >>> made = generate_table(0, n_samples=8, n_base=4, n_derived=4, n_groups=2)
    >>> made.X.shape, made.groups
    ((8, 8), array([0, 0, 0, 1, 0, 0, 1, 1]))
    """
    rng = np.random.default_rng(random_state)
    sizes = _group_sizes(rng, n_base, n_groups, group_sizes)
    of_base = np.repeat(np.arange(len(sizes)), sizes)
    of_derived = np.repeat(np.arange(len(sizes)), _derived_sizes(rng, sizes, n_derived, derived))
    base = rng.standard_normal((n_samples, n_base))
    mixing = _weights(rng, weights, (n_base, n_derived))
    mixing[rng.random(mixing.shape) < sparsity] = 0.0
    mixing[of_base[:, None] != of_derived] = 0.0
    for j in np.flatnonzero(~mixing.any(axis=0)):
        mixing[rng.choice(np.flatnonzero(of_base == of_derived[j])), j] = 1.0
    mixed = base @ mixing
    mixing /= mixed.std(axis=0)
    noise = noise_std * rng.standard_normal(mixed.shape)
    return Artificial(
        np.hstack([base, mixed / mixed.std(axis=0) + noise]),
        np.concatenate([of_base, of_derived]),
        np.hstack([np.eye(n_base), mixing]),
    )


def _group_sizes(
    rng: np.random.Generator, n_base: int, n_groups: int, given: Sequence[int] | None
) -> Indices:
    if given is None:
        return _cut(rng, n_base, n_groups)
    if sum(given) != n_base or min(given) < 1:
        raise TamisError(
            f"group_sizes={list(given)}: give integers above 0 that add up to {n_base}."
        )
    return np.asarray(given, dtype=np.intp)


def _cut(rng: np.random.Generator, count: int, n_groups: int) -> Indices:
    """Cut columns into groups of at least one, every way being as likely."""
    cuts = np.sort(rng.choice(np.arange(1, count), n_groups - 1, replace=False))
    return np.diff(np.concatenate([[0], cuts, [count]]))


def _derived_sizes(rng: np.random.Generator, sizes: Indices, n_derived: int, rule: str) -> Indices:
    if rule == "cuts":
        return _cut(rng, n_derived, len(sizes))
    if rule not in ("equal", "proportional"):
        raise TamisError(f"derived={rule!r}: give 'equal', 'proportional' or 'cuts'.")
    share = np.ones(len(sizes)) if rule == "equal" else sizes
    # Cutting at rounded running totals makes the parts add up.
    totals = np.round(np.cumsum(share) / share.sum() * n_derived).astype(np.intp)
    return np.diff(totals, prepend=0)


def _weights(rng: np.random.Generator, rule: str, shape: tuple[int, int]) -> Floats:
    if rule == "normal":
        return rng.standard_normal(shape)
    if rule == "uniform":
        return rng.uniform(-1.0, 1.0, shape)
    raise TamisError(f"weights={rule!r}: give 'normal' or 'uniform'.")


def count_lost_dimensions(made: Artificial, kept: Sequence[int] | Indices) -> int:
    """Count the independent dimensions that the kept columns do not span, noise aside.

    With dense weights a group of b base columns loses b minus the number kept of it, if positive.

    Examples
    --------
    Removing both a base column and what is derived from it alone loses a dimension.

    >>> mixing = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]])
    >>> made = Artificial(np.zeros((5, 3)), np.array([0, 1, 0]), mixing)
    >>> count_lost_dimensions(made, [1, 2]), count_lost_dimensions(made, [1])
    (0, 1)
    """
    kept = np.asarray(kept, dtype=np.intp)
    spanned = 0
    for group in range(int(made.groups.max()) + 1):
        rows = made.groups[: len(made.mixing)] == group
        mine = kept[made.groups[kept] == group]
        spanned += int(np.linalg.matrix_rank(made.mixing[np.ix_(rows, mine)]))
    return len(made.mixing) - spanned


def count_removed_base(made: Artificial, kept: Sequence[int] | Indices) -> int:
    """Count removed base columns: for diagnosis only, since a derived one can stand for a base."""
    return len(made.mixing) - int(made.is_base[np.asarray(kept, dtype=np.intp)].sum())
