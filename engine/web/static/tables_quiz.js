// The quiz: positions in which some moves hold or win and others do not, and the score, which the browser keeps.
import { goalOf, held, legalMoves, problem } from "./tables_rules.js";
import { moveValues } from "./tables_values.js";

/** @typedef {import("./tables_rules.js").Position} Position */
/** @typedef {import("./tables_rules.js").Goal} Goal */
/** @typedef {import("./tables_values.js").Entry} Entry */
/** @typedef {{ position: Position, given: Goal | null, record: Goal, entries: Entry[] }} Question */
/** @typedef {{ asked: number, right: number, row: number }} Score row: right answers since the last wrong one */

const [BATCH, BATCHES] = [12, 60];
const KEY = "standstill.tables-quiz";

/**
 * @template T
 * @param {T[]} list
 */
function pick(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/**
 * A random position of a class with a possible record, or null if the pieces do not fit.
 * @param {string} name
 */
function randomState(name) {
  /** @type {string[]} */
  const squares = Array(64).fill("");
  const turned = Math.random() < 0.5;
  name.split("v").forEach((side, index) => {
    for (const kind of side) {
      const free = squares
        .map((piece, square) => (piece ? -1 : square))
        .filter((square) => square >= 0 && (kind !== "P" || (square > 7 && square < 56)));
      squares[pick(free)] = (index === 1) === turned ? kind : kind.toLowerCase();
    }
  });
  const position = { squares, turn: pick(["w", "b"]), ep: -1 };
  if (problem(position)) return null;
  const moves = legalMoves(position);
  const own = goalOf(position, moves);
  if (moves.length < 2) return null;
  const record = { code: 2 + Math.floor(Math.random() * (own.code - 1)), owner: pick([0, 1]) };
  const given = Math.random() < 0.5 ? null : record;
  return { position, given, record: held(position, given, moves) };
}

/**
 * Whether the position is worth asking: at most half of the moves keep the outcome.
 * @param {Entry[]} entries
 */
function isQuestion(entries) {
  if (entries.length < 2 || entries.some((entry) => entry.value.error)) return false;
  const best = entries[0].value.outcome;
  return 2 * entries.filter((entry) => entry.value.outcome === best).length <= entries.length;
}

/**
 * @param {string[]} names of classes
 * @param {boolean} wholeGame
 * @returns {Promise<Question | null>}
 */
export async function findQuestion(names, wholeGame) {
  for (let batch = 0; batch < BATCHES; batch++) {
    const found = Array.from({ length: BATCH }, () => randomState(pick(names))).filter((each) => each !== null);
    const all = await Promise.all(found.map((each) => moveValues(each.position, each.record, wholeGame)));
    const index = all.findIndex(isQuestion);
    if (index >= 0) return { ...found[index], entries: all[index] };
  }
  return null;
}

/** @type {Score} */
let scoreHere = { asked: 0, right: 0, row: 0 }; // if the browser forbids to keep it

export function readScore() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "");
    if (["asked", "right", "row"].every((name) => Number.isInteger(kept[name]))) return /** @type {Score} */ (kept);
  } catch {
    // the browser forbids reading, or the text is not a score
  }
  return { ...scoreHere };
}

/** @param {boolean} isRight */
export function countAnswer(isRight) {
  const { asked, right, row } = readScore();
  scoreHere = { asked: asked + 1, right: right + (isRight ? 1 : 0), row: isRight ? row + 1 : 0 };
  try {
    localStorage.setItem(KEY, JSON.stringify(scoreHere));
  } catch {
    // kept by the page
  }
}
