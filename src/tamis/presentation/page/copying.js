// What the reader takes away: files, and names to the clipboard, written as is asked.
import { findAs, make } from "./elements.js";
import { quoteCell, quoteName } from "./text.js";

/** @type {(name: string, content: BlobPart, type: string) => void} */
export function saveFile(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {string[]} names */
export const writeList = (names) => `[${names.map(quoteName).join(", ")}]`;

/** @type {Record<string, (names: string[]) => string>} */
const FORMATS = {
  python: writeList,
  lines: (names) => names.join("\n"),
  csv: (names) => names.map(quoteCell).join(","),
  frame: (names) => `df[${writeList(names)}]`,
};

// Copy text; where the clipboard is closed to pages, by selecting it.
/** @type {(text: string, status: HTMLElement) => Promise<void>} */
async function copyText(text, status) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = make("textarea", { "aria-label": "Text to copy" }, text);
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  status.textContent = "Copied.";
  setTimeout(() => { status.textContent = ""; }, 2500);
}

/** @type {(names: string[], status: HTMLElement) => Promise<void>} */
export const copyNames = (names, status) => copyText(FORMATS[findAs("copy-as", HTMLSelectElement).value](names), status);
