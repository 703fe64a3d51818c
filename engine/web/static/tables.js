// The page Tables: any position with what tables prove about it, best play, good squares and a quiz; beyond the tables the
// goals of all moves and an estimate of the engine, which never looks like a proof.
import { Arranger, arranged } from "./arranger.js";
import { Board } from "./board.js";
import { byId, h, notice, say, showText } from "./dom.js";
import { takeToken } from "./server.js";
import { CHESS, pieceName, piecesOf, placementOf } from "./squares.js";
import { Answers } from "./tables_answers.js";
import { cellOf, recordsUpTo, valueText } from "./tables_charts.js";
import { Estimate } from "./tables_estimate.js";
import { placeOf, within } from "./tables_places.js";
import { countAnswer, findQuestion, readScore } from "./tables_quiz.js";
import { fieldsOf, goalText, outcomeOf, readGoal, recordOf, shownGoal, sideName, squareName } from "./tables_rules.js";
import { about } from "./tables_served.js";
import { released, showChoices } from "./undisturbed.js";

/** @typedef {import("./tables_rules.js").Goal} Goal */
/** @typedef {import("./tables_places.js").Place} Place */
/** @typedef {import("./tables_places.js").Known} Known */
/** @typedef {import("./tables_served.js").Value} Value */
/** @typedef {import("./tables_values.js").Entry} Entry */
/** @typedef {import("./undisturbed.js").Choice} Choice */

const LONGEST_BACK = 1000; // ms until the browser has gone back
const KINGS = "8/8/8/4k3/8/8/4K3/8 w";

export class Page {
  constructor() {
    /** @type {import("./tables_served.js").About | null} */
    this.about = null;
    /** @type {Place | null} */
    this.place = null;
    /** @type {Goal | null} */
    this.given = null; // the record set by the user or by the moves before
    /** @type {string[]} */
    this.last = [];
    /** @type {{ fen: string, given: Goal | null, last: string[] }[]} */
    this.history = [];
    /** @type {Map<number, (Value | null)[]>} */
    this.maps = new Map();
    this.mapped = -1; // the square of the piece whose map is on the board
    /** @type {{ asking: boolean, entries: Entry[] } | null} */
    this.quiz = null;
    this.latest = 0;
    this.doing = Promise.resolve();
    this.board = new Board(byId("board"), CHESS, {
      onMove: (move) => void this.guarded(() => this.play(move)),
      describe: (square) => this.valueOn(square),
    });
    this.arranger = new Arranger(this.board, byId("palette"), {
      drop: (letter, from, to) => void this.guarded(() => this.arrange(letter, from, to)),
      lift: (letter, from) => this.paint(letter && from ? from : ""),
    });
    this.arranger.offer(CHESS);
    this.estimate = new Estimate();
    this.answers = new Answers(this);
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {string} */ kind, /** @type {() => unknown} */ action) =>
      byId(id).addEventListener(kind, () => void this.guarded(async () => action()));
    byId("fen-form").addEventListener("submit", (event) => event.preventDefault());
    byId("fen").addEventListener("keydown", (event) => {
      // The same FEN again has no change event, but no record either.
      const text = byId("fen", HTMLInputElement).value;
      if (event.key === "Enter" && text === this.fen && this.given) void this.guarded(() => this.typed(text));
    });
    // The values are read now, because the position that is loading changes the fields before these actions have
    // their turn.
    byId("fen").addEventListener("change", () => {
      const text = byId("fen", HTMLInputElement).value;
      void this.guarded(() => this.typed(text));
    });
    byId("record").addEventListener("change", () => {
      const { value } = byId("record", HTMLSelectElement);
      void this.guarded(() => this.go(this.fen, value ? readGoal(value) : null, this.last));
    });
    on("turn-w", "change", () => this.turnTo("w"));
    on("turn-b", "change", () => this.turnTo("b"));
    on("mode-set", "change", () => this.draw());
    on("mode-play", "change", () => this.draw());
    on("back", "click", () => this.takeBack());
    on("flip", "click", () => this.flip());
    on("clear", "click", () => this.go(KINGS, null));
    on("tab-quiz", "click", () => (this.quiz ? this.leaveQuiz() : this.ask()));
    on("next", "click", () => this.ask());
    on("quiz-class", "change", () => this.ask());
    addEventListener("hashchange", ({ newURL }) => void this.guarded(() => this.followAddress(new URL(newURL).hash)));
  }

  async open() {
    takeToken();
    this.about = await about();
    byId("scope").textContent = this.about.scope;
    byId("quiz-class").append(...this.about.classes.map((name) => h("option", { value: name }, name)));
    document.body.dataset.state = "tables";
    await this.guarded(() => this.readAddress(location.hash));
    const { fen, record } = this.about;
    if (!this.place) await this.show(fen, record ? readGoal(record) : null);
  }

  /**
   * Perform an action of the user after the action in progress.
   * @param {() => Promise<unknown>} action
   */
  guarded(action) {
    this.doing = this.doing.then(() => this.attempt(action));
    return this.doing;
  }

  /**
   * Run an action; tell the user if it fails.
   * @param {() => Promise<unknown>} action
   */
  async attempt(action) {
    try {
      await action();
    } catch (error) {
      notice(/** @type {Error} */ (error).message, "wrong");
      byId("main").setAttribute("aria-busy", "false");
    }
  }

  get fen() {
    return this.place?.fen ?? "";
  }

  /** The position on the board. */
  get here() {
    return /** @type {Place} */ (this.place);
  }

  get asking() {
    return this.quiz?.asking ?? false;
  }

  get playing() {
    return this.asking || byId("mode-play", HTMLInputElement).checked;
  }

  /** The record in force. */
  get record() {
    const { own } = this.here;
    return this.given && this.given.code <= own.code ? this.given : own;
  }

  // ---- other positions ----

  /**
   * Go to a position as a step that can be taken back.
   * @param {string} fen
   * @param {Goal | null} given
   * @param {string[]} [last]
   */
  async go(fen, given, last = []) {
    const before = { fen: this.fen, given: this.given, last: this.last };
    await this.show(fen, given, last, true);
    this.history.push(before);
    byId("back").toggleAttribute("disabled", false);
  }

  /**
   * @param {string} fen
   * @param {Goal | null} given
   * @param {string[]} [last]
   * @param {boolean} [isStep] keep the previous address in the browser's history
   */
  async show(fen, given, last = [], isStep = false) {
    const turn = ++this.latest;
    byId("main").setAttribute("aria-busy", "true");
    const place = await placeOf(fen, given, /** @type {import("./tables_served.js").About} */ (this.about));
    await released();
    if (turn !== this.latest) return;
    Object.assign(this, { place, given, last, mapped: -1, maps: new Map() });
    this.estimate.stop();
    this.problemOfField("");
    byId("verdict").textContent = "";
    this.draw();
    this.showRecords();
    this.keepAddress(isStep);
    this.showQuiz();
    if (this.asking) this.showQuestion();
    else void this.attempt(() => this.answers.analyse(turn));
  }

  /**
   * A piece was put somewhere.
   * @param {string} letter
   * @param {string} from
   * @param {string} to
   */
  async arrange(letter, from, to) {
    const pieces = piecesOf(this.fen, 8);
    const old = pieces.get(to || from) ?? "";
    if (from && pieces.get(from) !== letter) return; // it was moved in the position that was on its way
    const isKing = (letter || old).toUpperCase() === "K" && letter !== "";
    if (!letter && old.toUpperCase() === "K") throw new Error("Each side keeps its king.");
    if (isKing && !to) throw new Error("Each side keeps its king.");
    if (to && to !== from && old.toUpperCase() === "K") throw new Error(`A king stands on ${to}.`);
    const king = isKing && !from ? ([...pieces].find(([, piece]) => piece === letter)?.[0] ?? "") : from;
    const next = arranged(pieces, letter, king, to);
    await this.go(`${placementOf(next, CHESS)} ${this.here.turn} - -`, this.given);
    say(this.board.describe(this.board.cursor));
  }

  /** @param {string} text of a move */
  async play(text) {
    const move = this.place?.moves.find((each) => each.move === text);
    if (!move) return;
    if (this.asking) {
      await this.answer(move);
      return;
    }
    const { code, owner } = move.record;
    await this.go(move.after, code < 2 ? null : { code, owner }, [move.from, move.to[0]]);
  }

  /** @param {string} turn */
  async turnTo(turn) {
    const [pieces] = this.fen.split(" ");
    await this.go(`${pieces} ${turn} - -`, this.given);
  }

  async takeBack() {
    if (history.state?.step) {
      const isGone = new Promise((done) => addEventListener("popstate", done, { once: true }));
      history.back(); // the browser's list also has the previous position
      // A double click would go back two entries, out of the page. If a browser drops the event, the page must not wait
      // for it.
      await Promise.race([isGone, new Promise((done) => setTimeout(done, LONGEST_BACK))]);
      return;
    }
    const before = this.history.pop();
    if (before) await this.show(before.fen, before.given, before.last);
  }

  async flip() {
    this.board.flip(!this.board.flipped);
    this.paint("");
  }

  /** @param {string} text of a FEN */
  async typed(text) {
    try {
      const { fen, given } = read(text);
      if (this.quiz) this.quiz.asking = false;
      await this.go(fen, given);
    } catch (error) {
      this.problemOfField(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text */
  problemOfField(text) {
    byId("fen-problem").textContent = text;
    const field = byId("fen");
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  // ---- the address ----

  /** @param {boolean} isStep */
  keepAddress(isStep) {
    const address = addressOf(this.fen, this.given);
    try {
      if (isStep && address !== location.hash) history.pushState({ step: true }, "", address);
      else history.replaceState(history.state, "", address);
    } catch {
      // Some browsers forbid this for files; then the address does not name the position.
    }
  }

  /** @param {string} address */
  async readAddress(address) {
    const words = new URLSearchParams(address.slice(1));
    const text = words.get("fen");
    if (text === null) return;
    const { fen, given } = read(text);
    const record = words.get("record");
    await this.show(fen, given ?? (record === null ? null : openRecord(record)));
  }

  /**
   * The address has changed: by the browser's Back or Forward, or because the user has edited it.
   * @param {string} address as it was then; by now it may have changed again
   */
  async followAddress(address) {
    this.quiz = null;
    const before = this.history.at(-1);
    const isBack = before && addressOf(before.fen, before.given) === address;
    const last = isBack ? (this.history.pop()?.last ?? []) : [];
    await this.readAddress(address);
    this.last = last;
    this.draw();
  }

  // ---- what the board shows ----

  draw() {
    const { place } = this;
    if (!place) return;
    this.arranger.turn(!this.playing);
    const legal = this.playing ? place.moves : [];
    const turn = place.turn === "w" ? "white" : "black";
    this.board.show({ fen: place.fen, turn, check: place.check, last: this.last, legal });
    showText(byId("fen", HTMLInputElement), place.fen);
    byId(place.turn === "w" ? "turn-w" : "turn-b", HTMLInputElement).checked = true;
    byId("back").toggleAttribute("disabled", !this.history.length);
    this.paint("");
  }

  /**
   * Colour the board by the map of the piece on a square, or by the chosen map.
   * @param {string} square
   */
  paint(square) {
    const from = square ? numberOf(square) : this.mapped;
    const map = this.asking ? undefined : this.maps.get(from);
    const piece = this.place?.position?.squares[from] ?? "";
    /** @type {Map<string, import("./tables_charts.js").Cell>} */
    const cells = new Map();
    map?.forEach((value, at) => {
      const cell = cellOf(value, `${pieceName(piece, CHESS).split(" ")[1]} ${squareName(at)}`);
      if (cell) cells.set(squareName(at), cell);
    });
    this.board.colour(cells);
  }

  /**
   * The value with the lifted piece on a square, in words.
   * @param {string} square
   */
  valueOn(square) {
    const from = this.arranger?.hand?.from;
    const value = this.asking ? null : this.maps.get(from ? numberOf(from) : this.mapped)?.[numberOf(square)];
    return value && !value.error ? valueText(value) : "";
  }

  showRecords() {
    const select = byId("record", HTMLSelectElement);
    const { own, trouble, explored } = this.here;
    select.disabled = trouble !== "" && !explored;
    if (select.disabled) {
      select.replaceChildren();
      return;
    }
    const groups = [0, 1].map((owner) => {
      const codes = recordsUpTo(own.code).filter((each) => each.owner === owner);
      codes.sort((one, two) => one.code - two.code);
      const choices = codes.map((each) => /** @type {Choice} */ ([goalText(each), shownGoal(each)]));
      return { label: `${sideName(owner)}\u2019s record`, choices };
    });
    const shown = groups.filter(({ choices }) => choices.length);
    const chosen = this.given && this.given.code <= own.code ? goalText(this.given) : "";
    showChoices(select, [["", `the position\u2019s own: ${shownGoal(own)}`], ...shown], chosen);
  }

  // ---- the quiz ----

  async ask() {
    const { classes, wholeGame } = /** @type {import("./tables_served.js").About} */ (this.about);
    const chosen = byId("quiz-class", HTMLSelectElement).value;
    this.quiz = { asking: false, entries: [] };
    this.latest += 1; // discards the result of an analysis in progress
    this.estimate.stop();
    this.showQuiz();
    byId("main").setAttribute("aria-busy", "true");
    const question = await findQuestion(chosen ? [chosen] : classes, wholeGame);
    if (!question) throw new Error(`No position of ${chosen || "these classes"} suits the quiz: try again.`);
    this.quiz = { asking: true, entries: question.entries };
    this.history = [];
    await this.show(within(question.position).fen, question.record);
  }

  showQuestion() {
    const { entries } = /** @type {{ entries: Entry[] }} */ (this.quiz);
    const [best, record] = [entries[0].value, this.record];
    this.answers.clear();
    const stands = best.outcome === outcomeOf(record);
    const { code, owner } = recordOf(best.outcome);
    const goal = code === 0 ? "mate" : code === 1 ? "stalemate" : shownGoal({ code, owner: 0 });
    const aim = stands ? "keeps the record" : `leads to ${sideName(owner)}\u2019s ${goal}`;
    byId("headline").textContent = `${sideName(this.place?.turn ?? "w")} to move. Which move ${aim}?`;
    byId("subline").textContent =
      `The record is ${shownGoal(record)}, ${sideName(record.owner)}\u2019s. Move on the board, or choose:`;
    const sorted = [...entries].sort((one, two) => (one.san < two.san ? -1 : 1));
    byId("moves").replaceChildren(...sorted.map(({ text, san }) => this.answers.moveButton(text, san, "", "asked")));
    byId("moves-title").textContent = `${entries.length} moves`;
    byId("results").hidden = false;
    byId("main").setAttribute("aria-busy", "false");
  }

  /** @param {Known} move */
  async answer(move) {
    const { entries } = /** @type {{ entries: Entry[] }} */ (this.quiz);
    const own = entries.find((entry) => entry.text === move.move);
    if (!own || !this.quiz) return;
    const isRight = own.value.outcome === entries[0].value.outcome;
    this.quiz.asking = false;
    countAnswer(isRight);
    await this.show(this.fen, this.given, [move.from, move.to[0]]);
    const keeping = entries.filter((entry) => entry.value.outcome === entries[0].value.outcome);
    byId("verdict").className = isRight ? "right" : "wrong";
    byId("verdict").textContent = isRight
      ? `${own.san} is right: ${valueText(own.value)}.`
      : `${own.san} is wrong: it leads to ${valueText(own.value)}. Right: ${keeping.map(({ san }) => san).join(", ")}.`;
    byId("next").focus();
  }

  showQuiz() {
    const { asked, right, row } = readScore();
    document.body.dataset.asking = String(this.asking);
    byId("quiz").hidden = !this.quiz;
    byId("tab-quiz").setAttribute("aria-pressed", String(this.quiz !== null));
    byId("next").textContent = this.asking ? "Another one" : "Next";
    byId("score").textContent = asked ? `${right} of ${asked} right, ${row} in a row` : "No answer yet";
  }

  async leaveQuiz() {
    this.quiz = null;
    await this.show(this.fen, this.given, this.last);
  }
}

/** @param {string} square */
function numberOf(square) {
  return "abcdefgh".indexOf(square[0]) + 8 * (Number(square[1]) - 1);
}

/**
 * A typed FEN, with the record that may be its last field; without one the position's own goal is the record.
 * @param {string} text
 */
function read(text) {
  const fields = fieldsOf(text);
  const at = fields.findIndex((field, index) => index > 3 && /^[-+]?g/i.test(field));
  const given = at < 0 ? null : openRecord(fields[at]);
  return { fen: fields.filter((_, index) => index !== at).join(" "), given };
}

/**
 * A record that leaves the game open. Throws an Error.
 * @param {string} text
 */
function openRecord(text) {
  const record = readGoal(text);
  if (record.code < 2) throw new Error(`Expected a record that leaves the game open, found \u201c${text}\u201d.`);
  return record;
}

/**
 * @param {string} fen
 * @param {Goal | null} given
 */
function addressOf(fen, given) {
  const words = new URLSearchParams({ fen: fen.replaceAll(" ", "_") });
  if (given) words.set("record", goalText(given));
  return `#${words.toString().replaceAll("%2F", "/")}`;
}

const page = new Page();
page.open().then(
  () => say(""),
  (error) => {
    document.body.dataset.state = "refused";
    byId("refused").textContent = error.message;
  },
);
