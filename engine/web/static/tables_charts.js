// Proven values as words, colours, small boards and steps.
import { h, s } from "./dom.js";
import { UNIT, pieceDrawing } from "./drawing.js";
import { outcomeOf, recordOf, shownGoal, sideName, squareName } from "./tables_rules.js";

/** @typedef {import("./tables_rules.js").Goal} Goal */
/** @typedef {import("./tables_served.js").Value} Value */
/** @typedef {{ kind: string, strength: number, text: string, title: string }} Cell a coloured square */

export const SIDES = ["white", "black"];

/** @param {number} outcome */
export function sideOfOutcome(outcome) {
  return SIDES[outcome > 0 ? 0 : 1];
}

/** @param {number} outcome */
export function shownOutcome(outcome) {
  return shownGoal(recordOf(outcome));
}

/**
 * Strong colours for nearly won values, pale ones for nearly level values.
 * @param {number} outcome
 */
function strengthOf(outcome) {
  const { code } = recordOf(outcome);
  return code === 0 ? 0.95 : code === 1 ? 0.8 : Math.max(0.14, 0.66 - 0.035 * code);
}

/**
 * The colour of a square on the board and on small boards.
 * @param {Value | null} value
 * @param {string} name
 * @returns {Cell | null}
 */
export function cellOf(value, name) {
  if (!value) return null;
  if (value.error) return { kind: "none", strength: 0, text: "", title: `${name}: ${value.error}` };
  const text = shownOutcome(value.outcome).replace("G", "");
  const title = `${name}: ${valueText(value)}`;
  return { kind: sideOfOutcome(value.outcome), strength: strengthOf(value.outcome), text, title };
}

/** @param {number | null} plies */
export function pliesText(plies) {
  return plies === null ? "plies unknown" : plies === 1 ? "1 ply" : `${plies} plies`;
}

/** @param {Value} value */
export function valueText({ outcome, plies }) {
  return `${shownOutcome(outcome)}${plies === 0 ? "" : ` in ${pliesText(plies)}`}`;
}

/**
 * A short form, for lists whose title mentions plies.
 * @param {Value} value
 */
export function shortText({ outcome, plies }) {
  return shownOutcome(outcome) + (plies === 0 ? "" : ` in ${plies ?? "?"}`);
}

/**
 * A sentence about the end of the game.
 * @param {Value} value
 * @param {boolean} stands the current record will be the final one
 * @param {boolean} isOver
 */
export function sentence(value, stands, isOver) {
  const { code, owner } = recordOf(value.outcome);
  const side = sideName(owner);
  const plies = value.plies === null ? "" : ` in ${pliesText(value.plies)}`;
  if (isOver) return code === 0 ? `${side} has mated.` : `${side} has stalemated.`;
  if (stands) return `${side} keeps the record: nothing better than ${shownOutcome(value.outcome)} can be forced.`;
  if (code === 0)
    return `${side} mates${value.plies === null ? "" : ` in ${Math.ceil(value.plies / 2)} (${pliesText(value.plies)})`}.`;
  return `${side} ${code === 1 ? "stalemates" : `reaches ${shownGoal({ code, owner: 0 })}`}${plies}.`;
}

/**
 * A small board, White below: the squares coloured by a map.
 * @param {(Cell | null)[]} cells
 * @param {string[]} squares
 * @param {number} own the square of the piece that the map is about
 * @param {import("./squares.js").GameView} game
 */
export function smallMap(cells, squares, own, game) {
  const scale = 10 / UNIT;
  const places = cells.map((cell, square) => {
    const box = { x: 10 * (square & 7), y: 70 - 10 * (square >> 3), width: 10, height: 10 };
    const over = { ...box, class: "over", "fill-opacity": cell?.strength ?? 0 };
    return s(
      "g",
      {},
      s("rect", { ...box, class: "nothing" }),
      cell &&
        s(
          "g",
          { class: cell.kind, "data-square": squareName(square) },
          s("title", {}, cell.title),
          s("rect", { ...box, class: "under" }),
          s("rect", over),
        ),
    );
  });
  const pieces = squares.map((piece, square) => {
    const [x, y] = [10 * (square & 7), 70 - 10 * (square >> 3)];
    return (
      piece &&
      s(
        "g",
        {},
        square === own && s("rect", { class: "own", x: x + 0.5, y: y + 0.5, width: 9, height: 9 }),
        s("g", { transform: `translate(${x} ${y}) scale(${scale})` }, pieceDrawing(piece, game)),
      )
    );
  });
  return s("svg", { viewBox: "0 0 80 80", "aria-hidden": "true" }, ...places, ...pieces.filter(Boolean));
}

// ---- the staircase: the outcome as a function of the record ----

const [HEIGHT, LEFT, RIGHT, ABOVE, BELOW] = [250, 54, 14, 12, 34];
const MIDDLE = (ABOVE + HEIGHT - BELOW) / 2;

/**
 * The records that can hold in a position, the worst for White first.
 * @param {number} code the position's own
 * @returns {Goal[]}
 */
export function recordsUpTo(code) {
  const codes = Array.from({ length: Math.max(0, code - 1) }, (_, index) => index + 2);
  const black = codes.map((each) => ({ code: each, owner: 1 }));
  return [...black, ...codes.reverse().map((each) => ({ code: each, owner: 0 }))];
}

export class Staircase {
  /**
   * @param {Goal[]} records in White's order, like the values
   * @param {Value[]} values
   * @param {Goal} held the record that holds now
   * @param {number} width of the drawing
   */
  constructor(records, values, held, width) {
    this.records = records;
    this.values = values;
    this.held = held;
    this.width = width;
    this.most = Math.max(...records.map(({ code }) => code), ...values.map(({ outcome }) => recordOf(outcome).code));
    this.step = (this.width - LEFT - RIGHT) / records.length;
  }

  /** @param {number} outcome */
  y(outcome) {
    const { code, owner } = recordOf(outcome);
    const half = (HEIGHT - ABOVE - BELOW) / 2;
    return ABOVE + half + ((owner ? 1 : -1) * half * (this.most + 1 - code)) / (this.most + 1);
  }

  /** @param {number} index */
  x(index) {
    return LEFT + this.step * index;
  }

  /** @param {(record: Goal) => void} choose */
  drawing(choose) {
    const inner = this.width - LEFT - RIGHT;
    const half = { x: LEFT, width: inner };
    const column = (/** @type {number} */ index) => ({
      x: this.x(index).toFixed(1),
      y: ABOVE,
      width: this.step.toFixed(1),
      height: HEIGHT - ABOVE - BELOW,
    });
    const hits = this.records.map((record, index) =>
      s(
        "rect",
        { ...column(index), class: "hit", onclick: () => choose(record) },
        s("title", {}, `Record ${shownGoal(record)}: ${this.label(index)}`),
      ),
    );
    const words =
      "The outcome as a function of the record, Black\u2019s best to White\u2019s best; the list below says the same";
    return s(
      "svg",
      { viewBox: `0 0 ${this.width} ${HEIGHT}`, role: "img", "aria-label": words },
      s("rect", { ...half, class: "half white", y: ABOVE, height: MIDDLE - ABOVE }),
      s("rect", { ...half, class: "half black", y: MIDDLE, height: HEIGHT - BELOW - MIDDLE }),
      this.now >= 0 && s("rect", { ...column(this.now), class: "now" }),
      ...this.rows(),
      ...this.columns(),
      s("path", { class: "standing", d: this.standing() }),
      s("path", { class: "reached", d: this.reached() }),
      ...hits,
    );
  }

  standing() {
    return this.records
      .map((record, at) => `M${this.x(at).toFixed(1)} ${this.y(outcomeOf(record)).toFixed(1)}h${this.step.toFixed(1)}`)
      .join("");
  }

  reached() {
    return this.values
      .map(({ outcome }, at) => {
        const start = at ? "V" : `M${this.x(at).toFixed(1)} `;
        return `${start}${this.y(outcome).toFixed(1)}H${(this.x(at) + this.step).toFixed(1)}`;
      })
      .join("");
  }

  get now() {
    return this.records.findIndex(({ code, owner }) => code === this.held.code && owner === this.held.owner);
  }

  /** @param {number} index */
  label(index) {
    const value = this.values[index];
    return value.outcome === outcomeOf(this.records[index]) ? "stands" : valueText(value);
  }

  /** Labels of the outcomes where there is room, beginning with outcomes that can be forced. */
  rows() {
    const found = [...new Set(this.values.map(({ outcome }) => outcome))].sort((a, b) => a - b);
    const wanted = [...found.filter((each) => this.forced(each)), found[0], found.at(-1) ?? found[0], ...found];
    /** @type {number[]} */
    const shown = [];
    for (const outcome of wanted)
      if (shown.every((each) => Math.abs(this.y(each) - this.y(outcome)) >= 15)) shown.push(outcome);
    return shown.flatMap((outcome) => [
      s("text", { class: "name", x: LEFT - 6, y: this.y(outcome) + 4 }, shownOutcome(outcome)),
      s("path", { class: "grid", d: `M${LEFT} ${this.y(outcome).toFixed(1)}H${this.width - RIGHT}` }),
    ]);
  }

  /**
   * Whether the outcome is better than the current record.
   * @param {number} outcome
   */
  forced(outcome) {
    return this.records.some((record, at) => this.values[at].outcome === outcome && outcomeOf(record) !== outcome);
  }

  columns() {
    const last = this.records.length - 1;
    const half = this.records.length / 2;
    const places = [0, half - 1, half, last];
    const every = Math.max(1, Math.ceil(48 / this.step));
    for (let index = every; index < half - every / 2; index += every) places.push(index, last - index);
    /** @type {number[]} */
    const shown = [];
    for (const index of places) if (shown.every((each) => Math.abs(each - index) >= every)) shown.push(index);
    const names = shown.map((index) =>
      s(
        "text",
        { class: "tick", x: this.x(index) + this.step / 2, y: HEIGHT - BELOW + 14 },
        shownGoal(this.records[index]),
      ),
    );
    const title = "record, Black\u2019s best to White\u2019s best";
    return [...names, s("text", { class: "tick", x: (LEFT + this.width - RIGHT) / 2, y: HEIGHT - 4 }, title)];
  }

  /** A list with a line for each run of records that have the same outcome. */
  runs() {
    /** @type {{ key: string, first: Goal, last: Goal, outcome: number, plies: number[] }[]} */
    const found = [];
    this.records.forEach((record, index) => {
      const { outcome, plies } = this.values[index];
      const key = outcome === outcomeOf(record) ? `stands ${record.owner}` : String(outcome);
      const known = plies === null ? [] : [plies];
      const run = found.at(-1);
      if (run?.key === key) {
        run.last = record;
        run.plies.push(...known);
      } else found.push({ key, first: record, last: record, outcome, plies: known });
    });
    return found.map(({ key, first, last, outcome, plies }) => {
      const span = first === last ? shownGoal(first) : `${shownGoal(first)} to ${shownGoal(last)}`;
      const [least, most] = [Math.min(...plies), Math.max(...plies)];
      const way = !plies.length ? "plies unknown" : least === most ? pliesText(most) : `${least} to ${most} plies`;
      const words = key.startsWith("stands") ? "the record stands" : `${shownOutcome(outcome)} in ${way}`;
      return h("li", {}, h("b", {}, span), ` ${words}`);
    });
  }
}
