// Takes the place of scripts that need a server in a page that is a file: edit.js, drafts.js, analysis.js,
// players.js and tables_estimate.js.

class Absent {
  toggle() {}
  draw() {}
  follow() {}
  stop() {}
  offer() {}
}

export class EditPanel extends Absent {}
export class Analysis extends Absent {}
export class Estimate extends Absent {}
export async function showPlayers() {}

/** Nothing can be edited. */
export class Drafts {
  draft = null;
  isChanged = false;
  open() {
    return "new";
  }
}
