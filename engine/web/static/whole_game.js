// The analysis of the whole game in the page Study: begun, followed and stopped, kept in the game, or removed. The
// analysis continues in the program when the page is reloaded.
import { drawBands } from "./bar.js";
import { byId, guarded, notice } from "./dom.js";
import { drawFigures, drawHead, drawMoments } from "./figures.js";
import { Score } from "./move_list.js";
import { listen, post } from "./server.js";
import { afterPress } from "./undisturbed.js";

/** @typedef {{ done: number, of: number, running: boolean, engine: string, limit: string }} Evaluated */
/** @typedef {import("./study.js").Study & { evaluated?: Evaluated }} Study */
/**
 * @typedef {{ at: number, study: Study | null, score: Score | null, number: number,
 *   finder: import("./find_better.js").Finder,
 *   edits: { judging?: Record<string, unknown>, queue: (change: () => Promise<void>) => Promise<void>, idle: () => Promise<void> },
 *   edit: (edit: { kind: string, at: number } & Record<string, unknown>) => Promise<void>,
 *   show: (study: Study, at: number) => void, draw: () => void }} Owner
 */

const KEY = "standstill.time-per-move";

export class WholeGame {
  /** @param {Owner} owner the page */
  constructor(owner) {
    this.owner = owner;
    /** @type {Study | null} */
    this.study = null; // that this part has seen
    /** @type {AbortController | null} */
    this.following = null; // the analysis under way
    this.waiting = ""; // what the engine is being waited for
    const time = byId("whole-time", HTMLSelectElement);
    const kept = localStorage.getItem(KEY);
    if ([...time.options].some((option) => option.value === kept)) time.value = kept ?? "";
    time.addEventListener("change", () => {
      localStorage.setItem(KEY, time.value);
      this.draw();
    });
    byId("engine").addEventListener("change", () => this.draw());
    /** @type {Record<string, () => unknown>} */
    const actions = {
      "whole-begin": () => this.begin(),
      "whole-stop": () => this.stop(),
      "whole-keep": () => this.keep(),
      "whole-remove": () => this.remove(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => void guarded(action));
  }

  /** The page may show another game, or the same game after an edit. */
  follow() {
    const study = /** @type {Study | null} */ (this.owner.study);
    if (study === this.study) return;
    const isBegun = this.following !== null; // perhaps after the program has read this state of the game
    this.study = study;
    this.following?.abort();
    this.following = null;
    if (isBegun || study?.evaluated?.running) void this.listen(true);
    this.draw();
  }

  async begin() {
    await this.owner.edits.idle();
    if (this.study && !this.following) await this.listen(false);
  }

  /**
   * Begin the analysis of this game, and show what it finds.
   * @param {boolean} join whether to join an analysis in progress, which may have ended by now
   */
  async listen(join) {
    const { study } = this;
    if (!study) return;
    const following = new AbortController();
    this.following = following;
    this.waiting = "";
    this.draw();
    let isDone = false;
    const heard = (/** @type {string} */ kind, /** @type {any} */ value) => {
      if (following.signal.aborted) return;
      asked.join = true; // if the connection breaks
      this.waiting = kind === "waiting" ? String(value) : "";
      if (kind === "waiting") this.draw();
      if (kind === "news") afterPress(() => following.signal.aborted || this.take(value));
      if (kind === "problem") notice(String(value), "wrong");
      if (kind === "done") isDone = true;
    };
    const state = (/** @type {Error | null} */ problem) => problem && notice(problem.message, "wrong");
    const engine = Number(byId("engine", HTMLSelectElement).value);
    const seconds = Number(byId("whole-time", HTMLSelectElement).value);
    const asked = { ...this.owner.edits.judging, number: this.owner.number, text: study.text, seconds, engine, join };
    await listen("/api/study/evaluate", heard, following.signal, state, asked);
    if (following.signal.aborted) return;
    this.following = null;
    if (isDone && this.study?.evaluated?.running) await this.owner.edits.queue(() => this.restore());
    this.draw();
  }

  /** Show the game without the findings of an analysis that was removed, or has found less than an earlier one. */
  async restore() {
    const { study, owner } = this;
    if (!study) return;
    const found = await post("/api/study/view", { ...owner.edits.judging, number: owner.number, text: study.text });
    if (this.study !== study || owner.study !== study) return;
    delete study.evaluated;
    this.take(found);
  }

  /**
   * Show findings, without interrupting what the reader is doing.
   * @param {Partial<Study>} found
   */
  take(found) {
    const { owner } = this;
    const before = owner.study;
    if (!before || before !== this.study) return;
    const { judge, x05, x05s, judges, bands, schemes, judged, moments, players, evaluated } = found;
    const news = { judge, x05, x05s, judges, bands, schemes, judged, moments, players, evaluated };
    const study = /** @type {Study} */ ({ ...before, ...news });
    this.study = owner.study = study;
    const place = byId("score");
    const { scrollTop } = place;
    const focused = place.contains(document.activeElement) ? document.activeElement?.getAttribute("data-at") : null;
    owner.score = new Score(place, study.nodes, study.judged);
    owner.finder.begin(study, owner.score.children);
    place.scrollTop = scrollTop;
    if (focused) owner.score.links.get(Number(focused))?.focus({ preventScroll: true });
    drawBands(study.bands);
    drawHead(study);
    drawMoments(study);
    drawFigures(study);
    owner.draw();
    this.draw();
  }

  async stop() {
    const { study, owner } = this;
    if (!study) return;
    byId("whole-words").textContent = "Stopping\u2026";
    await post("/api/study/evaluate/stop", { number: owner.number, text: study.text });
  }

  /** Write evaluations, symbols and better lines into the game; Undo takes them back. */
  async keep() {
    await this.owner.edit({ kind: "evaluations", at: this.owner.at });
    notice("The evaluations are in the game. Save writes the file.");
  }

  /** Remove the findings between two edits, because the answer to an edit contains the findings, too. */
  remove() {
    const { owner } = this;
    return owner.edits.queue(async () => {
      const { study } = this;
      if (!study) return;
      await post("/api/study/evaluate/forget", { number: owner.number, text: study.text });
      await this.restore();
    });
  }

  draw() {
    const { study } = this;
    const evaluated = study?.evaluated;
    const isRunning = this.following !== null;
    const plies = study ? study.judged.length - 1 : 0;
    const isKept = Boolean(study?.text.match(/\[%eval /) && evaluated && study.text.includes(entryOf(study)));
    byId("whole").hidden = !plies;
    for (const id of ["whole-begin", "whole-time-row"]) byId(id).hidden = isRunning;
    byId("whole-begin").textContent = evaluated ? (isPart(evaluated) ? "Go on" : "Analyse again") : "Analyse the game";
    for (const id of ["whole-bar", "whole-stop"]) byId(id).hidden = !isRunning;
    byId("whole-keep").hidden = isRunning || !evaluated || isKept;
    byId("whole-remove").hidden = isRunning || !evaluated || isKept;
    const bar = byId("whole-bar", HTMLProgressElement);
    bar.max = evaluated?.of || plies + 1;
    bar.value = isRunning ? (evaluated?.done ?? 0) : 0;
    const seconds = Number(byId("whole-time", HTMLSelectElement).value) * (plies + 1);
    byId("whole-words").textContent = isRunning
      ? this.waiting || `${evaluated?.running ? evaluated.done : 0} of ${plies + 1} positions`
      : evaluated
        ? isWhole(evaluated)
          ? ""
          : `${evaluated.done} of ${evaluated.of} positions`
        : aboutOf(1.5 * seconds);
  }
}

/**
 * The source of the evaluations, as the tag Annotator of the game names it when they are kept.
 * @param {Study} study
 */
function entryOf(study) {
  return study.judge.split(", x05")[0];
}

/** @param {Evaluated} evaluated */
function isWhole({ done, of }) {
  return done >= of;
}

/**
 * Whether the analysis was stopped, and would continue with the chosen engine and time.
 * @param {Evaluated} evaluated
 */
function isPart(evaluated) {
  const engine = byId("engine", HTMLSelectElement).selectedOptions[0]?.textContent;
  const limit = `${byId("whole-time", HTMLSelectElement).value} s`;
  return !isWhole(evaluated) && evaluated.engine === engine && evaluated.limit === limit;
}

/** @param {number} seconds */
function aboutOf(seconds) {
  if (seconds < 50) return `about ${Math.max(5, Math.round(seconds / 5) * 5)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
}
