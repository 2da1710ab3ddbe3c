// Find the columns of every case, in Node or in a page; `loop` is what greedy.js exports.
export function solveAll(loop, cases, decode) {
  return cases.map(({ width, triangle, asked, step, targets }) => {
    const matrix = loop.fillSquare(new Float64Array(decode(triangle)), width);
    const found = loop.selectGreedily(matrix, asked);
    const sources = targets.map((column) => found.getSources(column, step));
    return {
      path: found.path,
      retained: found.retained,
      shares: Array.from(found.getShares(step)),
      sources: sources.map(({ pairs }) => pairs),
      carried: sources.map(({ carried }) => carried),
    };
  });
}
