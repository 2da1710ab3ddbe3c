// Where a table comes in: dropped, picked, or one of the examples.
import { find, findAs, makeButton } from "../page/elements.js";

/** @type {(examples: { name: string, about: string, text: string }[], open: (file: File) => void) => void} */
export function startDoor(examples, open) {
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
