// Find the columns of every case, in Node or in a page; `modules` are those of the page.
export function solveAll({ gram, greedy }, cases, decode) {
  return cases.map(({ width, triangle, rounded, sizes, rows, asked, step, targets }) => {
    const matrix = rounded ? gram.fillRounded(decode(rounded), width) : gram.fillSquare(new Float64Array(decode(triangle)), width);
    const grouped = { gram: matrix, groups: greedy.makeGroups(sizes ?? Array(width).fill(1)), nRows: rows ?? null };
    const { indices, retained } = greedy.search(grouped, asked);
    const shares = greedy.listShares(grouped, indices);
    const links = greedy.listLinks(grouped, indices);
    const at = Math.min(step, indices.length);
    const sources = targets.map((column) =>
      greedy.findSources(indices.slice(0, at), links, column, shares[at - 1][column], grouped.groups.single));
    return {
      path: indices,
      retained,
      shares: Array.from(shares[at - 1]),
      sources: sources.map(({ pairs }) => pairs),
      carried: sources.map(({ carried }) => carried),
    };
  });
}
