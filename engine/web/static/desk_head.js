// Actions on a whole game: editing names, terms and links, saving its file, removing it.
import { ask } from "./desk_dialogue.js";
import { instant } from "./desk_texts.js";
import { h, notice } from "./dom.js";
import { getBlob, post } from "./server.js";

/** @typedef {import("./desk_game.js").Game} Game */
/** @typedef {import("./desk_game.js").GameView} GameView */

/**
 * The lines `what: old -> new` of a preview, as rows.
 * @param {string[]} lines
 * @returns {[string, string][]}
 */
export function changeRows(lines) {
  if (!lines.length) return [["no difference", ""]];
  return lines.map((told) => {
    const line = told.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z/g, (at) => instant(Date.parse(at))); // as elsewhere
    const [name, text] = line.split(/: (.*)/s);
    return /** @type {[string, string]} */ (text === undefined ? ["", line] : [name, text.replaceAll(" -> ", " → ")]);
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 */
export function editGame(view, game) {
  const head = game.head;
  const text = (/** @type {keyof Game["head"]} */ name, /** @type {string} */ label, hint = "") => ({
    name,
    label,
    hint,
    value: String(head[name]),
  });
  const flag = (/** @type {"engines" | "rmobility"} */ name, /** @type {string} */ label) => ({
    name,
    label,
    type: "check",
    value: head[name] ? "yes" : "",
  });
  ask({
    title: `Edit ${game.name}`,
    words: "Clocks and deadlines are recomputed and shown before anything is stored.",
    fields: [
      text("newName", "Name of the game"),
      text("event", "Event"),
      text("white", "White at the start"),
      text("black", "Black at the start"),
      {
        name: "side",
        label: "Your side",
        type: "choice",
        value: head.side,
        choices: [
          ["white", "White"],
          ["black", "Black"],
          ["none", "none: you only follow the game"],
        ],
      },
      text("control", "Clock, such as 50/75/1 or 10/40d"),
      text("server", "Address of the server", "empty: the game is on no server"),
      text("serverId", "Number of the game on the server"),
      flag("engines", "The event allows engines"),
      flag("rmobility", "The event scores draws by R-Mobility"),
    ],
    yes: "Store",
    preview: async (values) => changeRows((await post("/api/desk/edit", { name: game.name, ...values })).changes),
    run: (values) => view.perform({ action: "edit", ...values }, game),
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 */
export function removeGame(view, game) {
  ask({
    title: `Remove ${game.name} for good?`,
    words: "Its moves, clocks, notes and analyses are deleted. Save its PGN first if you may need them again.",
    fields: [{ name: "confirmed", label: `Enter ${game.name} to confirm` }],
    yes: "Remove",
    run: (values) => view.perform({ action: "remove", ...values }, game),
  });
}

/**
 * Save a file that the program writes.
 * @param {string} path
 * @param {string} name
 */
export async function save(path, name) {
  try {
    const link = h("a", { href: URL.createObjectURL(await getBlob(path)), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    notice(`${name} is saved.`);
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error), "wrong");
  }
}

/** @param {string} [name] of a game; all games without it */
export function savePgn(name) {
  const path = `/api/desk/export${name ? `?name=${encodeURIComponent(name)}` : ""}`;
  return save(path, `${(name ?? "correspondence").replace(/[^\p{L}\p{N}._-]+/gu, "_")}.pgn`);
}

export function saveCalendar() {
  return save("/api/desk/calendar", "deadlines.ics");
}
