// The few kept columns that carry a dropped one.

const { ENOUGH_OF_SHARE, MAX_CARRIERS } = RULES.search;
const { MINOR, RANK_TOL, TIE } = RULES.tolerances;

// The kept columns that explain most of another one, of which they all explain `share`; `links` has a
// row for each of them: correlations of numbers, else the share that each explains alone.
/** @type {(kept: number[], links: Float64Array[], column: number, share: number, signed: boolean) => { pairs: Pair[], carried: number }} */
export function findSources(kept, links, column, share, signed) {
  if (signed) {
    const places = new Map(kept.map((source, place) => [source, place]));
    return findCarriers((i, j) => links[places.get(i) ?? 0][j], kept, column, ENOUGH_OF_SHARE * share);
  }
  const pairs = kept.map((source, place) => /** @type {Pair} */ ([source, links[place][column]])).sort((a, b) => b[1] - a[1]);
  const [[, first]] = pairs;
  const named = pairs.slice(0, first >= ENOUGH_OF_SHARE * share ? 1 : MAX_CARRIERS);
  return { pairs: named.filter(([, weight]) => weight > MINOR), carried: first };
}

// Up to three kept columns that carry another one, best first, as in evaluation/measure.py:
// orthogonal matching pursuit on correlations, then a regression on these alone.
/**
 * @param {(i: number, j: number) => number} link correlation of two columns
 * @param {number[]} kept
 * @param {number} target
 * @param {number} goal
 * @returns {{ pairs: Pair[], carried: number }}
 */
function findCarriers(link, kept, target, goal) {
  const covariance = kept.map((i) => link(i, target));
  const left = new Float64Array(kept.length).fill(1);
  /** @type {number[][]} */
  const basis = [];
  /** @type {number[]} */
  const picks = [];
  let carried = 0;
  while (picks.length < Math.min(MAX_CARRIERS, kept.length) && carried < goal) {
    const gains = covariance.map((value, i) => (left[i] > RANK_TOL ? (value * value) / left[i] : 0));
    const best = gains.reduce((most, gain) => Math.max(most, gain), 0);
    const pick = gains.findIndex((gain) => gain >= best * (1 - TIE));
    if (!(gains[pick] > MINOR)) break;
    const root = Math.sqrt(left[pick]);
    const fresh = kept.map((i, at) =>
      (link(kept[pick], i) - basis.reduce((all, row) => all + row[pick] * row[at], 0)) / root);
    const coefficient = covariance[pick] / root;
    for (let i = 0; i < kept.length; i++) {
      covariance[i] -= coefficient * fresh[i];
      left[i] = Math.max(left[i] - fresh[i] * fresh[i], 0);
    }
    basis.push(fresh);
    picks.push(kept[pick]);
    carried += gains[pick];
  }
  const weights = solve(picks.map((i) => picks.map((j) => link(i, j))), picks.map((i) => link(i, target)));
  return { pairs: picks.map((j, i) => [j, weights[i]]), carried: Math.min(carried, 1) };
}

// Gaussian elimination of a few positive definite equations.
/** @param {number[][]} matrix @param {number[]} right */
function solve(matrix, right) {
  for (let i = 0; i < right.length; i++) {
    for (let row = i + 1; row < right.length; row++) {
      const factor = matrix[row][i] / matrix[i][i];
      matrix[row].forEach((_, j) => { matrix[row][j] -= factor * matrix[i][j]; });
      right[row] -= factor * right[i];
    }
  }
  for (let i = right.length - 1; i >= 0; i--) {
    for (let j = i + 1; j < right.length; j++) right[i] -= matrix[i][j] * right[j];
    right[i] /= matrix[i][i];
  }
  return right;
}
