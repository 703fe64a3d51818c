// The text of a definition with its mistakes marked: a text field above a drawing of the same text with marks.
import { byId, h } from "./dom.js";

/**
 * @typedef {{ mistake: boolean, line: number, column: number, length: number, text: string, fix: string }} Finding
 * line, column: from 1. fix: what to write in place of the marked text, or ""
 */

/** @type {[RegExp, string][]} */
const KINDS = [
  [/^Game:/, "title"],
  [/^version /, "size"],
  [/^\/\//, "description"],
  [/^#/, "rule"],
  [/^\d+x\d+/, "size"],
  [/^[\d\s]+$/, "size"],
  [/^\s*[^\s:]\s*:\s*-?\d/, "piece"],
];

/**
 * What a line is, as the class of its drawing. Lines of other text are comments.
 * @param {string} line
 */
function kindOf(line) {
  return KINDS.find(([pattern]) => pattern.test(line))?.[1] ?? "comment";
}

export class TextField {
  /** @param {{ changed: () => void, moved: (line: number) => void }} owner */
  constructor(owner) {
    this.owner = owner;
    this.field = byId("text", HTMLTextAreaElement);
    this.shade = byId("shade");
    this.gutter = byId("gutter");
    this.list = byId("findings");
    /** @type {Finding[]} */
    this.findings = [];
    this.marked = ""; // the text in which they were found
    this.field.addEventListener("input", () => {
      this.draw();
      owner.changed();
    });
    this.field.addEventListener("scroll", () => this.scroll());
    this.field.addEventListener("keyup", () => this.moved());
    this.field.addEventListener("click", () => this.moved());
  }

  get text() {
    return this.field.value;
  }

  /**
   * Put another text in its place. The browser's own Undo brings the old one back.
   * @param {string} text
   */
  replace(text) {
    this.write(0, this.text.length, text);
    this.field.setSelectionRange(0, 0);
    this.field.scrollTop = 0;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {string} text
   */
  write(from, to, text) {
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(from, to);
    // Only this command changes a text field in such a way that Undo can reverse the change.
    if (!document.execCommand("insertText", false, text)) this.field.setRangeText(text, from, to, "end");
    this.draw();
  }

  /**
   * Fill the empty field, in such a way that there is nothing to undo.
   * @param {string} text
   */
  begin(text) {
    this.field.value = text;
    this.draw();
  }

  /** @param {Finding[]} findings */
  mark(findings) {
    this.findings = findings;
    this.marked = this.text;
    this.draw();
    this.list.replaceChildren(...findings.map((each) => this.row(each)));
    this.showHere();
  }

  /** @param {Finding} finding */
  row(finding) {
    const kind = finding.mistake ? "Mistake" : "Warning";
    const go = h(
      "button",
      { type: "button", class: "finding", onclick: () => this.go(finding) },
      h("span", { class: "where" }, `${kind}, line ${finding.line}`),
      finding.text,
    );
    const fix = finding.fix
      ? h(
          "button",
          { type: "button", class: "fix", onclick: () => this.fix(finding) },
          "Write ",
          h("code", {}, finding.fix),
        )
      : null;
    return h("li", { class: finding.mistake ? "mistake" : "warning", "data-line": finding.line }, go, fix);
  }

  /**
   * The offset of a place from the beginning of the text.
   * @param {number} line
   * @param {number} column
   */
  offset(line, column) {
    const before = this.text.split("\n").slice(0, line - 1);
    return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  }

  /** @param {Finding} finding */
  go(finding) {
    const at = this.offset(finding.line, finding.column);
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(at, at + finding.length);
    this.show(finding.line);
  }

  /**
   * Scroll so that a line is in the upper part.
   * @param {number} line
   */
  show(line) {
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = Math.max(0, (line - 1) * height - this.field.clientHeight / 8);
    this.scroll();
  }

  /** @param {Finding} finding */
  fix(finding) {
    if (this.text !== this.marked) return; // it was edited: the next findings come soon
    const at = this.offset(finding.line, finding.column);
    this.write(at, at + finding.length, finding.fix);
    this.owner.changed();
    this.moved();
  }

  /** The user has moved the caret. */
  moved() {
    this.showHere();
    this.owner.moved(this.line);
  }

  /** The line of the caret. */
  get line() {
    return this.text.slice(0, this.field.selectionStart).split("\n").length;
  }

  /** Show what was found in the line of the caret. */
  showHere() {
    const { line } = this;
    for (const row of this.list.children)
      row.classList.toggle("here", Number(/** @type {HTMLElement} */ (row).dataset.line) === line);
  }

  /**
   * Put the caret at the beginning of a line.
   * @param {number} line
   */
  goTo(line) {
    const at = this.offset(line, 1);
    this.field.setSelectionRange(at, at);
    this.show(line);
  }

  scroll() {
    const { scrollLeft, scrollTop } = this.field;
    this.shade.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-scrollTop}px)`;
  }

  draw() {
    /** @type {Map<number, Finding[]>} */
    const byLine = new Map();
    for (const each of this.findings) byLine.set(each.line, [...(byLine.get(each.line) ?? []), each]);
    const lines = this.text.split("\n");
    this.shade.replaceChildren(...lines.map((line, at) => drawnLine(line, byLine.get(at + 1) ?? [])));
    this.gutter.replaceChildren(
      ...lines.map((_, at) => {
        const found = byLine.get(at + 1);
        const kind = !found ? "" : found.some((each) => each.mistake) ? "mistake" : "warning";
        return h("span", { class: kind }, `${at + 1}\n`);
      }),
    );
    this.scroll();
  }
}

/**
 * @param {string} line
 * @param {Finding[]} findings
 */
function drawnLine(line, findings) {
  const parts = [];
  let at = 0;
  for (const each of [...findings].sort((a, b) => a.column - b.column)) {
    const from = Math.max(at, Math.min(each.column - 1, line.length));
    const to = Math.max(from, Math.min(from + each.length, line.length));
    parts.push(line.slice(at, from));
    parts.push(h("span", { class: each.mistake ? "mistake" : "warning" }, line.slice(from, to) || " "));
    at = to;
  }
  return h("span", { class: kindOf(line) }, ...parts, `${line.slice(at)}\n`);
}
