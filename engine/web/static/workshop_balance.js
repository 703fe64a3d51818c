// The balance of a game, measured by games of the engine with itself: the form, the growing curve, the result.
import { byId, guarded, h, notice, s, showText } from "./dom.js";
import { download } from "./leaving.js";
import { getText, listen, post } from "./server.js";
import { afterPress } from "./undisturbed.js";

/**
 * @typedef {{ phase: string, error?: string, game?: string, text?: string, games?: number, nodes?: number,
 *   played?: number, points: [number, number | null][], results?: [number, number, number][], faults?: number,
 *   repeated?: number, found?: { plies: number[], endings: [string, number][],
 *   survivors: { letter: string, white: number | null, black: number | null }[] } | null }} Balance
 * points: White's mean score after each game, with half of its 95 % interval. results: [number, lower, upper] of
 * White's wins, draws and Black's wins
 */

const WIDTH = 480;
const HEIGHT = 170;
const [LEFT, TOP, BOTTOM] = [52, 8, 20];
const RESULTS = ["White wins", "drawn", "Black wins"];

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

export class BalancePanel {
  /** @param {() => { text: string, game: string }} current the text and the name of the chosen game */
  constructor(current) {
    this.current = current;
    this.form = byId("balance", HTMLFormElement);
    this.running = false;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.start();
    });
    byId("balance-stop").addEventListener("click", () => void guarded(() => post("/api/workshop/balance/stop")));
  }

  /** @param {{ games: number, nodes: number }} most */
  open(most) {
    for (const [name, limit] of Object.entries(most)) this.field(name).max = String(limit);
    const heard = (/** @type {string} */ kind, /** @type {any} */ data) => {
      if (kind === "balance") afterPress(() => this.show(data));
    };
    const state = (/** @type {Error | null} */ problem) => {
      if (problem) notice(problem.message, "wrong");
    };
    void listen("/api/workshop/balance/events", heard, new AbortController().signal, state);
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement}
   */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  async start() {
    byId("balance-problem").textContent = "";
    try {
      const [games, nodes] = ["games", "nodes"].map((name) => Number(this.field(name).value));
      await post("/api/workshop/balance", { ...this.current(), games, nodes }); // the stream tells how it goes on
    } catch (error) {
      byId("balance-problem").textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Balance} balance */
  show(balance) {
    const isRunning = ["openings", "playing", "stopping"].includes(balance.phase);
    if (isRunning && !this.running) {
      showText(this.field("games"), String(balance.games));
      showText(this.field("nodes"), String(balance.nodes));
    }
    this.running = isRunning;
    document.body.dataset.balance = balance.phase;
    byId("balance-start").hidden = isRunning;
    byId("balance-start").textContent = balance.phase === "stopped" ? "Go on" : "Measure";
    byId("balance-stop").hidden = !isRunning;
    byId("balance-state").textContent = stateOf(balance);
    if (balance.error) byId("balance-problem").textContent = balance.error;
    byId("balance-found").replaceChildren(...(balance.played ? resultOf(balance) : []));
  }
}

/** @param {Balance} balance */
function stateOf(balance) {
  const of = `${balance.played ?? 0} of ${balance.games} games of ${balance.game}`;
  /** @type {Record<string, string>} */
  const texts = {
    openings: `looking for balanced openings of ${balance.game}\u2026`,
    playing: `${of}\u2026`,
    stopping: "stopping\u2026",
  };
  return texts[balance.phase] ?? (balance.played ? of : "");
}

/** @param {Balance} balance */
function resultOf(balance) {
  const results = balance.results ?? [];
  const found = balance.found;
  return [
    h("p", { class: "verdict" }, verdict(balance)),
    balanceCurve(balance.points, balance.games ?? balance.points.length),
    bar(results),
    h(
      "table",
      { class: "figures" },
      h("caption", { class: "only-heard" }, "Results with 95 % intervals"),
      h("tbody", {}, ...results.map((each, at) => resultRow(each, RESULTS[at], balance.played ?? 0))),
    ),
    found ? details(balance, found) : null,
    h(
      "p",
      { class: "dim" },
      balance.repeated ? `${balance.repeated} games repeat others move by move, so the intervals are too narrow. ` : "",
      balance.faults ? `In ${balance.faults} games an engine failed. ` : "",
      h("button", { type: "button", class: "quiet", onclick: () => void guarded(saveGames) }, "Games as PGN"),
    ),
  ].filter((each) => each !== null);
}

/** @param {Balance} balance */
function verdict(balance) {
  const [mean, error] = balance.points.at(-1) ?? [0.5, null];
  const score = `White scores ${percent(mean)}`;
  if (error === null) return `${score}.`;
  const shown = `${score} \u00b1 ${(100 * error).toFixed(1)}`;
  if (mean - error > 0.5) return `${shown}: White is better.`;
  if (mean + error < 0.5) return `${shown}: Black is better.`;
  return `${shown}: neither side is shown to be better.`;
}

/**
 * @param {[number, number, number]} result
 * @param {string} name
 * @param {number} played
 */
function resultRow([count, low, high], name, played) {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    h("td", {}, String(count)),
    h("td", {}, percent(played ? count / played : 0)),
    h("td", { class: "dim" }, `${percent(low)} to ${percent(high)}`),
  );
}

/**
 * @param {Balance} balance
 * @param {NonNullable<Balance["found"]>} found
 */
function details(balance, found) {
  const share = (/** @type {number | null} */ value) => (value === null ? "\u2013" : percent(value));
  const [short, middle, long] = found.plies;
  const played = found.endings.reduce((sum, [, count]) => sum + count, 0);
  return h(
    "details",
    {},
    h("summary", {}, "Length, endings, pieces left"),
    h("p", {}, `Half of the games have at most ${middle} half-moves; 80 % have ${short} to ${long}.`),
    h(
      "table",
      { class: "figures" },
      h("caption", {}, "How games end"),
      h(
        "tbody",
        {},
        ...found.endings.map(([text, count]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, text),
            h("td", {}, String(count)),
            h("td", {}, percent(count / played)),
          ),
        ),
      ),
    ),
    h(
      "table",
      { class: "figures" },
      h("caption", {}, "Share of the pieces left at the end"),
      h("thead", {}, h("tr", {}, ...["Piece", "White's", "Black's"].map((text) => h("th", { scope: "col" }, text)))),
      h(
        "tbody",
        {},
        ...found.survivors.map((each) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, each.letter),
            h("td", {}, share(each.white)),
            h("td", {}, share(each.black)),
          ),
        ),
      ),
    ),
  );
}

/** @param {[number, number, number][]} results */
function bar(results) {
  const parts = ["white", "drawn", "black"].map((kind, at) => {
    const part = h("span", { class: kind });
    part.style.flexGrow = String(results[at]?.[0] ?? 0);
    return part;
  });
  return h("div", { class: "result-bar", "aria-hidden": "true" }, ...parts);
}

/**
 * White's score after each game, within its 95 % interval.
 * @param {[number, number | null][]} points
 * @param {number} games
 */
function balanceCurve(points, games) {
  const last = Math.max(games, points.length, 2);
  const x = (/** @type {number} */ at) => LEFT + ((WIDTH - LEFT - 4) * (at - 1)) / (last - 1);
  const y = (/** @type {number} */ score) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(1, Math.max(0, score)));
  const at = (/** @type {number} */ index, /** @type {number} */ score) =>
    `${x(index + 1).toFixed(1)} ${y(score).toFixed(1)}`;
  const known = points.flatMap(([mean, error], index) => (error === null ? [] : [{ index, mean, error }]));
  const upper = known.map((each) => at(each.index, each.mean + each.error));
  const lower = known.map((each) => at(each.index, each.mean - each.error)).reverse();
  const grid = [0, 0.25, 0.5, 0.75, 1].map((score) =>
    s("path", { class: score === 0.5 ? "middle" : "grid", d: `M${LEFT} ${y(score)}H${WIDTH}` }),
  );
  const scale = [0, 0.5, 1].map((score) =>
    s("text", { class: "scale", x: LEFT - 5, y: y(score) + 3.5 }, `${100 * score} %`),
  );
  const ends = [1, last].map((game) =>
    s("text", { class: game === 1 ? "scale first" : "scale", x: x(game), y: HEIGHT - 4 }, String(game)),
  );
  const line = points.map(([mean], index) => at(index, mean)).join("L");
  const label = `White's score after each of ${points.length} games, with its 95 % interval`;
  return s(
    "svg",
    { class: "balance-curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    ...grid,
    upper.length > 1 ? s("path", { class: "band", d: `M${[...upper, ...lower].join("L")}z` }) : null,
    s("path", { class: "score", d: `M${line}${points.length === 1 ? "h0.1" : ""}` }),
    ...scale,
    ...ends,
  );
}

async function saveGames() {
  save("balance.pgn", await getText("/api/workshop/balance/games"), "application/x-chess-pgn");
}

/**
 * Hand a file to the browser, which asks where it goes or puts it into its folder.
 * @param {string} name
 * @param {string | Blob} content
 * @param {string} type
 */
export function save(name, content, type) {
  download(content instanceof Blob ? content : new Blob([content], { type }), name);
}
