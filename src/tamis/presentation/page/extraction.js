// Move the marks of the score plot to other components; show the loadings of one at a time.
import { find, findAs, makeShape, pickAll, seek, setAttributes, unfoldForPrint } from "./elements.js";
import { inflate, readData } from "./page_data.js";

/** @type {ExtractionData} */
const data = readData();

/** @type {(scores: Int16Array[], across: number, up: number) => void} */
function showScores(scores, across, up) {
  const [left, top, right, floor] = data.box;
  /** @param {number} step */
  const x = (step) => (left + (step * (right - left)) / data.steps).toFixed(1);
  /** @param {number} step */
  const y = (step) => (floor - (step * (floor - top)) / data.steps).toFixed(1);
  const [xs, ys] = [scores[across], scores[up]];
  const points = [...findAs("points", SVGElement).children];
  points.forEach((point, row) =>
    setAttributes(point, { x: x(xs[row] + data.steps / 2), y: y(ys[row] + data.steps / 2) }));
  findAs("grid-x", SVGElement).replaceChildren(...data.ticks[across].flatMap(([step, text]) => [
    makeShape("line", { class: "grid", x1: x(step), x2: x(step), y1: top, y2: floor }),
    makeShape("text", { x: x(step), y: floor + 20, "text-anchor": "middle" }, text)]));
  findAs("grid-y", SVGElement).replaceChildren(...data.ticks[up].flatMap(([step, text]) => [
    makeShape("line", { class: "grid", x1: left, x2: right, y1: y(step), y2: y(step) }),
    makeShape("text", { x: left - 6, y: y(step), dy: ".35em", "text-anchor": "end" }, text)]));
  findAs("name-x", SVGElement).textContent = data.names[across];
  findAs("name-y", SVGElement).textContent = data.names[up];
  findAs("scores", SVGElement).setAttribute("aria-label",
    `Scores of ${points.length.toLocaleString("en")} rows on ${data.names[across]} and ${data.names[up]}`);
}

async function startScores() {
  if (!window.DecompressionStream) return; // the first two components stay
  const scores = (await Promise.all(data.scores.map(inflate))).map((buffer) => new Int16Array(buffer));
  const choices = ["across", "up"].map((id) => findAs(id, HTMLSelectElement));
  const readChoices = () => choices.map((choice) => Number(choice.value));
  const update = () => {
    const [across, up] = readChoices();
    showScores(scores, across, up);
  };
  choices.forEach((choice) => choice.addEventListener("change", update));
  find("choices").hidden = false;
  const [across, up] = readChoices(); // a browser may remember an earlier choice
  if (across !== 0 || up !== 1) showScores(scores, across, up);
}

function startLoadings() {
  const choice = findAs("direction", HTMLSelectElement);
  const parts = pickAll(".weights", HTMLElement);
  const show = () => parts.forEach((part, place) => { part.hidden = place !== Number(choice.value); });
  choice.addEventListener("change", show);
  find("direction-box").hidden = false;
  show();
}

unfoldForPrint();
if (seek("across")) startScores();
if (seek("direction")) startLoadings();
