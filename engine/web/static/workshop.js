// The page Workshop: the text of a definition, the board and the pieces that it describes, a measurement, files.
import { byId, guarded, h, notice, say } from "./dom.js";
import { pieceIcon } from "./drawing.js";
import { get, post, takeToken } from "./server.js";
import { pieceName } from "./squares.js";
import { BalancePanel, save } from "./workshop_balance.js";
import { ReachBoard, legend, nameOf, numberOf } from "./workshop_board.js";
import { NewGame } from "./workshop_new.js";
import { showChoices } from "./undisturbed.js";
import { asPng } from "./workshop_png.js";
import { TextField } from "./workshop_text.js";

/** @typedef {import("./squares.js").GameView} GameView */
/**
 * @typedef {{ number: number, letter: string, side: string, sides: string[], value: number, computed: boolean,
 *   royal: boolean, moves: string, roles: string, line: string }} Kind
 * @typedef {GameView & { fen: string, array: number[], pieces: Kind[], rules: { words: string, line: string }[] }} Made
 * array: for each square from a1 the number of its piece, 16 more for Black's, or 0
 * @typedef {{ findings: import("./workshop_text.js").Finding[], games: { name: string, line: number }[],
 *   game: Made | null }} Checked
 */

const KEY = "standstill.workshop"; // { file, name, text, saved, digest } of the text that is not saved
const HANDED = "standstill.workshop.play"; // { definition, name } for the page Play
const PAUSE_MS = 150; // pause in typing after which the text is checked
const BLACK = 16;
const NOTHING = { name: "", title: "", width: 8, height: 8, pictures: {} };
const HINT = "Click a piece, on the board or under Pieces, to see where it goes.";

class Page {
  constructor() {
    this.text = new TextField({ changed: () => this.changed(), moved: (line) => this.follow(line) });
    this.board = new ReachBoard(byId("board"), NOTHING, {
      pick: (square) => this.pick(square),
      put: (square) => void this.put(square),
      drop: () => this.drop(),
    });
    this.balance = new BalancePanel(() => ({ text: this.text.text, game: this.made?.name ?? "" }));
    this.maker = new NewGame((made) => this.begin(made));
    /** @type {Made | null} */
    this.made = null; // the chosen game, as it was when it last had no mistakes
    /** @type {Checked["games"]} */
    this.games = [];
    this.wanted = ""; // the name of the chosen game
    this.isCurrent = false; // does the board show the text as it is?
    /** @type {{ number: number, name: string, black: boolean } | null} */
    this.shown = null; // the piece that stands alone, and the name of its square
    this.mistakes = 0;
    this.file = { isNamed: false, name: "", saved: "", digest: "" };
    /** @type {Promise<unknown>} */
    this.filed = Promise.resolve(); // the last request about the file is answered
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    this.asked = 0; // how often the text has changed or was checked
    this.looked = 0; // how often a piece was looked at
    this.listenToPage();
  }

  listenToPage() {
    /** @type {Record<string, () => void | Promise<void>>} */
    const actions = {
      new: () => this.maker.show(),
      revert: () => this.revert(),
      save: () => this.save(),
      play: () => this.play(),
      array: () => this.drop(),
      flip: () => this.board.flip(!this.board.flipped),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => void guarded(action));
    for (const button of document.querySelectorAll("[data-export]"))
      button.addEventListener("click", () => {
        byId("export").removeAttribute("open");
        void guarded(() => this.export(/** @type {HTMLElement} */ (button).dataset.export ?? ""));
      });
    byId("open", HTMLInputElement).addEventListener("change", (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const file = input.files?.[0];
      if (file) void guarded(() => this.openFile(file));
      input.value = "";
    });
    byId("code").addEventListener("dragover", (event) => event.preventDefault());
    byId("code").addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void guarded(() => this.openFile(file));
    });
    byId("game", HTMLSelectElement).addEventListener("change", (event) => {
      this.wanted = /** @type {HTMLSelectElement} */ (event.target).value;
      this.showGame();
      this.shown = null;
      void this.check();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      void guarded(() => this.save());
    });
    addEventListener("beforeunload", () => this.keep());
  }

  async open() {
    takeToken();
    const found = await get("/api/workshop");
    this.maker.open(found.games, found.known);
    const file = found.file ?? { name: "mygame.ini", text: found.first, digest: "" };
    this.file = {
      isNamed: Boolean(found.file),
      name: file.name,
      saved: file.digest ? file.text : "",
      digest: file.digest,
    };
    const kept = [sessionStorage, localStorage]
      .map((place) => JSON.parse(place.getItem(KEY) ?? "null"))
      .find((each) => each?.file === (this.file.isNamed ? file.name : ""));
    const isOwn = kept && kept.text !== file.text;
    if (isOwn) Object.assign(this.file, { name: kept.name, saved: kept.saved, digest: kept.digest });
    this.original = file;
    this.text.begin(isOwn ? kept.text : file.text);
    byId("legend").replaceChildren(...legend());
    document.body.dataset.state = "open";
    if (isOwn && this.file.isNamed) notice("These are your unsaved changes from the last visit.");
    await this.check();
    this.showGame();
    this.balance.open(found.most);
  }

  // ---- the text ----

  changed() {
    this.isCurrent = false;
    this.asked += 1; // an answer that is on its way is about another text
    this.drawFile();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.check(), PAUSE_MS);
  }

  /** Go to the chosen game in the text, because the caret chooses a game, too. */
  showGame() {
    const line = this.games.find((each) => each.name === this.wanted)?.line;
    if (line) this.text.goTo(line);
  }

  /** Remember the text for the next visit. */
  keep() {
    const { isNamed, name, saved, digest } = this.file;
    const kept = JSON.stringify({ file: isNamed ? name : "", name, text: this.text.text, saved, digest });
    sessionStorage.setItem(KEY, kept); // another tab has its own text
    localStorage.setItem(KEY, kept); // for the next visit
  }

  /** Ask the program about the text, and show the answer. */
  async check() {
    clearTimeout(this.waiting);
    const asked = ++this.asked;
    this.keep();
    try {
      const checked = await post("/api/workshop/check", { text: this.text.text, game: this.wanted });
      if (asked === this.asked) this.take(checked);
    } catch (error) {
      if (asked !== this.asked) return;
      this.text.mark([]); // those of an earlier text
      byId("state").textContent = /** @type {Error} */ (error).message;
      byId("state").dataset.kind = "mistake";
    }
  }

  /** @param {Checked} checked */
  take(checked) {
    this.games = checked.games;
    this.text.mark(checked.findings);
    const mistakes = checked.findings.filter((each) => each.mistake).length;
    const warnings = checked.findings.length - mistakes;
    this.mistakes = mistakes;
    byId("state").textContent = countOf(mistakes, warnings);
    byId("state").dataset.kind = mistakes ? "mistake" : warnings ? "warning" : "good";
    const isSame = checked.game !== null && (!this.wanted || checked.game.name === this.wanted || !mistakes);
    if (checked.game && isSame) {
      this.made = checked.game;
      this.wanted = checked.game.name;
    }
    this.isCurrent = isSame;
    this.draw();
    document.body.dataset.checked = String(this.asked);
  }

  /**
   * Choose the game in which the caret stands.
   * @param {number} line
   */
  follow(line) {
    if (this.games.length < 2) return;
    const game = this.games.findLast((each) => each.line <= line) ?? this.games[0];
    if (game.name === this.wanted) return;
    this.wanted = game.name;
    this.shown = null;
    void this.check();
  }

  // ---- what is drawn ----

  draw() {
    const made = this.made;
    this.drawFile();
    byId("game-row").hidden = this.games.length < 2;
    const names = /** @type {[string, string][]} */ (this.games.map(({ name }) => [name, name]));
    showChoices(byId("game", HTMLSelectElement), names, this.wanted);
    document.body.dataset.current = String(this.isCurrent);
    for (const id of ["play", "balance-start"]) byId(id).toggleAttribute("disabled", this.mistakes > 0 || !this.made);
    if (!made) {
      byId("about").textContent = "The board appears when the text has no mistakes.";
      return;
    }
    byId("game-title").textContent = made.title;
    this.board.play(made);
    byId("board-frame").style.setProperty("--shape", String(made.width / made.height));
    const square = this.shown ? numberOf(this.shown.name, made) : -1;
    if (this.shown && square >= 0) {
      const { number, black } = this.shown;
      void this.see(number, square, black);
    } else {
      this.drop();
    }
    this.drawKinds(made);
    if (!this.isCurrent) byId("about").textContent = "The board shows the last text without mistakes.";
    byId("rules").replaceChildren(
      ...made.rules.map(({ words, line }) => h("li", {}, words, line ? h("code", {}, line) : "")),
    );
    byId("rules-title").hidden = !made.rules.length;
  }

  drawFile() {
    const isChanged = this.text.text !== this.file.saved;
    byId("file-name").textContent = this.file.name;
    byId("changed").textContent = isChanged ? "not saved" : "";
    byId("revert").hidden = !(this.file.isNamed && isChanged && this.file.digest);
    byId("save").textContent = this.file.isNamed ? "Save" : "Download";
    byId("save").toggleAttribute("disabled", !isChanged && this.file.isNamed);
    document.title = `${isChanged ? "\u2022 " : ""}${this.file.name} \u00b7 Workshop \u00b7 Standstill`;
  }

  /** @param {Made} made */
  drawKinds(made) {
    const buttons = made.pieces.map((kind) => {
      const value = kind.royal ? "royal" : `${(kind.value / 100).toFixed(2)}${kind.computed ? ", computed" : ""}`;
      return h(
        "button",
        {
          type: "button",
          class: "kind",
          "data-number": kind.number,
          "aria-pressed": String(this.shown?.number === kind.number),
          onclick: () => this.showKind(kind),
        },
        pieceIcon(kind.letter, made),
        h("span", { class: "kind-name" }, nameOfKind(kind, made), h("span", { class: "kind-value" }, value)),
        h("span", { class: "kind-moves" }, kind.moves),
        h("span", { class: "kind-roles" }, kind.roles),
      );
    });
    byId("kinds").replaceChildren(...buttons);
  }

  // ---- where a piece goes ----

  /** @param {number} square */
  pick(square) {
    const number = this.made?.array[square] ?? 0;
    if (number) void this.see(number % BLACK, square, number >= BLACK);
  }

  /** @param {number} square */
  async put(square) {
    if (this.shown) await this.see(this.shown.number, square, this.shown.black);
  }

  /** @param {Kind} kind */
  showKind(kind) {
    const made = this.made;
    if (!made) return;
    const middle = Math.floor((made.height - 1) / 2) * made.width + Math.floor((made.width - 1) / 2);
    if (this.shown?.number === kind.number) this.drop();
    else void this.see(kind.number, middle, kind.side === "black");
    byId("board").scrollIntoView({ block: "nearest" }); // it may be far above the list
  }

  /**
   * Show a piece alone on a square, and the squares to which it can move.
   * @param {number} number
   * @param {number} square
   * @param {boolean} black
   */
  async see(number, square, black) {
    const made = this.made;
    const kind = made?.pieces[number - 1];
    if (!made || !kind) return this.drop();
    const name = nameOf(square, made.width);
    this.shown = { number, name, black };
    const turn = ++this.looked;
    const asked = { text: this.text.text, game: made.name, piece: number, square, black };
    const reach = this.isCurrent ? await post("/api/workshop/reach", asked).catch(() => null) : null;
    if (!reach || turn !== this.looked) return;
    this.board.alone(black ? kind.letter.toLowerCase() : kind.letter.toUpperCase(), square, reach);
    byId("about").replaceChildren(
      h("strong", {}, nameOfKind(kind, made)),
      ` on ${name}: ${kind.moves || "no moves"}. Click another square to put it there, or the piece itself to see the start position.`,
    );
    this.drawShown();
    this.board.tell();
  }

  /** Back to the start position. */
  drop() {
    this.shown = null;
    this.looked += 1;
    if (this.made) this.board.array(this.made.fen);
    byId("about").textContent = HINT;
    this.drawShown();
  }

  drawShown() {
    const number = this.shown?.number;
    byId("array").hidden = number === undefined;
    byId("legend").hidden = number === undefined;
    for (const button of document.querySelectorAll("[data-export^=piece]"))
      button.toggleAttribute("disabled", number === undefined);
    for (const button of byId("kinds").children)
      button.setAttribute(
        "aria-pressed",
        String(Number(/** @type {HTMLElement} */ (button).dataset.number) === number),
      );
  }

  // ---- files ----

  /**
   * Begin with another text. The browser's Undo brings the old text back.
   * @param {{ file: string, text: string }} made
   */
  begin(made) {
    this.wanted = "";
    this.shown = null;
    this.made = null;
    if (!this.file.isNamed) this.file = { isNamed: false, name: made.file, saved: "", digest: "" };
    this.text.replace(made.text);
    void this.check().then(() => this.showGame());
    notice("The text has been replaced. Ctrl-Z in the text brings the old one back.");
  }

  /** @param {File} file */
  async openFile(file) {
    const text = (await file.text()).replace(/\r\n?/g, "\n");
    this.begin({ file: file.name, text });
    if (!this.file.isNamed) this.file.saved = text;
    this.drawFile();
  }

  /**
   * Read or write the file after the answer to the previous request, which says what the file contains.
   * @param {() => Promise<void>} action
   */
  queue(action) {
    const done = this.filed.then(action);
    this.filed = done.catch(() => {});
    return done;
  }

  revert() {
    const { text } = this.text;
    return this.queue(async () => {
      const { file } = await get("/api/workshop");
      if (this.text.text !== text) throw new Error("The text has changed in the meantime, and stays as it is.");
      this.file = { isNamed: true, name: file.name, saved: file.text, digest: file.digest };
      this.text.replace(file.text);
      await this.check();
    });
  }

  async save() {
    const text = this.text.text;
    if (!this.file.isNamed) {
      save(this.file.name, text, "text/plain");
      this.saved(text);
      return;
    }
    await this.queue(async () => {
      this.file.digest = (await post("/api/workshop/save", { text, digest: this.file.digest })).digest;
      notice(`Saved ${this.file.name}.`);
      this.saved(text);
    });
  }

  /** @param {string} text */
  saved(text) {
    this.file.saved = text;
    this.keep();
    this.drawFile();
    say("Saved");
  }

  play() {
    const name = this.made?.name ?? "";
    sessionStorage.setItem(HANDED, JSON.stringify({ definition: this.text.text, name }));
    this.keep();
    location.assign("/play#workshop");
  }

  /** @param {string} what */
  async export(what) {
    const stem = this.file.name.replace(/\.[^.]*$/, "") || "game";
    const asked = { text: this.text.text, game: this.made?.name ?? "" };
    if (what === "file") return save(this.file.name, this.text.text, "text/plain");
    if (what === "page") {
      const { html } = await post("/api/workshop/page", { ...asked, title: stem });
      return save(`${stem}.html`, html, "text/html");
    }
    const [about, format] = what.split("-");
    const kind = about === "piece" ? this.made?.pieces[(this.shown?.number ?? 1) - 1] : null;
    const { svg } = await post("/api/workshop/picture", { ...asked, piece: kind?.number ?? 0 });
    const name = kind ? `${stem}-${kind.letter.toUpperCase()}` : stem;
    if (format === "svg") save(`${name}.svg`, svg, "image/svg+xml");
    else save(`${name}.png`, await asPng(svg), "image/png");
  }
}

/**
 * @param {number} mistakes
 * @param {number} warnings
 */
function countOf(mistakes, warnings) {
  const count = (/** @type {number} */ number, /** @type {string} */ noun) =>
    `${number} ${noun}${number === 1 ? "" : "s"}`;
  if (!mistakes && !warnings) return "No mistakes";
  return [mistakes ? count(mistakes, "mistake") : "No mistakes", warnings ? count(warnings, "warning") : ""]
    .filter(Boolean)
    .join(", ");
}

/**
 * @param {Kind} kind
 * @param {GameView} made
 */
function nameOfKind(kind, made) {
  const name = pieceName(kind.letter, made).replace(/^(white|black) /, "");
  return name.length > 1 ? `${name[0].toUpperCase()}${name.slice(1)} ${kind.letter.toUpperCase()}` : name;
}

const page = new Page();
page.open().catch((error) => {
  document.body.dataset.state = "refused";
  byId("refused").textContent = error.message;
});
