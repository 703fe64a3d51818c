// The parts beside the board of the page Tables: the value, the moves, the steps under each record, the maps, the line.
import { byId, h } from "./dom.js";
import { CHESS, pieceName } from "./squares.js";
import {
  Staircase,
  cellOf,
  recordsUpTo,
  sentence,
  shortText,
  shownOutcome,
  sideOfOutcome,
  smallMap,
} from "./tables_charts.js";
import { beyond, within } from "./tables_places.js";
import { goalText, outcomeOf, recordOf, shownGoal, sideName, squareName } from "./tables_rules.js";
import { lookUp } from "./tables_served.js";
import { bestLine, counted, mapsOf, moveValues } from "./tables_values.js";
import { released } from "./undisturbed.js";

/** @typedef {import("./tables_rules.js").Goal} Goal */
/** @typedef {import("./tables_places.js").Place} Place */
/** @typedef {import("./tables_served.js").Value} Value */
/** @typedef {import("./tables_values.js").Entry} Entry */

export class Answers {
  /** @param {import("./tables.js").Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {number} turn */
  async analyse(turn) {
    const place = this.page.here;
    this.clear();
    if (!place.position || place.trouble) {
      this.showTrouble(place);
      if (place.explored) await this.showBeyond(place, turn);
    } else await this.showProven(place, place.position, turn);
    if (turn === this.page.latest) byId("main").setAttribute("aria-busy", "false");
  }

  clear() {
    for (const id of ["moves", "line", "runs", "stairs", "maps"]) byId(id).replaceChildren();
    for (const id of ["line-part", "stairs-part", "maps-part"]) byId(id).hidden = true;
    byId("results").hidden = true;
    for (const id of ["headline", "subline", "kind"]) byId(id).textContent = "";
    byId("headline").classList.remove("problem");
    delete byId("headline").dataset.value;
  }

  /** @param {Place} place */
  showTrouble(place) {
    byId("headline").textContent = place.trouble;
    byId("headline").classList.toggle("problem", !place.explored);
  }

  /** @param {string} kind */
  mark(kind) {
    byId("kind").textContent = kind === "proven" ? "Proven by tables" : "Not proven";
    byId("kind").className = `kind ${kind}`;
  }

  /** Describes the record of the position in words. */
  situation() {
    const { moves, own, turn } = this.page.here;
    const check = own.code % 2 ? "" : ", in check";
    const count = `${moves.length} ${moves.length === 1 ? "move" : "moves"}`;
    return `${sideName(turn)} to move: ${count}${check}. The record is ${shownGoal(this.page.record)}, ${sideName(this.page.record.owner)}\u2019s.`;
  }

  /**
   * @param {Place} place
   * @param {import("./tables_rules.js").Position} position
   * @param {number} turn
   */
  async showProven(place, position, turn) {
    const { wholeGame } = /** @type {import("./tables_served.js").About} */ (this.page.about);
    const { record } = this.page;
    const [value] = await lookUp([{ position, record }]);
    if (value.error) throw new Error(value.error);
    const entries = await moveValues(position, record, wholeGame);
    await released();
    if (turn !== this.page.latest) return;
    this.showValue(value, record);
    this.showMoves(entries, value);
    const records = recordsUpTo(place.own.code);
    const values = await lookUp(records.map((each) => ({ position, record: each })));
    const maps = await mapsOf(position, this.page.given);
    await released();
    if (turn !== this.page.latest) return;
    this.showStairs(records, values, record);
    this.showMaps(maps);
    const line = await bestLine(position, record, value, wholeGame, () => turn === this.page.latest);
    await released();
    if (turn === this.page.latest) this.showLine(line, value);
  }

  /**
   * @param {Value} value
   * @param {Goal} record
   */
  showValue(value, record) {
    const stands = value.outcome === outcomeOf(record);
    const headline = byId("headline");
    this.mark("proven");
    const shown = h("b", { class: sideOfOutcome(value.outcome) }, shownOutcome(value.outcome));
    headline.replaceChildren(shown, ` ${sentence(value, stands, !this.page.place?.moves.length)}`);
    headline.dataset.value = goalText(recordOf(value.outcome));
    headline.dataset.plies = String(value.plies ?? "");
    byId("subline").textContent = this.situation();
    byId("results").hidden = false;
  }

  /**
   * @param {string} text of the move
   * @param {string} san
   * @param {string} words
   * @param {string} kind
   */
  moveButton(text, san, words, kind) {
    const action = () => void this.page.guarded(() => this.page.play(text));
    const attributes = { type: "button", class: `move ${kind}`, "data-move": text, onclick: action };
    return h("button", attributes, h("b", {}, san), " ", h("span", {}, words));
  }

  /**
   * @param {Entry[]} entries
   * @param {Value} value
   */
  showMoves(entries, value) {
    const buttons = entries.map(({ text, san, value: reached }) => {
      if (reached.error) {
        const button = this.moveButton(text, san, "?", "unknown");
        button.title = reached.error;
        return button;
      }
      const keeps = reached.outcome === value.outcome ? "keeps" : "loses";
      const button = this.moveButton(text, san, shortText(reached), `${keeps} ${sideOfOutcome(reached.outcome)}`);
      return valued(button, reached);
    });
    const keeping = entries.filter((entry) => entry.value.outcome === value.outcome).length;
    byId("moves-title").textContent = entries.length
      ? `Moves: ${keeping} of ${entries.length} keep ${shownOutcome(value.outcome)} (outcome, plies)`
      : "No legal moves";
    byId("moves").replaceChildren(...buttons);
  }

  /**
   * A position that no table has: its moves with their goals, those that lead into tables with their outcomes, and an
   * estimate of the engine.
   * @param {Place} place
   * @param {number} turn
   */
  async showBeyond(place, turn) {
    this.mark("open");
    byId("subline").textContent = this.situation();
    byId("results").hidden = false;
    const { record } = this.page;
    const values = await lookUp(place.moves.map((move) => ({ fen: move.after, record: move.record })));
    await released();
    if (turn !== this.page.latest) return;
    const found = place.moves.map((move, at) => ({ move, value: counted(values[at], record) }));
    const goal = (/** @type {{ move: { goal: string } }} */ { move }) => Number(move.goal.replace("-", "").slice(1));
    found.sort(
      (one, two) => Number(Boolean(one.value.error)) - Number(Boolean(two.value.error)) || goal(one) - goal(two),
    );
    const buttons = found.map(({ move, value }) =>
      value.error
        ? this.moveButton(move.move, move.san, move.goal.replace("-", ""), "open")
        : valued(
            this.moveButton(move.move, move.san, shortText(value), `keeps ${sideOfOutcome(value.outcome)}`),
            value,
          ),
    );
    const proven = found.filter(({ value }) => !value.error).length;
    const known = proven ? `; ${proven} ${proven === 1 ? "leads" : "lead"} into tables (outcome, plies)` : "";
    byId("moves-title").textContent = place.moves.length
      ? `Moves and the goals that they reach${known}`
      : "No legal moves";
    byId("moves").replaceChildren(...buttons);
    if (place.moves.length) this.page.estimate.follow(beyond(place.fen, record));
  }

  /**
   * @param {Goal[]} records
   * @param {Value[]} values
   * @param {Goal} record
   */
  showStairs(records, values, record) {
    byId("stairs-part").hidden = !records.length || values.some((value) => value.error);
    if (byId("stairs-part").hidden) return;
    const stairs = new Staircase(records, values, record, Math.max(280, byId("stairs").clientWidth));
    byId("stairs").replaceChildren(
      stairs.drawing((chosen) => void this.page.guarded(() => this.page.go(this.page.fen, chosen, this.page.last))),
    );
    byId("runs").replaceChildren(...stairs.runs());
  }

  /** @param {Map<number, (Value | null)[]>} maps */
  showMaps(maps) {
    const squares = this.page.place?.position?.squares ?? [];
    this.page.maps = maps;
    const buttons = [...maps].map(([from, map]) => {
      const [side, name] = pieceName(squares[from], CHESS).split(" ");
      const cells = map.map((value, at) => cellOf(value, squareName(at)));
      const attributes = { type: "button", class: "map", "data-man": squareName(from), "aria-pressed": "false" };
      const words = `${side === "white" ? "White" : "Black"}\u2019s ${name}`;
      return h(
        "button",
        { ...attributes, onclick: () => this.toggleMap(from) },
        smallMap(cells, squares, from, CHESS),
        words,
      );
    });
    byId("maps").replaceChildren(...buttons);
    byId("maps-part").hidden = false;
    const { press, hand } = this.page.arranger;
    this.page.paint(press?.from || hand?.from || "");
  }

  /** @param {number} from */
  toggleMap(from) {
    this.page.mapped = this.page.mapped === from ? -1 : from;
    for (const button of byId("maps").querySelectorAll("button"))
      button.setAttribute(
        "aria-pressed",
        String(button.dataset.man === (this.page.mapped < 0 ? "" : squareName(from))),
      );
    this.page.paint("");
  }

  /**
   * @param {Entry[] | null} line
   * @param {Value} value
   */
  showLine(line, value) {
    byId("line-part").hidden = value.plies === 0;
    if (!line)
      byId("line").textContent = "The best line is unknown: it needs plies, or a class that is not in the folder.";
    if (!line || value.plies === 0) return;
    const offset = this.page.place?.turn === "b" ? 1 : 0;
    const parts = line.flatMap((entry, index) => {
      const isWhite = entry.position.turn === "w";
      const number = `${1 + Math.floor((index + offset) / 2)}${isWhite ? "." : "\u2026"}\u00a0`;
      const { code } = entry.record;
      const moved = [entry.from, entry.to].map(squareName);
      const next = within(entry.next);
      const action = () => void this.page.guarded(() => this.page.go(next.fen, code < 2 ? null : entry.record, moved));
      const title = `goal ${shownGoal(next.own)}, record ${shownGoal(entry.record)}`;
      const button = h("button", { type: "button", class: "ply", title, onclick: action }, entry.san);
      return [isWhite || !index ? number : "", button, " "];
    });
    byId("line").replaceChildren(...parts);
  }
}

/**
 * @param {HTMLElement} button
 * @param {Value} value
 */
function valued(button, value) {
  button.dataset.value = goalText(recordOf(value.outcome));
  button.dataset.plies = String(value.plies ?? "");
  return button;
}
