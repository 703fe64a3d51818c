// The position editor: pieces, side to move, castling and en passant on the board and in fields, as a FEN.
import { Arranger, arranged } from "./arranger.js";
import { byId, h } from "./dom.js";
import { FILES, piecesOf, placementOf } from "./squares.js";

/** @typedef {import("./squares.js").GameView} GameView */

/** The squares of king and rook for a castling right of chess. */
const HOMES = /** @type {Record<string, [string, string, string, string]>} */ ({
  K: ["K", "e1", "R", "h1"],
  Q: ["K", "e1", "R", "a1"],
  k: ["k", "e8", "r", "h8"],
  q: ["k", "e8", "r", "a8"],
});

export class PositionEditor {
  /**
   * @param {import("./board.js").Board} board
   * @param {(fen: string) => void} changed called when the position changes
   */
  constructor(board, changed) {
    this.board = board;
    this.changed = changed;
    this.fields = [""];
    this.hand = ""; // the pieces in hand as in the FEN, with brackets
    /** @type {Record<string, string>} */
    this.pictures = {}; // the pictures of the palette
    this.arranger = new Arranger(board, byId("palette"), { drop: (letter, from, to) => this.drop(letter, from, to) });
    byId("arranging").addEventListener("change", () => this.readFields());
    byId("clear-board").addEventListener("click", () => this.take(new Map()));
    byId("start-position").addEventListener("click", () => this.changed(""));
  }

  get isOn() {
    return this.arranger.isOn;
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    byId("arranging").hidden = !isOn;
    this.arranger.turn(isOn);
  }

  /**
   * Show a position that the program has read, with the pieces of its game.
   * @param {GameView} game
   * @param {string} fen
   */
  show(game, fen) {
    if (JSON.stringify(game.pictures) !== JSON.stringify(this.pictures)) this.arranger.offer(game);
    this.pictures = game.pictures;
    const [placement, ...rest] = fen.split(" ");
    this.hand = /\[[^\]]*\]/.exec(placement)?.[0] ?? "";
    this.fields = [placement.replace(this.hand, ""), ...rest];
    this.drawFields();
  }

  get isChess() {
    const { name, width, height } = this.board.game;
    return name === "chess" && width === 8 && height === 8;
  }

  /** The pieces by their squares. */
  get placed() {
    return piecesOf(this.fields[0], this.board.game.height);
  }

  /**
   * @param {string} letter
   * @param {string} from
   * @param {string} to
   */
  drop(letter, from, to) {
    this.take(arranged(this.placed, letter, from, to));
  }

  /**
   * Replaces the pieces, and deletes castling and en passant rights that no longer fit them.
   * @param {Map<string, string>} pieces
   */
  take(pieces) {
    this.fields[0] = placementOf(pieces, this.board.game);
    if (this.fields.length > 3) this.fields[3] = "-"; // en passant
    if (this.isChess) this.fields[2] = [...this.fields[2]].filter((right) => isHome(right, pieces)).join("") || "-";
    this.tell();
  }

  readFields() {
    const checked = (/** @type {string} */ name) =>
      [...byId("arranging").querySelectorAll(`[name="${name}"]:checked`)].map((each) =>
        each instanceof HTMLInputElement ? each.value : "",
      );
    const [turn] = checked("to-move");
    const isOther = turn !== this.fields[1];
    this.fields[1] = turn;
    if (this.isChess) {
      this.fields[2] = checked("castling").join("") || "-";
      this.fields[3] = isOther ? "-" : byId("passed", HTMLSelectElement).value;
    } else if (isOther && this.fields.length > 3) this.fields[3] = "-";
    this.tell();
  }

  /** Show the position, even an impossible one, and report it to the owner. */
  tell() {
    const [placement, ...rest] = this.fields;
    const fen = [placement + this.hand, ...rest].join(" ");
    this.board.show({ fen, turn: this.fields[1] === "b" ? "black" : "white", check: [] });
    this.drawFields();
    this.changed(fen);
  }

  drawFields() {
    const { fields, isChess } = this;
    const pieces = this.placed;
    for (const input of byId("arranging").querySelectorAll("input")) {
      if (input.name === "to-move") input.checked = input.value === fields[1];
      if (input.name !== "castling") continue;
      input.checked = fields[2].includes(input.value);
      input.disabled = !isHome(input.value, pieces);
    }
    byId("castling").hidden = !isChess;
    const squares = isChess ? passedSquares(pieces, fields[1]) : [];
    byId("passed-row").hidden = !squares.length;
    const options = ["-", ...squares].map((square) => h("option", { value: square }, square === "-" ? "none" : square));
    const select = byId("passed", HTMLSelectElement);
    select.replaceChildren(...options);
    select.value = squares.includes(fields[3]) ? fields[3] : "-";
  }
}

/**
 * @param {string} right
 * @param {Map<string, string>} pieces
 */
function isHome(right, pieces) {
  const home = HOMES[right];
  return !home || (pieces.get(home[1]) === home[0] && pieces.get(home[3]) === home[2]);
}

/**
 * The squares that a pawn may just have passed.
 * @param {Map<string, string>} pieces
 * @param {string} turn
 */
function passedSquares(pieces, turn) {
  const [pawn, own, rank, behind, start] = turn === "w" ? ["p", "P", 5, 6, 7] : ["P", "p", 4, 3, 2];
  return [..."abcdefgh"]
    .filter((file) => {
      const at = FILES.indexOf(file);
      const isBeside = [FILES[at - 1], FILES[at + 1]].some((other) => pieces.get(`${other}${rank}`) === own);
      const isFree = !pieces.has(`${file}${behind}`) && !pieces.has(`${file}${start}`);
      return isBeside && isFree && pieces.get(`${file}${rank}`) === pawn;
    })
    .map((file) => `${file}${behind}`);
}
