// Takes the place of scripts that need a server in a page that is a file: edit.js, analysis.js and players.js.

class Absent {
  toggle() {}
  draw() {}
  follow() {}
  offer() {}
}

export class EditPanel extends Absent {}
export class Analysis extends Absent {}
export async function showPlayers() {}
