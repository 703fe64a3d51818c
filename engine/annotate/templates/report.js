"use strict";
// Steps through the games of the page, which already contains everything else.
const games = JSON.parse(document.getElementById("data").textContent);
const SQUARE = 45, MARGIN = 15;
const MEN = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

function corner(file, rank, width, height, flipped) {
  const column = flipped ? width - 1 - file : file, row = flipped ? rank : height - 1 - rank;
  return [MARGIN + SQUARE * column, MARGIN + SQUARE * row];
}

// Chess pieces have pictures, pieces of other variants letters in discs.
function man(letter, at, pictures) {
  const small = letter.toLowerCase(), side = letter === small ? "black" : "white";
  if (pictures) return `<use href="#${side}-${MEN[small]}" ${at}/>`;
  return `<g class="man ${side}" ${at}><circle cx="22.5" cy="22.5" r="18"/><text x="22.5" y="22.5">${letter.toUpperCase()}</text></g>`;
}

function drawn({ p, m, w, h }, ply, flipped) {
  const width = w || 8, height = h || 8;
  let text = "";
  for (const [, file, rank] of m[ply].matchAll(/([a-p])(\d+)/g)) {
    const [x, y] = corner(file.charCodeAt(0) - 97, Number(rank) - 1, width, height, flipped);
    text += `<rect class="last" x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}"/>`;
  }
  p[ply].split("/").forEach((row, index) => {
    let file = 0;
    for (const item of row.match(/\d+|[A-Za-z]/g) || []) {
      if (/\d/.test(item)) { file += Number(item); continue; }
      const [x, y] = corner(file, height - 1 - index, width, height, flipped);
      text += man(item, `transform="translate(${x} ${y})"`, !w);
      file += 1;
    }
  });
  return text;
}

class Game {
  constructor(section) {
    this.section = section;
    this.positions = games[section.dataset.game];
    this.moves = [...section.querySelectorAll(".move")];
    this.moves.forEach((move, index) => { // here rather than in the page, which stays small
      move.dataset.ply = index + 1;
      move.id = `${section.id}-${index + 1}`;
      move.href = `#${move.id}`; // so that Tab reaches it
    });
    this.charts = [...section.querySelectorAll(".chart")];
    this.flipped = false;
    this.ply = Number(section.dataset.ply); // the page shows this position at first
    section.querySelector(".controls").hidden = false;
    section.addEventListener("click", (event) => this.click(event));
    for (const chart of this.charts) {
      chart.addEventListener("mousemove", (event) => this.hint(chart, event.clientX));
    }
  }

  get last() { return this.positions.p.length - 1; }

  go(ply) {
    this.ply = Math.max(0, Math.min(this.last, ply));
    this.show();
  }

  step(word) {
    const steps = { first: 0, back: this.ply - 1, on: this.ply + 1, last: this.last };
    if (word === "flip") this.flipped = !this.flipped;
    this.go(word in steps ? steps[word] : this.ply);
  }

  show() {
    const board = this.section.querySelector(".board");
    board.querySelector(".squares")?.setAttribute("href", this.flipped ? "#board-flipped" : "#board");
    board.querySelector(".men").innerHTML = drawn(this.positions, this.ply, this.flipped);
    this.moves.forEach((move, index) => {
      move.classList.toggle("here", index + 1 === this.ply);
      if (index + 1 === this.ply) move.setAttribute("aria-current", "true");
      else move.removeAttribute("aria-current");
    });
    const here = this.moves[this.ply - 1];
    this.section.querySelector(".left figcaption").textContent = this.words(this.ply);
    for (const chart of this.charts) {
      const [left, right] = [Number(chart.dataset.left), Number(chart.dataset.right)];
      const x = left + (chart.viewBox.baseVal.width - left - right) * this.ply / Math.max(1, this.last);
      const cursor = chart.querySelector(".cursor");
      cursor.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    }
  }

  // A move with its number, evaluation and goal.
  words(ply) {
    const move = this.moves[ply - 1];
    if (!move) return "Before the first move";
    const at = ply - 1 + Number(this.section.dataset.black);
    const number = Number(this.section.dataset.first) + Math.floor(at / 2);
    return `${number}${at % 2 ? "\u2026" : "."}${move.textContent.trim()}${move.title ? ` (${move.title})` : ""}`;
  }

  // The text for the move under the mouse on a curve, which the browser shows as a tooltip.
  hint(chart, clientX) {
    let title = chart.querySelector("title");
    if (!title) title = chart.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "title"));
    title.textContent = this.words(Math.max(0, Math.min(this.last, this.plyAt(chart, clientX))));
  }

  click(event) {
    const button = event.target.closest("button"), move = event.target.closest(".move"), chart = event.target.closest(".chart");
    if (button) this.step(button.dataset.go);
    else if (move) {
      event.preventDefault(); // the address changes, and the page stays where it is
      history.replaceState(null, "", move.hash);
      this.go(Number(move.dataset.ply));
    }
    else if (chart) this.go(this.plyAt(chart, event.clientX));
  }

  plyAt(chart, clientX) {
    const box = chart.getBoundingClientRect(), width = chart.viewBox.baseVal.width;
    const [left, right] = [Number(chart.dataset.left), Number(chart.dataset.right)];
    const x = (clientX - box.left) * width / box.width;
    return Math.round((x - left) / (width - left - right) * this.last);
  }
}

const sections = [...document.querySelectorAll("section")].map((section) => new Game(section));
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip" };

// The keys step through the game in the middle of the window.
function inView() {
  const middle = innerHeight / 2;
  return sections.find(({ section }) => section.getBoundingClientRect().bottom > middle) || sections.at(-1);
}

// An address may name a move: `#game3-17`.
function follow() {
  const move = document.getElementById(location.hash.slice(1));
  if (!move?.classList.contains("move")) return;
  const game = sections.find(({ section }) => section.contains(move));
  game.go(Number(move.dataset.ply));
}
addEventListener("hashchange", follow);
follow();

addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
  const game = inView();
  if (game) { game.step(KEYS[event.key]); event.preventDefault(); }
});
