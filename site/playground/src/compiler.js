// The worker as the page sees it: one question at a time, the newest first; what nobody waits for any more is never asked.

// After so long an answer is given up: the worker is ended and a new one started.
const PATIENCE = 20_000;

export class Compiler {
  #worker;
  #waiting = null;
  #current = null;
  #ready = false;
  #next = 0;
  #timer;

  // on: {stage(text), ready(releases), failed(text)}
  constructor(on) {
    this.on = on;
    this.#start();
  }

  #start() {
    // A worker made of a blob has the page's Content-Security-Policy; one made of an address would have its own, which is none.
    const url = new URL("worker.js", import.meta.url).href;
    const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" }));
    this.#ready = false;
    this.#worker = new Worker(blob, { type: "module", name: "compiler" });
    this.#worker.onmessage = ({ data }) => this.#told(data);
    this.#worker.onerror = (event) => this.on.failed(event.message || "The compiler could not be loaded.");
  }

  #told(data) {
    if (data.stage) {
      this.on.stage(data.stage);
    } else if (data.releases) {
      this.#ready = true;
      this.on.ready(data.releases);
      this.#ask();
    } else if (data.id === undefined) {
      this.on.failed(data.failure);
    } else if (this.#current?.id === data.id) {
      clearTimeout(this.#timer);
      const { resolve, reject } = this.#current;
      this.#current = null;
      data.failure === undefined ? resolve(data.answer) : reject(new Error(data.failure));
      this.#ask();
    }
  }

  #ask() {
    if (!this.#ready || this.#current || !this.#waiting) return;
    this.#current = this.#waiting;
    this.#waiting = null;
    const { id, request } = this.#current;
    this.#worker.postMessage({ id, request });
    this.#timer = setTimeout(() => this.#giveUp(), PATIENCE);
  }

  #giveUp() {
    const { reject } = this.#current;
    this.#current = null;
    this.#waiting = null;
    this.#worker.terminate();
    this.#start();
    reject(new Error(`This took longer than ${PATIENCE / 1000} seconds and was given up.`));
  }

  // The answer to a request; whatever still waits is forgotten.
  ask(request) {
    return new Promise((resolve, reject) => {
      this.#waiting = { id: this.#next++, request, resolve, reject };
      this.#ask();
    });
  }
}
