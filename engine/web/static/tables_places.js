// Positions with their moves: positions small enough for tables by the scripts' own rules, all others by the program's.
import {
  classOf,
  fenOf,
  goalOf,
  goalText,
  inCheck,
  legalMoves,
  moveText,
  problem,
  readFen,
  readGoal,
  recordAfter,
  san,
  squareName,
} from "./tables_rules.js";
import { explore } from "./tables_served.js";

/** @typedef {import("./tables_rules.js").Goal} Goal */
/** @typedef {import("./tables_rules.js").Position} Position */
/** @typedef {import("./tables_served.js").About} About */
/**
 * @typedef {import("./squares.js").LegalMove & { after: string, record: Goal }} Known
 * after: the position after the move. record: the record after it
 */
/**
 * @typedef {{ fen: string, turn: string, check: string[], own: Goal, moves: Known[], position: Position | null,
 *   trouble: string, explored: boolean }} Place
 * own: the position's own goal. position: null if only the program can read it. trouble: the reason why no table has the
 * position. explored: does the program know the moves of such a position?
 */

const isFile = "file" in document.body.dataset; // without a server

/**
 * A position. Throws an Error for a text that is not a FEN.
 * @param {string} fen
 * @param {Goal | null} given the record that moves can beat
 * @param {About} tables
 * @returns {Promise<Place>}
 */
export async function placeOf(fen, given, tables) {
  const position = small(fen);
  if (!position) return explored(fen, given, troubleOfFen(fen, tables), tables);
  const wrong = problem(position);
  const trouble = wrong || missing(position, tables);
  if (trouble && !wrong && !isFile) return explored(fen, given, trouble, tables);
  const place = within(position);
  if (trouble) return { ...place, trouble, moves: [] };
  return { ...place, moves: movesOf(position, given && given.code <= place.own.code ? given : place.own, tables) };
}

/**
 * The position of a FEN as the scripts know it; null if only the program can read it.
 * @param {string} fen
 */
function small(fen) {
  try {
    return readFen(fen);
  } catch (error) {
    if (isFile) throw error;
    return null;
  }
}

/**
 * @param {string} fen
 * @param {About} tables
 */
function troubleOfFen(fen, tables) {
  const pieces = fen.split(" ")[0].replace(/[^a-z]/gi, "").length;
  return pieces > tables.mostMen ? tooMany(pieces, tables) : "Tables exclude positions with castling rights.";
}

/**
 * @param {number} pieces
 * @param {About} tables
 */
function tooMany(pieces, { mostMen }) {
  return `The tables here have at most ${mostMen} pieces; this position has ${pieces}.`;
}

/**
 * @param {Position} position
 * @param {About} tables
 */
function missing({ squares }, tables) {
  const pieces = squares.filter(Boolean).length;
  if (pieces > tables.mostMen) return tooMany(pieces, tables);
  const { name } = classOf(squares);
  return tables.classes.includes(name)
    ? ""
    : `The table of ${name} is missing. ${tables.missing.replace("CLASS", name)}`;
}

/**
 * A position of few pieces, without its moves.
 * @param {Position} position
 * @returns {Place}
 */
export function within(position) {
  const { squares, turn } = position;
  const isPossible = problem(position) === "";
  const own = isPossible ? goalOf(position, legalMoves(position)) : { code: 0, owner: 0 };
  const king = squares.indexOf(turn === "w" ? "K" : "k");
  const check = isPossible && inCheck(squares, turn) ? [squareName(king)] : [];
  return { fen: fenOf(position), turn, check, own, moves: [], position, trouble: "", explored: false };
}

/**
 * @param {Position} position
 * @param {Goal} record
 * @param {About} tables
 * @returns {Known[]}
 */
function movesOf(position, record, tables) {
  const moves = legalMoves(position);
  return moves.map((move) => {
    const after = recordAfter(record, move, tables.wholeGame);
    const goal = goalText(goalOf(move.next, legalMoves(move.next)));
    return {
      move: moveText(move),
      san: san(position, move, moves),
      from: squareName(move.from),
      to: [squareName(move.to)],
      letter: move.promoted,
      goal,
      resets: move.resets,
      sets: false,
      after: fenOf(move.next),
      record: after,
    };
  });
}

/**
 * A position of the program's rules.
 * @param {string} fen
 * @param {Goal | null} given
 * @param {string} trouble
 * @param {About} tables
 * @returns {Promise<Place>}
 */
async function explored(fen, given, trouble, { wholeGame }) {
  const found = await explore(given ? beyond(fen, given) : fen);
  const turn = found.turn === "white" ? "w" : "b";
  const record = given && given.code <= found.goal.code ? given : found.goal;
  const moves = found.legal.map((move) => {
    const own = readGoal(move.goal);
    return { ...move, sets: false, record: own.code < record.code || (move.resets && !wholeGame) ? own : record };
  });
  const { goal: own, check } = found;
  return { fen: found.fen, turn, check, own, moves, position: null, trouble, explored: true };
}

/**
 * A FEN with all its fields and the record after them.
 * @param {string} fen
 * @param {Goal} record
 */
export function beyond(fen, record) {
  const fields = fen.split(" ");
  return [...fields, ...["w", "-", "-", "0", "1"].slice(fields.length - 1), goalText(record)].join(" ");
}
