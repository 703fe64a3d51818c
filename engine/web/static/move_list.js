// The moves of a game: the main line in two columns, comments and variations between them. Each move is a link.
import { h } from "./dom.js";
import { signDrawings, symbolDrawing } from "./symbols.js";

/** @typedef {import("./evaluation_chart.js").Judged} Judged */
/**
 * @typedef {{ parent: number, depth: number, move: string, san: string, squares: string[], fen: string, turn: string,
 *   check: string[], number: number, signs?: string[], before?: string, comment?: string,
 *   arrows?: import("./drawing.js").Arrow[] }} Node
 */

/**
 * The children of each node, the main continuation first.
 * @param {Node[]} nodes
 */
export function childrenOf(nodes) {
  /** @type {number[][]} */
  const children = nodes.map(() => []);
  nodes.forEach((node, index) => {
    if (index) children[node.parent].push(index);
  });
  for (const list of children) list.sort((one, two) => nodes[one].depth - nodes[two].depth || one - two);
  return children;
}

/** @param {string} sign */
function isOfMove(sign) {
  return /^[!?]/.test(sign);
}

/**
 * The file's signs for the move itself, such as !?, without symbols of the position.
 * @param {Node} node
 */
export function signsOf(node) {
  return (node.signs ?? []).filter(isOfMove);
}

/** @param {Node} node the node of the move, in which the other side is to move */
function numberOf(node) {
  return node.turn === "black" ? `${node.number}.` : `${node.number}\u2026`;
}

export class Score {
  /**
   * @param {HTMLElement} place
   * @param {Node[]} nodes
   * @param {(Judged | null)[]} judged of the main line
   */
  constructor(place, nodes, judged) {
    this.place = place;
    this.nodes = nodes;
    this.judged = judged;
    this.children = childrenOf(nodes);
    /** @type {Map<number, HTMLElement>} */
    this.links = new Map();
    place.replaceChildren(...this.mainLine());
  }

  /** The main line: rows of two moves, interrupted by comments and variations. */
  mainLine() {
    const parts = [];
    const lead = this.nodes[0].comment;
    if (lead) parts.push(h("p", { class: "comment" }, lead));
    let row = null;
    for (let at = this.children[0][0]; at !== undefined; at = this.children[at][0]) {
      const node = this.nodes[at];
      const isWhite = node.turn === "black";
      if (isWhite || !row) {
        row = h(
          "div",
          { class: "row" },
          h("span", { class: "number" }, `${node.number}.`),
          isWhite ? null : h("span", { class: "gap" }, "\u2026"),
        );
        parts.push(row);
      }
      row.append(this.link(at, this.judged[at]));
      const between = this.between(at);
      if (between.length) {
        parts.push(...between);
        row = null;
      }
      if (!isWhite) row = null;
    }
    return parts;
  }

  /**
   * Comment and variations after a move of the main line.
   * @param {number} at
   */
  between(at) {
    const node = this.nodes[at];
    const others = this.children[node.parent].slice(1);
    const found = [];
    if (node.comment) found.push(h("p", { class: "comment" }, node.comment));
    if (this.children[node.parent][0] !== at || !others.length) return found;
    const ask = h("button", { type: "button", class: "quiet", "data-tell": at }, "Show the better line");
    found.push(h("p", { class: "question", "data-question": at, hidden: true }, ask));
    for (const other of others) found.push(h("p", { class: "variation", "data-answer": at }, ...this.variation(other)));
    return found;
  }

  /**
   * A variation as running text, with nested ones in brackets.
   * @param {number} first
   * @returns {(Element | string)[]}
   */
  variation(first) {
    const words = [];
    let isNumbered = true;
    for (let at = first; at !== undefined; at = this.children[at][0]) {
      const node = this.nodes[at];
      if (node.before) words.push(h("span", { class: "comment" }, `${node.before} `));
      if (isNumbered || node.turn === "black") words.push(h("span", { class: "number" }, `${numberOf(node)}\u00a0`));
      words.push(this.link(at, null), " ");
      isNumbered = false;
      if (node.comment) {
        words.push(h("span", { class: "comment" }, `${node.comment} `));
        isNumbered = true;
      }
      if (at === first) continue;
      for (const other of this.children[node.parent].slice(1)) {
        const inner = this.variation(other);
        if (inner.at(-1) === " ") inner.pop();
        words.push("(", ...inner, ") ");
        isNumbered = true;
      }
    }
    return words;
  }

  /**
   * @param {number} at
   * @param {Judged | null | undefined} judged
   */
  link(at, judged) {
    const node = this.nodes[at];
    const own = signsOf(node);
    const marks = (node.signs ?? []).filter((sign) => !isOfMove(sign)).map((sign) => symbolDrawing(sign));
    const added = judged?.sign && !own.length ? [judged.sign] : [];
    const ours = signDrawings(added, { class: "ours", from: "by the evaluations" });
    const isOver = /^#-?0$/.test(judged?.text ?? ""); // the move mates
    const evaluation = judged && !isOver ? h("span", { class: "eval" }, judged.text.replace("-", "\u2212")) : null;
    const grade = gradeOf(judged?.loss ?? 0);
    const attributes = { href: `#${at}`, class: `move ${grade}`, "data-at": String(at) };
    const link = h("a", attributes, h("span", {}, node.san, ...signDrawings(own), ...ours, ...marks), evaluation);
    this.links.set(at, link);
    return link;
  }

  /**
   * Mark the move that the board shows.
   * @param {number} at
   */
  mark(at) {
    this.place.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = this.links.get(at);
    link?.setAttribute("aria-current", "true");
    if (!link) {
      this.place.scrollTop = 0;
      return;
    }
    const box = this.place.getBoundingClientRect();
    const own = link.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) this.place.scrollTop += own.top - box.top - box.height / 3;
  }
}

/**
 * The colour of a loss, in games.
 * @param {number} loss
 */
function gradeOf(loss) {
  return loss >= 0.25 ? "loses-much" : loss >= 0.125 ? "loses" : loss >= 0.05 ? "loses-some" : "";
}
