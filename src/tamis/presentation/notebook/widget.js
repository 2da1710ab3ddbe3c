// The report in a frame of its own; each change of its state goes to the model, and so to Python.
const SHARED = ["k", "names", "pins", "barred", "prices"];

// The model that anywidget gives: names of traits and their values.
/**
 * @typedef {object} WidgetModel
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {() => void} save_changes
 */
/** @param {{ model: WidgetModel, el: HTMLElement }} given */
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "tamis report";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups allow-modals");
  frame.allow = "clipboard-write";
  frame.style.cssText = "display:block;width:100%;border:1px solid #8886;border-radius:6px";
  const resize = () => { frame.style.height = `${model.get("height")}px`; };
  const show = () => { frame.srcdoc = model.get("page"); };
  /** @param {MessageEvent} event */
  const hear = (event) => {
    const state = event.source === frame.contentWindow && event.data?.tamis;
    if (!state) return;
    for (const name of SHARED) if (name in state) model.set(name, state[name]);
    model.save_changes();
  };
  resize();
  show();
  model.on("change:height", resize);
  model.on("change:page", show);
  window.addEventListener("message", hear);
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:height", resize);
    model.off("change:page", show);
  };
}

export default { render };
