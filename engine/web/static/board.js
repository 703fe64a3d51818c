// The board of every page, of any size. Pieces move by dragging, tapping or keyboard. The board also draws marks and
// arrows.
//
// It knows no rules. The owner of the board passes the legal moves and receives the chosen move. Then the board waits
// for the next position from its owner.
import { Chooser } from "./chooser.js";
import { h, s, say } from "./dom.js";
import { UNIT, arrowDrawing, coordinates, pieceDrawing, middleOf, signDrawing, squaresDrawing } from "./drawing.js";
import { isPass, pieceName, piecesOf, placeOf, positionInWords, squareAt } from "./squares.js";

/** @typedef {import("./squares.js").GameView} GameView */
/** @typedef {import("./squares.js").LegalMove} LegalMove */
/** @typedef {import("./drawing.js").Arrow} Arrow */
/**
 * @typedef {{ fen: string, turn: string, check: string[], last?: string[], burst?: string[],
 *   sign?: string, legal?: LegalMove[] }} Shown
 * last: squares of the last move. burst: squares whose pieces it has blown up. sign: of the last move, such as !?.
 * legal: the legal moves; without them the board is for display only
 */

const DRAG_THRESHOLD = 6; // pixels that the pointer must move before a press becomes a drag
const MOST_GLIDING = 4; // pieces that glide to their places; a larger change is another position
const HELP = "Arrow keys move over the board, Enter picks up or drops a piece, Escape cancels.";
const ARRANGING = "Letters put pieces on the board, capitals for White, and Delete removes them.";

let boards = 0;

/** The layers of the drawing, the lowest first. */
function layers() {
  return {
    ground: s("g"),
    colours: s("g", { class: "colours" }),
    marks: s("g"),
    coordinates: s("g", { "aria-hidden": "true" }),
    targets: s("g"),
    pieces: s("g"),
    arrows: s("g"),
    held: s("g"),
  };
}

/**
 * @param {SVGElement} drawing
 * @param {string} words the element that describes the position
 * @param {string} label
 */
function frame(drawing, words, label) {
  const spoken = { "aria-roledescription": "board", "aria-label": label, "aria-describedby": words };
  return h("div", { class: "board", tabindex: "0", role: "application", ...spoken }, drawing);
}

export class Board {
  /**
   * @param {HTMLElement} host filled by the board
   * @param {GameView} game
   * @param {{ onMove?: (move: string) => void, label?: string, describe?: (square: string) => string }} [owner]
   *   describe: more words about a square
   */
  constructor(host, game, owner = {}) {
    this.game = game;
    this.owner = owner;
    this.layers = layers();
    this.svg = s("svg", { class: "position", "aria-hidden": "true" }, ...Object.values(this.layers));
    this.words = h("p", { class: "only-heard", id: `board-words-${++boards}` });
    this.frame = frame(this.svg, this.words.id, owner.label ?? "Board");
    host.replaceChildren(this.frame, this.words);
    this.flipped = false;
    this.showsGoals = false;
    /** @type {Shown} */
    this.shown = { fen: "", turn: "white", check: [] };
    /** @type {Map<string, { letter: string, element: SVGElement }>} */
    this.pieces = new Map();
    /** @type {Arrow[]} */
    this.arrows = []; // the arrows that the page wants
    /** @type {Arrow[]} */
    this.own = []; // drawn by the user
    this.selected = "";
    this.cursor = "";
    /** @type {{ x: number, y: number, from: string, moved: boolean, again: boolean } | null} */
    this.press = null;
    this.arrowFrom = "";
    /** @type {import("./arranger.js").Arranger | null} */
    this.arranger = null; // when it is on, pieces are put freely
    this.chooser = new Chooser(this.frame);
    this.listen();
    this.drawGround();
  }

  listen() {
    this.frame.addEventListener("pointerdown", (event) => this.down(event));
    this.frame.addEventListener("pointermove", (event) => this.move(event));
    this.frame.addEventListener("pointerup", (event) => this.up(event));
    this.frame.addEventListener("pointercancel", () => this.letGo());
    // After a press the browser would move the focus away from a menu that the press has opened.
    this.frame.addEventListener("mousedown", (event) => event.preventDefault());
    this.frame.addEventListener("contextmenu", (event) => event.preventDefault());
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("focus", () => this.drawMarks());
    this.frame.addEventListener("blur", () => this.drawMarks());
  }

  // ---- methods for the owner ----

  /**
   * Show a position.
   * @param {Shown} shown
   */
  show(shown) {
    const isOther = shown.fen !== this.shown.fen;
    this.shown = shown;
    if (isOther) {
      this.own = [];
      this.chooser.close();
      this.selected = "";
      this.letGo(); // a piece of the position before
    }
    this.placePieces(piecesOf(shown.fen, this.game.height));
    this.markMovable();
    const keys = this.arranger?.isOn ? `${HELP} ${ARRANGING}` : HELP;
    this.words.textContent = `${shown.turn === "white" ? "White" : "Black"} to move. ${positionInWords(shown.fen, this.game)} ${keys}`;
    this.drawMarks();
    this.drawArrows();
  }

  /**
   * Allow these moves in the position that the board shows.
   * @param {LegalMove[]} legal
   */
  allow(legal) {
    this.shown = { ...this.shown, legal };
    this.markMovable();
  }

  /** Programs that drive the page can see from `data-movable` that the board takes moves. */
  markMovable() {
    this.frame.toggleAttribute("data-movable", Boolean(this.shown.legal?.length));
  }

  /**
   * Show another game, whose board may have another size.
   * @param {GameView} game
   */
  play(game) {
    const isSame = JSON.stringify(game) === JSON.stringify(this.game);
    this.game = game;
    if (isSame) return;
    this.layers.pieces.replaceChildren();
    this.pieces.clear();
    this.cursor = "";
    this.drawGround();
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.frame.dataset.flipped = String(flipped);
    this.drawGround();
    this.layers.pieces.replaceChildren();
    this.pieces.clear();
    this.show(this.shown);
  }

  /** @param {Arrow[]} arrows */
  point(arrows) {
    this.arrows = arrows;
    this.drawArrows();
  }

  // ---- moves ----

  /**
   * The legal moves from a square to another square, or all legal moves from it. A pass is not among them, because a
   * piece that is put back on its square makes no move.
   * @param {string} from
   * @param {string} [to]
   */
  movesFrom(from, to) {
    return (this.shown.legal ?? []).filter(
      (move) => move.from === from && !isPass(move) && (!to || move.to.includes(to)),
    );
  }

  /**
   * Play a move if it is legal, after a choice if there are several.
   * @param {string} from
   * @param {string} to
   */
  async tryMove(from, to) {
    const moves = this.movesFrom(from, to);
    this.select("");
    if (!moves.length) {
      this.placePieces(piecesOf(this.shown.fen, this.game.height));
      return;
    }
    const own = piecesOf(this.shown.fen, this.game.height).get(from) ?? "";
    const move =
      moves.length === 1
        ? moves[0]
        : await this.chooser.choose(moves, placeOf(to, this.game, this.flipped), this.game, this.shown.turn, own);
    this.frame.focus({ preventScroll: true });
    if (!move) {
      this.placePieces(piecesOf(this.shown.fen, this.game.height));
      return;
    }
    const pieces = piecesOf(this.shown.fen, this.game.height); // the piece stands there until the owner shows what became of it
    const piece = pieces.get(from);
    pieces.delete(from);
    if (piece) pieces.set(to, piece);
    this.placePieces(pieces);
    this.owner.onMove?.(move.move);
  }

  /** @param {string} square */
  select(square) {
    this.selected = square;
    this.drawMarks();
  }

  // ---- pointer ----

  /** @param {PointerEvent} event */
  squareOf(event) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) * this.game.width) / box.width);
    const row = Math.floor(((event.clientY - box.top) * this.game.height) / box.height);
    return squareAt(column, row, this.game, this.flipped);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.target instanceof Element && event.target.closest(".chooser")) return;
    this.chooser.close();
    this.frame.focus({ preventScroll: true });
    const square = this.squareOf(event);
    if (event.button === 2) {
      this.arrowFrom = square;
      return;
    }
    if (this.arranger?.isOn) {
      if (square) this.cursor = square;
      this.arranger.down(event, square);
      return;
    }
    if (event.button || !square) return;
    this.cursor = square;
    if (this.own.length) {
      this.own = [];
      this.drawArrows();
    }
    if (this.selected && this.selected !== square && this.movesFrom(this.selected, square).length) {
      void this.tryMove(this.selected, square);
      return;
    }
    if (!this.movesFrom(square).length) {
      this.select("");
      return;
    }
    this.press = { x: event.clientX, y: event.clientY, from: square, moved: false, again: this.selected === square };
    this.frame.setPointerCapture(event.pointerId);
    this.select(square);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const press = this.press;
    if (!press) return;
    if (!press.moved && isDrag(press, event)) {
      press.moved = true;
      const piece = this.pieces.get(press.from);
      if (piece) this.layers.held.append(piece.element);
      this.frame.classList.add("dragging");
    }
    const piece = press.moved ? this.pieces.get(press.from) : null;
    if (!piece) return;
    const box = this.svg.getBoundingClientRect();
    const unit = box.width / this.game.width / UNIT;
    piece.element.style.transition = "none";
    piece.element.style.transform = `translate(${(event.clientX - box.left) / unit - UNIT / 2}px, ${(event.clientY - box.top) / unit - UNIT / 2}px)`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const square = this.squareOf(event);
    if (event.button === 2) {
      if (square && this.arrowFrom) this.drawOwn(this.arrowFrom, square);
      this.arrowFrom = "";
      return;
    }
    const press = this.press;
    this.letGo();
    if (press?.moved) void this.tryMove(press.from, square);
    else if (press?.again) this.select("");
  }

  /** Return a dragged piece to its layer. */
  letGo() {
    this.press = null;
    this.layers.pieces.append(...this.layers.held.childNodes);
    this.frame.classList.remove("dragging");
  }

  /**
   * Draw an arrow or a ring of the user; drawing it again removes it.
   * @param {string} from
   * @param {string} to
   */
  drawOwn(from, to) {
    const rest = this.own.filter((arrow) => arrow.from !== from || arrow.to !== to);
    this.own = rest.length < this.own.length ? rest : [...rest, { from, to, kind: "own" }];
    this.drawArrows();
  }

  // ---- keys ----

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.frame) return;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in steps) {
      this.step(...steps[event.key]);
    } else if (this.arranger?.isOn) {
      if (!this.arranger.key(event.key)) return;
    } else if (event.key === "Enter" || event.key === " ") {
      this.press = null;
      if (this.selected && this.movesFrom(this.selected, this.cursor).length)
        void this.tryMove(this.selected, this.cursor);
      else this.select(this.selected !== this.cursor && this.movesFrom(this.cursor).length ? this.cursor : "");
      say(this.selected ? `${this.describe(this.selected)}, picked up` : "");
    } else if (event.key === "Escape" && this.selected) {
      this.select("");
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {number} right
   * @param {number} down
   */
  step(right, down) {
    const [column, row] = this.cursor ? placeOf(this.cursor, this.game, this.flipped) : [0, this.game.height - 1];
    const to = this.cursor
      ? squareAt(column + right, row + down, this.game, this.flipped)
      : squareAt(column, row, this.game, this.flipped);
    if (to) this.cursor = to;
    this.drawMarks();
    say(this.describe(this.cursor));
  }

  /** @param {string} square */
  describe(square) {
    const letter = piecesOf(this.shown.fen, this.game.height).get(square);
    const goal = this.selected ? this.movesFrom(this.selected, square)[0] : undefined;
    const more = this.owner.describe?.(square) ?? "";
    return [square, letter ? pieceName(letter, this.game) : "empty", goal ? `legal, ${goal.san}` : "", more]
      .filter(Boolean)
      .join(", ");
  }

  // ---- drawing ----

  drawGround() {
    const { game, flipped } = this;
    this.svg.setAttribute("viewBox", `0 0 ${game.width * UNIT} ${game.height * UNIT}`);
    this.frame.style.setProperty("--columns", String(game.width));
    this.frame.style.setProperty("--rows", String(game.height));
    this.layers.ground.replaceChildren(...squaresDrawing(game, flipped));
    this.layers.coordinates.replaceChildren(...coordinates(game, flipped));
    // On a large board, pieces would cover the labels.
    const isLarge = this.layers.coordinates.querySelector(".large") !== null;
    this.layers[isLarge ? "held" : "targets"].before(this.layers.coordinates);
  }

  /**
   * Colour squares and write a value on each, or on none.
   * @param {Map<string, import("./tables_charts.js").Cell>} cells
   */
  colour(cells) {
    const pieces = piecesOf(this.shown.fen, this.game.height);
    const drawn = [...cells].map(([square, { kind, strength, text, title }]) => {
      const [column, row] = placeOf(square, this.game, this.flipped);
      const box = { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT };
      const at = pieces.has(square)
        ? { class: "small", x: box.x + 2, y: box.y + 10 }
        : { x: box.x + UNIT / 2, y: box.y + 27 };
      return s(
        "g",
        { class: kind },
        s("title", {}, title),
        s("rect", { ...box, class: "under" }),
        s("rect", { ...box, class: "over", "fill-opacity": strength }),
        s("text", at, text),
      );
    });
    this.layers.colours.replaceChildren(...drawn);
  }

  /**
   * Draw the pieces of the new position; pieces that moved glide to their squares.
   * @param {Map<string, string>} wanted
   */
  placePieces(wanted) {
    const gone = [...this.pieces].filter(([square, piece]) => wanted.get(square) !== piece.letter);
    const come = [...wanted].filter(([square, letter]) => this.pieces.get(square)?.letter !== letter);
    const glides = come.length <= MOST_GLIDING && this.pieces.size > 0;
    for (const [square] of gone) this.pieces.delete(square);
    for (const [square, letter] of come) {
      const at = gone.findIndex(([, piece]) => piece.letter === letter);
      const [piece] = at >= 0 ? gone.splice(at, 1).map(([, found]) => found) : [this.newPiece(letter)];
      if (at < 0 || !glides) piece.element.style.transition = "none";
      this.pieces.set(square, piece);
    }
    for (const [, piece] of gone) piece.element.remove();
    for (const [square, piece] of this.pieces) {
      if (this.press?.moved && square === this.press.from) continue; // it follows the pointer
      const [column, row] = placeOf(square, this.game, this.flipped);
      piece.element.style.transform = `translate(${column * UNIT}px, ${row * UNIT}px)`;
    }
    requestAnimationFrame(() => {
      for (const piece of this.pieces.values()) if (!this.press?.moved) piece.element.style.transition = "";
    });
  }

  /** @param {string} letter */
  newPiece(letter) {
    const element = s("g", { class: "man" }, pieceDrawing(letter, this.game));
    this.layers.pieces.append(element);
    return { letter, element };
  }

  drawMarks() {
    const { shown, selected } = this;
    const isFocused = document.activeElement === this.frame && this.frame.matches(":focus-visible");
    /** @type {[string, string[]][]} */
    const marks = [
      ["last", shown.last ?? []],
      ["selected", selected && !selected.includes("@") ? [selected] : []], // N@ is a knight in hand
      ["cursor", isFocused && this.cursor ? [this.cursor] : []],
    ];
    const inCheck = shown.check.map((square) => {
      const [cx, cy] = middleOf(square, this.game, this.flipped);
      return s("circle", { class: "check", cx, cy, r: UNIT / 2 });
    });
    this.layers.marks.replaceChildren(
      ...marks.flatMap(([kind, squares]) => squares.map((square) => this.square(square, kind))),
      ...inCheck,
      ...(shown.burst ?? []).map((square) => this.burst(square)),
    );
    this.layers.targets.replaceChildren(...(selected ? this.targets() : []));
  }

  /**
   * @param {string} square
   * @param {string} kind
   */
  square(square, kind) {
    const [column, row] = placeOf(square, this.game, this.flipped);
    const inset = kind === "cursor" ? 1.5 : 0;
    return s("rect", {
      class: kind,
      x: column * UNIT + inset,
      y: row * UNIT + inset,
      width: UNIT - 2 * inset,
      height: UNIT - 2 * inset,
    });
  }

  /**
   * The place from which an explosion has removed a piece.
   * @param {string} square
   */
  burst(square) {
    const [x, y] = middleOf(square, this.game, this.flipped);
    const rays = [0, 45, 90, 135].map((angle) => {
      const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)].map((way) => 17 * way);
      return `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`;
    });
    return s("path", { class: "burst", d: rays.join("") });
  }

  /**
   * Mark the targets of the selected piece: a dot, or a ring around a piece. Moves that beat the record stand out.
   * @returns {SVGElement[]}
   */
  targets() {
    const pieces = piecesOf(this.shown.fen, this.game.height);
    const moves = new Map(this.movesFrom(this.selected).map((move) => [move.to[0], move]));
    return [...moves].flatMap(([to, move]) => {
      const [cx, cy] = middleOf(to, this.game, this.flipped);
      const kind = move.sets ? "target sets" : "target";
      const dot = pieces.has(to)
        ? s("circle", { class: `${kind} takes`, cx, cy, r: 20 })
        : s("circle", { class: kind, cx, cy, r: this.showsGoals ? 11 : 7 });
      if (!this.showsGoals) return [dot];
      const text = s(
        "text",
        { class: "target-goal", x: cx, y: pieces.has(to) ? cy + 19 : cy },
        move.goal.replace("-", "").slice(1),
      );
      return [dot, text];
    });
  }

  drawArrows() {
    const all = [...this.arrows, ...this.own];
    const drawn = all.map((arrow) => arrowDrawing(arrow, this.game, this.flipped));
    const { sign, last } = this.shown;
    if (sign && last) drawn.push(signDrawing(sign, last.at(-1) ?? "", this.game, this.flipped));
    this.layers.arrows.replaceChildren(...drawn);
  }
}

/**
 * Whether the pointer has moved far enough since the press for a drag.
 * @param {{ x: number, y: number }} press
 * @param {PointerEvent} event
 */
export function isDrag(press, event) {
  return Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_THRESHOLD;
}
