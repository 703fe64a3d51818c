// R-Mobility in three pictures. The program computes moves and goals, as in a game.
import { byId, guarded, h } from "./dom.js";
import { diagram } from "./drawing.js";
import { post } from "./server.js";

const SEEN = "standstill.seen-intro";

/** @typedef {{ fen: string, title: string, text: (position: any) => string }} Lesson */

/** @type {Lesson[]} */
const LESSONS = [
  {
    fen: "5k2/8/4K3/3B4/8/8/8/8 b - - 0 1",
    title: "Count the moves",
    text: (position) =>
      `This is a draw, but Black has only ${countWords(position.legal.length)} left. White's goal is ${shown(position.goal.text)}: the number of legal moves, plus a half because Black is not in check.`,
  },
  {
    fen: "8/8/8/3K1k2/8/8/8/8 w - - 0 1",
    title: "The lowest goal is the record",
    text: (position) =>
      `Even bare kings fight. Black has the opposition and leaves White ${countWords(position.legal.length)}: ${shown(position.goal.text)}. A capture or a pawn move deletes the record, and counting starts again.`,
  },
  {
    fen: "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",
    title: "The record decides",
    text: (position) =>
      `${position.legal.length ? countWords(position.legal.length) : "No move and no check"}: stalemate, ${shown(position.goal.text)}, the best possible draw. It is worth 0.75 points instead of 0.5; a mate is worth 1.`,
  },
];

/** @param {number} moves */
function countWords(moves) {
  return moves === 1 ? "1 move" : `${moves} moves`;
}

/** @param {string} goal */
export function shown(goal) {
  return goal.replace("-", "\u2212");
}

/** @param {Lesson} lesson */
async function card(lesson) {
  const position = await post("/api/preview", { fen: lesson.fen });
  const squares = position.legal.map((/** @type {{ to: string[] }} */ move) => move.to[0]);
  const picture = diagram(position.game, position.fen, {
    squares,
    label: `${lesson.title}: ${lesson.fen.split(" ")[0]}`,
  });
  return h("li", {}, picture, h("h3", {}, lesson.title), h("p", {}, lesson.text(position)));
}

/** Show the pictures. */
export async function showIntro() {
  const dialog = byId("intro", HTMLDialogElement);
  byId("lessons").replaceChildren(...(await Promise.all(LESSONS.map(card))));
  if (!dialog.open) dialog.showModal(); // a double click asks twice
}

/**
 * Show the pictures on the first visit.
 * @param {boolean} now whether this is a good moment; otherwise a later visit counts as the first
 */
export async function introduce(now) {
  byId("intro", HTMLDialogElement).addEventListener("close", () => localStorage.setItem(SEEN, "1"));
  byId("explain").addEventListener("click", () => void guarded(showIntro));
  if (now && !localStorage.getItem(SEEN)) await showIntro();
}
