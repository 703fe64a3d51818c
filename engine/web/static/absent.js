// Takes the place of edit.js and analysis.js in a page that is a file: without a server there is neither.

class Absent {
  toggle() {}
  draw() {}
  follow() {}
  offer() {}
}

export class EditPanel extends Absent {}
export class Analysis extends Absent {}
