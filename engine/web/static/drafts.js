// Games that have been edited but not saved, with what can be undone. They live as long as the tab.

/**
 * @typedef {{ text: string, saved: string, digest: string, past: { text: string, at: number }[] }} Draft
 * text: the game now. saved: as the file has it. digest: of the file that it was read from
 */

export class Drafts {
  constructor() {
    /** @type {Map<string, Draft>} */
    this.kept = new Map();
    /** @type {Draft | null} */
    this.draft = null; // of the game that the page shows
    addEventListener("beforeunload", (event) => {
      if ([...this.kept.values()].some((each) => each.text !== each.saved)) event.preventDefault();
    });
  }

  /**
   * Begin with a game, or go on with it if the file still has it as it was.
   * @param {string} name
   * @param {{ text: string, digest?: string }} study
   */
  open(name, study) {
    const kept = this.kept.get(name);
    const digest = study.digest ?? "";
    this.draft = kept?.saved === study.text ? kept : { text: study.text, saved: study.text, digest, past: [] };
    this.draft.digest = digest;
    this.kept.set(name, this.draft);
    return this.draft;
  }

  get isChanged() {
    return this.draft !== null && this.draft.text !== this.draft.saved;
  }

  /**
   * @param {string} text
   * @param {number} at the node that the page showed before
   */
  change(text, at) {
    const draft = this.draft;
    if (!draft) return;
    draft.past.push({ text: draft.text, at });
    draft.text = text;
  }

  /** The game before the last edit, if there is one. */
  back() {
    const last = this.draft?.past.pop();
    if (last && this.draft) this.draft.text = last.text;
    return last;
  }

  /**
   * All games of the tab now come from a file with this digest.
   * @param {string} digest
   */
  saved(digest) {
    if (this.draft) this.draft.saved = this.draft.text;
    for (const draft of this.kept.values()) draft.digest = digest;
  }
}
