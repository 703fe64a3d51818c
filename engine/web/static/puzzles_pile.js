// All puzzles of the file: which of them to train, how far the user is, analyses, and puzzles as files.
import { byId, h, notice, s } from "./dom.js";
import { download } from "./leaving.js";
import { listen, post } from "./server.js";

/**
 * @typedef {{ total: number, unchecked: number, unjudged: number, new: number, learning: number, learnt: number,
 *   due: number, begin: number, today: { seen: number, solved: number },
 *   coming: { day: string, count: number }[] }} Overview
 * @typedef {{ file: string, games: number, unread: number, unjudged: number, players: { name: string, games: number }[] }} File
 */

const KEPT = "standstill.puzzles"; // the choice, in this browser
const OWN = 3; // a file with at least so many games, all by one player, is that player's
/** @type {["learnt" | "learning" | "new", string][]} */
const STAGES = [
  ["learnt", "learnt"],
  ["learning", "learning"],
  ["new", "new"],
];

export class Pile {
  /**
   * @param {() => void} changed called when the user chooses other puzzles
   * @param {() => void} grown called when an analysis has ended, which may have found puzzles
   */
  constructor(changed, grown) {
    this.changed = changed;
    this.grown = grown;
    this.extra = false;
    /** @type {Overview | null} */
    this.overview = null;
    this.file = "";
    /** @type {AbortController | null} */
    this.working = null;
    this.asked = 0; // how often the overview was asked for
    this.drawn = 0; // the latest of them that is shown
    byId("filters").addEventListener("change", () => {
      this.extra = false;
      localStorage.setItem(KEPT, JSON.stringify(this.picked()));
      this.drawFilters();
      this.changed();
    });
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("analyse").addEventListener("click", () => void this.analyse());
    byId("stop").addEventListener("click", () => this.stop());
    byId("save-epd").addEventListener("click", () => void this.save("epd"));
    byId("save-pgn").addEventListener("click", () => void this.save("pgn"));
  }

  /** @param {File} file */
  begin(file) {
    this.file = file.file;
    const all = file.games + file.unread;
    const unread = file.unread ? `: ${file.unread} cannot be read` : "";
    const some = file.unread ? `${file.games} of ` : "";
    byId("games").textContent = `From ${some}${all === 1 ? "1 game" : `${all} games`}${unread}.`;
    const names = file.players.map(({ name, games }) => h("option", { value: name }, `${name} (${games})`));
    byId("player").replaceChildren(h("option", { value: "" }, "all players"), ...names);
    const [first, second] = file.players;
    const isOwn = first && first.games === file.games && first.games >= OWN && (second?.games ?? 0) < first.games;
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
      if (isOwn && kept.player === undefined) select("player").value = first.name;
      for (const id of ["player", "whose", "kinds", "difficulty"]) {
        const field = select(id);
        if ([...field.options].some((option) => option.value === kept[id])) field.value = kept[id];
      }
    } catch {
      localStorage.removeItem(KEPT);
    }
    this.drawFilters();
  }

  picked() {
    return Object.fromEntries(["player", "whose", "kinds", "difficulty"].map((id) => [id, select(id).value]));
  }

  drawFilters() {
    byId("whose-row").hidden = !select("player").value;
  }

  /** The user's choice of puzzles, as the program wants it. */
  get choice() {
    const { player, whose, kinds, difficulty } = this.picked();
    return { player, whose, kinds: kinds ? [kinds] : [], level: difficulty };
  }

  // ---- overview ----

  async draw() {
    const asked = ++this.asked;
    /** @type {Overview} */
    const overview = await post("/api/puzzles/overview", this.choice);
    if (asked < this.drawn) return; // a newer one is shown
    this.drawn = asked;
    this.overview = overview;
    byId("pile-title").textContent = `Puzzles of ${this.file}`;
    byId("stages").replaceChildren(stages(overview));
    const { seen, solved } = overview.today;
    const now = overview.due + overview.begin;
    const left = now ? `${now} to go today` : "Nothing left for today";
    const done = seen ? `, ${solved} of ${seen} answers right at once` : "";
    const count = overview.unchecked;
    const unchecked = count === 1 ? "1 puzzle, and may drop it" : `${count} puzzles, and may drop some`;
    const open = count ? ` The engine still has to check ${unchecked}.` : "";
    byId("today").textContent = overview.total ? `${left}${done}.${open}` : "No puzzles yet.";
    byId("coming").replaceChildren(overview.learning + overview.learnt ? days(overview) : "");
    byId("unjudged").hidden = !overview.unjudged || this.working !== null;
    const games = overview.unjudged === 1 ? "1 game has" : `${overview.unjudged} games have`;
    byId("unjudged-words").textContent =
      `${games} no evaluations. Analysis by the engine takes some seconds${overview.unjudged === 1 ? "" : " for each"}.`;
    byId("save-epd").toggleAttribute("disabled", !overview.total);
    byId("save-pgn").toggleAttribute("disabled", !overview.total);
  }

  // ---- work ----

  async analyse() {
    if (await this.work(true)) this.grown();
  }

  /**
   * Let the engine work. Returns whether the work was finished.
   * @param {boolean} analyse games without evaluations first
   */
  async work(analyse) {
    if (this.working) return false;
    const working = new AbortController();
    this.working = working;
    byId("work").hidden = false;
    byId("unjudged").hidden = true;
    let isDone = false;
    const heard = (/** @type {string} */ kind, /** @type {any} */ value) => {
      if (kind === "done") isDone = true;
      if (kind === "problem") notice(String(value), "wrong");
      if (kind === "step") this.drawWork(value);
    };
    const state = (/** @type {Error | null} */ problem) => problem && notice(problem.message, "wrong");
    await listen("/api/puzzles/work", heard, working.signal, state, { ...this.choice, analyse });
    this.working = null;
    byId("work").hidden = true;
    await this.draw();
    return isDone;
  }

  /** @param {{ what: "games" | "puzzles", done: number, of: number }} step */
  drawWork(step) {
    const bar = byId("work-bar", HTMLProgressElement);
    bar.max = Math.max(step.of, 1);
    bar.value = step.done;
    const at = Math.min(step.done + 1, step.of);
    byId("work-words").textContent =
      step.what === "games" ? `Analysing game ${at} of ${step.of}` : `Checking puzzle ${at} of ${step.of}`;
  }

  stop() {
    this.working?.abort();
    this.changed();
  }

  /** @param {"epd" | "pgn"} format */
  async save(format) {
    try {
      if (this.overview?.unchecked && !(await this.work(false))) return;
      const { text, count, type } = await post("/api/puzzles/export", { ...this.choice, format });
      download(new Blob([text], { type }), `puzzles.${format}`);
      notice(`${count} ${count === 1 ? "puzzle" : "puzzles"} saved as puzzles.${format}.`);
    } catch (error) {
      notice(/** @type {Error} */ (error).message, "wrong");
    }
  }
}

/** @param {string} id */
function select(id) {
  return byId(id, HTMLSelectElement);
}

/**
 * How many puzzles are learnt, learning and new: a bar with its legend.
 * @param {Overview} overview
 */
function stages(overview) {
  const total = Math.max(overview.total, 1);
  let x = 0;
  const parts = STAGES.map(([stage]) => {
    const width = (100 * overview[stage]) / total;
    const part = s("rect", { class: stage, x, y: 0, width, height: 10 });
    x += width;
    return part;
  });
  const legend = STAGES.map(([stage, name]) =>
    h(
      "li",
      {},
      h("span", { class: `key ${stage}`, "aria-hidden": "true" }),
      h("strong", {}, String(overview[stage])),
      ` ${name}`,
    ),
  );
  const bar = s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
  return h("div", {}, bar, h("ul", { class: "legend" }, ...legend));
}

/**
 * How many puzzles come on each of the next days.
 * @param {Overview} overview
 */
function days(overview) {
  const most = Math.max(...overview.coming.map(({ count }) => count), 1);
  const columns = overview.coming.map(({ day, count }, index) => {
    const height = (30 * count) / most;
    const name = index === 0 ? "today" : new Date(`${day}T12:00`).toLocaleDateString("en-GB", { weekday: "short" });
    const x = 4 + index * 40;
    return s(
      "g",
      {},
      s("rect", { x, y: 44 - height, width: 32, height, rx: 1.5 }),
      s("text", { x: x + 16, y: 40 - height, class: "count" }, count ? String(count) : ""),
      s("text", { x: x + 16, y: 56 }, name),
    );
  });
  const words = overview.coming.map(({ day, count }, index) => `${index ? day : "today"} ${count}`).join(", ");
  const label = `Puzzles that come in the next days: ${words}`;
  return s("svg", { class: "coming", viewBox: "0 0 284 60", role: "img", "aria-label": label }, ...columns);
}
