// Texts of the page Live and the overlays about the followed game.
import { shown } from "./intro.js";
import { title } from "./panel.js";

const NO_REASON = "result"; // the reason of an end for which the source gives only a result

/**
 * @typedef {[number, number]} Points
 * @typedef {{ record: string, owner: string, promised: boolean, points: Points }} Forecast
 * @typedef {{ event: string, round: string, white: string, black: string, played: number, turn: "white" | "black",
 *   last: { san: string, number: number, side: "white" | "black", goal: string, resets: boolean, sets: boolean } | null,
 *   record: string | null, ply: number | null, owner: "white" | "black" | null, over: string | null, result: string,
 *   proven: boolean, outcome: string | null, plies: number | null, points: Points, to_beat: string | null,
 *   mobility: { white: number | null, black: number | null }, lowest: { white: string | null, black: string | null },
 *   beating: { move: string, goal: string }[], fifty: number | null, komi: string | null, note: string,
 *   stake: { now: Points, best: { move: string, record: string, points: Points } | null, outcome: Points | null } }} Now
 */

/**
 * A player's name; without one, the colour.
 * @param {Now} now
 * @param {"white" | "black"} side
 */
export function nameOf(now, side) {
  return now[side] && now[side] !== "?" ? now[side] : title(side);
}

/** @param {number | null} moves */
export function movesText(moves) {
  return moves === null ? "" : moves === 1 ? "1 move" : `${moves} moves`;
}

/**
 * Points with up to six decimals, rounded half to even as everywhere in the program.
 * @param {number} points
 */
export function pointsText(points) {
  const millionths = points * 1e6;
  const below = Math.floor(millionths);
  const isHalf = millionths - below === 0.5;
  return String((isHalf ? below + (below % 2) : Math.round(millionths)) / 1e6);
}

/** @param {Points} points */
export function bothPoints(points) {
  return `${pointsText(points[0])} – ${pointsText(points[1])}`;
}

/**
 * The komi that decides the game if it is drawn.
 * @param {Now} now
 */
export function komiText(now) {
  return `komi ${shown(now.komi ?? "")}`;
}

/**
 * The last move with its number.
 * @param {Now} now
 */
export function lastMove(now) {
  if (!now.last) return "";
  return `${now.last.number}${now.last.side === "white" ? "." : "..."} ${now.last.san}`;
}

/**
 * The number of the move that set the record.
 * @param {Now} now
 */
export function moveOfRecord(now) {
  if (!now.ply || !now.last) return "";
  // The number is counted back from the newest position, because a game may start from any position.
  const plies = 2 * now.last.number - (now.last.side === "white" ? 1 : 0) - (now.played - now.ply);
  return `move ${Math.ceil(plies / 2)}`;
}

/**
 * The moves that would beat the record now.
 * @param {Now} now
 * @param {number} most
 */
export function beatingText(now, most) {
  const some = now.beating.slice(0, most).map(({ move, goal }) => `${move} (${shown(goal)})`);
  const more = now.beating.length - some.length;
  return some.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** @param {Now} now */
export function outcomeText(now) {
  if (!now.proven || now.outcome === null) return "";
  return now.plies ? `${shown(now.outcome)} in ${now.plies} ${now.plies === 1 ? "ply" : "plies"}` : shown(now.outcome);
}

/**
 * Why the game has ended, with the komi if it has decided a draw; empty if unknown.
 * @param {Now} now
 */
export function reasonText(now) {
  return now.over === null || now.over === NO_REASON ? "" : now.over.replace("komi -", "komi \u2212");
}

/** @param {string} result */
export function resultText(result) {
  return result === "1/2-1/2" ? "½–½" : result.replace("-", "–");
}
