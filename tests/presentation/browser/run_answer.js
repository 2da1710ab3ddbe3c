// Answer for some files, in Node or in a page; `answers` is what answer.js exports.
export function answerAll(answers, files, draws) {
  const quiet = () => {};
  return files.map(({ name, bytes, auto }) => {
    try {
      const { table, judged } = answers.look(bytes, name, quiet);
      const analysis = new answers.Analysis(table, judged, quiet);
      const found = auto ? analysis.selectAuto(draws, quiet) : analysis.select(quiet);
      return { judged, ...describe(found, analysis) };
    } catch (error) {
      if (error.reason) return { declined: error.reason };
      throw error;
    }
  });
}

function describe(found, analysis) {
  const { names, path, k } = found;
  const kept = path.slice(0, k);
  return {
    names: kept.map((column) => names[column]),
    retained: found.retained.slice(0, k),
    bound: found.bound.slice(0, k),
    held: found.held.share.slice(0, k),
    std: found.held.std.slice(0, k),
    asIs: found.asIs,
    shrink: found.shrink,
    byTails: found.byTails,
    auto: found.auto,
    fresh: Object.fromEntries(names.map((name, j) => [name, found.newRows[k - 1].shares[j]])),
    low: Object.fromEntries(names.map((name, j) => [name, found.newRows[k - 1].low[j]])),
    shares: Object.fromEntries(names.map((name, j) => [name, found.shares[k - 1][j]])),
    skipped: found.skipped,
    pooled: found.pooled,
    marked: found.marked,
    swaps: analysis.listSwaps(kept, 0).map(({ group, change }) => [names[group], change]),
  };
}
