// Values from the tables of the program that serves the page. In a page that is a file, tables_embedded.js takes its place.
import { get, post } from "./server.js";
import { fenOf } from "./tables_rules.js";

/** @typedef {import("./tables_rules.js").Position} Position */
/** @typedef {import("./tables_rules.js").Goal} Goal */
/**
 * @typedef {{ fen?: string, position?: Position, record: Goal }} State a position as FEN or as the scripts know it
 * @typedef {{ outcome: number, plies: number | null, error?: string }} Value plies: null if unknown. error: the
 *   reason why the tables cannot answer; outcome and plies are then meaningless
 * @typedef {{ classes: string[], mostMen: number, wholeGame: boolean, missing: string, fen: string,
 *   record: string | null, scope: string, files?: Record<string, string[]> }} About the available tables
 * @typedef {{ fen: string, turn: string, check: string[], goal: Goal, record: Goal,
 *   legal: (import("./squares.js").LegalMove & { after: string })[] }} Explored a position that no table has
 */

const AT_ONCE = 4000; // states of a request, whose length is limited

/** @returns {Promise<About>} */
export function about() {
  return get("/api/tables");
}

/**
 * The values of states whose records are possible in their positions.
 * @param {State[]} states
 * @returns {Promise<Value[]>}
 */
export async function lookUp(states) {
  /** @type {Value[]} */
  const found = [];
  for (let at = 0; at < states.length; at += AT_ONCE) {
    const asked = states
      .slice(at, at + AT_ONCE)
      .map(({ fen, position, record }) => [
        fen ?? fenOf(/** @type {Position} */ (position)),
        record.code,
        record.owner,
      ]);
    found.push(...(await post("/api/tables/values", { states: asked })));
  }
  return found;
}

/**
 * The moves of any position. Throws an Error for a FEN that the program refuses.
 * @param {string} fen with the record as its last field, if there is one
 * @returns {Promise<Explored>}
 */
export function explore(fen) {
  return post("/api/tables/explore", { fen });
}
