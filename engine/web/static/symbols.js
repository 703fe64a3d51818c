// Signs of moves and symbols of positions. Few fonts contain the symbols for a slight advantage, so they are drawn.
import { h, s } from "./dom.js";

/** @type {[number, string, string][]} */
export const MARKS = [
  [3, "!!", "brilliant move"],
  [1, "!", "good move"],
  [5, "!?", "interesting move"],
  [6, "?!", "dubious move"],
  [2, "?", "mistake"],
  [4, "??", "blunder"],
];
/** @type {[number, string, string][]} */
export const SYMBOLS = [
  [18, "+\u2212", "clear advantage for White"],
  [16, "\u00b1", "moderate advantage for White"],
  [14, "\u2a72", "slight advantage for White"],
  [10, "=", "balanced"],
  [15, "\u2a71", "slight advantage for Black"],
  [17, "\u2213", "moderate advantage for Black"],
  [19, "\u2212+", "clear advantage for Black"],
  [13, "\u221e", "unclear"],
];
/** @type {Map<string, string>} */
const MEANINGS = new Map([
  ...[...MARKS, ...SYMBOLS].map(([, text, meaning]) => /** @type {[string, string]} */ ([text, meaning])),
  ["+\u2212\u2212", "extreme advantage for White"],
  ["\u2212++", "extreme advantage for Black"],
]);

/** @type {Record<string, string>} */
const DRAWN = {
  "\u2a72": "M5 .5v5M2.5 3h5M1 8h8M1 11h8", // a plus above an equals sign
  "\u2a71": "M5 6.5v5M2.5 9h5M1 1h8M1 4h8",
};

/**
 * A symbol with its meaning for screen readers and as a tooltip.
 * @param {string} symbol
 * @param {string} [meaning] by default that of the symbol itself
 */
export function symbolDrawing(symbol, meaning = MEANINGS.get(symbol) ?? symbol) {
  const path = DRAWN[symbol];
  const drawn = path ? s("svg", { viewBox: "0 0 10 12", "aria-hidden": "true" }, s("path", { d: path })) : symbol;
  // The text of a drawing has no size: a selection copies it.
  const text = path ? h("span", { class: "copied" }, symbol) : null;
  return h("span", { class: "symbol", role: "img", "aria-label": meaning, title: meaning }, drawn, text);
}

/**
 * The signs of a move, each with its meaning.
 * @param {string[]} signs such as !?
 * @param {{ class?: string, from?: string }} [own] class of the element; from: what the tooltip names as the source
 */
export function signDrawings(signs, own = {}) {
  return signs.map((sign) => {
    const meaning = (MEANINGS.get(sign) ?? sign) + (own.from ? `, ${own.from}` : "");
    return h("span", { class: own.class ?? null, role: "img", "aria-label": meaning, title: meaning }, sign);
  });
}
