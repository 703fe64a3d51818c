// The form for a new game. The board shows the position that the form describes.
import { byId, h } from "./dom.js";
import { PositionEditor } from "./position_editor.js";
import { get, post } from "./server.js";

/** @typedef {{ name: string, title: string, size: string }} Listed */

const KEY = "standstill.setup";
const HANDED = "standstill.workshop.play"; // { definition, name }: a game that the page Workshop hands over
const STEP = 50; // rating points
/** @type {Record<string, string>} */
const MODES = {
  Tiebreak:
    "Win, draw or loss counts first; between two draws the engine prefers the one in which it holds the record.",
  Points: "The record divides the points of a draw: a stalemate is worth 0.75.",
  Decisive: "The holder of the record wins, so there are no draws.",
  Off: "Every draw is worth 0.5, and no record is kept.",
};

export class Setup {
  /**
   * @param {{ preview: (position: any) => void, begin: (setup: object) => Promise<void>,
   *   board: import("./board.js").Board }} owner
   */
  constructor(owner) {
    this.owner = owner;
    this.form = byId("setup", HTMLFormElement);
    this.problem = byId("setup-problem");
    this.definition = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    this.asked = 0;
    this.isBeginning = false; // is the answer to a new game on its way?
    this.isHanded = false; // does the form begin with a game of Workshop?
    this.levels = { least: 0, most: 0 };
    this.last960 = 0;
    this.editor = new PositionEditor(owner.board, (fen) => this.takePosition(fen));
    this.shownGame = "";
  }

  async open() {
    const catalogue = await get("/api/catalogue");
    this.levels = catalogue.levels;
    this.last960 = catalogue.chess960;
    this.list(catalogue.games);
    for (const name of ["white-level", "black-level"]) {
      const range = this.field(name);
      Object.assign(range, {
        min: String(catalogue.levels.least),
        max: String(catalogue.levels.most + STEP),
        step: String(STEP),
      });
      range.value = String(catalogue.levels.least + 800);
    }
    this.field("number").max = String(this.last960);
    this.recall();
    this.isHanded = this.takeHanded();
    this.form.addEventListener("input", (event) => this.changed(event.target));
    byId("arrange").addEventListener("click", () => this.arrange(!this.editor.isOn));
    byId("study-position").addEventListener("click", () => void this.study());
    this.form.addEventListener("submit", (event) => this.submit(event));
    byId("random-number").addEventListener("click", () => this.draw());
    byId("definition", HTMLInputElement).addEventListener(
      "change",
      (event) => void this.readFile(/** @type {HTMLInputElement} */ (event.target)),
    );
    this.changed();
    return catalogue;
  }

  /** Take the game that Workshop hands over, if Workshop has opened the page. */
  takeHanded() {
    const handed = location.hash === "#workshop" ? sessionStorage.getItem(HANDED) : null;
    if (!handed) return false;
    history.replaceState(null, "", location.pathname);
    const { definition, name } = JSON.parse(handed);
    this.take(definition, "the workshop");
    byId("game", HTMLSelectElement).value = name;
    return true;
  }

  /** @param {Listed[]} games */
  list(games) {
    const options = games.map((game) =>
      h(
        "option",
        { value: game.name },
        game.name === "chess" || game.name === "chess960" ? game.title : `${game.name}: ${game.title}`,
      ),
    );
    byId("game", HTMLSelectElement).replaceChildren(...options);
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement}
   */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** @param {string} name */
  value(name) {
    return /** @type {HTMLInputElement | HTMLSelectElement | RadioNodeList} */ (this.form.elements.namedItem(name))
      .value;
  }

  /** @param {string} name */
  level(name) {
    const number = Number(this.value(name));
    return number > this.levels.most ? null : number;
  }

  draw() {
    this.field("number").value = String(Math.floor(Math.random() * (this.last960 + 1)));
    this.changed();
  }

  /** @param {HTMLInputElement} input */
  async readFile(input) {
    const file = input.files?.[0];
    if (!file) return;
    this.take(await file.text(), file.name);
  }

  /**
   * List the games of a file of definitions.
   * @param {string} text
   * @param {string} source its name
   */
  take(text, source) {
    const titles = [...text.matchAll(/^Game: (.*?)\s*(?:#.*)?$/gm)].map((found) => found[1]);
    if (!titles.length) {
      this.complain(`${source}: expected a line “Game: NAME”, found none.`);
      return;
    }
    this.definition = text;
    this.list(titles.map((name) => ({ name, title: `from ${source}`, size: "" })));
    this.changed();
  }

  /** @param {string} text */
  complain(text) {
    this.problem.textContent = text;
  }

  /**
   * Switch the position editor on or off.
   * @param {boolean} isOn
   */
  arrange(isOn) {
    byId("arrange").setAttribute("aria-pressed", String(isOn));
    byId("other").toggleAttribute("open", isOn || byId("other").hasAttribute("open"));
    this.editor.turn(isOn);
    void this.preview();
  }

  /**
   * A position of the editor; "" for the usual one.
   * @param {string} fen
   */
  takePosition(fen) {
    this.field("fen").value = fen;
    this.changed();
  }

  /** Continue in Study with the position of the form. */
  async study() {
    const { fen, game } = await post("/api/preview", this.setup()).catch((error) => {
      this.complain(error.message);
      return {};
    });
    if (!fen) return;
    const chosen = this.value("game");
    const wanted = new URLSearchParams({ position: fen });
    if (chosen !== "chess") wanted.set("variant", chosen === "chess960" ? "Chess960" : game.name);
    location.assign(`/study#${wanted}`);
  }

  /**
   * Show the fields of the chosen game, and the position.
   * @param {EventTarget | null} [changed] what the user has changed
   */
  changed(changed) {
    if (changed instanceof Element && changed.closest("#arranging")) return; // the editor reads these
    if (changed === this.form.elements.namedItem("game")) this.field("fen").value = "";
    byId("study-position").toggleAttribute("disabled", this.definition !== "");
    const side = this.value("side");
    const game = this.value("game");
    byId("white-level-row").hidden = side !== "watch";
    byId("number-row").hidden = game !== "chess960";
    byId("mode-words").textContent = MODES[this.value("mode")];
    byId("komi-row").hidden = this.value("mode") !== "Decisive";
    byId("increment-row").hidden = this.value("base") === "";
    for (const name of ["white-level", "black-level"]) {
      const level = this.level(name);
      const text = level === null ? "full strength" : String(level);
      byId(`${name}-shown`).textContent = text;
      this.field(name).setAttribute("aria-valuetext", text);
    }
    byId("black-level-label").textContent = side === "watch" ? "Black" : "Strength";
    this.asked += 1; // an answer that is on its way would undo this change
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.preview(), 150);
  }

  async preview() {
    const asked = ++this.asked;
    try {
      const position = await post("/api/preview", this.setup());
      if (asked !== this.asked) return;
      this.complain(position.end ? `This position ends the game: ${position.end.reason}.` : "");
      this.owner.preview({ ...position, flipped: this.value("side") === "black" });
      if (this.editor.isOn) this.editor.show(position.game, position.fen);
    } catch (error) {
      if (asked === this.asked) this.complain(/** @type {Error} */ (error).message);
    }
  }

  /** The values of the form, for the program. */
  setup() {
    const side = this.value("side");
    const engine = { engine: true, level: this.level("black-level") };
    const person = { engine: false, level: null };
    const isWhite = side === "white" || (side === "random" && Math.random() < 0.5);
    const players =
      side === "watch"
        ? [{ engine: true, level: this.level("white-level") }, engine]
        : isWhite
          ? [person, engine]
          : [engine, person];
    const base = this.value("base");
    return {
      game: this.value("game"),
      definition: this.definition,
      number: this.value("game") === "chess960" ? Number(this.value("number")) : null,
      fen: this.value("fen"),
      white: players[0],
      black: players[1],
      clock:
        base === ""
          ? {}
          : { base: Math.round(Number(base) * 60000), increment: Math.round(Number(this.value("increment")) * 1000) },
      mode: this.value("mode"),
      komi: this.value("komi"),
    };
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    if (this.isBeginning) return; // a double click begins one game
    this.isBeginning = true;
    try {
      this.remember();
      await this.owner.begin(this.setup());
    } catch (error) {
      this.complain(/** @type {Error} */ (error).message);
    } finally {
      this.isBeginning = false;
    }
  }

  remember() {
    const kept = ["side", "white-level", "black-level", "base", "increment", "mode"].map((name) => [
      name,
      this.value(name),
    ]);
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  }

  recall() {
    for (const [name, value] of Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}"))) {
      const element = this.form.elements.namedItem(name);
      if (element) /** @type {RadioNodeList} */ (element).value = String(value);
    }
  }
}
