// What runs beside the page: it reads the file and answers questions about it, one after the other.
import { Analysis, look } from "./answer.js";
import { Declined } from "./decline.js";
import { writeSummary } from "./summary_file.js";

const REPORTS_EVERY = 80; // milliseconds

/** @type {Analysis | null} */
let analysis = null;
let reported = 0;

/** @param {Reply} reply */
const send = (reply) => globalThis.postMessage(reply);

/** @type {Progress} */
function report(stage, share) {
  const now = performance.now();
  if (now - reported < REPORTS_EVERY) return;
  reported = now;
  send({ type: "progress", stage, share });
}

/** @param {File} file */
async function open(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { table, judged } = look(bytes, file.name, report);
  send({ type: "looked", judged, rows: table.rows });
  analysis = new Analysis(table, judged, report);
  send({ type: "answer", answer: analysis.select(report) });
}

/** @type {(question: Question) => Promise<void>} */
async function answer(question) {
  if (question.type === "open") await open(question.file);
  else if (!analysis) throw new Error("No table is open.");
  else if (question.type === "auto") send({ type: "answer", answer: analysis.selectAuto(question.draws, report) });
  else if (question.type === "wish") {
    send({ type: "wished", wished: analysis.wish(question.include, question.forbid, question.k) });
  } else if (question.type === "swaps") {
    const { kept, place } = question;
    send({ type: "swaps", place, swaps: analysis.listSwaps(kept, place) });
  } else send({ type: "summary", bytes: writeSummary(analysis) });
}

globalThis.addEventListener("message", async ({ data }) => {
  try {
    await answer(data);
  } catch (error) {
    if (error instanceof Declined) send({ type: "declined", reason: error.reason, message: error.message });
    else send({ type: "failed", message: String(error) });
  }
});
