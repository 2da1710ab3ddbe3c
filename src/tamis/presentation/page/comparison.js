// Highlight the methods that are chosen, in every drawing.
import { pickAll, unfoldForPrint } from "./elements.js";

/** @param {Element} chip */
const isPressed = (chip) => chip.getAttribute("aria-pressed") === "true";

unfoldForPrint();
const chips = pickAll("#chips button", HTMLButtonElement);
chips.forEach((chip) => {
  chip.disabled = false;
  chip.addEventListener("click", () => {
    const on = !isPressed(chip);
    chip.setAttribute("aria-pressed", String(on));
    pickAll(`g.${chip.dataset.m}`, SVGElement).forEach((line) => line.classList.toggle("on", on));
    const any = chips.some(isPressed);
    pickAll("svg.lines, svg.places", SVGElement).forEach((drawing) => drawing.classList.toggle("dim", any));
  });
});
