"use strict";
// A board on which pieces are put, dragged, tapped, or moved with the keyboard. It contains no rules: its owner passes
// functions that decide what happens:
//
//   drop(man, from, to)  a piece was dropped: from is -1 for a new piece, to is -1 outside the board
//   lift(man, from)      a piece was lifted; man is "" when no piece is lifted any more
//   typed(letter, square), removed(square)  keys on the square with the cursor
//   describe(square)     the text for a screen reader
const SQUARE = 45, MARGIN = 15, TAP = 6; // TAP: pixels of movement below which a press is not a drag

class Board {
  constructor(svg, palette, owner) {
    Object.assign(this, { svg, palette, owner, flipped: false, hand: null, cursor: 12, squares: Array(64).fill("") });
    this.marks = { targets: [], last: [] };
    this.map = null; // for each square { className, strength, text, title } or null
    svg.addEventListener("pointerdown", (event) => this.press(event));
    palette.addEventListener("pointerdown", (event) => this.pressPalette(event));
    palette.addEventListener("click", (event) => this.clickPalette(event));
    addEventListener("pointermove", (event) => this.drag(event));
    addEventListener("pointerup", (event) => this.release(event));
    addEventListener("pointercancel", () => this.empty());
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("blur", () => this.draw());
    svg.addEventListener("focus", () => this.draw());
  }

  // ---- places ----

  corner(square) {
    const file = square & 7, rank = square >> 3;
    return [MARGIN + SQUARE * (this.flipped ? 7 - file : file), MARGIN + SQUARE * (this.flipped ? rank : 7 - rank)];
  }

  // The position of a pointer in the units of the drawing.
  point(event) {
    const box = this.svg.getBoundingClientRect();
    return [(event.clientX - box.left) * 390 / box.width, (event.clientY - box.top) * 390 / box.height];
  }

  // The square at this position, -1 outside the board.
  squareAt([x, y]) {
    const column = Math.floor((x - MARGIN) / SQUARE), row = Math.floor((y - MARGIN) / SQUARE);
    if (column < 0 || column > 7 || row < 0 || row > 7) return -1;
    return this.flipped ? 8 * row + 7 - column : 8 * (7 - row) + column;
  }

  // ---- the hand ----

  take(man, from, dragging = null) {
    this.hand = { man, from, dragging };
    this.owner.lift(man, from);
    this.draw();
  }

  empty() {
    if (!this.hand) return;
    this.hand = null;
    this.owner.lift("", -1);
    this.draw();
  }

  put(to) {
    const { man, from } = this.hand;
    this.empty();
    if (from !== to) this.owner.drop(man, from, to);
  }

  press(event) {
    if (event.button) return;
    const square = this.squareAt(this.point(event));
    if (square < 0) return;
    this.cursor = square;
    if (this.hand) {
      this.put(square);
    } else if (this.squares[square]) {
      this.take(this.squares[square], square, { x: event.clientX, y: event.clientY, moved: false });
    }
  }

  pressPalette(event) {
    const button = event.target.closest("button[data-man]");
    if (!button || event.button) return;
    event.preventDefault();
    this.take(button.dataset.man, -1, { x: event.clientX, y: event.clientY, moved: false });
  }

  // For the keyboard; pointers are handled above.
  clickPalette(event) {
    const button = event.target.closest("button[data-man]");
    if (!button || event.detail) return;
    this.take(button.dataset.man, -1);
    this.svg.focus();
  }

  drag(event) {
    const dragging = this.hand?.dragging;
    if (!dragging) return;
    if (Math.hypot(event.clientX - dragging.x, event.clientY - dragging.y) > TAP) dragging.moved = true;
    if (dragging.moved) this.drawGhost(this.point(event));
  }

  release(event) {
    const dragging = this.hand?.dragging;
    if (!dragging) return;
    if (dragging.moved) this.put(this.squareAt(this.point(event)));
    else this.hand.dragging = null; // a tap: the piece stays lifted until the next tap
    this.draw();
  }

  // ---- keys ----

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key in steps) {
      const to = shifted(this.cursor, steps[event.key].map((step) => (this.flipped ? -step : step)));
      if (to >= 0) this.cursor = to;
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.hand) this.put(this.cursor);
      else if (this.squares[this.cursor]) this.take(this.squares[this.cursor], this.cursor);
    } else if (event.key === "Escape") {
      this.empty();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.empty();
      this.owner.removed(this.cursor);
    } else if (/^[pnbrqk]$/i.test(event.key)) {
      this.empty();
      this.owner.typed(event.key, this.cursor);
    } else {
      return;
    }
    event.preventDefault();
    this.draw();
    this.owner.say(this.owner.describe(this.cursor));
  }

  // ---- drawing ----

  draw() {
    const part = (name) => this.svg.querySelector(`.${name}`);
    part("squares").setAttribute("href", this.flipped ? "#board-flipped" : "#board");
    part("map").innerHTML = this.map ? this.map.map((cell, square) => cell && this.cell(cell, square)).join("") : "";
    const cursor = document.activeElement === this.svg && this.svg.matches(":focus-visible") ? [this.cursor] : [];
    const held = this.hand && this.hand.from >= 0 ? [this.hand.from] : [];
    const marks = { last: this.marks.last, held, cursor };
    part("marks").innerHTML = Object.entries(marks).map(([name, squares]) => squares.map((square) => {
      const [x, y] = this.corner(square);
      return `<rect class="${name}" x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}"/>`;
    }).join("")).join("") + this.marks.targets.map((square) => {
      const [x, y] = this.corner(square);
      return `<circle class="target" cx="${x + SQUARE / 2}" cy="${y + SQUARE / 2}" r="7"/>`;
    }).join("");
    part("men").innerHTML = this.squares.map((man, square) => {
      if (!man) return "";
      const [x, y] = this.corner(square), gone = this.hand?.dragging?.moved && square === this.hand.from;
      return `<use href="#${manName(man)}" transform="translate(${x} ${y})"${gone ? ' opacity=".3"' : ""}/>`;
    }).join("");
    if (!this.hand?.dragging?.moved) part("ghost").innerHTML = "";
    for (const button of this.palette.querySelectorAll("button[data-man]")) {
      button.setAttribute("aria-pressed", String(this.hand?.from === -1 && this.hand.man === button.dataset.man));
    }
  }

  cell({ className, strength, text, title }, square) {
    const [x, y] = this.corner(square), man = this.squares[square];
    const box = `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}"`;
    const label = man ? `<text class="small" x="${x + 1}" y="${y + 9}">${text}</text>`
      : `<text x="${x + SQUARE / 2}" y="${y + 27}">${text}</text>`;
    return `<g class="${className}"><title>${title}</title>${box} class="under"/>${box} class="over" ` +
      `fill-opacity="${strength}"/>${label}</g>`;
  }

  drawGhost([x, y]) {
    const ghost = this.svg.querySelector(".ghost");
    if (!ghost.firstChild) this.draw();
    ghost.innerHTML = `<use href="#${manName(this.hand.man)}" transform="translate(${x - SQUARE / 2} ${y - SQUARE / 2})"/>`;
  }
}
