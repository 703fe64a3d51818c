// Moves and lines with the values of the tables.
import { held, legalMoves, moveText, outcomeOf, problem, recordAfter, san } from "./tables_rules.js";
import { lookUp } from "./tables_served.js";

/** @typedef {import("./tables_rules.js").Position} Position */
/** @typedef {import("./tables_rules.js").Move} Move */
/** @typedef {import("./tables_rules.js").Goal} Goal */
/** @typedef {import("./tables_served.js").Value} Value */
/**
 * @typedef {{ text: string, san: string, from: number, to: number, letter: string, record: Goal, value: Value,
 *   position: Position, next: Position }} Entry a move, the record after it, and its value
 */

const MOST_PLIES = 400; // longest line that is followed

/**
 * A lower number is better for the side to move: outcome first, then a short way to an improvement, or a long way to
 * a loss.
 * @param {string} turn
 * @param {Goal} record
 * @param {Value} value
 */
function rank(turn, record, value) {
  const sign = turn === "w" ? 1 : -1,
    gain = sign * (value.outcome - outcomeOf(record)),
    plies = value.plies ?? 0;
  return [-sign * value.outcome, gain > 0 ? plies : -plies];
}

/**
 * @param {string} turn
 * @param {Goal} record
 * @param {Value} one
 * @param {Value} two
 */
function compare(turn, record, one, two) {
  if (one.error || two.error) return (one.error ? 1 : 0) - (two.error ? 1 : 0);
  const [a, b] = [rank(turn, record, one), rank(turn, record, two)];
  return a[0] - b[0] || a[1] - b[1];
}

/**
 * Each move with its value, the best first; plies include the move.
 * @param {Position} position
 * @param {Goal} record
 * @param {boolean} wholeGame
 * @returns {Promise<Entry[]>}
 */
export async function moveValues(position, record, wholeGame) {
  const moves = legalMoves(position);
  const states = moves.map((move) => ({ position: move.next, record: recordAfter(record, move, wholeGame) }));
  const values = await lookUp(states);
  const entries = moves.map((move, index) => {
    const value = counted(values[index], record);
    const { from, to, promoted: letter, next } = move;
    const text = moveText(move);
    return {
      text,
      san: san(position, move, moves),
      from,
      to,
      letter,
      record: states[index].record,
      value,
      position,
      next,
    };
  });
  return entries.sort((one, two) => compare(position.turn, record, one.value, two.value));
}

/**
 * A value after a move, with the move counted in its plies.
 * @param {Value} value
 * @param {Goal} record
 */
export function counted(value, record) {
  if (value.error) return value;
  const stands = value.outcome === outcomeOf(record);
  return { ...value, plies: stands ? 0 : value.plies === null ? null : value.plies + 1 };
}

/**
 * Best play until the final record is on the board; null where plies are not known.
 * @param {Position} position
 * @param {Goal} record
 * @param {Value} value
 * @param {boolean} wholeGame
 * @param {() => boolean} isWanted is the line still wanted?
 */
export async function bestLine(position, record, value, wholeGame, isWanted) {
  /** @type {Entry[]} */
  const line = [];
  while (value.outcome !== outcomeOf(record) && line.length < MOST_PLIES) {
    const [entry] = await moveValues(position, record, wholeGame);
    if (!isWanted() || !entry || entry.value.error || entry.value.plies === null) return null;
    line.push(entry);
    [position, record] = [entry.next, entry.record];
  }
  return line;
}

/**
 * For each piece the value with it on each square; null where another piece stands or the position is impossible.
 * @param {Position} position
 * @param {Goal | null} given
 */
export async function mapsOf(position, given) {
  /** @type {{ map: (Value | null)[], to: number, position: Position, record: Goal }[]} */
  const states = [];
  /** @type {Map<number, (Value | null)[]>} */
  const maps = new Map();
  position.squares.forEach((piece, from) => {
    if (!piece) return;
    /** @type {(Value | null)[]} */
    const map = Array(64).fill(null);
    for (let to = 0; to < 64; to++) {
      if (to !== from && position.squares[to]) continue;
      const squares = [...position.squares];
      squares[from] = "";
      squares[to] = piece;
      const there = { squares, turn: position.turn, ep: -1 };
      if (!problem(there)) states.push({ map, to, position: there, record: held(there, given, legalMoves(there)) });
    }
    maps.set(from, map);
  });
  const values = await lookUp(states.map(({ position: there, record }) => ({ position: there, record })));
  states.forEach(({ map, to }, index) => {
    map[to] = values[index];
  });
  return maps;
}
