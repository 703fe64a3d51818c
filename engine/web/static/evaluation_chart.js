// The evaluation chart of a game: White's expected result after each move, over bands for the symbols.
import { s } from "./dom.js";

const WIDTH = 600;
const HEIGHT = 96;

/** @typedef {{ text: string, result: number, symbol: string, meaning: string, sign?: string, pawns?: number,
 *   loss?: number | null }} Judged */

/**
 * @param {(Judged | null)[]} judged from the first position on
 * @param {number[]} bands expected results at which the symbol changes
 * @param {number} here the ply that the board shows
 * @param {boolean} [isByTwo] whether each player evaluated its own moves; each then gets a curve
 */
export function curve(judged, bands, here, isByTwo = false) {
  const last = Math.max(judged.length - 1, 1);
  const x = (/** @type {number} */ ply) => (WIDTH * ply) / last;
  const y = (/** @type {number} */ result) => 3 + (HEIGHT - 6) * (1 - result);
  const step = isByTwo ? 2 : 1;
  const pathFrom = (/** @type {number} */ first) => {
    let path = "";
    for (let ply = first; ply < judged.length; ply += step) {
      const each = judged[ply];
      if (each) path += `${path && judged[ply - step] ? "L" : "M"}${x(ply).toFixed(1)} ${y(each.result).toFixed(1)}`;
    }
    return path;
  };
  const path = isByTwo ? "" : pathFrom(0);
  const lines = isByTwo
    ? [s("path", { class: "line", d: pathFrom(1) }), s("path", { class: "line second", d: pathFrom(2) })]
    : [s("path", { class: "line", d: path })];
  const grid = bands.map((share) => s("path", { class: "grid", d: `M0 ${y(share)}H${WIDTH}` }));
  const [from, to] = [x(judged.findIndex(Boolean)), x(judged.findLastIndex(Boolean))];
  const area = path.includes("L") ? `${path}L${to.toFixed(1)} ${HEIGHT}L${from.toFixed(1)} ${HEIGHT}z` : "";
  const marks = judged.flatMap((each, ply) =>
    each?.sign?.includes("?") && !each.sign.startsWith("!")
      ? [s("circle", { class: "bad", cx: x(ply).toFixed(1), cy: y(each.result).toFixed(1), r: 3.5 })]
      : [],
  );
  const cursor = s("path", { class: "here", d: `M${x(here).toFixed(1)} 0V${HEIGHT}` });
  const label = "White's expected result after each move";
  return s(
    "svg",
    {
      class: "curve",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": label,
    },
    s("path", { class: "area", d: area }),
    ...grid,
    s("path", { class: "middle", d: `M0 ${y(0.5)}H${WIDTH}` }),
    ...lines,
    ...marks,
    cursor,
  );
}

/**
 * The ply at this position in the chart.
 * @param {SVGElement} drawing
 * @param {number} clientX
 * @param {number} plies
 */
export function plyAt(drawing, clientX, plies) {
  const box = drawing.getBoundingClientRect();
  return Math.max(0, Math.min(plies, Math.round(((clientX - box.left) / box.width) * plies)));
}
