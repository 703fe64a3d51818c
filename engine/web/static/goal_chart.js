// The goals of a game: a mark for each position, and the record as a line. The best goals are the lowest.
import { s } from "./dom.js";

const WIDTH = 360;
const HEIGHT = 84;
const LEFT = 22;
const BOTTOM = 6;
const MOST = 40; // moves; weaker goals stand at the top edge

/** @typedef {{ goal: string, record: string | null }} Step */

/** @param {string} goal such as -G8.5 */
function movesOf(goal) {
  return Number(goal.replace("-", "").slice(1));
}

/** @param {number} moves */
function height(moves) {
  return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 8) * Math.sqrt(Math.min(moves, MOST) / MOST);
}

/**
 * @param {Step[]} steps from the first position on
 * @param {number} here the ply that the board shows
 */
export function goalChart(steps, here) {
  const span = Math.max(steps.length - 1, 20);
  const x = (/** @type {number} */ ply) => LEFT + 4 + ((WIDTH - LEFT - 8) * ply) / span;
  const marks = steps.flatMap((step, ply) => {
    if (!step.goal) return [];
    const side = step.goal.startsWith("-") ? "black" : "white";
    return s("circle", {
      class: `goal ${side}`,
      cx: x(ply).toFixed(1),
      cy: height(movesOf(step.goal)).toFixed(1),
      r: 2,
    });
  });
  let line = "";
  steps.forEach((step, ply) => {
    if (step.record === null) return;
    const y = height(movesOf(step.record)).toFixed(1);
    line += line ? `H${x(ply).toFixed(1)}V${y}` : `M${x(ply).toFixed(1)} ${y}`;
  });
  if (line) line += `H${x(steps.length - 1).toFixed(1)}`;
  const grid = [1, 5, 15, 30].flatMap((moves) => [
    s("path", { class: "grid", d: `M${LEFT} ${height(moves)}H${WIDTH}` }),
    s("text", { class: "scale", x: LEFT - 4, y: height(moves) + 3 }, String(moves)),
  ]);
  const cursor = s("path", { class: "here", d: `M${x(here)} 2V${HEIGHT - BOTTOM}` });
  const label = "The opponent's legal moves after each move of White and Black, and the record";
  return s(
    "svg",
    { class: "goals", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    ...grid,
    cursor,
    s("path", { class: "record", d: line }),
    ...marks,
  );
}
