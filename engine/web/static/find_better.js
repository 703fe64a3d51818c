// "Find better": at each bad move, a better line in the file stays hidden until the reader finds it or asks for it.
import { byId, notice } from "./dom.js";

/** @typedef {import("./study.js").Study} Study */

export class Finder {
  /** @param {() => void} changed called when something is shown or hidden */
  constructor(changed) {
    this.changed = changed;
    /** @type {Set<number>} */
    this.bad = new Set(); // bad moves of the main line with a better line
    /** @type {Set<number>} */
    this.revealed = new Set(); // bad moves whose better line the reader has found or asked for
    this.toggle = /** @type {HTMLInputElement} */ (byId("finding"));
    this.toggle.addEventListener("change", () => {
      this.revealed.clear();
      this.mark();
    });
    byId("score").addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-tell]") : null;
      if (button) this.tell(Number(/** @type {HTMLElement} */ (button).dataset.tell));
    });
  }

  /**
   * @param {Study} study
   * @param {number[][]} children
   */
  begin(study, children) {
    const isBad = (/** @type {number} */ at) =>
      [...(study.nodes[at].signs ?? []), study.judged[at]?.sign].some((sign) => sign === "?" || sign === "??");
    const plies = study.judged.map((_, at) => at).filter((at) => at && isBad(at));
    this.bad = new Set(plies.filter((at) => children[study.nodes[at].parent].length > 1));
    byId("finding-row").hidden = !this.bad.size;
    this.mark();
  }

  /**
   * Whether the better line of this move is hidden.
   * @param {number} at
   */
  hides(at) {
    return this.toggle.checked && this.bad.has(at) && !this.revealed.has(at);
  }

  /** @param {number} at */
  tell(at) {
    this.revealed.add(at);
    this.mark();
  }

  /** Hide and show the lines in the score. */
  mark() {
    document.body.toggleAttribute("data-finding", this.toggle.checked);
    for (const line of byId("score").querySelectorAll("[data-answer]"))
      line.toggleAttribute("hidden", this.hides(Number(/** @type {HTMLElement} */ (line).dataset.answer)));
    for (const line of byId("score").querySelectorAll("[data-question]"))
      line.toggleAttribute("hidden", !this.hides(Number(/** @type {HTMLElement} */ (line).dataset.question)));
    this.changed();
  }

  /**
   * Comment on a move that the reader tries in place of a bad one. Returns whether to show the comment.
   * @param {Study} study
   * @param {number} bad
   * @param {number | undefined} tried its node, if the game has it
   */
  answer(study, bad, tried) {
    const played = study.nodes[bad].san;
    if (tried === undefined) {
      notice("The file does not contain this move. Try another one, or analyse the position.");
      return false;
    }
    if (tried === bad) {
      notice(`${played} was played, and there is a better move.`);
      return false;
    }
    this.tell(bad);
    notice(`${study.nodes[tried].san} is better than ${played}.`);
    return true;
  }
}
