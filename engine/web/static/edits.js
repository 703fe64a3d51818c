// Changes of the game in the page Study. Each change waits for the answer to the previous one, and finds its move in
// that answer.
import { byId, guarded, notice } from "./dom.js";
import { download, later, leave } from "./leaving.js";
import { get, getBlob, isCopy, post, takeFile } from "./server.js";

/** @typedef {import("./move_list.js").Node} Node */
/** @typedef {import("./study.js").Study} Study */
/**
 * @typedef {{ study: Study | null, at: number, gone: number, number: number, file: string, pgn: string,
 *   drafts: import("./drafts.js").Drafts, editing: import("./edit.js").EditPanel,
 *   show: (study: Study, at: number) => void }} Owner
 */

/** @type {Edits | undefined} */
let current; // the edits of the page

/** Wait until all changes that the user has entered are part of the game, and stored across a reload. */
export async function allEntered() {
  current?.owner.editing.commit();
  await current?.idle();
}

export class Edits {
  /** @param {Owner} owner the page */
  constructor(owner) {
    current = this;
    this.owner = owner;
    /** @type {Record<string, unknown> | undefined} */
    this.judging = undefined; // x05 and schemes, if they are not those of the file
    this.waiting = 0; // changes that are not made yet
    /** @type {Promise<unknown>} */
    this.last = Promise.resolve(); // of them
    addEventListener("beforeunload", (event) => {
      if (this.waiting && !("leaving" in document.body.dataset)) event.preventDefault();
    });
    byId("download").addEventListener("click", () => void guarded(() => this.download()));
  }

  /** @param {() => Promise<void>} change */
  queue(change) {
    this.waiting += 1;
    const done = this.last.then(change).finally(() => (this.waiting -= 1));
    this.last = done.catch(() => {}); // the change after it is made nevertheless
    return done;
  }

  /** Wait until all changes are made. */
  async idle() {
    while (this.waiting) await this.last;
  }

  /**
   * Request the page's view of a game.
   * @param {number} number in the file, or 0
   * @param {string} text
   * @param {object} [edit] that comes first
   * @returns {Promise<Study>}
   */
  view(number, text, edit) {
    return post("/api/study/view", { ...this.judging, number, text, edit });
  }

  /** @param {{ kind: string, at: number } & Record<string, unknown>} edit at: a node of the game as the page shows it now */
  async make(edit) {
    const { owner } = this;
    if (edit.kind !== "comment") owner.editing.commit();
    const { study: seen, gone } = owner;
    if (!seen) return;
    await this.queue(async () => {
      const before = /** @type {Study} */ (owner.study);
      const at = sameNode(seen.nodes, edit.at, before.nodes);
      if (at < 0) return; // a change before has removed the move
      const study = await this.view(owner.number, before.text, { ...edit, at });
      if (study.text !== before.text) owner.drafts.change(study.text, owner.at);
      this.show(study, study.at, gone);
    });
  }

  undo() {
    const { owner } = this;
    const { gone } = owner;
    return this.queue(async () => {
      const last = owner.drafts.draft?.past.at(-1);
      if (!last) return;
      const study = await this.view(owner.number, last.text);
      owner.drafts.back();
      this.show(study, last.at, gone);
    });
  }

  /**
   * Show the game after a change. If the reader has gone to another move in the meantime, the page stays there.
   * @param {Study} study
   * @param {number} at the node of the change
   * @param {number} gone the value of owner.gone when the change was requested
   */
  show(study, at, gone) {
    const { owner } = this;
    const isElsewhere = gone !== owner.gone || owner.editing.isWriting;
    const before = /** @type {Study} */ (owner.study).nodes;
    const here = isElsewhere ? sameNode(before, owner.at, study.nodes) : -1;
    owner.show(study, here < 0 ? at : here);
  }

  save() {
    const { owner } = this;
    owner.editing.commit();
    return this.queue(async () => {
      const { draft } = owner.drafts;
      if (!draft || (owner.number && !owner.drafts.isChanged)) return;
      if (!owner.number) {
        await this.keep();
        return;
      }
      const asked = { number: owner.number, text: draft.text, digest: draft.digest };
      owner.drafts.saved((await post("/api/study/save", asked)).digest);
      owner.editing.draw();
      notice(savedWords(owner.file));
    });
  }

  /** Save a game that is in no file: add it to the user's own file, and show it there. */
  async keep() {
    const { drafts, pgn } = this.owner;
    const { key, name, number } = await post("/api/files/keep", { text: pgn });
    drafts.drop();
    later(`Saved as game ${number} of ${name}.`);
    takeFile(key);
    leave(`/study#game=${number}`);
  }

  /** Save, and give the user the whole file, or the game that is in no file. */
  async download() {
    const { owner } = this;
    if (!owner.number) {
      await allEntered();
      download(new Blob([owner.pgn], { type: "application/x-chess-pgn" }), "game.pgn");
      return;
    }
    await this.save();
    const { here } = await get("/api/files");
    download(await getBlob("/api/files/content"), here?.name ?? "games.pgn");
  }

  /**
   * The game that begins with a position, and the name of its draft.
   * @param {string} address of the position, as the page has it
   * @returns {Promise<[Study, string]>}
   */
  async begun(address) {
    const wanted = new URLSearchParams(address);
    const given = wanted.get("position") ?? "";
    const [fen, variant] = [given === "start" ? "" : given, wanted.get("variant") ?? ""];
    const tags = Object.entries({
      Event: "Analysis",
      ...(variant ? { Variant: variant } : {}),
      ...(fen ? { SetUp: "1", FEN: fen } : {}),
    });
    const text = `${tags.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]\n`).join("")}\n*\n`;
    return [await this.view(0, text), `position ${given} ${variant}`];
  }

  /**
   * Recompute the symbols with other settings.
   * @param {Record<string, unknown> | null} change of the settings; null for the settings of the file
   */
  judge(change) {
    const { owner } = this;
    const judging = change ? { ...this.judging, ...change } : undefined;
    this.judging = judging;
    return this.queue(async () => {
      if (!owner.study || judging !== this.judging) return;
      const study = await this.view(owner.number, owner.study.text);
      if (judging === this.judging) owner.show(study, owner.at); // else the settings have changed again
    });
  }
}

/**
 * Where a game was saved: in the user's own file, or in the copy of a file that was opened on a page.
 * @param {string} file its path
 */
function savedWords(file) {
  const name = file.replace(/.*[/\\]/, "");
  return isCopy()
    ? `Saved in your copy of ${name}. \u201cDownload\u201d gives you the file.`
    : `Saved in ${name}. The file before is ${name}~.`;
}

/**
 * The node to which the same moves lead in another state of the game, or -1 without these moves.
 * @param {Node[]} from
 * @param {number} at
 * @param {Node[]} to
 * @returns {number}
 */
export function sameNode(from, at, to) {
  if (at <= 0 || from === to) return at;
  const parent = sameNode(from, from[at].parent, to);
  const twin = twins(from, from[at].parent, from[at].move).indexOf(at);
  return parent < 0 ? -1 : (twins(to, parent, from[at].move)[twin] ?? -1);
}

/**
 * A move may occur twice after a position, as the beginning of two variations.
 * @param {Node[]} nodes
 * @param {number} parent
 * @param {string} move
 */
function twins(nodes, parent, move) {
  return [...nodes.keys()].filter((at) => at && nodes[at].parent === parent && nodes[at].move === move);
}
