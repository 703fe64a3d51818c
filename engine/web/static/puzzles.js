// The page Puzzles: a position from the user's games, an answer, its worth, and the day on which the puzzle comes
// again.
import { Board } from "./board.js";
import { byId, guarded, h, notice, say } from "./dom.js";
import { get, post, takeToken } from "./server.js";
import { Pile } from "./puzzles_pile.js";
import { drawLines, drawVerdict, lineName } from "./puzzles_lines.js";

/** @typedef {import("./puzzles_lines.js").Judged} Judged */
/** @typedef {import("./puzzles_lines.js").Step} Step */
/**
 * @typedef {{ id: string, kind: "move" | "fewest" | "side", game: import("./squares.js").GameView, fen: string,
 *   turn: string, check: string[], number: number, last: string[], legal: import("./squares.js").LegalMove[],
 *   prompt: string, about: string, origin: string, study: string, level: string, state: string }} Puzzle
 * @typedef {{ id: string, state: string, tries: number, hinted: boolean, tried: string[], comes: string, dropped: boolean, judged: Judged | null }} Attempt
 */

const EMPTY = { name: "chess", title: "Chess", width: 8, height: 8, pictures: {} };
const KEPT = "standstill.puzzle"; // key in the tab's session storage: the puzzle and its answer survive a reload
/** @type {Record<string, string>} */
const KINDS = { move: "best move", fewest: "fewest moves", side: "who leaves fewer" };

class Page {
  constructor() {
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {Attempt} */
    this.attempt = attemptOf("", "");
    /** @type {string[]} */
    this.skipped = [];
    this.flipped = false;
    this.line = 0; // the line that is shown, and the place in it; 0 is the position of the puzzle
    this.at = 0;
    this.isBusy = false; // whether an answer is being judged
    this.turn = 0;
    this.board = new Board(byId("board"), EMPTY, { onMove: (move) => void this.answer(move), label: "Board" });
    this.pile = new Pile(
      () => this.choose(),
      () => this.puzzle || this.choose(), // the user may be solving one, or reading the solution
    );
    this.listenToPage();
  }

  listenToPage() {
    /** @type {Record<string, () => void>} */
    const actions = {
      first: () => this.go(0),
      previous: () => this.go(this.at - 1),
      forward: () => this.go(this.at + 1),
      last: () => this.go(this.steps.length),
      flip: () => this.flip(),
      hint: () => void guarded(() => this.hint()),
      show: () => void this.answer(""),
      skip: () => this.skip(),
      drop: () => void guarded(() => this.drop()),
      next: () => void guarded(() => this.next()),
      white: () => void this.answer("white"),
      black: () => void this.answer("black"),
      extra: () => this.practise(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    byId("typed-form").addEventListener("submit", (event) => this.typed(event));
    byId("lines").addEventListener("click", (event) => {
      const place = event.target instanceof Element ? event.target.closest("[data-at]") : null;
      if (!(place instanceof HTMLElement)) return;
      this.line = Number(place.dataset.line);
      this.go(Number(place.dataset.at));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async open() {
    takeToken();
    const file = await get("/api/puzzles");
    if (!file.file) {
      document.body.dataset.state = "nothing";
      return;
    }
    this.pile.begin(file);
    document.body.dataset.state = "puzzles";
    await guarded(() => this.pile.draw());
    if (!this.turn && !(await this.resume())) await guarded(() => this.next());
  }

  /** Continue with the puzzle that this tab showed before a reload. Returns whether there is such a puzzle. */
  async resume() {
    try {
      const attempt = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
      if (!attempt?.id) return false;
      const { puzzle } = await post("/api/puzzles/show", { id: attempt.id });
      if (!this.turn) this.begin(puzzle, attempt); // the user may have chosen other puzzles already
      return true;
    } catch {
      return false; // the file has other games now
    }
  }

  keep() {
    sessionStorage.setItem(KEPT, JSON.stringify(this.attempt));
  }

  // ---- which puzzle ----

  async next() {
    const turn = ++this.turn; // a later call cancels this one
    const { attempt, isOver } = this;
    for (;;) {
      const asked = { ...this.pile.choice, skipped: this.skipped, extra: this.pile.extra };
      const found = await post("/api/puzzles/next", asked);
      await this.pile.draw();
      if (turn !== this.turn) return;
      if (this.attempt === attempt && this.isOver && !isOver) return; // answered in the meantime: keep the solution
      if (found.puzzle) this.begin(found.puzzle);
      else if (!found.checking) this.end();
      else byId("today").textContent = "The engine is looking at your games\u2026";
      if (!found.checking) return;
    }
  }

  /** The user has chosen other puzzles. */
  choose() {
    this.skipped = [];
    void guarded(() => this.next());
  }

  practise() {
    this.pile.extra = true;
    this.choose();
  }

  skip() {
    if (!this.puzzle || this.isOver) return;
    this.skipped = [...this.skipped.filter((id) => id !== this.puzzle?.id), this.puzzle.id];
    void guarded(() => this.next());
  }

  /** Nothing is left for today. */
  end() {
    this.puzzle = null;
    sessionStorage.removeItem(KEPT);
    byId("task").hidden = true;
    byId("done").hidden = false;
    const { overview } = this.pile;
    const all = overview?.total ?? 0;
    const tomorrow = overview?.coming[1]?.count ?? 0;
    byId("done-title").textContent = all ? "Done for today" : "No puzzles here";
    const more = tomorrow ? `${tomorrow} ${tomorrow === 1 ? "puzzle comes" : "puzzles come"} tomorrow.` : "";
    const none = overview?.unjudged
      ? "Let the engine analyse your games first, or choose other puzzles."
      : "Choose other puzzles below.";
    byId("done-words").textContent = all ? `You have answered everything that was due. ${more}` : none;
    byId("extra").hidden = !all;
    this.draw();
  }

  /**
   * @param {Puzzle} puzzle
   * @param {Attempt} [attempt] that was begun before
   */
  begin(puzzle, attempt) {
    if (!attempt && this.puzzle?.id === puzzle.id && !this.isOver) return; // the puzzle is already on the board
    this.puzzle = puzzle;
    this.attempt = attempt ?? attemptOf(puzzle.id, puzzle.state);
    this.keep();
    this.flipped = puzzle.turn === "black";
    this.line = this.at = 0;
    byId("task").hidden = false;
    byId("done").hidden = true;
    byId("kind").textContent = KINDS[puzzle.kind];
    byId("level").textContent = puzzle.level;
    byId("level").dataset.level = puzzle.level;
    byId("state").textContent = this.attempt.state;
    byId("prompt").textContent = puzzle.prompt;
    byId("about").textContent = puzzle.about;
    byId("origin").textContent = puzzle.origin;
    byId("study").setAttribute("href", puzzle.study);
    byId("typed", HTMLInputElement).value = "";
    this.board.showsGoals = false;
    this.board.play(puzzle.game);
    this.draw();
    const words = `${puzzle.prompt} ${puzzle.about}`;
    if (!this.attempt.judged) say(words);
  }

  // ---- answers ----

  /** Whether the solution is on the page. */
  get isOver() {
    return this.puzzle !== null && this.attempt.judged !== null && isOver(this.attempt.judged);
  }

  /** @param {SubmitEvent} event */
  typed(event) {
    event.preventDefault();
    const field = byId("typed", HTMLInputElement);
    const plain = (/** @type {string} */ text) => text.replace(/[+#!?\s-]|e\.p\.|=/g, "").replace(/0/g, "O");
    const text = plain(field.value);
    const moves = this.puzzle?.legal ?? [];
    const found =
      moves.find((move) => plain(move.san) === text) ??
      moves.find((move) => move.move === text.toLowerCase()) ??
      moves.find((move) => plain(move.san).toLowerCase() === text.toLowerCase());
    if (!text || !found) {
      notice(text ? `${field.value} is not a legal move here.` : "Type a move such as Nf3.", "wrong");
      return;
    }
    field.value = "";
    void this.answer(found.move);
  }

  /** @param {string} given a move, a side, or "" to be shown the solution */
  async answer(given) {
    const { puzzle, attempt } = this;
    if (!puzzle || this.isOver || this.isBusy) {
      this.draw();
      return;
    }
    this.isBusy = true;
    try {
      const asked = { id: puzzle.id, answer: given, tries: attempt.tries, hinted: attempt.hinted };
      const judged = await post("/api/puzzles/answer", asked);
      attempt.judged = judged;
      attempt.comes = judged.comes ?? attempt.comes;
      if (!isOver(judged)) {
        attempt.tries += judged.verdict === "wrong" ? 1 : 0;
        attempt.tried = (judged.line?.[0] ?? this.movesOf(given))?.last ?? [];
      }
      this.keep();
      this.board.shown = { ...this.board.shown, fen: "" }; // a piece that was moved goes back
      this.draw();
      const isElsewhere = document.activeElement?.closest("#filters"); // choosing other puzzles
      if (isOver(judged) && !isElsewhere) byId("next").focus({ preventScroll: true });
    } catch (error) {
      this.draw();
      notice(/** @type {Error} */ (error).message, "wrong");
      return;
    } finally {
      this.isBusy = false; // the next try need not wait for the overview
    }
    await guarded(() => this.pile.draw());
  }

  /** @param {string} text */
  movesOf(text) {
    const move = this.puzzle?.legal.find((each) => each.move === text);
    return move ? { last: [move.from, move.to[0]] } : null;
  }

  async hint() {
    const { puzzle, attempt } = this;
    if (!puzzle || puzzle.kind === "side" || this.isOver) return;
    const { from } = await post("/api/puzzles/hint", { id: puzzle.id });
    attempt.hinted = true;
    if (this.attempt !== attempt || this.isOver) return; // another puzzle is shown in the meantime, or the solution
    this.keep();
    this.draw();
    this.board.point([{ from, to: from, kind: "hint" }]);
    say(`Look at ${from}.`);
  }

  /** Drop the puzzle, so that it is not shown again, or undo the drop. */
  async drop() {
    const { attempt } = this;
    const asked = { id: attempt.id, dropped: !attempt.dropped };
    attempt.dropped = (await post("/api/puzzles/drop", asked)).dropped;
    this.keep();
    notice(attempt.dropped ? "You will not see this puzzle again." : "This puzzle stays.");
    this.draw();
    await this.pile.draw();
  }

  // ---- drawing ----

  /** @returns {Step[]} */
  get steps() {
    return this.attempt.judged?.lines?.[this.line]?.nodes ?? [];
  }

  /** @param {number} at */
  go(at) {
    if (!this.puzzle || at < 0 || at > this.steps.length) return;
    this.at = at;
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  draw() {
    const { puzzle, attempt } = this;
    const judged = puzzle ? attempt.judged : null;
    const over = this.isOver;
    document.body.toggleAttribute("data-over", over);
    this.board.flip(this.flipped);
    if (puzzle) this.drawBoard(puzzle, over ? judged : null);
    const isSide = puzzle?.kind === "side";
    byId("typed-form").hidden = over || isSide;
    byId("sides").hidden = over || !isSide;
    byId("hint").hidden = over || isSide;
    byId("show").hidden = byId("skip").hidden = over;
    byId("next").hidden = byId("drop").hidden = !over;
    byId("drop").setAttribute("aria-pressed", String(attempt.dropped));
    byId("drop").textContent = attempt.dropped ? "Dropped" : "Drop";
    drawVerdict(judged);
    drawLines(over ? judged : null, this.line, this.at);
    byId("game-words").textContent = (over && judged?.game_words) || "";
    byId("comes").textContent = puzzle ? attempt.comes : "";
    byId("first").toggleAttribute("disabled", !over || this.at === 0);
    byId("previous").toggleAttribute("disabled", !over || this.at === 0);
    byId("forward").toggleAttribute("disabled", !over || this.at >= this.steps.length);
    byId("last").toggleAttribute("disabled", !over || this.at >= this.steps.length);
  }

  /**
   * @param {Puzzle} puzzle
   * @param {Judged | null} judged the last answer, when the puzzle is over
   */
  drawBoard(puzzle, judged) {
    const step = this.at ? this.steps[this.at - 1] : null;
    const place = step ?? puzzle;
    this.board.showsGoals = Boolean(judged?.legal);
    const legal = step ? [] : judged ? (judged.legal ?? []) : puzzle.legal;
    const isCounted = puzzle.kind === "side" && !judged;
    this.board.show({ ...place, legal: isCounted ? [] : legal });
    this.board.point(step ? [] : this.arrows(judged));
    const mover = puzzle.turn === "white" ? "White" : "Black";
    const name = step ? lineName(step) : puzzle.kind === "side" ? "Either side moves" : `${mover} to move`;
    const more = judged?.legal && !step ? "Pick up a piece to see what its moves leave." : "";
    byId("caption").replaceChildren(h("strong", {}, name), h("span", { class: "dim" }, more));
  }

  /** @param {Judged | null} judged */
  arrows(judged) {
    const { tried } = this.attempt;
    if (!judged) return tried.length ? [{ from: tried[0], to: tried[1], kind: "worse" }] : [];
    return (judged.lines ?? []).map(({ kind, nodes }) => ({ from: nodes[0].last[0], to: nodes[0].last[1], kind }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.puzzle || isField(event.target)) return;
    const isSide = this.puzzle.kind === "side";
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.steps.length),
      f: () => this.flip(),
      h: () => byId("hint").click(),
      s: () => byId("show").click(),
      k: () => this.skip(),
      n: () => this.isOver && byId("next").click(),
      ...(isSide ? { w: () => byId("white").click(), b: () => byId("black").click() } : {}),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/**
 * @param {string} id
 * @param {string} state
 * @returns {Attempt}
 */
function attemptOf(id, state) {
  return { id, state, tries: 0, hinted: false, tried: [], comes: "", dropped: false, judged: null };
}

/** @param {Judged} judged */
function isOver(judged) {
  return Boolean(judged.over) || ["right", "good", "solution"].includes(judged.verdict);
}

/** @param {EventTarget | null} target */
function isField(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

const page = new Page();
page.open().then(
  () => performance.mark("ready"),
  (error) => {
    document.body.dataset.state = "refused";
    byId("refused").textContent = error.message;
  },
);
