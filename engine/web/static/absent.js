// Takes the place of scripts that need a server in a page that is a file: edit.js, edits.js, drafts.js, analysis.js,
// players.js and tables_estimate.js.
import { post } from "./server.js";

class Absent {
  best = null;
  toggle() {}
  draw() {}
  follow() {}
  stop() {}
  offer() {}
  async named() {}
  commit() {}
}

export class EditPanel extends Absent {}
export class Analysis extends Absent {}
export class Estimate extends Absent {}
export async function showPlayers() {}

/** Such a page can edit nothing, but it can judge the evaluations again. */
export class Edits {
  make = post;
  /** @type {Record<string, unknown> | undefined} */
  judging = undefined;

  /** @param {import("./edits.js").Owner} owner the page */
  constructor(owner) {
    this.owner = owner;
  }

  /** @param {number} number of the game */
  view(number) {
    return post("/api/study/view", { ...this.judging, number });
  }

  /** @param {Record<string, unknown> | null} change */
  async judge(change) {
    const judging = change ? { ...this.judging, ...change } : undefined;
    this.judging = judging;
    const { number } = this.owner;
    const study = await this.view(number);
    if (judging === this.judging && number === this.owner.number) this.owner.show(study, this.owner.at);
  }

  async idle() {}
  begun = post;
}

export class Drafts {
  draft = null;
  isChanged = false;
  edited() {}
  open() {
    return "new";
  }
}
