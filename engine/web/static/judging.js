// Judges the evaluations of a game again in a page without a server, as engine/annotate/verdicts.py does.
import { byId } from "./dom.js";

/** @typedef {import("./study.js").Study} Study */
/** @typedef {Study["judged"][number]} Judged */

const TOLERANCE = 1e-12; // an edge belongs to the stronger symbol
const MOST_MOMENTS = 6;
const LEAST_LOSS = 0.1; // least loss at a key moment
const SIZES = ["slight", "moderate", "clear", "extreme"];
const BETTER = ["\u2a72", "\u00b1", "+\u2212", "+\u2212\u2212"]; // symbols for White's advantages
const WORSE = ["\u2a71", "\u2213", "\u2212+", "\u2212++"];
const BAD = ["?!", "?", "??"];

/**
 * The game with symbols by other settings.
 * @param {Study} study as the file has it
 * @param {{ x05?: number, positions?: string, moves?: string }} judging
 * @returns {Study}
 */
export function rejudged(study, judging) {
  const schemes = { positions: study.schemes.positions, moves: study.schemes.moves };
  if (judging.positions) schemes.positions = judging.positions;
  if (judging.moves) schemes.moves = judging.moves;
  const { x05 } = judging;
  const judge = x05 ? study.judge.replace(/, x05 [^(]*\(.*$/, `, x05 ${texted(x05)} (as given)`) : study.judge;
  const x05s = x05 ? [x05, x05] : study.x05s;
  const edges = edgesOf(byId("positions"), schemes.positions).edges;
  const judged = study.judged.map((each, at) => {
    if (!each) return each;
    const side = sideOf(study, at);
    const result = resultOf(pawnsOf(each), x05s[side]);
    const level = levelOf(Math.abs(result - 0.5), edges);
    const meaning = level ? `${SIZES[level - 1]} advantage for ${result > 0.5 ? "White" : "Black"}` : "balanced";
    const symbol = level ? (result > 0.5 ? BETTER : WORSE)[level - 1] : "=";
    const best = study.judged[at - 1];
    const view = { ...each, result, symbol, meaning };
    return best && isCompared(each) ? { ...view, ...compared(each, best, side, x05s[side], schemes.moves) } : view;
  });
  const bands = edges.flatMap((edge) => [0.5 - edge, 0.5 + edge]).sort((one, two) => one - two);
  const found = { ...study, judge, x05: x05s[0], x05s, schemes, bands, judged };
  return { ...found, moments: momentsOf(found), players: playersOf(found) };
}

/**
 * The loss of a move, and its symbol.
 * @param {NonNullable<Judged>} played
 * @param {NonNullable<Judged>} best the evaluation before it
 * @param {number} side 0 for White's move, 1 for Black's
 * @param {number} x05
 * @param {string} scheme
 */
function compared(played, best, side, x05, scheme) {
  const [after, before] = [pawnsOf(played), pawnsOf(best)].map((pawns) => resultOf(pawns, x05));
  const loss = Math.max(0, side ? after - before : before - after);
  const { edges, mate } = edgesOf(byId("move-marks"), scheme);
  const moves = Number(/^#(-?\d+)$/.exec(best.text)?.[1] ?? 0) * (side ? -1 : 1);
  const isMissed = moves > 0 && moves <= mate && pawnsOf(played) !== pawnsOf(best);
  const level = Math.max(levelOf(loss, edges), Number(isMissed));
  return { loss, before, sign: level ? BAD[level - 1] : "" };
}

/** @param {Judged} judged */
function isCompared(judged) {
  return judged !== null && judged.loss !== null && judged.loss !== undefined;
}

/**
 * The side that made a move of the main line: 0 for White, 1 for Black. The first position counts as White's.
 * @param {Study} study
 * @param {number} at
 */
function sideOf(study, at) {
  return at && study.nodes[at].turn === "white" ? 1 : 0;
}

/** @param {NonNullable<Judged>} judged */
function pawnsOf({ pawns, text }) {
  return pawns ?? (text.startsWith("#") ? (text.startsWith("#-") ? -Infinity : Infinity) : Number(text));
}

/**
 * White's expected result.
 * @param {number} pawns
 * @param {number} x05
 */
function resultOf(pawns, x05) {
  const tail = 2 ** (-Math.abs(pawns) / x05) / 2;
  return pawns > 0 ? 1 - tail : tail;
}

/**
 * @param {number} size
 * @param {number[]} edges in ascending order
 */
function levelOf(size, edges) {
  return edges.filter((edge) => size >= edge - TOLERANCE).length;
}

/**
 * The edges of a scheme, which the form of the page has.
 * @param {HTMLElement} field
 * @param {string} name
 */
function edgesOf(field, name) {
  const option = [...field.querySelectorAll("option")].find((each) => each.value === name);
  return { edges: (option?.dataset.edges ?? "").split(" ").map(Number), mate: Number(option?.dataset.mate ?? 0) };
}

/** @param {number} x05 */
function texted(x05) {
  return Number(x05.toFixed(2)) === x05 ? x05.toFixed(2) : String(x05);
}

/**
 * @param {Study} study
 * @returns {Study["moments"]}
 */
function momentsOf({ judged, nodes }) {
  return judged
    .flatMap((each, ply) => (ply && each?.loss && each.loss >= LEAST_LOSS ? [{ ...each, ply, loss: each.loss }] : []))
    .sort((one, two) => two.loss - one.loss || two.ply - one.ply)
    .slice(0, MOST_MOMENTS)
    .sort((one, two) => one.ply - two.ply)
    .map(({ ply, sign, before, result }) => ({
      ply,
      move: `${nodes[ply].number}${nodes[ply].turn === "black" ? "." : "..."} ${nodes[ply].san}`,
      sign: sign ?? "",
      better: nodes.find((node) => node.parent === ply - 1 && node.depth === 1)?.san ?? "",
      before: Number(before),
      after: result,
    }));
}

/** @param {Study} study */
function playersOf(study) {
  return study.players.map((player, side) => {
    const own = study.judged.filter((each, at) => at && isCompared(each) && sideOf(study, at) === side);
    const lost = own.reduce((sum, each) => sum + (each?.loss ?? 0), 0);
    const counts = Object.keys(player.signs).map((sign) => [sign, own.filter((each) => each?.sign === sign).length]);
    return { ...player, signs: Object.fromEntries(counts), lost, kept: own.length ? 1 - lost / own.length : 1 };
  });
}
