// Elements of the page: found, with the class that is expected, or made.
import { readOwn } from "./text.js";

/** @param {string} id */
export const seek = (id) => document.getElementById(id);

/**
 * @template {Element} T
 * @param {Element | null} element
 * @param {string} name
 * @param {new () => T} kind
 * @returns {T}
 */
function expect(element, name, kind) {
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} ${name}.`);
}

/** @param {string} id */
export const find = (id) => expect(seek(id), id, HTMLElement);
/** @type {<T extends Element>(id: string, kind: new () => T) => T} */
export const findAs = (id, kind) => expect(seek(id), id, kind);

// The first of the elements in another one, or all in the page.
/** @type {(root: ParentNode, selector: string) => HTMLElement} */
export const pick = (root, selector) => expect(root.querySelector(selector), selector, HTMLElement);
/** @type {<T extends Element>(root: ParentNode, selector: string, kind: new () => T) => T} */
export const pickAs = (root, selector, kind) => expect(root.querySelector(selector), selector, kind);
/** @type {<T extends Element>(selector: string, kind: new () => T) => T[]} */
export const pickAll = (selector, kind) =>
  [...document.querySelectorAll(selector)].map((element) => expect(element, selector, kind));

/** @type {(element: Element, attributes: Attributes) => void} */
export const setAttributes = (element, attributes) =>
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, String(value)));

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** @type {(attributes: Attributes, text: string, act: (button: HTMLButtonElement) => void) => HTMLButtonElement} */
export function makeButton(attributes, text, act) {
  const button = make("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", () => act(button));
  return button;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {string} [text]
 */
export function makeShape(tag, attributes, text) {
  const { namespaceURI } = pickAs(document, "svg", SVGElement); // no address is written in the page
  const element = document.createElementNS(namespaceURI, tag);
  setAttributes(element, attributes);
  if (text !== undefined) element.textContent = text;
  return /** @type {SVGElementTagNameMap[Tag]} */ (element);
}

// A bar of a table; its width in percent.
/** @param {number} width */
export function makeBar(width) {
  const filled = make("i", {});
  filled.style.width = `${Math.min(Math.max(width, 0), 100)}%`;
  return make("span", { class: "bar", "aria-hidden": "true" }, filled);
}

// What columns mean, by name, where that is known.
let meanings = {};
/** @param {Record<string, string>} texts */
export function setMeanings(texts) {
  meanings = texts;
}
/** @param {string} name */
export const getMeaning = (name) => readOwn(meanings, name) ?? "";

/** @param {string} text */
export function makeName(text) {
  const title = getMeaning(text);
  return make("bdi", title ? { title } : {}, text.trim() ? text : "(no name)");
}
/** @param {string} text */
export const makeQuiet = (text) => make("span", { class: "quiet" }, text);

// A canvas is drawn into and becomes an image.
/** @type {(width: number, height: number) => { canvas: HTMLCanvasElement, context: CanvasRenderingContext2D }} */
export function makeCanvas(width, height) {
  const canvas = make("canvas", { width, height });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser draws no images.");
  return { canvas, context };
}

// Work that is done at once, or when nothing has asked for it for some milliseconds.
/** @type {(work: () => void, milliseconds: number) => (late?: boolean) => void} */
export function runLater(work, milliseconds) {
  let waiting = 0;
  return (late = true) => {
    clearTimeout(waiting);
    if (late) waiting = setTimeout(work, milliseconds);
    else work();
  };
}

// Mark the header by which a table is sorted.
/** @type {(selector: string, key: string, by: string, falling: boolean) => void} */
export const markSorted = (selector, key, by, falling) => pickAll(selector, HTMLElement).forEach((header) => {
  if (header.dataset[key] !== by) header.removeAttribute("aria-sort");
  else header.setAttribute("aria-sort", falling ? "descending" : "ascending");
});

// Paper cannot be unfolded.
export function unfoldForPrint() {
  window.addEventListener("beforeprint", () => {
    document.querySelectorAll("details:not(.plain)").forEach((fold) => fold.setAttribute("open", ""));
  });
}
