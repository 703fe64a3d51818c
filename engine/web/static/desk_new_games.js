// Adds to the store a game that the user describes, the games of a PGN file, lines of moves, or accounts on servers.
import { base64 } from "./base64.js";
import { ask } from "./desk_dialogue.js";
import { changeRows } from "./desk_head.js";
import { byId, notice } from "./dom.js";
import { get, post } from "./server.js";

const LARGEST = 700_000; // bytes of a file; a request has at most 1 MB, in base64

/** @type {Record<string, string>} */
let last = { side: "white", control: "50/75/1" }; // of the game that was added last: the next one is often similar

/** @param {() => void} changed */
export function beginGame(changed) {
  ask({
    title: "Add a game",
    fields: [
      { name: "name", label: "Name of the game, such as WS-12" },
      { name: "event", label: "Event", value: last.event },
      { name: "white", label: "White", value: last.white },
      { name: "black", label: "Black", value: last.black },
      {
        name: "side",
        label: "Your side",
        type: "choice",
        value: last.side,
        choices: [
          ["white", "White"],
          ["black", "Black"],
          ["", "none: you only follow the game"],
        ],
      },
      { name: "control", label: "Clock, such as 50/75/1 or 10/40d", value: last.control },
      { name: "start", label: "When White's clock started", type: "datetime-local", hint: "empty: now" },
      { name: "fen", label: "Start position as FEN", hint: "empty: the standard one" },
      { name: "opening", label: "Moves given with the start position", hint: "they do not count for the clocks" },
      { name: "noEngines", label: "The event forbids engines", type: "check" },
      { name: "rmobility", label: "The event scores draws by R-Mobility", type: "check" },
    ],
    yes: "Keep the game",
    run: async (values) => {
      const found = await post("/api/desk/new", values);
      const { event, side, control } = /** @type {Record<string, string>} */ (values);
      last = { event, side, control, ...(side ? { [side]: String(values[side]) } : {}) };
      notice([found.done, ...found.warnings].join("; "));
      go(`#game=${encodeURIComponent(found.name)}`);
      changed();
    },
  });
}

/** @param {(lines: string[], problems: string[]) => void} done */
export function importGames(done) {
  ask({
    title: "Import games",
    words: "Games that are already stored receive their new moves. The file is not changed.",
    fields: [
      { name: "file", label: "PGN file", type: "file" },
      { name: "me", label: "Your name in the file, or part of it", hint: "empty: you only watch the games" },
      { name: "control", label: "Clock, such as 50/75/1", hint: "needed if the tags of a game lack it" },
    ],
    yes: "Import",
    run: async (values) => {
      const file = values.file;
      if (!(file instanceof File)) throw new Error("Choose a PGN file.");
      if (file.size > LARGEST)
        throw new Error(`The file has more than ${LARGEST / 1000} kB: use “standstill games import” in a terminal.`);
      const found = await post("/api/desk/import", {
        file: file.name,
        data: await base64(file, file.name), // as bytes, because PGN files have several encodings
        me: values.me,
        control: values.control,
      });
      done(found.lines, [...found.problems, ...found.warnings]);
    },
  });
}

/** @param {(lines: string[], problems: string[]) => void} done */
export function enterMoves(done) {
  ask({
    title: "Enter moves",
    words: "A line for each move, of either side and in any notation. All are entered, or none.",
    fields: [
      {
        name: "lines",
        label: "Game, move, and when it was made if not just now",
        type: "long",
        rows: "8",
        example: "WS-12 Nf3\nWS-13 e7e5 2026-03-02T10:00\nWS-14 5254",
      },
    ],
    yes: "Enter the moves",
    preview: async (values) =>
      changeRows((await post("/api/desk/enter", { lines: values.lines, preview: true })).lines),
    run: async (values) => {
      const found = await post("/api/desk/enter", { lines: values.lines });
      notice(found.done);
      done([], found.warnings);
    },
  });
}

/**
 * The banks that servers do not show, in one form for all games with an unknown bank.
 * @param {() => void} changed
 */
export async function enterBanks(changed) {
  /** @type {{ name: string, players: string[], banks: { whose: string, limits: string }[] }[]} */
  const games = (await get("/api/desk/banks")).games ?? [];
  const send = async (/** @type {import("./desk_dialogue.js").Values} */ values, /** @type {boolean} */ preview) => {
    const lines = games.map((game, at) =>
      [
        game.name,
        ...game.banks.map((_, side) => String(values[`bank-${at}-${side}`]).replaceAll(/\s+/g, "") || "-"),
      ].join(" "),
    );
    const found = await post("/api/desk/banks", { lines: lines.join("\n"), preview });
    if (found.wrong.length) throw new Error(found.wrong.join("\n"));
    return found;
  };
  ask({
    title: "Enter banks",
    words:
      "Xfcc does not show the banks: read them on the server’s pages, and enter them as in 74d12h. Empty ones stay unknown. The opponent’s bank follows from yours with the next fetch.",
    fields: games.flatMap((game, at) =>
      game.banks.map(({ whose, limits }, side) => ({
        name: `bank-${at}-${side}`,
        label: `${game.players.join(" – ")}${game.banks.length > 1 ? `, ${whose}` : ""}`,
        hint: `${game.name}: ${limits}`,
      })),
    ),
    yes: "Enter the banks",
    preview: async (values) => changeRows((await send(values, true)).lines),
    run: async (values) => {
      notice(`${(await send(values, false)).done}.`);
      changed();
    },
  });
}

/** The accounts on servers, and a new one. @param {() => void} changed */
export async function editServers(changed) {
  const known = (await get("/api/desk/accounts")).accounts ?? [];
  const words = known.map(
    (/** @type {Record<string, string>} */ each) =>
      `${each.user} at ${each.url}, ${each.events === "*" ? "all events" : each.events}${each.problem ? ` – ${each.problem}` : ""}.`,
  );
  ask({
    title: "Accounts on servers",
    words: [...words, "The password goes into the system’s keyring, never into the store."].join("\n"),
    fields: [
      { name: "url", label: "Address of Xfcc", value: known.at(-1)?.url ?? "https://www.iccf.com/XfccBasic.asmx" },
      { name: "user", label: "Your user there", value: known.at(-1)?.user ?? "" },
      {
        name: "password",
        label: "Your password there",
        type: "password",
        hint: "empty: unchanged",
      },
      {
        name: "events",
        label: "Only these events, such as WT/*",
        value: known.length && known.at(-1).events !== "*" ? known.at(-1).events : "",
        hint: "empty: all; several with commas",
      },
      {
        name: "control",
        label: "Clock, such as 50/75/1",
        value: known.at(-1)?.control ?? "",
        hint: "for games whose clock the server does not name",
      },
      {
        name: "refills",
        label: "I also enter here each refill and claim that I make there: then a fetch can infer the banks",
        type: "check",
        value: known.at(-1)?.refills ? "yes" : "",
      },
    ],
    yes: "Keep the account",
    run: async (values) => finish(await post("/api/desk/account", values), changed),
    other: known.length
      ? {
          label: "Remove it",
          run: async (values) => finish(await post("/api/desk/account", { ...values, remove: true }), changed),
        }
      : undefined,
  });
}

/**
 * @param {{ done: string, problem: string }} found
 * @param {() => void} changed
 */
function finish(found, changed) {
  const done = found.done[0].toUpperCase() + found.done.slice(1);
  if (found.problem) notice(`${done}; ${found.problem}`, "wrong");
  else notice(`${done}.`);
  go("#today");
  changed();
}

/**
 * Show a view after an action, unless the user has left its question and may have gone to another view.
 * @param {string} place
 */
function go(place) {
  if (byId("ask", HTMLDialogElement).open) location.hash = place;
}
