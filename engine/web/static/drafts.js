// Drafts: games that were edited but not saved, with the edits that can be undone. Drafts survive a reload, and live
// as long as the tab.

/**
 * @typedef {{ text: string, saved: string, digest: string, past: { text: string, at: number }[] }} Draft
 * text: the game now. saved: the game in the file. digest: the digest of the file from which the game was read
 */

const KEY = "standstill.drafts";

export class Drafts {
  constructor() {
    this.kept = new Map(stored());
    /** @type {Draft | null} */
    this.draft = null; // the draft of the game that the page shows
    /** @type {Map<string, string>} */
    this.digests = new Map(); // maps the file's digest before a save to that after it
    addEventListener("beforeunload", (event) => {
      const isLeaving = "leaving" in document.body.dataset; // the user will come back
      if (!isLeaving && [...this.kept.values()].some(isEdited)) event.preventDefault();
    });
  }

  /**
   * The text of a game that was edited but not saved.
   * @param {string} name
   */
  edited(name) {
    const kept = this.kept.get(name);
    return kept && isEdited(kept) ? kept.text : undefined;
  }

  /**
   * Begin with a game, or continue with its draft. A draft of a game that the file no longer has in this state is
   * kept with the digest of the old file, so that it cannot replace what another program has written.
   * @param {string} name
   * @param {{ text: string, digest?: string }} study
   * @returns {"new" | "kept" | "outdated"}
   */
  open(name, study) {
    const kept = this.kept.get(name);
    let digest = study.digest ?? "";
    for (let newer; (newer = this.digests.get(digest));) digest = newer; // saved since it was read
    const isSame = kept?.saved === study.text;
    if (kept && !isSame && isEdited(kept)) {
      this.draft = kept;
      return "outdated";
    }
    this.draft = kept && isSame ? kept : { text: study.text, saved: study.text, digest, past: [] };
    this.draft.digest = digest;
    this.kept.set(name, this.draft);
    return isEdited(this.draft) ? "kept" : "new";
  }

  get isChanged() {
    return this.draft !== null && isEdited(this.draft);
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
    this.store();
  }

  /** The game before the last edit, if there is one. */
  back() {
    const last = this.draft?.past.pop();
    if (last && this.draft) this.draft.text = last.text;
    this.store();
    return last;
  }

  /**
   * All games of the tab now come from a file with this digest.
   * @param {string} digest
   */
  saved(digest) {
    const before = this.draft?.digest;
    if (this.draft) this.draft.saved = this.draft.text;
    if (before) this.digests.set(before, digest);
    this.digests.delete(digest);
    for (const draft of this.kept.values()) if (draft.digest === before) draft.digest = digest;
    this.store();
  }

  /** Forget the changes of the game, which is now in another file. */
  drop() {
    if (this.draft) this.draft.saved = this.draft.text;
    this.store();
  }

  /** Keep the edited games across a reload, without the undo history if the browser has no room for it. */
  store() {
    const edited = [...this.kept].filter(([, draft]) => isEdited(draft));
    for (const drafts of [edited, edited.map(([name, draft]) => [name, { ...draft, past: [] }])]) {
      try {
        sessionStorage.setItem(KEY, JSON.stringify(drafts));
        return;
      } catch {
        // too large, or forbidden for pages that are files
      }
    }
  }
}

/** @param {Draft} draft */
function isEdited(draft) {
  return draft.text !== draft.saved;
}

/** @returns {[string, Draft][]} */
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}
