// The page that takes a table and says which columns to keep.
import { copyNames, saveFile } from "../page/copying.js";
import { followPointer } from "../page/curve.js";
import { find, findAs, makeButton, pickAll, unfoldForPrint } from "../page/elements.js";
import { readData } from "../page/page_data.js";
import { findPicture, writeStandalone } from "../page/pictures.js";
import { quoteWord } from "../page/text.js";
import { listKept, listNotes, showAnswer, showLook, showSwaps, writeReasons } from "./show_answer.js";

/** @type {{ examples: { name: string, about: string, text: string }[], draws: Record<string, number[][]> }} */
const { examples, draws } = readData();
const PARTS = ["work", "declined", "answer", "look"];

let fileName = "";
/** @type {Shown | null} */
let shown = null;
/** @type {Worker | null} */
let worker = null;

function startWorker() {
  const fresh = new Worker(URL.createObjectURL(new Blob([find("worker").textContent ?? ""], { type: "text/javascript" })));
  fresh.addEventListener("message", ({ data }) => { if (worker === fresh) receive(data); });
  fresh.addEventListener("error", (event) => {
    event.preventDefault();
    if (worker === fresh) receive({ type: "failed", message: event.message });
  });
  return fresh;
}

function stopWorker() {
  worker?.terminate();
  worker = null;
}

// Put a question to the worker; a new table ends what is still done for the one before.
/** @param {Question} question */
function ask(question) {
  if (question.type === "open") stopWorker();
  worker ??= startWorker();
  worker.postMessage(question);
}

/** @type {(part: string, on: boolean) => void} */
const toggle = (part, on) => { find(part).hidden = !on; };

/** @param {File} file */
function open(file) {
  PARTS.forEach((part) => toggle(part, part === "work"));
  [fileName, shown] = [file.name, null];
  find("title").textContent = file.name;
  showProgress("reading", 0);
  ask({ type: "open", file });
}

/** @type {(stage: string, share: number) => void} */
function showProgress(stage, share) {
  toggle("work", true);
  find("stage").textContent = `${stage}…`;
  findAs("progress", HTMLProgressElement).value = share;
}

/** @param {Reply} reply */
function receive(reply) {
  if (reply.type === "progress") showProgress(reply.stage, reply.share);
  else if (reply.type === "looked") showLook(reply.judged, reply.rows);
  else {
    toggle("work", false);
    if (reply.type === "answer") showFound(reply.answer);
    else if (reply.type === "wished") change({ wished: reply.wished });
    else if (reply.type === "swaps") { if (shown) showSwaps(shown, reply.place, reply.swaps); }
    else if (reply.type === "summary") saveFile(`${fileName.replace(/\.[^.]*$/, "")}.tamis`, /** @type {BlobPart} */ (reply.bytes), "application/octet-stream");
    else showRefusal(reply.message);
  }
}

/** @param {string} message */
function showRefusal(message) {
  find("refusal").textContent = `${message}. This table needs the command-line program.`;
  find("command").textContent = `tamis select ${quoteWord(fileName)}`;
  toggle("declined", true);
  find("declined").focus();
}

/** @param {Answer} answer */
function showFound(answer) {
  toggle("declined", false);
  toggle("answer", true);
  find("notes").replaceChildren(...listNotes(answer));
  shown = { answer, wished: answer, k: answer.k, pins: [], barred: [] };
  change({});
  find("verdict").focus();
}

// Show something else of the answer; the number of columns stays within what there is.
/** @param {Partial<Shown>} patch */
function change(patch) {
  if (!shown) return;
  Object.assign(shown, patch);
  shown.k = Math.min(Math.max(shown.k, 1, shown.pins.length), shown.wished.path.length);
  showAnswer(shown, acts);
}

// Wish for a column, or no more; either wish ends the other.
/** @type {(kind: "pins" | "barred", column: number) => void} */
function wish(kind, column) {
  if (!shown) return;
  const had = shown[kind].includes(column);
  shown.pins = shown.pins.filter((one) => one !== column);
  shown.barred = shown.barred.filter((one) => one !== column);
  if (!had) shown[kind].push(column);
  const { answer, pins, barred, k } = shown;
  if (pins.length || barred.length) ask({ type: "wish", include: pins, forbid: barred, k });
  else change({ wished: answer });
}

/** @type {Acts} */
const acts = {
  pin: (column) => wish("pins", column),
  bar: (column) => wish("barred", column),
  swap: (place) => { if (shown) ask({ type: "swaps", kept: shown.wished.path.slice(0, shown.k), place }); },
};

const listNames = () => (shown ? listKept(shown) : []);

/** @type {(id: string, act: () => void) => void} */
const onClick = (id, act) => find(id).addEventListener("click", act);

/** @param {number} k */
const setSize = (k) => change({ k });
/** @param {number} step */
const moveSize = (step) => { if (shown) setSize(shown.k + step); };

// Where a table comes in: dropped, picked, or one of the examples.
function startDoor() {
  const input = findAs("file", HTMLInputElement);
  const zone = find("door");
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) open(file);
    input.value = ""; // the same file may be picked again
  });
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  window.addEventListener("dragleave", () => zone.classList.remove("over"));
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
  find("examples").append(...examples.map(({ name, about, text }) =>
    makeButton({ "data-example": name }, about, () => open(new File([text], name, { type: "text/csv" })))));
}

function start() {
  unfoldForPrint();
  startDoor();
  const slider = findAs("slider", HTMLInputElement);
  slider.addEventListener("input", () => setSize(Number(slider.value)));
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => followPointer(chart, () => shown?.wished.path.length ?? 1, setSize));
  onClick("less", () => moveSize(-1));
  onClick("more", () => moveSize(1));
  onClick("cancel", () => {
    stopWorker();
    PARTS.forEach((part) => toggle(part, false));
    find("title").textContent = "Which columns to keep?";
  });
  onClick("auto", () => {
    showProgress("finding a number", 0);
    ask({ type: "auto", draws });
  });
  onClick("copy", () => { copyNames(listNames(), find("copied")); });
  onClick("save-names", () => saveFile("kept.txt", `${listNames().join("\n")}\n`, "text/plain"));
  onClick("save-reasons", () => { if (shown) saveFile("reasons.csv", writeReasons(shown), "text/csv"); });
  onClick("save-curve", () => saveFile("curve.svg", writeStandalone(findPicture(find("curve"))), "image/svg+xml"));
  onClick("save-summary", () => ask({ type: "summary" }));
  document.documentElement.dataset.ready = "yes";
}

start();
