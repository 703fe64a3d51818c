// New games: one that the user describes, or those of a PGN file.
import { ask } from "./desk_dialogue.js";
import { notice } from "./dom.js";
import { post } from "./server.js";

const LARGEST = 700_000; // bytes of a file; a request has at most 1 MB, in base64

/** @param {() => void} changed */
export function beginGame(changed) {
  ask({
    title: "Keep a new game",
    fields: [
      { name: "name", label: "Name of the game, such as WS-12" },
      { name: "event", label: "Event" },
      { name: "white", label: "White" },
      { name: "black", label: "Black" },
      {
        name: "side",
        label: "Your side",
        type: "choice",
        value: "white",
        choices: [
          ["white", "White"],
          ["black", "Black"],
          ["", "none: you only follow the game"],
        ],
      },
      { name: "control", label: "Clock, such as 50/75/1 or 10/40d", value: "50/75/1" },
      { name: "start", label: "When White's clock started", hint: "such as 2026-03-02T10:00; empty: now" },
      { name: "fen", label: "Start position as FEN", hint: "empty: the usual one" },
      { name: "opening", label: "Moves given with the start position", hint: "they do not count for the clocks" },
      { name: "noEngines", label: "The event forbids engines", type: "check" },
      { name: "rmobility", label: "The event scores draws by R-Mobility", type: "check" },
    ],
    yes: "Keep the game",
    run: async (values) => {
      const found = await post("/api/desk/new", values);
      notice([found.done, ...found.warnings].join("; "));
      location.hash = `#game=${encodeURIComponent(found.name)}`;
      changed();
    },
  });
}

/** @param {(lines: string[], problems: string[]) => void} done */
export function importGames(done) {
  ask({
    title: "Import games",
    words: "A game that is already stored gets its new moves. Nothing is written into the file.",
    fields: [
      { name: "file", label: "PGN file", type: "file" },
      { name: "me", label: "Your name in the file, or part of it", hint: "empty: you only follow the games" },
      { name: "control", label: "Clock, such as 50/75/1", hint: "needed where the tags of a game do not give it" },
    ],
    yes: "Import",
    run: async (values) => {
      const file = values.file;
      if (!(file instanceof File)) throw new Error("Choose a PGN file.");
      if (file.size > LARGEST)
        throw new Error(
          `The file has more than ${LARGEST / 1000} kB: import it by “standstill games import” in a terminal.`,
        );
      const found = await post("/api/desk/import", {
        file: file.name,
        data: await base64(file),
        me: values.me,
        control: values.control,
      });
      done(found.lines, [...found.problems, ...found.warnings]);
    },
  });
}

/**
 * The bytes of a file, unchanged: PGN files have several encodings.
 * @param {File} file
 * @returns {Promise<string>}
 */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
