// The dialog for a new game: what `standstill variants new` makes.
import { byId, h } from "./dom.js";
import { post } from "./server.js";

export class NewGame {
  /** @param {(made: { file: string, text: string }) => void} made */
  constructor(made) {
    this.made = made;
    this.dialog = byId("make", HTMLDialogElement);
    this.form = byId("make-form", HTMLFormElement);
    this.asked = 0; // how often the dialog was opened or sent
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.make();
    });
    byId("make-cancel").addEventListener("click", () => this.dialog.close());
  }

  /**
   * @param {{ name: string, title: string, size: string }[]} games
   * @param {Record<string, string>} known letters that an army may name, with their moves
   */
  open(games, known) {
    const options = games.map((game) =>
      h("option", { value: game.name }, game.title === "Chess" ? game.title : `${game.name}: ${game.title}`),
    );
    this.field("base").replaceChildren(...options);
    const letters = Object.entries(known).map(([letter, moves]) => `${letter} ${moves}`);
    byId("letters").textContent =
      `Back ranks may also use these pieces: ${letters.join(", ")}. A dot is an empty square.`;
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement}
   */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  show() {
    this.asked += 1;
    byId("make-problem").textContent = "";
    this.dialog.showModal();
    this.field("name").focus();
  }

  async make() {
    const asked = Object.fromEntries(
      ["name", "base", "size", "army", "black"].map((name) => [name, this.field(name).value.trim()]),
    );
    const pieces = this.field("pieces").value.split(/\s+/).filter(Boolean);
    const now = ++this.asked;
    try {
      const made = await post("/api/workshop/new", { ...asked, pieces, numbers: this.field("numbers").checked });
      if (now !== this.asked || !this.dialog.open) return; // cancelled, or sent again
      this.dialog.close();
      this.made(made);
    } catch (error) {
      if (now === this.asked) byId("make-problem").textContent = /** @type {Error} */ (error).message;
    }
  }
}
