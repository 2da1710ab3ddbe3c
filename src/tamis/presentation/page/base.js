"use strict";
const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);

// The inverse of `pack`.
const code = new Map([...data.alphabet].map((character, value) => [character, value]));
function unpack(text) {
  const base = data.alphabet.length;
  const numbers = [];
  let at = 0;
  const next = () => code.get(text[at++]);
  while (at < text.length) {
    let value = next();
    if (value === base - 1) {
      value = data.short + (base - 1 - data.short) * base + (next() * base + next()) * base + next();
    } else if (value >= data.short) {
      value = data.short + (value - data.short) * base + next();
    }
    numbers.push(value % 2 ? -(value + 1) / 2 : value / 2);
  }
  return numbers;
}

window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details:not(.plain)").forEach((fold) => { fold.open = true; });
});
