// The panel beside the board: record, evaluation, moves.
import { drawBar } from "./bar.js";
import { goalChart } from "./goal_chart.js";
import { byId, h } from "./dom.js";
import { shown } from "./intro.js";
import { symbolDrawing } from "./symbols.js";

/**
 * @typedef {{ move: string, san: string, squares: string[], fen: string, turn: string, check: string[], goal: string,
 *   record: string | null, beats: boolean }} Ply
 * @typedef {{ text: string, owner: string, ply: number, beaten: string }} RecordView
 * @typedef {{ rank: number, depth: number, nodes: number, score: string, proven: boolean, words: string | null, result: number,
 *   symbol: string, meaning: string, pv: string[], move: string, squares: string[], number: number, turn: string,
 *   forecast: { text: string, owner: string, promised: boolean } | null }} Line
 * @typedef {{ engine: boolean, level: number | null }} Player
 * @typedef {{ id: string, game: import("./squares.js").GameView, mode: string, komi: string, players: Player[],
 *   first: Ply, plies: Ply[], number: number, turn: string, legal: import("./squares.js").LegalMove[],
 *   record: RecordView | null, clock: { left: number[], running: number | null, increment: number } | null,
 *   end: { result: string, headline: string, reason: string, record: string } | null, thinking: boolean,
 *   paused: boolean, line: Line | null }} Game
 */

/** @param {string} side */
export function title(side) {
  return side === "white" ? "White" : "Black";
}

/**
 * Draw the record, its holder, and the goals that beat it.
 * @param {Game} game
 * @param {number} ply the position that the board shows
 */
export function drawRecord(game, ply) {
  const isLive = ply === game.plies.length;
  const at = ply ? game.plies[ply - 1] : game.first;
  const isOff = game.mode === "Off";
  byId("record-card").hidden = isOff;
  if (isOff) return;
  const record = isLive ? game.record : recordOf(at.record);
  const place = byId("record");
  place.dataset.owner = record?.owner ?? "";
  place.textContent = record ? shown(record.text) : "none";
  byId("record-holder").textContent = record ? `${title(record.owner)} holds the record` : "No record yet";
  const sets = isLive ? game.legal.filter((move) => move.sets).map((move) => move.san) : [];
  const beats = !isLive || !record || game.end ? "" : `To beat it: ${record.beaten}.`;
  byId("record-beaten").textContent = beats;
  const some = sets.slice(0, 6).join(", ");
  byId("record-moves").textContent = sets.length
    ? `Possible now: ${some}${sets.length > 6 ? ` and ${sets.length - 6} more` : ""}.`
    : "";
  byId("goal-chart").replaceChildren(goalChart([game.first, ...game.plies], ply));
}

/**
 * @param {string | null} text
 * @returns {RecordView | null}
 */
function recordOf(text) {
  if (!text) return null;
  return { text, owner: text.startsWith("-") ? "black" : "white", ply: 0, beaten: "" };
}

/**
 * Draw the engine's evaluation of the position.
 * @param {Line | null} line
 * @param {boolean} isWatching
 * @param {string} instead the text in place of a missing line
 */
export function drawLine(line, isWatching, instead) {
  const isShown = isWatching && line !== null;
  byId("view-body").hidden = !isWatching;
  const drawn = isShown ? provenDraw(line) : null;
  byId("symbol").replaceChildren(isShown && !drawn ? symbolDrawing(line.symbol, line.meaning) : "");
  byId("expected").textContent = !isShown
    ? instead
    : drawn
      ? `${title(drawn.owner)} holds ${drawn.text.replace("-", "")}`
      : expected(line.result);
  const words = isShown && !line.words ? `${sentence(line.meaning)}, ` : "";
  const judged = drawn ? "Drawn" : isShown ? `${words}${scoreText(line)}` : "";
  byId("meaning").textContent = isShown ? `${judged}, ${basisOf(line)}` : "";
  const forecast = isShown && !line.words && !drawn ? line.forecast : null;
  const prediction = forecast
    ? `${forecast.promised ? "Outcome" : "Forecast"}: ${shown(forecast.text)} for ${title(forecast.owner)}`
    : "";
  byId("forecast").textContent = prediction;
  byId("pv").textContent = isShown ? movesInWords(line) : "";
  drawBar(isShown ? line.result : null, drawn ? shown(drawn.text) : "");
}

/** @param {number} result */
function expected(result) {
  const white = Math.round(100 * result);
  return white >= 50 ? `${white} % for White` : `${100 - white} % for Black`;
}

/**
 * The goal with which best play draws, if that is proven. The score of such a line says less than the goal, or depends
 * on the value of a draw. In the mode Decisive every game is won or lost, so the text of the line is shown instead.
 * @param {Line} line
 */
export function provenDraw({ proven, words, score, forecast }) {
  return proven && !words && !score.includes("#") && forecast?.promised ? forecast : null;
}

/**
 * The score of a line, or its outcome in words. A proven outcome never looks like an estimate.
 * @param {Line} line
 */
export function scoreText(line) {
  const drawn = provenDraw(line);
  if (drawn) return shown(drawn.text);
  return `${line.proven ? "" : "\u2248\u00a0"}${line.words ?? line.score.replace("-", "\u2212")}`;
}

/**
 * The words that say what the score of a line rests on. A proof has no depth.
 * @param {Line} line
 */
export function basisOf(line) {
  return line.proven ? "proven" : `depth ${line.depth}`;
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {Line} line */
export function movesInWords(line) {
  return line.pv
    .slice(0, 10)
    .map((san, index) => {
      const at = index + (line.turn === "black" ? 1 : 0);
      const number = line.number + Math.floor(at / 2);
      return at % 2 === 0 ? `${number}.\u00a0${san}` : index === 0 ? `${number}...\u00a0${san}` : san;
    })
    .join(" ");
}

/**
 * The moves in two columns.
 * @param {Game} game
 * @param {number} ply the position that the board shows
 */
export function drawMoves(game, ply) {
  const list = byId("moves");
  const isBlackFirst = game.first.turn === "black";
  const offset = isBlackFirst ? 1 : 0;
  const firstNumber = Number(game.first.fen.split(" ").at(-1)) || 1;
  const rows = [];
  for (let at = -offset; at < game.plies.length; at += 2) {
    const number = firstNumber + (at + offset) / 2;
    const cells = [at, at + 1].map((each) =>
      each < 0
        ? h("span", { class: "gap" }, "\u2026")
        : each < game.plies.length
          ? moveButton(game.plies[each], each + 1, ply)
          : null,
    );
    rows.push(h("li", {}, h("span", { class: "number" }, `${number}.`), ...cells));
  }
  list.replaceChildren(...rows);
  keepInView();
}

/**
 * Scroll the list to the current move; its height depends on the cards above it.
 * @param {() => void} [draw] the cards; the list stays where it is if the user has scrolled it to other moves
 */
export function keepInView(draw) {
  const list = byId("moves");
  const box = list.querySelector("[aria-current]")?.getBoundingClientRect();
  const sight = list.getBoundingClientRect();
  draw?.();
  if (draw && box && (box.bottom <= sight.top || box.top >= sight.bottom)) return;
  const here = list.querySelector("[aria-current]")?.closest("li");
  if (!here) list.scrollTop = 0;
  else if (here.offsetTop < list.scrollTop) list.scrollTop = here.offsetTop;
  else list.scrollTop = Math.max(list.scrollTop, here.offsetTop + here.offsetHeight - list.clientHeight);
}

/**
 * @param {Ply} played
 * @param {number} number of its position
 * @param {number} here
 */
function moveButton(played, number, here) {
  const mark = played.beats
    ? h(
        "span",
        { class: `sets ${played.goal.startsWith("-") ? "black" : "white"}`, title: "beats the record" },
        shown(played.goal),
      )
    : null;
  return h(
    "button",
    { type: "button", "data-ply": String(number), "aria-current": number === here ? "true" : null },
    played.san,
    mark,
  );
}

/**
 * A player's name.
 * @param {Player} player
 */
export function playerName(player) {
  if (!player.engine) return "You";
  return player.level === null ? "Standstill, full strength" : `Standstill ${player.level}`;
}

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  if (ms < 20_000) return `0:${(Math.max(0, ms) / 1000).toFixed(1).padStart(4, "0")}`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
