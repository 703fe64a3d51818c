// The games of the file in the page Study, with their filter. The list grows as it is scrolled.
import { byId, guarded, h } from "./dom.js";
import { get } from "./server.js";

export class GameList {
  constructor() {
    this.filter = "";
    this.toCome = 0; // games that are not shown yet
    this.asked = 0; // how often the filter has changed
    for (const id of ["filter", "outcome", "order"])
      byId(id).addEventListener("input", () => void guarded(() => this.show()));
    byId("list").addEventListener("scroll", () => void guarded(() => this.grow()));
  }

  /** Show the beginning of the list; scrolling adds the rest. */
  async show() {
    const value = (/** @type {string} */ id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value;
    const filter = { text: value("filter"), result: value("outcome"), order: value("order") };
    this.filter = new URLSearchParams(filter).toString();
    this.toCome = 0; // the list on the page belongs to another filter
    const asked = ++this.asked;
    const list = await get(`/api/study?${this.filter}`);
    if (asked !== this.asked) return list; // the filter has changed again
    byId("found").textContent = `${list.found} of ${list.total} games`;
    this.toCome = list.found - list.games.length;
    byId("list").replaceChildren(...list.games.map(rowOf));
    byId("list").scrollTop = 0;
    return list;
  }

  /** Add further games when the end of the list comes near. */
  async grow() {
    const place = byId("list");
    const { asked, toCome } = this;
    if (!toCome || place.scrollTop + 3 * place.clientHeight <= place.scrollHeight) return;
    this.toCome = 0; // no further request until the answer is here
    let left = toCome;
    try {
      const list = await get(`/api/study?${this.filter}&from=${place.children.length}`);
      if (asked !== this.asked) return; // the filter has changed in the meantime
      place.append(...list.games.map(rowOf));
      left = list.games.length ? list.found - place.children.length : 0;
    } finally {
      if (asked === this.asked) this.toCome = left;
    }
  }
}

/** @param {Record<string, string>} game */
function rowOf(game) {
  const isKnown = (/** @type {string} */ each) => each && !/^[-?.]+$/.test(each);
  const round = isKnown(game.round) ? `round ${game.round}` : "";
  const event = [game.event, round, game.date.replace(/(\.\?\?)+$/, ""), game.eco].filter(isKnown);
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#game=${game.number}`, onclick: () => byId("games", HTMLDialogElement).close() },
      h("span", { class: "who" }, `${game.white || "?"} \u2013 ${game.black || "?"}`),
      h("span", { class: "outcome" }, game.result.replace(/1\/2/g, "\u00bd").replace("-", "\u2013"), swingOf(game)),
      h("span", { class: "dim" }, event.join(", ")),
    ),
  );
}

/**
 * The largest loss by a move of a game, in games, if known.
 * @param {Record<string, any>} game
 */
function swingOf(game) {
  return game.swing ? h("span", { class: "dim" }, ` \u2212${Math.round(100 * game.swing)} %`) : null;
}
