// The report in a frame of its own; each change of its state goes to the model, and so to Python.
const SHARED = ["k", "names", "pins", "barred", "prices"];

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "tamis report";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups allow-modals");
  frame.allow = "clipboard-write";
  frame.style.cssText = "display:block;width:100%;border:1px solid #8886;border-radius:6px";
  const size = () => { frame.style.height = `${model.get("height")}px`; };
  const show = () => { frame.srcdoc = model.get("page"); };
  const hear = (event) => {
    const state = event.source === frame.contentWindow && event.data && event.data.tamis;
    if (!state) return;
    for (const name of SHARED) if (name in state) model.set(name, state[name]);
    model.save_changes();
  };
  size();
  show();
  model.on("change:height", size);
  model.on("change:page", show);
  window.addEventListener("message", hear);
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:height", size);
    model.off("change:page", show);
  };
}

export default { render };
