// The players of a file: the losses of their moves, and their openings.
import { byId, guarded, h } from "./dom.js";
import { get } from "./server.js";

/**
 * @typedef {{ name: string, games: number, moves: number, marks: Record<string, number>, lost: Record<string, number>,
 *   difficulty: number | null }} Player
 * @typedef {{ move: string, games: number, points: number, lost: number, moves: Opening[] }} Opening
 */

const LEAST_OPEN = 2; // games of a branch that is drawn open
let chosen = ""; // the player whose openings are wanted

export async function showPlayers() {
  chosen = "";
  byId("openings").replaceChildren();
  byId("player-table").replaceChildren(h("p", { class: "dim" }, "Reading the games\u2026"));
  byId("players-of-file", HTMLDialogElement).showModal();
  const { players } = /** @type {{ players: Player[] }} */ (await get("/api/study/survey"));
  const marks = Object.keys(players[0]?.marks ?? {});
  const names = ["Player", "Games", "Moves", ...marks, "Opening", "Middlegame", "Endgame", "Difficulty"];
  const head = h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name)));
  const table = h("table", {}, h("thead", {}, head), h("tbody", {}, ...players.map((each) => row(each, marks))));
  byId("player-table").replaceChildren(table);
}

/**
 * @param {Player} player
 * @param {string[]} marks
 */
function row(player, marks) {
  const lost = Object.values(player.lost).map((each) => (player.moves ? each.toFixed(2) : "\u00b7"));
  const difficulty = player.difficulty === null ? "\u00b7" : `${Math.round(100 * player.difficulty)} %`;
  const cells = [
    player.games,
    player.moves,
    ...marks.map((mark) => player.marks[mark] || "\u00b7"),
    ...lost,
    difficulty,
  ];
  const choose = h(
    "button",
    { type: "button", class: "quiet", onclick: () => void guarded(() => openings(player)) },
    player.name,
  );
  return h("tr", {}, h("th", { scope: "row" }, choose), ...cells.map((cell) => h("td", {}, String(cell))));
}

/** @param {Player} player */
async function openings({ name, moves }) {
  chosen = name;
  const trees = await get(`/api/study/survey?player=${encodeURIComponent(name)}`);
  if (chosen !== name) return; // another player was chosen in the meantime
  const parts = ["white", "black"].flatMap((side) => {
    const tree = /** @type {Opening} */ (trees[side]);
    if (!tree.games) return [];
    return [
      h("h3", {}, `${name} as ${side === "white" ? "White" : "Black"}: ${score(tree)}`),
      list(tree.moves, 1, moves > 0),
    ];
  });
  byId("openings").replaceChildren(...parts);
  byId("openings").scrollIntoView({ block: "nearest" });
}

/** @param {Opening} at */
function score({ games, points }) {
  return `${games} ${games === 1 ? "game" : "games"}, ${Math.round((100 * points) / games)}\u00a0%`;
}

/**
 * The loss in a position and in all later positions of the same row.
 * @param {Opening} at
 * @returns {number}
 */
function lostIn(at) {
  return at.lost + at.moves.reduce((sum, each) => sum + lostIn(each), 0);
}

/**
 * The moves of a position; the moves of a single game share one line.
 * @param {Opening[]} moves
 * @param {number} ply of the moves, from 1
 * @param {boolean} isJudged whether the games have evaluations
 * @returns {HTMLElement}
 */
function list(moves, ply, isJudged) {
  const items = moves.map((each) => {
    const label = `${numberOf(ply)}${each.move}`;
    const isRow = each.games < LEAST_OPEN || !each.moves.length;
    const lost = isRow ? lostIn(each) : each.lost;
    const loss = isJudged ? `, lost\u00a0${lost.toFixed(2)}` : "";
    const shownText = h("span", { class: "dim" }, ` ${score(each)}${loss}`);
    if (isRow) return h("li", {}, h("strong", {}, label), ` ${lineOf(each.moves[0], ply + 1)}`, shownText);
    const summary = h("summary", {}, h("strong", {}, label), shownText);
    return h("li", {}, h("details", { open: ply < 4 }, summary, list(each.moves, ply + 1, isJudged)));
  });
  return h("ul", { class: "opening-tree" }, ...items);
}

/** @param {number} ply */
function numberOf(ply) {
  return ply % 2 ? `${(ply + 1) / 2}.\u00a0` : `${ply / 2}\u2026\u00a0`;
}

/**
 * @param {Opening | undefined} at
 * @param {number} ply
 * @returns {string}
 */
function lineOf(at, ply) {
  if (!at) return "";
  return `${ply % 2 ? numberOf(ply) : ""}${at.move} ${lineOf(at.moves[0], ply + 1)}`;
}
