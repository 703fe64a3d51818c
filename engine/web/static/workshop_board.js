// A board that shows where a piece can move: the start position, or one piece alone with marks on the squares that it
// can reach.
import { Board } from "./board.js";
import { h, s, say } from "./dom.js";
import { UNIT, middleOf } from "./drawing.js";
import { FILES, pieceName, piecesOf, positionInWords } from "./squares.js";

/** @typedef {import("./squares.js").GameView} GameView */
/** @typedef {{ square: number, how: string, hop: boolean, first: boolean, castling: boolean }} Mark */
/** @typedef {{ marks: Mark[], lines: number[][] }} Reach how: both, moves or takes. lines: squares, the origin first */

/** @type {[Partial<Mark>, string][]} */
const LEGEND = [
  [{ how: "both" }, "moves and captures"],
  [{ how: "moves" }, "only moves"],
  [{ how: "takes" }, "only captures"],
  [{ how: "both", hop: true }, "behind a piece that it hops over"],
  [{ how: "moves", first: true }, "only if it has not moved"],
  [{ how: "moves", castling: true, first: true }, "castling"],
];
/** @type {Record<string, string>} */
const WORDS = { both: "moves and captures", moves: "only moves", takes: "only captures" };
const HELP = "Arrow keys move over the board. Enter shows where a piece goes, and then puts it on another square.";

/**
 * @param {number} square from a1, rank by rank
 * @param {number} width
 */
export function nameOf(square, width) {
  return `${FILES[square % width]}${Math.floor(square / width) + 1}`;
}

/**
 * The number of a square on this board, -1 if the board lacks it.
 * @param {string} name
 * @param {GameView} game
 */
export function numberOf(name, game) {
  const [file, rank] = [FILES.indexOf(name[0]), Number(name.slice(1)) - 1];
  return file < game.width && rank < game.height ? rank * game.width + file : -1;
}

/**
 * The shape of a mark: filled for moves and captures, hollow for moves only, a cross for captures only; a diamond
 * behind a hop.
 * @param {number} x
 * @param {number} y
 * @param {Mark} mark
 */
function markDrawing(x, y, mark) {
  const r = 8;
  const parts = [];
  if (mark.castling) parts.push(s("path", { d: `M${x - 9} ${y - 9}h18v18h-18z` }));
  else if (mark.hop)
    parts.push(s("path", { d: `M${x} ${y - 12}l12 12l-12 12l-12 -12z`, class: mark.how === "both" ? "full" : "" }));
  else if (mark.how !== "takes") parts.push(s("circle", { cx: x, cy: y, r, class: mark.how === "both" ? "full" : "" }));
  if (mark.how === "takes") {
    const a = mark.hop ? 4.5 : r;
    parts.push(s("path", { d: `M${x - a} ${y - a}l${2 * a} ${2 * a}m0 ${-2 * a}l${-2 * a} ${2 * a}` }));
  }
  if (mark.first && !mark.castling) parts.push(s("text", { x: x + 14, y: y - 10 }, "1"));
  return s("g", { class: `mark ${mark.how}` }, ...parts);
}

/** The marks with their meaning, as items of a list. */
export function legend() {
  const items = LEGEND.map(([mark, text]) => [
    markDrawing(UNIT / 2, UNIT / 2, { square: 0, how: "both", hop: false, first: false, castling: false, ...mark }),
    text,
  ]);
  const slide = s("path", { class: "way", d: `M4 ${UNIT / 2}H${UNIT - 4}` });
  return [...items, [slide, "a line needs empty squares; without one, the piece leaps"]].map(([drawing, text]) =>
    h(
      "li",
      {},
      s(
        "svg",
        { viewBox: `0 0 ${UNIT} ${UNIT}`, "aria-hidden": "true" },
        s("rect", { class: "light", width: UNIT, height: UNIT, rx: 4 }),
        /** @type {Node} */ (drawing),
      ),
      text,
    ),
  );
}

export class ReachBoard extends Board {
  /**
   * @param {HTMLElement} host
   * @param {GameView} game
   * @param {{ pick: (square: number) => void, put: (square: number) => void, drop: () => void }} hands
   *   pick: a piece of the start position was chosen; put: the piece that is shown was put on a square; drop: done with it
   */
  constructor(host, game, hands) {
    super(host, game, { label: "Board of the game" });
    this.hands = hands;
    /** @type {Reach | null} */
    this.reach = null;
    this.origin = "";
  }

  /** @param {import("./board.js").Shown} shown */
  show(shown) {
    super.show(shown);
    this.words.textContent = `${positionInWords(shown.fen, this.game)} ${HELP}`;
  }

  /**
   * The start position.
   * @param {string} fen
   */
  array(fen) {
    this.reach = null;
    this.origin = "";
    this.show({ fen, turn: "white", check: [] });
    this.select("");
  }

  /**
   * Show one piece alone, and the squares to which it can move.
   * @param {string} letter
   * @param {number} square
   * @param {Reach} reach
   */
  alone(letter, square, reach) {
    const { width, height } = this.game;
    const rank = Math.floor(square / width);
    const rows = Array.from({ length: height }, (_, row) => {
      if (row !== height - 1 - rank) return String(width);
      const [left, right] = [square % width, width - 1 - (square % width)];
      return `${left || ""}${letter}${right || ""}`;
    });
    this.reach = reach;
    this.origin = nameOf(square, width);
    this.show({ fen: rows.join("/"), turn: "white", check: [] });
    this.select(this.origin);
  }

  /** @param {string} square */
  choose(square) {
    if (!square) return;
    const number = numberOf(square, this.game);
    if (!this.reach) this.hands.pick(number);
    else if (square === this.origin) this.hands.drop();
    else this.hands.put(number);
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.frame.focus({ preventScroll: true });
    const square = this.squareOf(event);
    if (event.button || !square) return;
    this.cursor = square;
    this.press = { x: event.clientX, y: event.clientY, from: square, moved: false, again: false };
    this.frame.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  up(event) {
    const press = this.press;
    const square = this.squareOf(event);
    const isDrag = press?.moved && square !== press.from;
    this.letGo();
    if (!press || !square) return this.settle();
    if (!isDrag) this.choose(square);
    else if (this.reach) this.hands.put(numberOf(square, this.game));
    this.settle();
  }

  /** Draw the shown position again, which puts a dragged piece back on its square. */
  settle() {
    this.placePieces(piecesOf(this.shown.fen, this.game.height));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.frame) return;
    if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
    else if (event.key === "Escape" && this.reach) this.hands.drop();
    else return super.key(event);
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} square */
  describe(square) {
    const letter = piecesOf(this.shown.fen, this.game.height).get(square);
    const marks = this.marksOn(square).map((mark) => {
      const how = mark.castling ? "castling" : WORDS[mark.how];
      return `${how}${mark.hop ? ", behind a piece" : ""}${mark.first && !mark.castling ? ", if it has not moved" : ""}`;
    });
    return [square, letter ? pieceName(letter, this.game) : "empty", ...marks].join(", ");
  }

  /** @param {string} square */
  marksOn(square) {
    const number = numberOf(square, this.game);
    return (this.reach?.marks ?? []).filter((mark) => mark.square === number);
  }

  targets() {
    if (!this.reach) return [];
    const at = (/** @type {number} */ square) => middleOf(nameOf(square, this.game.width), this.game, this.flipped);
    const lines = this.reach.lines.flatMap((line) => this.ways(line));
    /** @type {Map<number, Mark[]>} */
    const bySquare = new Map();
    for (const mark of this.reach.marks) bySquare.set(mark.square, [...(bySquare.get(mark.square) ?? []), mark]);
    const marks = [...bySquare].map(([square, found]) => {
      const [x, y] = at(square);
      const drawn = found.map((mark, index) => markDrawing(24 * (index - (found.length - 1) / 2), 0, mark));
      const scale = found.length > 1 ? " scale(0.8)" : ""; // several marks stand side by side
      return s(
        "g",
        { transform: `translate(${x} ${y})${scale}`, "data-square": nameOf(square, this.game.width) },
        ...drawn,
      );
    });
    return [...lines, ...marks];
  }

  /**
   * The line of a slide. Over the edge of a cylinder the line continues on the other side.
   * @param {number[]} squares
   */
  ways(squares) {
    const { width } = this.game;
    let path = "";
    squares.forEach((square, index) => {
      const [x, y] = middleOf(nameOf(square, width), this.game, this.flipped);
      const before = squares[index - 1];
      const isNear = index > 0 && Math.abs((square % width) - (before % width)) <= width / 2;
      path += `${isNear ? "L" : "M"}${x} ${y}`;
    });
    return [s("path", { class: "way", d: path })];
  }

  /** Say what is on the square of the cursor. */
  tell() {
    if (this.cursor) say(this.describe(this.cursor));
  }
}
