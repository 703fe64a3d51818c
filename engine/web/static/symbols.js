// Symbols of positions. Few fonts contain those for a slight advantage, so they are drawn.
import { h, s } from "./dom.js";

/** @type {Record<string, string>} */
const DRAWN = {
  "\u2a72": "M5 .5v5M2.5 3h5M1 8h8M1 11h8", // a plus above an equals sign
  "\u2a71": "M5 6.5v5M2.5 9h5M1 1h8M1 4h8",
};

/**
 * A symbol with its meaning for screen readers and as a tooltip.
 * @param {string} symbol
 * @param {string} meaning
 */
export function symbolDrawing(symbol, meaning) {
  const path = DRAWN[symbol];
  const drawn = path ? s("svg", { viewBox: "0 0 10 12", "aria-hidden": "true" }, s("path", { d: path })) : symbol;
  // The text of a drawing has no size: a selection copies it.
  const text = path ? h("span", { class: "copied" }, symbol) : null;
  return h("span", { class: "symbol", role: "img", "aria-label": meaning, title: meaning }, drawn, text);
}
