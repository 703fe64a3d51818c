// Pieces that the user puts on a board freely: dragged or tapped from a palette or from square to square, or by keys.
// The arranger knows no rules: its owner decides what a piece on a square leads to, and shows the position.
import { isDrag } from "./board.js";
import { h, say } from "./dom.js";
import { pieceIcon } from "./drawing.js";
import { pieceName, piecesOf, sideOf } from "./squares.js";

/** @typedef {import("./squares.js").GameView} GameView */
/**
 * @typedef {{ drop: (letter: string, from: string, to: string) => void, lift?: (letter: string, from: string) => void }} Owner
 * drop: a piece came to a square. from: "" for a piece of the palette. to: "" outside the board. letter: "" removes the piece
 * on that square. lift: a piece was picked up, or, with letters "", let go
 */

export class Arranger {
  /**
   * @param {import("./board.js").Board} board
   * @param {HTMLElement} palette
   * @param {Owner} owner
   */
  constructor(board, palette, owner) {
    this.board = board;
    this.palette = palette;
    this.owner = owner;
    this.isOn = false;
    /** @type {{ letter: string, from: string } | null} */
    this.hand = null; // a piece that was tapped; the next tap puts it down
    /** @type {{ letter: string, from: string, x: number, y: number, moved: boolean } | null} */
    this.press = null;
    /** @type {HTMLElement | null} */
    this.ghost = null; // the picture of the piece that is being dragged
    board.arranger = this;
    palette.addEventListener("pointerdown", (event) => this.downPalette(event));
    palette.addEventListener("click", (event) => this.clickPalette(event));
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.up(event));
    addEventListener("pointercancel", () => this.letGo());
  }

  /**
   * Show the pieces of a game in the palette.
   * @param {GameView} game
   */
  offer(game) {
    const letters = Object.keys(game.pictures);
    this.palette.style.setProperty("--men", String(Math.max(6, Math.min(10, letters.length / 2))));
    const rows = ["white", "black"].map((side) => letters.filter((letter) => sideOf(letter) === side));
    const buttons = rows.map((row) =>
      h(
        "div",
        { class: "men" },
        ...row.map((letter) => this.button(letter, pieceName(letter, game), pieceIcon(letter, game))),
      ),
    );
    this.palette.replaceChildren(...buttons, this.button("", "Remove pieces", "\u2715"));
  }

  /**
   * @param {string} letter
   * @param {string} name
   * @param {Node | string} face
   */
  button(letter, name, face) {
    const attributes = { type: "button", "data-man": letter, "aria-pressed": "false", "aria-label": name, title: name };
    return h("button", attributes, face);
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    if (isOn === this.isOn) return; // a chosen piece of the palette stays chosen
    this.isOn = isOn;
    this.palette.hidden = !isOn;
    this.letGo();
    this.take(null);
  }

  /** @param {{ letter: string, from: string } | null} hand */
  take(hand) {
    this.hand = hand;
    this.board.select(hand?.from ?? "");
    for (const button of this.palette.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(hand?.from === "" && hand.letter === button.dataset.man));
    this.owner.lift?.(hand?.letter ?? "", hand?.from ?? "");
  }

  /** @param {string} to */
  put(to) {
    const hand = this.hand;
    if (!hand) return;
    if (hand.from) this.take(null); // a piece of the palette stays chosen
    if (hand.from !== to) this.owner.drop(hand.letter, hand.from, to);
  }

  /** @param {string} square */
  pieceOn(square) {
    return piecesOf(this.board.shown.fen, this.board.game.height).get(square) ?? "";
  }

  // ---- pointer ----

  /**
   * A press on the board.
   * @param {PointerEvent} event
   * @param {string} square
   */
  down(event, square) {
    if (event.button || !square) return;
    this.press = { letter: this.pieceOn(square), from: square, x: event.clientX, y: event.clientY, moved: false };
    if (this.press.letter && !this.hand) this.owner.lift?.(this.press.letter, square);
  }

  /** @param {PointerEvent} event */
  downPalette(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || event.button) return;
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId); // a finger is followed over the board, too
    this.press = { letter: button.dataset.man ?? "", from: "", x: event.clientX, y: event.clientY, moved: false };
  }

  /**
   * Handles clicks by the keyboard; pointers are handled above.
   * @param {MouseEvent} event
   */
  clickPalette(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || event.detail) return;
    this.take({ letter: button.dataset.man ?? "", from: "" });
    this.board.frame.focus();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const press = this.press;
    if (!press || (!press.letter && press.from)) return;
    if (!press.moved && press.letter && isDrag(press, event)) {
      press.moved = true;
      this.take(null);
      this.owner.lift?.(press.letter, press.from);
      this.ghost = h("div", { class: "ghost" }, pieceIcon(press.letter, this.board.game));
      this.ghost.style.width = `${this.board.svg.getBoundingClientRect().width / this.board.game.width}px`;
      document.body.append(this.ghost);
    }
    if (!this.ghost) return;
    this.ghost.style.left = `${event.clientX}px`;
    this.ghost.style.top = `${event.clientY}px`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const press = this.press;
    if (!press) return;
    this.letGo();
    const to = this.board.squareOf(event);
    if (press.moved) {
      this.take(null);
      if (to) {
        this.board.cursor = to;
        this.board.frame.focus({ preventScroll: true });
      }
      if (press.from !== to) this.owner.drop(press.letter, press.from, to);
    } else if (!press.from) {
      const isAgain = this.hand?.from === "" && this.hand.letter === press.letter;
      this.take(isAgain ? null : { letter: press.letter, from: "" });
    } else if (this.hand) this.put(press.from);
    else if (press.letter) this.take({ letter: press.letter, from: press.from });
  }

  letGo() {
    this.press = null;
    this.ghost?.remove();
    this.ghost = null;
  }

  // ---- keys ----

  /**
   * A key on the board, apart from those that move the cursor. Returns whether the key was used.
   * @param {string} key
   */
  key(key) {
    const { cursor, game } = this.board;
    if (!cursor) return false;
    const letter = this.pieceOn(cursor);
    if (key === "Enter" || key === " ") {
      if (this.hand) this.put(cursor);
      else if (letter) this.take({ letter, from: cursor });
    } else if (key === "Escape") this.take(null);
    else if (key === "Delete" || key === "Backspace") this.owner.drop("", "", cursor);
    else if (key in game.pictures) this.owner.drop(key, "", cursor);
    else return false;
    if (this.hand?.from) say(`${this.board.describe(cursor)}, picked up`);
    return true;
  }
}

/**
 * The pieces after a piece was put on a square.
 * @param {Map<string, string>} pieces
 * @param {string} letter
 * @param {string} from
 * @param {string} to
 */
export function arranged(pieces, letter, from, to) {
  const found = new Map(pieces);
  if (from) found.delete(from);
  if (to && letter) found.set(to, letter);
  else if (to) found.delete(to);
  return found;
}
