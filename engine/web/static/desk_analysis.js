// Analyses: the tree of a game with its backed-up values, and the view Analysis with the queue of all games.
import { ask } from "./desk_dialogue.js";
import { counted, instant } from "./desk_texts.js";
import { read } from "./desk_first.js";
import { byId, h, notice } from "./dom.js";
import { get, post } from "./server.js";

/**
 * @typedef {{ move: string, score: string, own: string, depth: number, best: boolean, level: number, ply: number,
 *   engine: string, moves: string, line: import("./desk_game.js").Position[] | null, next: boolean }} Node
 * @typedef {{ nodes: Node[], score: string, best: string, changed: string, at: number | null }} Tree
 */

/**
 * @param {Tree | null} tree
 * @param {(node: Node) => void} chosen
 * @param {(node: Node) => void} kept
 */
export function nodeList(tree, chosen, kept) {
  if (!tree?.nodes.length) return h("p", { class: "dim" }, "Not analysed yet.");
  return h(
    "ol",
    { class: "nodes" },
    ...tree.nodes.map((node) =>
      h(
        "li",
        { "data-level": Math.min(node.level, 12), "data-best": node.best },
        h("button", { type: "button", onclick: () => chosen(node) }, node.move),
        h("span", { class: "value" }, node.score),
        h(
          "span",
          { class: "dim" },
          `${node.depth ? `depth ${node.depth}` : "from later positions"}${node.own && node.own !== node.score ? `, searched alone ${node.own}` : ""}`,
        ),
        node.next ? h("span", { class: "badge" }, "next") : null,
        node.level
          ? h(
              "button",
              {
                type: "button",
                class: "keep",
                "aria-label": `Keep the line to ${node.move} in the notes`,
                onclick: () => kept(node),
              },
              "to notes",
            )
          : null,
      ),
    ),
  );
}

const LOOK = 1000; // ms between two looks at an engine that is starting

/** @type {{ engines: string[], tags: string[], running: string, paused: boolean } | null} */
let known = null;
let redraw = () => {};

/**
 * Ask for the terms of an analysis, and begin it.
 * @param {string} [name] of a game; otherwise the user chooses the queue
 */
export async function startAnalysis(name) {
  try {
    known = await get("/api/desk/analyses");
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error), "wrong");
    return;
  }
  if (!known) return;
  if (known.running) {
    notice("An analysis is running already: see Analysis.", "wrong");
    return;
  }
  const queues = /** @type {[string, string][]} */ ([
    ["", "all running games that allow engines"],
    ...known.tags.map((tag) => [tag, `games with the tag ${tag}`]),
  ]);
  const engines = /** @type {[string, string][]} */ (known.engines.map((engine, at) => [String(at), engine]));
  ask({
    title: name ? `Analyse ${name}` : "Analyse overnight",
    words:
      "The tree of each game grows step by step. Every finished position is stored at once, so you can stop and continue at any time.",
    fields: [
      ...(name ? [] : [{ name: "tag", label: "Games", type: "choice", value: "", choices: queues }]),
      { name: "time", label: "Total time", value: name ? "1h" : "8h", hint: "such as 8h or 90m" },
      ...(engines.length > 1
        ? [{ name: "engine", label: "Engine", type: "choice", value: "0", choices: engines }]
        : []),
      { name: "slice", label: "Time for a position", value: "1m", hint: "such as 30s or 5m" },
      { name: "threads", label: "Threads", hint: "empty: as in engine.ini", type: "number" },
      { name: "hash", label: "Hash table in MB", hint: "empty: as in engine.ini", type: "number" },
    ],
    yes: "Start",
    run: async (values, say) => {
      const number = (/** @type {string} */ key) => (values[key] ? Number(values[key]) : null);
      say(startingText());
      const look = async () => say(startingText((await get("/api/desk/analyses").catch(() => null))?.waiting));
      const looking = setInterval(look, LOOK);
      try {
        const found = await post("/api/desk/analyse", {
          name: name ?? "",
          tag: values.tag ?? "",
          time: values.time,
          slice: values.slice,
          engine: number("engine"),
          threads: number("threads"),
          hash: number("hash"),
        });
        notice(found.done);
      } finally {
        clearInterval(looking);
      }
    },
  });
}

/** @param {string} [waiting] the answer of the engine that is being waited for */
function startingText(waiting) {
  return waiting ? `The engine is starting: ${waiting}.` : "The engine is starting\u2026";
}

/** @param {string} wish */
async function direct(wish) {
  try {
    notice(`The analysis is ${(await post("/api/desk/direct", { wish })).done}.`);
    redraw();
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error), "wrong");
  }
}

function prepare() {
  byId("analysis-start").addEventListener("click", () => void startAnalysis());
  byId("analysis-pause").addEventListener("click", () => void direct(known?.paused ? "continue" : "pause"));
  byId("analysis-stop").addEventListener("click", () => void direct("stop"));
}

/** @param {Record<string, any>} game */
function queued(game) {
  const about = [game.nodes ? counted(game.nodes, "position") : "", game.at ? instant(game.at) : "", game.changed];
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#game=${encodeURIComponent(game.name)}` },
      h("strong", {}, game.opponent),
      h("span", { class: "dim" }, game.name),
    ),
    h("span", { class: "value" }, game.score || "–"),
    h("span", { class: game.line ? "" : "dim" }, game.line || "not analysed yet"),
    h("span", { class: "dim" }, about.filter(Boolean).join(" · ")),
  );
}

let silence = 0; // the timer after which an analysis without news counts as ended

/** @param {() => void} again draws the view, once the drawing in progress is finished */
export async function drawAnalysis(again) {
  redraw = again;
  const found = await read("/api/desk/analyses");
  clearTimeout(silence);
  if (found.missing) return;
  known = found;
  // No event reports the end of an analysis that was killed.
  if (found.running) silence = setTimeout(again, found.silence + 100);
  byId("analysis-live").textContent = found.running || "No analysis is running.";
  byId("analysis-live").className = found.running ? "live" : "dim";
  byId("analysis-problem").textContent = found.running ? "" : found.problem;
  byId("analysis-start").hidden = Boolean(found.running);
  byId("analysis-pause").hidden = byId("analysis-stop").hidden = !found.running;
  byId("analysis-pause").textContent = found.paused ? "Continue" : "Pause";
  const report = found.report.length
    ? h(
        "section",
        { class: "panel card" },
        h("h2", {}, `Changes by the analysis since ${instant(found.reported)}`),
        h("ul", { class: "plain report" }, ...found.report.map((/** @type {string} */ line) => h("li", {}, line))),
      )
    : "";
  byId("analyses").replaceChildren(
    report,
    h(
      "section",
      { class: "panel card" },
      h("h2", {}, "Games"),
      found.games.length
        ? h("ol", { class: "queue" }, ...found.games.map(queued))
        : h("p", { class: "dim" }, "No running game allows engines."),
    ),
  );
}

prepare();
