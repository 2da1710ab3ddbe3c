// The curve of the model, a handle that can be dragged, a readout under the pointer.
import { drawLines, followPointer, moveMarker, scaleCurve } from "./curve.js";
import { find, makeName, pickAll, pickAs, setAttributes } from "./elements.js";
import { data } from "./model.js";
import { getName, setState, state } from "./state.js";
import { formatCount, formatPercent, pluralise, writeShares } from "./text.js";

/** @type {Model | null} */
let drawnModel = null;

// The numbers under the axis were drawn for the model of Python; another may have a shorter path.
export const countOnAxis = () => state.starting.path.length;

/** @param {number} k */
function readCurve(k) {
  const { model } = state;
  const shares = writeShares(model.held[k - 1], model.retained[k - 1]).join(" · ");
  const parts = [`${pluralise(k, "column")}: ${shares}`, `ceiling ${formatPercent(model.bound[k - 1])}`];
  const chance = model.getChance(k);
  if (data.measure === "variance" && chance !== null) parts.push(`chance ${formatPercent(chance)}`);
  parts.push(`this column adds ${formatPercent(model.retained[k - 1] - (model.retained[k - 2] ?? 0))}`);
  find("curve-readout").replaceChildren(parts.join(" · "), " · ", makeName(getName(model.path[k - 1])));
}

// A row of the spectral tree knows the places on the path of its columns.
/** @param {SVGElement} row */
function markRow(row) {
  const places = (row.dataset.places ?? "").split(" ").filter((place) => Number(place) <= state.k);
  row.classList.toggle("kept", places.length > 0);
  const { folded } = row.dataset;
  if (folded) {
    pickAs(row, "text", SVGElement).textContent = places.length
      ? `… ${formatCount(places.length)} of ${folded} kept` : `… ${folded} columns`;
  }
}

export function showCurve() {
  const { k, model } = state;
  const lines = { kept: model.retained, ceiling: model.bound, held: model.held };
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => {
    if (drawnModel !== model && (drawnModel || !model.base)) {
      drawLines(chart, countOnAxis(), lines);
      chart.classList.toggle("other", !model.base);
    }
    moveMarker(chart, countOnAxis(), lines, k);
  });
  drawnModel = model;
  readCurve(k);
  pickAll(".tree [data-places]", SVGElement).forEach(markRow);
}

export function startCurve() {
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => {
    const line = pickAs(chart, ".hover", SVGElement);
    followPointer(chart, countOnAxis, (k) => setState({ k }), (under) => {
      const k = Math.min(under, state.model.path.length);
      const at = scaleCurve(chart, countOnAxis()).x(k);
      setAttributes(line, { x1: at, x2: at });
      line.classList.add("on");
      readCurve(k);
    });
    chart.addEventListener("pointerleave", () => {
      line.classList.remove("on");
      readCurve(state.k);
    });
  });
}
