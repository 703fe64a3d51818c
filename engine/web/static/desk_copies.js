// The store as a whole: checking it, backing it up, restoring a backup. And reminders of deadlines.
import { base64 } from "./base64.js";
import { ask } from "./desk_dialogue.js";
import { save } from "./desk_head.js";
import { counted } from "./desk_texts.js";
import { notice } from "./dom.js";
import { get, post } from "./server.js";

const PART = 600_000; // bytes of a backup that one request carries

/** @param {(lines: string[], problems: string[]) => void} show */
export async function checkGames(show) {
  const found = await get("/api/desk/check");
  if (found.missing) throw new Error("The store has no games to check.");
  const fine = `${counted(found.games, "game")} checked: every log leads to the stored state, and every game can be exported.`;
  show(found.problems.length ? [] : [fine], found.problems);
}

export function saveBackup() {
  return save("/api/desk/backup", `correspondence-${new Date().toISOString().slice(0, 10)}.sqlite`);
}

/** @param {(lines: string[], problems: string[]) => void} done */
export function restoreBackup(done) {
  /** @type {Map<unknown, string>} */
  const keys = new Map(); // of the files that were sent
  /** @type {Map<unknown, string>} */
  const states = new Map(); // the games at the preview of each file
  let last = /** @type {File | null} */ (null); // the file that the program has
  ask({
    title: "Restore a backup",
    words:
      "The games of the backup replace all current games, with their notes and analyses. The current games are kept in a file beside the store.",
    fields: [
      { name: "file", label: "Backup, a file that “Save a backup” or “games backup” has written", type: "file" },
    ],
    yes: "Replace all games",
    preview: async (values) => {
      const file = values.file;
      if (!(file instanceof File)) throw new Error("Choose the file of a backup.");
      // Each file keeps its own key, because the user may choose another file before the first one has arrived.
      if (file !== last) keys.set(file, await upload(file));
      last = file;
      const found = await post("/api/desk/restore", { key: keys.get(file), file: file.name, preview: true });
      states.set(file, found.seen);
      return found.rows;
    },
    run: async ({ file }) => {
      const name = file instanceof File ? file.name : "";
      const found = await post("/api/desk/restore", { key: keys.get(file), file: name, seen: states.get(file) });
      done([found.done], found.warnings);
    },
  });
}

/**
 * Send a file in parts.
 * @param {File} file
 * @returns {Promise<string>} the key of the file
 */
async function upload(file) {
  let key = "";
  for (let at = 0; at === 0 || at < file.size; at += PART)
    key = (await post("/api/desk/upload", { key, data: await base64(file.slice(at, at + PART), file.name) })).key;
  return key;
}

/** @param {(lines: string[], problems: string[]) => void} done */
export function remind(done) {
  ask({
    title: "Reminders",
    words:
      "You get one reminder for each of these numbers of days before each deadline. “standstill games remind” sends the same reminders by cron.",
    fields: [
      { name: "days", label: "Days before a deadline", value: "7, 3, 1" },
      {
        name: "mail",
        label: "Send them to this mail address",
        hint: "empty: no mail; the mail server is in STANDSTILL_SMTP",
      },
      { name: "desktop", label: "Show them on the desktop of this computer", type: "check" },
    ],
    yes: "Remind me",
    preview: async (values) => {
      const { lines } = await post("/api/desk/remind", { ...values, preview: true });
      return lines.length
        ? lines.map((/** @type {string} */ line) => line.split(/: (.*)/s).slice(0, 2))
        : [["No reminder is due now", ""]];
    },
    run: async (values) => {
      const found = await post("/api/desk/remind", values);
      if (found.lines.length) done(found.lines, found.problems);
      else notice("No reminder is due now.");
    },
  });
}
