// The axis of shares, as scenes/share_scale.py chooses it: straight, or by the logarithm of what is
// lost.

const { HIGH_SHARE, LOW_SHARE, MAX_LOSS_TICKS, MIN_COLUMN_LOSS, MIN_DROPPED, MOSTLY } = RULES.pictures;

const WHOLE = { top: 1, least: 0, most: 1, low: 0 };

/** @type {(scale: ShareScale, share: number) => number} */
export function placeShare({ top, least, most, low }, share) {
  if (!least) return Math.min(Math.max((share - low) / (top - low), 0), 1);
  return Math.log(most / Math.min(Math.max(1 - share, least), most)) / Math.log(most / least);
}

// The scale that Python has chosen for a chart.
/** @type {(code: string | undefined) => ShareScale} */
export function readScale(code) {
  const [top, least, most, low] = (code ?? "1 0 1 0").split(" ").map(Number);
  return { top, least, most, low };
}
// The box that Python has chosen for a chart, and the height of a share in it.
/** @param {SVGSVGElement} chart */
export function readBox({ dataset }) {
  const [left, top, right, floor] = (dataset.box ?? "").split(" ").map(Number);
  const scale = readScale(dataset.scale);
  /** @param {number} share */
  const y = (share) => floor - (floor - top) * placeShare(scale, share);
  return { left, top, right, floor, y };
}

/** @type {(scale: ShareScale) => string} */
export const writeScale = ({ top, least, most, low }) => [top, least, most, low].map((one) => Number(one.toPrecision(6))).join(" ");

// Choose the axis for how much is explained of each dropped column.
/** @type {(shares: ArrayLike<number>, dropped: number[]) => ShareScale} */
export function chooseColumnScale(shares, dropped) {
  if (!dropped.length) return WHOLE;
  let [near, least, most] = [0, Infinity, -Infinity];
  dropped.forEach((j) => {
    if (shares[j] >= MOSTLY) near += 1;
    least = Math.min(least, shares[j]);
    most = Math.max(most, shares[j]);
  });
  if (dropped.length >= MIN_DROPPED && 4 * near >= 3 * dropped.length) {
    return { ...WHOLE, least: MIN_COLUMN_LOSS, most: roundUp(Math.max(1 - least, 10 * MIN_COLUMN_LOSS)) };
  }
  if (most > 0 && most < LOW_SHARE) {
    const step = roundStep(most);
    return { ...WHOLE, top: Number((step * Math.ceil(most / step - 1e-9)).toPrecision(6)) };
  }
  return least >= HIGH_SHARE ? { ...WHOLE, low: Math.min(Math.floor(10 * least) / 10, 0.9) } : WHOLE;
}

// The heights of lines across the picture, and what is written beside them.
/** @type {(scale: ShareScale) => [height: number, text: string][]} */
export function listTicks(scale) {
  const { top, least, most, low } = scale;
  if (least) return listLosses(most, least).map((loss) => [placeShare(scale, 1 - loss), `${Number((100 * loss).toPrecision(4))}% lost`]);
  const step = roundStep(top - low);
  const count = Math.round((top - low) / step);
  return Array.from({ length: count + 1 }, (_, i) => [i / count, `${Number((100 * (low + i * step)).toPrecision(3))}%`]);
}

// What a reader must know of the axis; nothing of the usual one.
/** @type {(scale: ShareScale) => string} */
export function describeScale({ top, least, low }) {
  if (least) return "log scale of what is lost";
  if (low) return `axis from ${Number((100 * low).toPrecision(3))}%`;
  return top === 1 ? "" : `axis up to ${Number((100 * top).toPrecision(3))}%`;
}

/** @param {number} value */
const findPower = (value) => 10 ** Math.floor(Math.log10(value) + 1e-9);

/** @param {number} width */
function roundStep(width) {
  const raw = width / (width === 1 ? 4 : 5);
  const power = findPower(raw);
  return power * ([1, 2, 2.5, 5, 10].find((digit) => power * digit >= raw * (1 - 1e-9)) ?? 10);
}

/** @param {number} value */
function roundUp(value) {
  const power = findPower(value);
  const digit = [1, 2, 5, 10].find((one) => power * one >= value * (1 - 1e-9)) ?? 10;
  return Math.min(Number((power * digit).toPrecision(6)), 1);
}

/** @type {(most: number, least: number) => number[]} */
function listLosses(most, least) {
  const there = [];
  for (let power = 0; power >= Math.floor(Math.log10(least) + 1e-9); power--) {
    there.push(...[5, 2, 1].map((digit) => Number(`${digit}e${power}`))
      .filter((loss) => loss >= least * (1 - 1e-9) && loss <= most * (1 + 1e-9)));
  }
  return there.length <= MAX_LOSS_TICKS ? there : there.filter((loss) => loss.toExponential().startsWith("1"));
}
