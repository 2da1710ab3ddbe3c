// The page that takes a table and says which columns to keep.
import { copyNames, saveFile } from "../page/copying.js";
import { followPointer } from "../page/curve.js";
import { find, findAs, makeButton, pickAll, unfoldForPrint } from "../page/elements.js";
import { readData } from "../page/page_data.js";
import { quoteWord } from "../page/text.js";
import {
  describeAnswer, listNotes, listSwaps, saveCurve, saveNames, showCurve, showDropped, showKept, showLook,
  writeReasons,
} from "./show_answer.js";

/** @type {{ examples: { name: string, about: string, text: string }[], draws: Record<string, number[][]> }} */
const { examples, draws } = readData();
const PARTS = ["work", "declined", "answer", "look"];

/** @type {{ file: string, answer: Answer | null, wished: Wished | null, k: number, pins: number[], barred: number[] }} */
const state = { file: "", answer: null, wished: null, k: 1, pins: [], barred: [] };
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

/** @type {(part: string, shown: boolean) => void} */
const toggle = (part, shown) => { find(part).hidden = !shown; };

/** @param {File} file */
function open(file) {
  PARTS.forEach((part) => toggle(part, part === "work"));
  Object.assign(state, { file: file.name, answer: null, wished: null, pins: [], barred: [] });
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
  else if (reply.type === "answer") showFound(reply.answer);
  else if (reply.type === "wished") showWished(reply.wished);
  else if (reply.type === "swaps") showSwaps(reply.place, reply.swaps);
  else if (reply.type === "summary") saveFile(`${state.file.replace(/\.[^.]*$/, "")}.tamis`, /** @type {BlobPart} */ (reply.bytes), "application/octet-stream");
  else showRefusal(reply.message);
  if (reply.type !== "progress" && reply.type !== "looked") toggle("work", false);
}

/** @param {string} message */
function showRefusal(message) {
  toggle("work", false);
  find("refusal").textContent = `${message}. This page answers only where its answer is that of the command.`;
  find("command").textContent = `tamis select ${quoteWord(state.file)}`;
  toggle("declined", true);
  find("declined").focus();
}

/** @param {Answer} answer */
function showFound(answer) {
  Object.assign(state, { answer, wished: answer, k: answer.k, pins: [], barred: [] });
  toggle("declined", false);
  toggle("answer", true);
  find("notes").replaceChildren(...listNotes(answer));
  show();
  find("verdict").focus();
}

/** @param {Wished} wished */
function showWished(wished) {
  Object.assign(state, { wished });
  show();
}

const acts = {
  /** @param {number} column */
  pin: (column) => wish(flip(state.pins, column), state.barred.filter((one) => one !== column)),
  /** @param {number} column */
  bar: (column) => wish(state.pins.filter((one) => one !== column), flip(state.barred, column)),
  /** @param {number} place */
  swap: (place) => {
    if (state.wished) ask({ type: "swaps", kept: state.wished.path.slice(0, state.k), place });
  },
};

/** @type {(list: number[], one: number) => number[]} */
const flip = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

/** @type {(pins: number[], barred: number[]) => void} */
function wish(pins, barred) {
  Object.assign(state, { pins, barred });
  if (!state.answer) return;
  if (!pins.length && !barred.length) showWished(state.answer);
  else ask({ type: "wish", include: pins, forbid: barred, k: state.k });
}

// Draw everything for the number of columns that is chosen.
function show() {
  const { answer, wished } = state;
  if (!answer || !wished) return;
  state.k = Math.min(Math.max(state.k, 1, state.pins.length), wished.path.length);
  const { k } = state;
  const slider = findAs("slider", HTMLInputElement);
  slider.max = String(wished.path.length);
  slider.value = String(k);
  find("shown").textContent = String(k);
  find("verdict").textContent = describeAnswer(answer, wished, k);
  find("wishes").textContent = wished === answer ? "" : `With ${state.pins.length} columns always kept and ${state.barred.length} never: shares on these rows; new rows were not tried.`;
  showCurve(answer, wished, k);
  showKept(answer, wished, k, state, acts);
  showDropped(answer, wished, k, state, acts);
  find("swaps").replaceChildren();
}

/** @type {(place: number, swaps: { group: number, change: number }[]) => void} */
function showSwaps(place, swaps) {
  if (!state.answer || !state.wished) return;
  find("swaps").replaceChildren(...listSwaps(state.answer, state.wished, place, swaps));
  find("swaps").focus();
}

const listNames = () => (state.wished && state.answer ? state.wished.path.slice(0, state.k).map((column) => /** @type {Answer} */ (state.answer).names[column]) : []);

/** @type {(id: string, act: () => void) => void} */
const onClick = (id, act) => find(id).addEventListener("click", act);

/** @param {number} k */
function setSize(k) {
  state.k = k;
  show();
}

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
  pickAll("svg.curve", SVGSVGElement).forEach((chart) => followPointer(chart, () => state.wished?.path.length ?? 1, setSize));
  onClick("less", () => setSize(state.k - 1));
  onClick("more", () => setSize(state.k + 1));
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
  onClick("save-names", () => saveNames(listNames()));
  onClick("save-reasons", () => {
    if (state.answer && state.wished) saveFile("reasons.csv", writeReasons(state.answer, state.wished, state.k), "text/csv");
  });
  onClick("save-curve", saveCurve);
  onClick("save-summary", () => ask({ type: "summary" }));
  document.documentElement.dataset.ready = "yes";
}

start();
