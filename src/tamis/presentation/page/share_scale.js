// The axis of shares that Python has chosen for a chart (share_scale.py): straight up to a share, or
// by the logarithm of what is lost.

/** @param {SVGSVGElement} chart */
export function readScale(chart) {
  const [top, least, most] = (chart.dataset.scale ?? "1 0 1").split(" ").map(Number);
  const decades = Math.log(most / least);
  return least ? {
    /** @param {number} share */
    place: (share) => Math.log(most / Math.min(Math.max(1 - share, least), most)) / decades,
    /** @param {number} height */
    invert: (height) => 1 - most * (least / most) ** height,
  } : {
    /** @param {number} share */
    place: (share) => Math.min(Math.max(share / top, 0), 1),
    /** @param {number} height */
    invert: (height) => height * top,
  };
}
