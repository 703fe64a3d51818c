// The bar beside the board: White's expected result, over a scale of the symbols.
import { byId, h, s } from "./dom.js";

/**
 * Fill the bar beside the board by White's expected result.
 * @param {number | null} result
 * @param {string} [goal] of a proven draw: the bar names it
 */
export function drawBar(result, goal = "") {
  const bar = byId("bar");
  bar.dataset.empty = String(result === null);
  bar.dataset.goal = goal;
  bar.style.setProperty("--white", `${100 * (result ?? 0.5)}%`);
}

/**
 * Draw the scale of the bar.
 * @param {number[]} bands expected results at which the symbol changes
 */
export function drawBands(bands) {
  const ticks = bands.map((share) => s("path", { d: `M0 ${100 * (1 - share)}h10` }));
  byId("bar").replaceChildren(
    h("div", { class: "bar-fill" }),
    s("svg", { viewBox: "0 0 10 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...ticks),
  );
}
