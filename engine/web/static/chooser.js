// A menu of moves with the same squares: promotions, or drops of different pieces.
import { h } from "./dom.js";
import { pieceIcon } from "./drawing.js";
import { pieceName } from "./squares.js";

/** @typedef {import("./squares.js").GameView} GameView */
/** @typedef {import("./squares.js").LegalMove} LegalMove */

export class Chooser {
  /** @param {HTMLElement} frame of the board */
  constructor(frame) {
    this.frame = frame;
    /** @type {((move: LegalMove | null) => void) | null} */
    this.answer = null;
    /** @type {HTMLElement | null} */
    this.box = null;
  }

  /**
   * Let the user choose one of these moves; null if the user cancels.
   * @param {LegalMove[]} moves
   * @param {number[]} place column and row of their target
   * @param {GameView} game
   * @param {string} turn
   * @param {string} own the piece that moves, which a move without promotion shows
   * @returns {Promise<LegalMove | null>}
   */
  choose(moves, [column, row], game, turn, own) {
    this.close();
    const buttons = moves.map((move) => this.button(move, game, turn, own));
    this.box = h(
      "div",
      {
        class: "chooser",
        role: "group",
        "aria-label": "Choose",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, buttons),
      },
      ...buttons,
    );
    const isLow = row >= game.height / 2;
    this.box.style.left = `${(Math.min(column, game.width - 1) * 100) / game.width}%`;
    this.box.style[isLow ? "bottom" : "top"] = `${((isLow ? game.height - 1 - row : row) * 100) / game.height}%`;
    this.frame.append(this.box);
    buttons[0].focus();
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  /**
   * @param {LegalMove} move
   * @param {GameView} game
   * @param {string} turn
   * @param {string} own
   */
  button(move, game, turn, own) {
    const letter = turn === "white" ? move.letter.toUpperCase() : move.letter.toLowerCase();
    const name = letter ? pieceName(letter, game).replace(`${turn} `, "") : "no promotion";
    const shown = pieceIcon(letter || own, game);
    return h(
      "button",
      { type: "button", "aria-label": `${name}, ${move.san}`, title: move.san, onclick: () => this.end(move) },
      shown,
    );
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement[]} buttons
   */
  key(event, buttons) {
    const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key] ?? 0;
    if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (event.key === "Escape") this.end(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {LegalMove | null} move */
  end(move) {
    const answer = this.answer;
    this.answer = null;
    this.box?.remove();
    this.box = null;
    answer?.(move);
  }

  close() {
    if (this.box) this.end(null);
  }
}
