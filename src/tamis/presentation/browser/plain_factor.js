// What plain regressions on taken columns explain: algorithms/residual.py, column by column.
import { multiplyRows } from "./products.js";

const ROUNDING = 64 * 2 ** -52; // of a product of two columns, relative to their lengths
export const RANK_TOL = 1e-10; // what is left of a column's own variance and counts as nothing
export const TIE = 1e-9; // scores so near to each other are equal
export const NEGLIGIBLE = 1e-12; // what a share may fall short of its goal

// The first place whose score is within TIE of the largest; -1 where all are -Infinity.
/** @param {ArrayLike<number>} scores */
export function findFirstBest(scores) {
  let best = -Infinity;
  for (let i = 0; i < scores.length; i++) if (scores[i] > best) best = scores[i];
  if (best === -Infinity) return -1;
  const least = best - TIE * Math.abs(best);
  for (let i = 0; i < scores.length; i++) if (scores[i] >= least) return i;
  return -1;
}

/** The rows W of taken columns made orthogonal, and what they leave of all columns. */
export class PlainFactor {
  /**
   * @param {Float64Array} diagonal
   * @param {(j: number) => Float64Array} getColumn of the Gram matrix
   */
  constructor(diagonal, getColumn) {
    this.start = diagonal;
    this.left = diagonal.slice();
    this.getColumn = getColumn;
    /** @type {Float64Array[]} */
    this.rows = [];
    /** @type {number[]} */
    this.columns = []; // behind every row
  }

  // Condition on a column; one already reproduced adds nothing. `residual` is what the rows leave of
  // its products with all columns, where that is known.
  /** @type {(j: number, residual?: Float64Array) => boolean} */
  take(j, residual) {
    const { left, rows, columns } = this;
    const adds = this.exceedsRounding(j);
    if (adds) {
      const w = residual ?? this.computeResidual(j);
      const root = Math.sqrt(left[j]);
      for (let i = 0; i < w.length; i++) w[i] /= root;
      columns.forEach((i) => { w[i] = 0; });
      for (let i = 0; i < w.length; i++) left[i] = Math.max(left[i] - w[i] * w[i], 0);
      rows.push(w);
      columns.push(j);
    }
    left[j] = 0;
    return adds;
  }

  /** @param {number} j */
  computeResidual(j) {
    const w = this.getColumn(j).slice();
    for (const row of this.rows) {
      const factor = row[j];
      if (factor) for (let i = 0; i < w.length; i++) w[i] -= factor * row[i];
    }
    return w;
  }

  // Whether what is left of a column is more than the rounding error of finding it.
  /** @param {number} j */
  exceedsRounding(j) {
    const { left, start, rows, columns } = this;
    if (left[j] > RANK_TOL * start[j] || left[j] <= ROUNDING * start[j]) return left[j] > RANK_TOL * start[j];
    const solved = new Float64Array(rows.length);
    let reach = Math.sqrt(start[j]);
    for (let i = rows.length - 1; i >= 0; i--) {
      let value = rows[i][j];
      for (let m = i + 1; m < rows.length; m++) value -= rows[i][columns[m]] * solved[m];
      solved[i] = value / rows[i][columns[i]];
      reach += Math.sqrt(start[columns[i]]) * Math.abs(solved[i]);
    }
    return left[j] > ROUNDING * reach * reach;
  }
}

// One column of a Gram matrix in either form.
/** @type {(gram: GramForm) => (j: number) => Float64Array} */
export function readColumns({ matrix, samples, width, length }) {
  if (matrix) return (j) => matrix.subarray(j * width, (j + 1) * width);
  const rows = /** @type {Float64Array} */ (samples);
  return (j) => {
    const column = new Float64Array(width);
    for (let i = 0; i < width; i++) column[i] = multiplyRows(rows, i * length, rows, j * length, length);
    return column;
  };
}

// The columns of some groups, in this order.
/** @type {(groups: GroupForm, wanted: number[]) => number[]} */
export const listMembers = ({ starts, sizes }, wanted) =>
  wanted.flatMap((group) => Array.from({ length: sizes[group] }, (_, i) => starts[group] + i));

// The sums of what is left over the columns of each group.
/** @type {(groups: GroupForm, values: Float64Array) => Float64Array} */
export function addGroups({ starts, sizes }, values) {
  return Float64Array.from(starts, (start, group) => {
    let sum = 0;
    for (let i = start; i < start + sizes[group]; i++) sum += Math.max(values[i], 0);
    return sum;
  });
}
