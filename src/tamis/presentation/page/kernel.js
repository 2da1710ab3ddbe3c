// The greedy loop of `sfs` on a Gram matrix, in float64: the same scores, ties and limits of rank as
// Python's (algorithms/greedy.py, algorithms/residual.py, numerics/rank.py). It knows no document.
const kernel = (() => {
  const EPS = 2 ** -52;
  const ROUNDING = 64 * EPS; // of a product of two columns, relative to their lengths
  const RANK_TOL = 1e-10; // what is left of a column's own variance and counts as nothing
  const TIE = 1e-9; // scores so near to each other are equal
  const MINOR = 1e-6; // parts too small to be named
  const REFRESH = 30; // fall of the trace after which norms are computed afresh
  const FEW = 3;
  const ENOUGH = 0.95;

  // The lower triangle, row by row, as a full matrix.
  function squared(triangle, width) {
    const gram = new Float64Array(width * width);
    for (let i = 0, at = 0; i < width; i++) {
      for (let j = 0; j <= i; j++, at++) gram[i * width + j] = gram[j * width + i] = triangle[at];
    }
    return { width, gram };
  }

  // out += the sum of factors[r] times row rows[r] of a matrix; four rows at a time.
  function addRows(out, matrix, width, rows, factors, count) {
    let r = 0;
    for (; r + 3 < count; r += 4) {
      const [f0, f1, f2, f3] = [factors[r], factors[r + 1], factors[r + 2], factors[r + 3]];
      let a = rows[r] * width;
      let b = rows[r + 1] * width;
      let c = rows[r + 2] * width;
      let d = rows[r + 3] * width;
      for (let j = 0; j < width; j++) {
        out[j] += f0 * matrix[a++] + f1 * matrix[b++] + (f2 * matrix[c++] + f3 * matrix[d++]);
      }
    }
    for (; r < count; r++) {
      const factor = factors[r];
      for (let j = 0, a = rows[r] * width; j < width; j++, a++) out[j] += factor * matrix[a];
    }
  }

  function dot(matrix, start, vector, width) {
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    let j = 0;
    for (let a = start; j + 3 < width; j += 4, a += 4) {
      s0 += matrix[a] * vector[j];
      s1 += matrix[a + 1] * vector[j + 1];
      s2 += matrix[a + 2] * vector[j + 2];
      s3 += matrix[a + 3] * vector[j + 3];
    }
    for (; j < width; j++) s0 += matrix[start + j] * vector[j];
    return s0 + s1 + (s2 + s3);
  }

  const sum = (values) => {
    let [s0, s1] = [0, 0];
    for (let j = 0; j + 1 < values.length; j += 2) { s0 += values[j]; s1 += values[j + 1]; }
    return s0 + s1 + (values.length % 2 ? values[values.length - 1] : 0);
  };

  // What is left of a Gram matrix once some columns are taken: R = G - W'W.
  class Residual {
    constructor({ gram, width }, capacity) {
      Object.assign(this, { gram, width, size: 0, taken: [], retained: [] });
      this.start = new Float64Array(width);
      for (let j = 0; j < width; j++) this.start[j] = gram[j * width + j];
      this.left = this.start.slice();
      this.total = sum(this.start);
      this.W = new Float64Array(capacity * width);
      this.rows = Uint32Array.from({ length: Math.max(capacity, width) }, (_, row) => row);
      this.factors = new Float64Array(Math.max(capacity, width));
      this.places = new Uint32Array(width);
      this.buffer = new Float64Array(width);
      this.norms = null;
      this.normsSize = 0;
      this.normsTrace = this.total;
    }

    free(j) { return this.left[j] > RANK_TOL * this.start[j]; }

    take(j) {
      const { W, width, left, size } = this;
      if (this.aboveRounding(j)) {
        const w = this.buffer;
        w.set(this.gram.subarray(j * width, (j + 1) * width));
        for (let m = 0; m < size; m++) this.factors[m] = -W[m * width + j];
        addRows(w, W, width, this.rows, this.factors, size);
        const root = Math.sqrt(left[j]);
        for (let i = 0; i < width; i++) w[i] /= root;
        this.taken.forEach((i) => { w[i] = 0; });
        W.set(w, size * width);
        for (let i = 0; i < width; i++) left[i] = Math.max(left[i] - w[i] * w[i], 0);
      }
      left[j] = 0;
      this.taken.push(j);
      this.retained.push(1 - sum(left) / this.total);
      this.size += 1;
    }

    // Whether what is left of a column is more than the rounding error of finding it.
    aboveRounding(j) {
      const { W, width, left, start, taken } = this;
      if (left[j] > RANK_TOL * start[j] || left[j] <= ROUNDING * start[j]) {
        return left[j] > RANK_TOL * start[j];
      }
      const useful = taken.map((_, m) => m).filter((m) => W[m * width + taken[m]] > 0);
      const solved = [];
      let reach = Math.sqrt(start[j]);
      for (let i = useful.length - 1; i >= 0; i--) {
        const row = useful[i] * width;
        let value = W[row + j];
        for (let m = i + 1; m < useful.length; m++) value -= W[row + taken[useful[m]]] * solved[m];
        solved[i] = value / W[row + taken[useful[i]]];
        reach += Math.sqrt(start[taken[useful[i]]]) * Math.abs(solved[i]);
      }
      return left[j] > ROUNDING * reach * reach;
    }

    // Squared column norms of R, brought up to date.
    updatedNorms() {
      const trace = sum(this.left);
      if (this.norms === null || trace * REFRESH < this.normsTrace) {
        this.norms = this.freshNorms();
        this.normsSize = this.size;
        this.normsTrace = trace;
      }
      for (; this.normsSize < this.size; this.normsSize++) this.updateNorms(this.normsSize);
      return this.norms;
    }

    // ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2
    updateNorms(step) {
      const { W, width, gram, norms, places, factors, buffer } = this;
      const w = W.subarray(step * width, (step + 1) * width);
      let count = 0;
      for (let j = 0; j < width; j++) {
        if (w[j] !== 0) { places[count] = j; factors[count++] = w[j]; }
      }
      if (!count) return;
      buffer.fill(0);
      addRows(buffer, gram, width, places, factors, count);
      for (let m = 0; m < step; m++) factors[m] = -dot(W, m * width, w, width);
      addRows(buffer, W, width, this.rows, factors, step);
      const square = dot(W, step * width, w, width);
      for (let j = 0; j < width; j++) norms[j] += w[j] * (square * w[j] - 2 * buffer[j]);
    }

    // The same from R itself, of which only the part below the diagonal is computed.
    freshNorms() {
      const { W, width, gram, size, factors, buffer } = this;
      const norms = new Float64Array(width);
      const open = new Uint8Array(width).fill(1);
      this.taken.forEach((j) => { open[j] = 0; });
      for (let i = 0; i < width; i++) {
        if (!open[i]) continue;
        const row = buffer.subarray(0, i + 1);
        row.set(gram.subarray(i * width, i * width + i + 1));
        for (let m = 0; m < size; m++) factors[m] = -W[m * width + i];
        addHeads(row, W, width, factors, size);
        for (let j = 0; j < i; j++) {
          const square = open[j] * row[j] * row[j];
          norms[j] += square;
          norms[i] += square;
        }
        norms[i] += row[i] * row[i];
      }
      return norms;
    }
  }

  // As `addRows`, of the first rows and only as far as `out` goes.
  function addHeads(out, matrix, width, factors, count) {
    const length = out.length;
    let r = 0;
    for (; r + 3 < count; r += 4) {
      const [f0, f1, f2, f3] = [factors[r], factors[r + 1], factors[r + 2], factors[r + 3]];
      for (let j = 0, a = r * width; j < length; j++, a++) {
        out[j] += f0 * matrix[a] + f1 * matrix[a + width]
          + (f2 * matrix[a + 2 * width] + f3 * matrix[a + 3 * width]);
      }
    }
    for (; r < count; r++) {
      const factor = factors[r];
      for (let j = 0, a = r * width; j < length; j++, a++) out[j] += factor * matrix[a];
    }
  }

  // The first column whose score is within TIE of the best; -1 where none may be taken.
  function bestOf(residual, closed, prices) {
    const { width, left, total } = residual;
    const norms = residual.updatedNorms();
    const scores = new Float64Array(width);
    let best = -Infinity;
    for (let j = 0; j < width; j++) {
      const may = !closed[j] && residual.free(j);
      scores[j] = may ? Math.max(norms[j], 0) / left[j] / total / prices[j] : -Infinity;
      if (scores[j] > best) best = scores[j];
    }
    if (best === -Infinity) return -1;
    return scores.findIndex((score) => score >= best - TIE * Math.abs(best));
  }

  // Take up to `k` columns, `include` first, each the one that explains most for its price.
  // `matrix` is { width, gram }; columns are positions, `costs` pairs of a position and a price.
  function greedy(matrix, { k, include = [], forbid = [], costs = [] }) {
    const { width } = matrix;
    const closed = new Uint8Array(width);
    forbid.forEach((j) => { closed[j] = 1; });
    const prices = new Float64Array(width).fill(1);
    costs.forEach(([j, price]) => { prices[j] = price; });
    const most = Math.max(Math.min(k, width), include.length);
    const residual = new Residual(matrix, most);
    for (let step = 0; step < most; step++) {
      if (step < include.length) residual.updatedNorms();
      const pick = step < include.length ? include[step] : bestOf(residual, closed, prices);
      if (pick < 0) break;
      residual.take(pick);
      closed[pick] = 1;
    }
    return found(matrix, residual);
  }

  function found({ width, gram }, { taken, retained, W, start }) {
    const sums = new Float64Array(taken.length * width);
    for (let step = 0, at = 0; step < taken.length; step++) {
      for (let j = 0; j < width; j++, at++) {
        sums[at] = (step ? sums[at - width] : 0) + (W[at] * W[at]) / start[j];
      }
    }
    const sharesAt = (k) => {
      const shares = sums.slice((k - 1) * width, k * width);
      for (let j = 0; j < width; j++) shares[j] = Math.min(Math.max(shares[j], 0), 1);
      for (let step = 0; step < k; step++) shares[taken[step]] = 1;
      return shares;
    };
    const unit = start.map((square) => 1 / Math.sqrt(square));
    const link = (i, j) => gram[i * width + j] * (unit[i] * unit[j]);
    const sourcesAt = (column, k) => {
      const share = Math.min(sums[(k - 1) * width + column], 1);
      return carriers(link, taken.slice(0, k), column, ENOUGH * share);
    };
    return { path: taken, retained, W: W.subarray(0, taken.length * width), sharesAt, sourcesAt };
  }

  // Up to three kept columns that carry another one, best first, as in evaluation/reconstruction.py:
  // orthogonal matching pursuit on correlations, then a regression on these alone.
  function carriers(link, kept, target, goal) {
    const covariance = kept.map((i) => link(i, target));
    const left = new Float64Array(kept.length).fill(1);
    const basis = [];
    const picks = [];
    let carried = 0;
    while (picks.length < Math.min(FEW, kept.length) && carried < goal) {
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
    const weights = solved(picks.map((i) => picks.map((j) => link(i, j))), picks.map((i) => link(i, target)));
    return { pairs: picks.map((j, i) => [j, weights[i]]), carried: Math.min(carried, 1) };
  }

  // Gaussian elimination of a few positive definite equations.
  function solved(matrix, right) {
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

  return { squared, greedy };
})();
if (typeof module !== "undefined") module.exports = kernel;
