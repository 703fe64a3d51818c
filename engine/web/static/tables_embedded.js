// Takes the place of tables_served.js in a page that is a file: reads the tables of up to three pieces that the page
// contains. docs/table-format.md describes them.
import { classOf, kindOf, outcomeOf } from "./tables_rules.js";

/** @typedef {{ symbols: Uint32Array, parts: [number, number][][] }} Table */
/** @typedef {import("./tables_served.js").Value} Value */
/** @typedef {import("./tables_served.js").State} State */
/** @typedef {import("./tables_rules.js").Goal} Goal */

const NOT_HERE = "This page is a file, which has only small tables. “standstill tables browse” shows any position.";

/** @type {Map<string, Table[]>} */
const tables = new Map();

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * For each entry of a dictionary and each owner of a record: [code, number] of the runs.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function entriesIn(bytes) {
  const view = new DataView(bytes.buffer);
  /** @type {[number, number][][]} */
  const parts = [];
  let at = 0;
  while (at < bytes.length) {
    /** @type {[number, number][]} */
    const runs = [];
    const count = bytes[at++];
    for (let i = 0; i < count; i++, at += 3) runs.push([bytes[at], view.getInt16(at + 1, true)]);
    parts.push(runs);
  }
  return parts;
}

/**
 * @param {string} text a file in base64
 * @returns {Promise<Table>}
 */
async function openTable(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)),
    view = new DataView(bytes.buffer);
  const width = bytes[13],
    blockBits = view.getUint32(40, true),
    size = Number(view.getBigUint64(32, true));
  const blocks = view.getUint32(44, true),
    dictionary = view.getUint32(52, true),
    statistics = view.getUint32(60, true);
  const listed = 84 + dictionary + statistics,
    symbols = new Uint32Array(size);
  let at = listed + 8 * blocks;
  for (let block = 0; block < blocks; block++) {
    const packed = view.getUint32(listed + 8 * block, true),
      plain = await inflated(bytes.subarray(at, at + packed));
    const first = block << blockBits,
      count = plain.length / width;
    for (let i = 0; i < plain.length; i++) symbols[first + (i % count)] |= plain[i] << (8 * Math.floor(i / count));
    at += packed;
  }
  return { symbols, parts: entriesIn(await inflated(bytes.subarray(84, 84 + dictionary))) };
}

/**
 * @param {Table} table
 * @param {number} number
 * @param {Goal} record
 */
function numberIn(table, number, { code, owner }) {
  const runs = table.parts[2 * table.symbols[number] + owner];
  let found = 0;
  for (const [first, value] of runs) if (first <= code) found = value;
  return found;
}

/** The numbers of the pairs of kings without pawns, by 64 * White's square + Black's. */
const KING_PAIRS = (() => {
  const numbers = new Map();
  for (let white = 0; white < 64; white++) {
    const file = white & 7,
      rank = white >> 3;
    if (file > 3 || rank > file) continue;
    for (let black = 0; black < 64; black++) {
      const near = Math.max(Math.abs((black & 7) - file), Math.abs((black >> 3) - rank)) < 2;
      if (!near && !(file === rank && black >> 3 > (black & 7))) numbers.set(64 * white + black, numbers.size);
    }
  }
  return numbers;
})();

/**
 * The index of a position of up to three pieces, in which White is the side with the third piece.
 * @param {number} white
 * @param {number} black
 * @param {{ square: number, kind: string } | null} piece the third one
 * @param {number} blackMoves
 */
function numberOf(white, black, piece, blackMoves) {
  let squares = piece ? [white, black, piece.square] : [white, black];
  const mirror = (/** @type {number} */ bits) => {
    squares = squares.map((square) => square ^ bits);
  };
  if (piece && piece.kind === "P") {
    if ((squares[2] & 7) > 3) mirror(7);
    const slice = 4 * ((squares[2] >> 3) - 1) + (squares[2] & 7);
    return (24 * blackMoves + slice) * 4096 + 64 * squares[0] + squares[1];
  }
  if ((squares[0] & 7) > 3) mirror(7);
  if (squares[0] >> 3 > 3) mirror(56);
  const above = (/** @type {number} */ square) => Math.sign((square >> 3) - (square & 7));
  if ((above(squares[0]) || above(squares[1])) > 0) squares = squares.map((square) => (square >> 3) + 8 * (square & 7));
  const pair = 462 * blackMoves + (KING_PAIRS.get(64 * squares[0] + squares[1]) ?? 0);
  return piece ? 64 * pair + squares[2] : pair;
}

/** @returns {Promise<import("./tables_served.js").About>} */
export async function about() {
  const found = JSON.parse(document.getElementById("data")?.textContent ?? "");
  await open(found.files);
  return found;
}

/**
 * Read the tables: for each class its two files in base64, outcomes and plies.
 * @param {Record<string, string[]>} files
 */
export async function open(files) {
  if (!("DecompressionStream" in globalThis)) throw new Error("This browser cannot unpack tables: a newer one can.");
  for (const [name, texts] of Object.entries(files)) tables.set(name, await Promise.all(texts.map(openTable)));
}

/** @param {State[]} states */
export async function lookUp(states) {
  return states.map(one);
}

/**
 * @param {State} state
 * @returns {Value}
 */
function one({ position, record }) {
  if (record.code < 2) return { outcome: outcomeOf(record), plies: 0 };
  const squares = position?.squares ?? [];
  const { name, turned } = classOf(squares);
  const flip = turned ? 56 : 0;
  const found = tables.get(name);
  if (!found) return { outcome: 0, plies: null, error: `This page does not contain the table of ${name}.` };
  const place = (/** @type {string} */ piece) => squares.indexOf(piece) ^ flip;
  const third = squares.findIndex((piece) => piece && kindOf(piece) !== "K");
  const number = numberOf(
    place(turned ? "k" : "K"),
    place(turned ? "K" : "k"),
    third < 0 ? null : { square: third ^ flip, kind: kindOf(squares[third]) },
    (position?.turn === "b") !== turned ? 1 : 0,
  );
  const asked = turned ? { code: record.code, owner: 1 - record.owner } : record;
  const value = numberIn(found[0], number, asked);
  if (value === 0) return { outcome: outcomeOf(record), plies: 0 };
  return { outcome: turned ? -value : value, plies: numberIn(found[1], number, asked) };
}

/**
 * @param {string} _fen
 * @returns {Promise<import("./tables_served.js").Explored>}
 */
export async function explore(_fen) {
  throw new Error(NOT_HERE);
}
