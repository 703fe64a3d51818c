// The panel that edits the move on the board: sign, symbol of the position, comment, place in the tree.
import { byId, guarded, h } from "./dom.js";
import { sameNode } from "./edits.js";
import { openedFile } from "./server.js";
import { MARKS, SYMBOLS, symbolDrawing } from "./symbols.js";

/**
 * @typedef {{ at: number, node: import("./move_list.js").Node, study: import("./study.js").Study | null,
 *   drafts: import("./drafts.js").Drafts, number: number,
 *   edit: (edit: { kind: string, at: number } & Record<string, unknown>) => Promise<void> }} Owner
 */

export class EditPanel {
  /** @param {Owner} owner the page */
  constructor(owner) {
    this.owner = owner;
    this.words = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    this.shownAt = -1; // the node whose comment the field has
    this.known = ""; // words of the field that the page has taken
    byId("marks").append(...MARKS.map((each) => this.button(each, true)));
    byId("symbols").append(...SYMBOLS.map((each) => this.button(each, false)));
    byId("edit").addEventListener("click", () => this.toggle());
    byId("promote").addEventListener("click", () => this.ask({ kind: "promote" }));
    byId("delete").addEventListener("click", () => this.ask({ kind: "delete" }));
    byId("names").addEventListener("click", () => this.askNames());
    this.words.addEventListener("change", () => this.commit());
    this.words.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.words.value = this.known;
      else if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      this.words.blur();
    });
  }

  /**
   * @param {[number, string, string]} sign
   * @param {boolean} isOfMove
   */
  button([number, text, meaning], isOfMove) {
    const press = () => {
      const isOn = button.getAttribute("aria-pressed") === "true";
      this.ask({ kind: "mark", mark: isOn ? 0 : number, of_move: isOfMove });
    };
    const face = isOfMove ? text : symbolDrawing(text, meaning);
    const attributes = { type: "button", "data-sign": text, title: meaning, "aria-label": meaning };
    const button = h("button", { ...attributes, onclick: press }, face);
    return button;
  }

  /**
   * @param {{ kind: string } & Record<string, unknown>} edit
   * @param {number} [at]
   */
  ask(edit, at = this.owner.at) {
    void guarded(() => this.owner.edit({ ...edit, at }));
  }

  /** Ask for players, event, date and result. */
  askNames() {
    const { study, at } = this.owner;
    if (!study) return;
    const dialog = byId("names-dialog", HTMLDialogElement);
    const form = byId("names-form", HTMLFormElement);
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    for (const name of ["White", "Black", "Event", "Date"]) field(name.toLowerCase()).value = study.tags[name] ?? "";
    field("result").value = study.result;
    dialog.returnValue = "";
    dialog.onclose = () => {
      const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
      if (dialog.returnValue === "take") this.ask({ kind: "tags", ...values }, at);
    };
    dialog.showModal();
  }

  /** Wait until the dialogue is closed in which the user edits the names of the game on the page. */
  async named() {
    const dialog = byId("names-dialog", HTMLDialogElement);
    if (dialog.open) await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  }

  /** Whether the text in the field is not yet part of the game. */
  get isWriting() {
    return this.shownAt >= 0 && this.words.value !== this.known;
  }

  /** Store the text in the field as the comment. */
  commit() {
    if (!this.isWriting) return;
    this.known = this.words.value;
    this.ask({ kind: "comment", words: this.known }, this.shownAt);
  }

  /**
   * Find the move whose comment is in the field in the changed game.
   * @param {import("./study.js").Study | null} before null: another game
   * @param {import("./study.js").Study} study that is shown now
   */
  follow(before, study) {
    this.shownAt = before ? sameNode(before.nodes, this.shownAt, study.nodes) : -1;
  }

  toggle() {
    const panel = byId("editor");
    panel.hidden = !panel.hidden;
    byId("edit").setAttribute("aria-pressed", String(!panel.hidden));
    this.draw();
  }

  /** Open the panel and go to its first button, or close it and go back to the button that opens it. */
  toggleByKey() {
    this.toggle();
    if (byId("editor").hidden) byId("edit").focus();
    else /** @type {HTMLElement | null} */ (byId("editor").querySelector("button:enabled"))?.focus();
  }

  /** Write a comment. */
  write() {
    if (byId("editor").hidden) this.toggle();
    this.words.focus();
  }

  /** Show sign, symbol and comment of the move on the board. */
  draw() {
    const { owner } = this;
    if (!owner.study) return;
    const { isChanged, draft } = owner.drafts;
    const isInFile = owner.number > 0;
    byId("changes").hidden = isInFile && !isChanged && !draft?.past.length;
    byId("changed").textContent = !isInFile ? "In no file yet" : isChanged ? "Not saved" : "Saved";
    byId("save").toggleAttribute("disabled", isInFile && !isChanged);
    byId("download").hidden = isInFile && !openedFile();
    byId("undo").toggleAttribute("disabled", !draft?.past.length);
    if (byId("editor").hidden) return;
    const { node, at } = owner;
    for (const button of byId("editor").querySelectorAll("[data-sign]")) {
      const sign = /** @type {HTMLElement} */ (button).dataset.sign ?? "";
      button.setAttribute("aria-pressed", String((node.signs ?? []).includes(sign)));
      button.toggleAttribute("disabled", at === 0);
    }
    byId("promote").toggleAttribute("disabled", !node.depth);
    byId("delete").toggleAttribute("disabled", at === 0);
    if (this.shownAt !== at) this.commit();
    if (document.activeElement !== this.words || this.shownAt !== at)
      this.words.value = this.known = node.comment ?? "";
    this.shownAt = at;
  }
}
