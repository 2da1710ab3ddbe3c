// The worker, as the page sees it: questions in, replies out, and an end at any time.

/** @type {(source: string, receive: (reply: Reply) => void) => { ask: (question: Question) => void, stop: () => void }} */
export function startClient(source, receive) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  /** @type {Worker | null} */
  let worker = null;
  const start = () => {
    const fresh = new Worker(address);
    fresh.addEventListener("message", ({ data }) => { if (worker === fresh) receive(data); });
    fresh.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === fresh) receive({ type: "failed", message: event.message });
    });
    worker = fresh;
    return fresh;
  };
  const stop = () => {
    worker?.terminate();
    worker = null;
  };
  return {
    // A new table ends what is still done for the one before.
    ask: (question) => {
      if (question.type === "open") stop();
      (worker ?? start()).postMessage(question);
    },
    stop,
  };
}
