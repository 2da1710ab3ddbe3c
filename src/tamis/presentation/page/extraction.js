(() => {
  function draw(tag, attributes, text) {
    const element = document.createElementNS(find("scores").namespaceURI, tag);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function showScores(across, up) {
    const [left, top, right, floor] = data.box;
    const x = (step) => (left + (step * (right - left)) / data.steps).toFixed(1);
    const y = (step) => (floor - (step * (floor - top)) / data.steps).toFixed(1);
    const [xs, ys] = [across, up].map((place) => unpack(data.scores[place]));
    [...find("points").children].forEach((point, row) => {
      point.setAttribute("x", x(xs[row] + data.steps / 2));
      point.setAttribute("y", y(ys[row] + data.steps / 2));
    });
    find("grid-x").replaceChildren(...data.ticks[across].flatMap(([step, text]) => [
      draw("line", { class: "grid", x1: x(step), x2: x(step), y1: top, y2: floor }),
      draw("text", { x: x(step), y: floor + 20, "text-anchor": "middle" }, text)]));
    find("grid-y").replaceChildren(...data.ticks[up].flatMap(([step, text]) => [
      draw("line", { class: "grid", x1: left, x2: right, y1: y(step), y2: y(step) }),
      draw("text", { x: left - 6, y: y(step), dy: ".35em", "text-anchor": "end" }, text)]));
    find("name-x").textContent = data.names[across];
    find("name-y").textContent = data.names[up];
    const rows = find("points").children.length.toLocaleString("en");
    find("scores").setAttribute("aria-label",
      `Scores of ${rows} rows on ${data.names[across]} and ${data.names[up]}`);
  }

  if (find("across")) {
    const chosen = () => [Number(find("across").value), Number(find("up").value)];
    [find("across"), find("up")].forEach((choice) => {
      choice.addEventListener("change", () => showScores(...chosen()));
    });
    find("choices").hidden = false;
    const [across, up] = chosen(); // a browser may remember an earlier choice
    if (across !== 0 || up !== 1) showScores(across, up);
  }

  if (find("direction")) {
    const parts = [...document.querySelectorAll(".weights")];
    const show = () => parts.forEach((part, place) => {
      part.hidden = place !== Number(find("direction").value);
    });
    find("direction").addEventListener("change", show);
    find("direction-box").hidden = false;
    show();
  }
})();
