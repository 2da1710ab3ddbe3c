// Find the columns of every case: of a file in Node, or of what a page hands over.
function solveAll(kernel, cases, decode) {
  return cases.map(({ width, triangle, asked, step, targets }) => {
    const matrix = kernel.squared(new Float64Array(decode(triangle)), width);
    const found = kernel.greedy(matrix, asked);
    const sources = targets.map((column) => found.sourcesAt(column, step));
    return {
      path: found.path,
      retained: found.retained,
      shares: Array.from(found.sharesAt(step)),
      sources: sources.map(({ pairs }) => pairs),
      carried: sources.map(({ carried }) => carried),
    };
  });
}
if (typeof module !== "undefined") {
  const { readFileSync } = require("node:fs");
  const kernel = require(process.argv[2]);
  const decode = (text) => Uint8Array.from(Buffer.from(text, "base64")).buffer;
  const cases = JSON.parse(readFileSync(process.argv[3], "utf8"));
  process.stdout.write(JSON.stringify(solveAll(kernel, cases, decode)));
}
