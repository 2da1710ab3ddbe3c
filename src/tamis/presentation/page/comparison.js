// Highlight the methods that are chosen, in every drawing.
const chips = [...find("chips").querySelectorAll("button")];
chips.forEach((chip) => {
  chip.disabled = false;
  chip.addEventListener("click", () => {
    const on = chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", String(on));
    document.querySelectorAll(`g.${chip.dataset.m}`).forEach((line) => line.classList.toggle("on", on));
    const any = chips.some((other) => other.getAttribute("aria-pressed") === "true");
    document.querySelectorAll("svg.lines, svg.places").forEach((drawing) => drawing.classList.toggle("dim", any));
  });
});
