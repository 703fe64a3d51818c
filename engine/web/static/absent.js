// Takes the place of scripts that need a server in a page that is a file: edit.js, edits.js, drafts.js, analysis.js,
// players.js and tables_estimate.js.
import { post } from "./server.js";

class Absent {
  toggle() {}
  draw() {}
  follow() {}
  stop() {}
  offer() {}
  commit() {}
}

export class EditPanel extends Absent {}
export class Analysis extends Absent {}
export class Estimate extends Absent {}
export async function showPlayers() {}

/** Nothing can be edited. */
export class Edits {
  make = post;
  judge = post;
  async idle() {}
}

export class Drafts {
  draft = null;
  isChanged = false;
  edited() {}
  open() {
    return "new";
  }
}
