// The engine's opinion of a position that no table has: lines of a search, which prove nothing.
import { lineRow } from "./analysis.js";
import { byId, h } from "./dom.js";
import { listen } from "./server.js";

const LINES = 3;

export class Estimate {
  constructor() {
    /** @type {AbortController | null} */
    this.running = null;
  }

  stop() {
    this.running?.abort();
    this.running = null;
    byId("estimate-part").hidden = true;
  }

  /**
   * Search a position until another one is shown.
   * @param {string} fen with the record as its last field
   */
  follow(fen) {
    this.stop();
    this.running = new AbortController();
    byId("estimate-part").hidden = false;
    const list = byId("lines");
    list.replaceChildren(h("li", { class: "dim" }, "The engine begins\u2026"));
    /** @type {Map<number, Element>} */
    const rows = new Map();
    const heard = (/** @type {string} */ kind, /** @type {import("./analysis.js").Line} */ line) => {
      if (kind !== "line") return;
      rows.set(line.rank, lineRow(line));
      list.replaceChildren(...[...rows].sort(([one], [two]) => one - two).map(([, row]) => row));
    };
    const state = (/** @type {Error | null} */ problem) =>
      problem && list.replaceChildren(h("li", { class: "problem" }, problem.message));
    void listen("/api/study/analysis", heard, this.running.signal, state, { fen, lines: LINES, mode: "Decisive" });
  }
}
