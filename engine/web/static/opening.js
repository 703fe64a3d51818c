// Opens games on the pages Study and Puzzles: files that are chosen or dropped, pasted text, files opened before.
import { base64 } from "./base64.js";
import { byId, guarded, h, notice } from "./dom.js";
import { allEntered } from "./edits.js";
import { EXAMPLE } from "./example.js";
import { later, leave, showLater } from "./leaving.js";
import { get, isCopy, openedFile, post, takeFile, takeToken } from "./server.js";

/**
 * @typedef {{ key: string, name: string, path: string }} Here
 * @typedef {{ key: string, name: string, opened: string, bytes: number }} Recent
 * @typedef {{ key: string, name: string, changed: boolean }} Opened
 */

const PART = 600_000; // bytes that one request carries
const LARGEST = 50_000_000;
const FEN = /^\s*((?:[A-Za-z0-9+]+\/){3,}\S+\s+[wb]\s+\S+\s+\S+(?:\s+\d+\s+\d+)?)\s*$/;

class Opening {
  constructor() {
    this.block = byId("opening");
    this.dialog = byId("open-dialog", HTMLDialogElement);
    this.picker = byId("open-picker", HTMLInputElement);
    this.asked = 0; // how often the list was asked for
    this.listed = ""; // what it shows
    /** @type {Record<string, () => unknown>} */
    const actions = {
      open: () => this.ask(),
      "open-file": () => this.picker.click(),
      "open-text": () => this.takeText(byId("open-words", HTMLTextAreaElement).value),
      "open-example": () => this.openText(EXAMPLE, "Example, Morphy.pgn"),
      "new-game": () => this.leave("/study#position=start"), // only on the page Study
    };
    for (const [id, action] of Object.entries(actions))
      document.getElementById(id)?.addEventListener("click", () => void guarded(action));
    this.picker.addEventListener("change", () => {
      const files = [...(this.picker.files ?? [])];
      this.picker.value = ""; // the same file can be chosen again
      void guarded(() => this.openFiles(files));
    });
    this.listenToDrops();
    document.addEventListener("paste", (event) => {
      if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData("text") ?? "";
      if (!files.length && !text.trim()) return;
      event.preventDefault();
      void guarded(() => (files.length ? this.openFiles(files) : this.takeText(text)));
    });
    this.dialog.addEventListener("close", () => byId("nothing").append(this.block));
  }

  /** Files may be dropped anywhere on the page. */
  listenToDrops() {
    let depth = 0; // number of nested elements that the pointer has entered
    const isFile = (/** @type {DragEvent} */ event) => Boolean(event.dataTransfer?.types.includes("Files"));
    const show = () => document.body.toggleAttribute("data-dropping", depth > 0);
    document.addEventListener("dragenter", (event) => {
      depth += isFile(event) ? 1 : 0;
      show();
    });
    document.addEventListener("dragleave", (event) => {
      depth = Math.max(0, depth - (isFile(event) ? 1 : 0));
      show();
    });
    document.addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
    document.addEventListener("drop", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      depth = 0;
      show();
      void guarded(() => this.openFiles([...(event.dataTransfer?.files ?? [])]));
    });
  }

  async begin() {
    takeToken();
    await this.draw();
    showLater();
  }

  async draw() {
    const asked = ++this.asked;
    /** @type {{ here: Here | null, folder: string, recent: Recent[] }} */
    const { here, folder, recent } = await get("/api/files");
    if (asked !== this.asked) return; // a later answer shows the list
    byId("file-name").textContent = here ? `${here.name}${isCopy() ? ", your copy" : ""}` : "";
    byId("file-name").title = here?.path ?? "";
    byId("open-here").textContent = !here
      ? ""
      : openedFile()
        ? `Now open: ${here.name}. Save writes ${here.path}.`
        : `Now open: ${here.path}, which Save writes.`;
    byId("open-folder").textContent = folder;
    const listed = JSON.stringify([here?.key, recent]);
    if (listed === this.listed) return; // keep the rows, which the user may be clicking
    this.listed = listed;
    byId("open-recent").replaceChildren(...recent.map((file) => this.row(file, here?.key === file.key)));
    byId("open-recent-part").hidden = !recent.length;
  }

  /**
   * @param {Recent} file
   * @param {boolean} isHere
   */
  row(file, isHere) {
    const open = () => void guarded(() => this.show(file.key));
    const remove = () => void guarded(() => this.remove(file, isHere));
    return h(
      "li",
      {},
      h("button", { type: "button", class: "quiet name", onclick: open, "aria-current": isHere && "true" }, file.name),
      h("span", { class: "dim" }, `${file.opened}, ${sizeOf(file.bytes)}`),
      h("button", { type: "button", class: "quiet", "aria-label": `Remove ${file.name}`, onclick: remove }, "Remove"),
    );
  }

  /** Show the ways to open games: in a dialog, unless the page shows them because it has no games. */
  async ask() {
    if (document.body.dataset.state === "nothing") {
      this.picker.click();
      return;
    }
    byId("open-place").append(this.block);
    this.dialog.showModal();
    await this.draw();
  }

  // ---- what was given ----

  /** @param {File[]} files each becomes a file of its own; the first is shown */
  async openFiles(files) {
    /** @type {Opened[]} */
    const opened = [];
    /** @type {string[]} */
    const refused = [];
    for (const file of files) {
      try {
        opened.push(await this.send(file));
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error));
      }
    }
    if (!opened.length) throw new Error(refused[0] ?? "Choose a file of games in PGN.");
    const more = opened.length > 1 ? `${opened.length} files opened; the others are under “Open…”. ` : "";
    await this.show(opened[0].key, more + tellOf(opened[0]) + refused.join(" "));
  }

  /**
   * Send a file in parts.
   * @param {File} file
   * @returns {Promise<Opened>}
   */
  async send(file) {
    if (file.size > LARGEST) {
      const found = Math.ceil(file.size / 1_000_000);
      throw new Error(
        `${file.name}: expected at most 50 MB, found ${found} MB. “standstill study” in a terminal opens larger files.`,
      );
    }
    let part = "";
    for (let at = 0; at === 0 || at < file.size; at += PART) {
      if (file.size > PART) notice(`Reading ${file.name}: ${Math.round((100 * at) / file.size)} %`);
      part = (await post("/api/files/part", { key: part, data: await base64(file.slice(at, at + PART), file.name) }))
        .key;
    }
    if (file.size > PART) notice(`Reading the games of ${file.name}\u2026`);
    return post("/api/files/open", { part, name: file.name });
  }

  /**
   * A game, or a position as FEN.
   * @param {string} text
   */
  async takeText(text) {
    const fen = FEN.exec(text)?.[1];
    if (fen) await this.leave(`/study#${new URLSearchParams({ position: fen })}`);
    else if (!text.trim()) throw new Error("Paste the text of a game first.");
    else await this.openText(text, nameOf(text));
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  async openText(text, name) {
    if (text.length > PART) {
      await this.openFiles([new File([text], name)]);
      return;
    }
    const opened = await post("/api/files/open", { text, name });
    await this.show(opened.key, tellOf(opened));
  }

  /**
   * @param {string} key
   * @param {string} [told]
   */
  async show(key, told = "") {
    await allEntered(); // all changes must be made before the page shows another file
    takeFile(key);
    if (told) later(told);
    await this.leave(location.pathname);
  }

  /**
   * @param {Recent} file
   * @param {boolean} isHere
   */
  async remove(file, isHere) {
    if (!confirm(`Remove ${file.name}, with everything that was saved in it here? Your own file stays.`)) return;
    await post("/api/files/remove", { key: file.key });
    if (isHere) await this.show("");
    else await this.draw();
  }

  /** @param {string} path */
  async leave(path) {
    await allEntered();
    leave(path);
  }
}

/** @param {Opened} opened */
function tellOf(opened) {
  return opened.changed ? `You have opened ${opened.name} before: this is your copy, with what you saved in it. ` : "";
}

/** @param {number} bytes */
function sizeOf(bytes) {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * The name of pasted games: the players of a single game.
 * @param {string} text
 */
function nameOf(text) {
  const tag = (/** @type {string} */ name) => [...text.matchAll(new RegExp(`^\\[${name} "([^"]*)"`, "gm"))];
  const [white, black] = [tag("White"), tag("Black")];
  return white.length === 1 && black.length === 1 ? `${white[0][1]} - ${black[0][1]}.pgn` : "Pasted games.pgn";
}

void guarded(() => new Opening().begin());
