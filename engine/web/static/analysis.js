// Live analysis of the position on the board: lines of an engine as they arrive, and lines kept in the game.
import { byId, guarded, h } from "./dom.js";
import { drawBar } from "./bar.js";
import { shown } from "./intro.js";
import { basisOf, movesInWords, provenDraw, scoreText } from "./panel.js";
import { listen } from "./server.js";
import { symbolDrawing } from "./symbols.js";
import { afterPress } from "./undisturbed.js";
import { WholeGame } from "./whole_game.js";

/** @typedef {import("./panel.js").Line & { nag: number, moves: string[] }} Line */
/**
 * @typedef {{ at: number, node: import("./move_list.js").Node, study: import("./study.js").Study | null,
 *   board: import("./board.js").Board,
 *   score: import("./move_list.js").Score | null, number: number, finder: import("./find_better.js").Finder,
 *   edits: { judging?: Record<string, unknown>, queue: (change: () => Promise<void>) => Promise<void>, idle: () => Promise<void> },
 *   show: (study: import("./study.js").Study, at: number) => void,
 *   edit: (edit: { kind: string, at: number } & Record<string, unknown>) => Promise<void>,
 *   draw: () => void }} Owner
 */

const KEPT = 12; // half-moves of a line that is kept
const PAUSE = 150; // ms at a position before the engine begins

export class Analysis {
  /** @param {Owner} owner the page */
  constructor(owner) {
    this.owner = owner;
    /** @type {AbortController | null} */
    this.running = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    /** @type {{ result: number, goal: string, arrow: import("./drawing.js").Arrow } | null} */
    this.best = null; // what the best line found so far adds to board and bar
    this.whole = new WholeGame(owner);
    byId("analyse").addEventListener("click", () => this.toggle());
    for (const id of ["line-count", "engine"]) byId(id).addEventListener("change", () => this.follow());
  }

  /**
   * The available engines, this program first.
   * @param {string[]} engines
   */
  offer(engines) {
    byId("engine").replaceChildren(...engines.map((name, index) => h("option", { value: String(index) }, name)));
    byId("engine-row").hidden = engines.length < 2;
  }

  get isOn() {
    return byId("analyse").getAttribute("aria-pressed") === "true";
  }

  toggle() {
    byId("analyse").setAttribute("aria-pressed", String(!this.isOn));
    byId("analysis").hidden = !this.isOn;
    this.follow();
    this.owner.draw();
  }

  /** Analyse the position on the board if the engine is on. */
  follow() {
    this.whole.follow();
    this.running?.abort();
    clearTimeout(this.waiting);
    this.best = null;
    if (!this.owner.study || !this.isOn) return;
    byId("lines").replaceChildren(h("li", { class: "dim" }, "The engine is starting\u2026"));
    this.waiting = setTimeout(() => this.begin(), PAUSE);
  }

  begin() {
    const { study, node, board } = this.owner;
    if (!study) return;
    const list = byId("lines");
    this.running = new AbortController();
    /** @type {Map<number, Element>} */
    const rows = new Map();
    const { signal } = this.running;
    const show = (/** @type {string} */ kind, /** @type {Line} */ line) => {
      if (signal.aborted) return;
      if (kind === "problem") list.replaceChildren(h("li", { class: "problem" }, String(line)));
      if (kind === "waiting" && !rows.size)
        list.replaceChildren(h("li", { class: "dim" }, `The engine is starting: ${line}.`));
      if (kind !== "line") return;
      rows.set(line.rank, this.row(line));
      list.replaceChildren(...[...rows].sort(([one], [two]) => one - two).map(([, row]) => row));
      if (line.rank !== 1) return;
      const goal = shown(provenDraw(line)?.text ?? "");
      const arrow = { from: line.squares[0], to: line.squares[1], kind: "hint" };
      this.best = { result: line.result, goal, arrow };
      drawBar(line.result, goal);
      board.point([...(node.arrows ?? []), this.best.arrow]);
    };
    const heard = (/** @type {string} */ kind, /** @type {Line} */ line) => afterPress(() => show(kind, line));
    const state = (/** @type {Error | null} */ problem) =>
      problem && list.replaceChildren(h("li", { class: "problem" }, problem.message));
    void listen("/api/study/analysis", heard, signal, state, this.question(study));
  }

  /** @param {import("./study.js").Study} study */
  question(study) {
    const moves = [];
    for (let at = this.owner.at; at; at = study.nodes[at].parent) moves.unshift(study.nodes[at].move);
    // With a FEN the number of a Chess960 position does not matter.
    const game = study.chess960 ? { game: "chess960", number: 0 } : { game: study.game.name };
    const chosen = (/** @type {string} */ id) => Number(byId(id, HTMLSelectElement).value);
    return { ...game, fen: study.nodes[0].fen, moves, lines: chosen("line-count"), engine: chosen("engine") };
  }

  /** @param {Line} line */
  row(line) {
    const keep = h("button", { type: "button", class: "quiet", onclick: () => this.keep(line) }, "Keep");
    keep.setAttribute("aria-label", `Keep line ${line.rank} in the game`);
    return lineRow(line, keep);
  }

  /**
   * Write a line into the game as a variation, with its symbol and the engine's name.
   * @param {Line} line
   */
  keep(line) {
    const { owner } = this;
    const name = byId("engine", HTMLSelectElement).selectedOptions[0]?.textContent ?? "";
    const words = `${name}, depth ${line.depth}`;
    const edit = { kind: "moves", at: owner.at, moves: line.moves.slice(0, KEPT), sign: line.nag, words, stay: true };
    void guarded(() => owner.edit(edit));
  }
}

/**
 * A line in a list. A proven result never looks like an estimate.
 * @param {Line} line
 * @param {Element} [button] at its end
 */
export function lineRow(line, button) {
  const kind = line.proven ? "proven" : "estimated";
  return h(
    "li",
    { class: kind },
    symbolDrawing(line.symbol, line.meaning),
    h("span", { class: "line-score", title: kind }, scoreText(line)),
    h("span", { class: "line-moves", title: movesInWords(line) }, movesInWords(line)),
    h("span", { class: "dim" }, basisOf(line)),
    button,
  );
}
