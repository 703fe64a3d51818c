"use strict";
// Where values come from: tables in the page itself, or a request to the program that serves it.
//
// Both sources answer a list of states, { position, record }, by a list of { outcome, plies } or { error }. plies are null if
// unknown. The record has to be possible in the position.

// ---- three-man tables in the page: files as docs/table-format.md describes them ----

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// For each entry of a dictionary and each owner of a record: [code, number] of the runs.
function entriesIn(bytes) {
  const view = new DataView(bytes.buffer), parts = [];
  let at = 0;
  while (at < bytes.length) {
    const runs = [], count = bytes[at++];
    for (let i = 0; i < count; i++, at += 3) runs.push([bytes[at], view.getInt16(at + 1, true)]);
    parts.push(runs);
  }
  return parts;
}

async function openTable(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), view = new DataView(bytes.buffer);
  const width = bytes[13], blockBits = view.getUint32(40, true), size = Number(view.getBigUint64(32, true));
  const blocks = view.getUint32(44, true), dictionary = view.getUint32(52, true), statistics = view.getUint32(60, true);
  const listed = 84 + dictionary + statistics, symbols = new Uint32Array(size);
  let at = listed + 8 * blocks;
  for (let block = 0; block < blocks; block++) {
    const packed = view.getUint32(listed + 8 * block, true), plain = await inflated(bytes.subarray(at, at + packed));
    const first = block << blockBits, count = plain.length / width;
    for (let i = 0; i < plain.length; i++) symbols[first + i % count] |= plain[i] << 8 * Math.floor(i / count);
    at += packed;
  }
  return { symbols, parts: entriesIn(await inflated(bytes.subarray(84, 84 + dictionary))) };
}

function numberIn(table, number, { code, owner }) {
  const runs = table.parts[2 * table.symbols[number] + owner];
  let found = 0;
  for (const [first, value] of runs) if (first <= code) found = value;
  return found;
}

// The numbers of the pairs of kings without pawns, by 64 * White's square + Black's.
const KING_PAIRS = (() => {
  const numbers = new Map();
  for (let white = 0; white < 64; white++) {
    const file = white & 7, rank = white >> 3;
    if (file > 3 || rank > file) continue;
    for (let black = 0; black < 64; black++) {
      const near = Math.max(Math.abs((black & 7) - file), Math.abs((black >> 3) - rank)) < 2;
      if (!near && !(file === rank && black >> 3 > (black & 7))) numbers.set(64 * white + black, numbers.size);
    }
  }
  return numbers;
})();

// The index of a position of up to three men, White being the side with the third. man: its square and kind, or null.
function numberOf(white, black, man, blackMoves) {
  let squares = man ? [white, black, man.square] : [white, black];
  const mirror = (bits) => { squares = squares.map((square) => square ^ bits); };
  if (man && man.kind === "P") {
    if ((squares[2] & 7) > 3) mirror(7);
    const slice = 4 * ((squares[2] >> 3) - 1) + (squares[2] & 7);
    return (24 * blackMoves + slice) * 4096 + 64 * squares[0] + squares[1];
  }
  if ((squares[0] & 7) > 3) mirror(7);
  if (squares[0] >> 3 > 3) mirror(56);
  const above = (square) => Math.sign((square >> 3) - (square & 7));
  if ((above(squares[0]) || above(squares[1])) > 0) squares = squares.map((square) => (square >> 3) + 8 * (square & 7));
  const pair = 462 * blackMoves + KING_PAIRS.get(64 * squares[0] + squares[1]);
  return man ? 64 * pair + squares[2] : pair;
}

class EmbeddedTables {
  // files: for each class its two files in base64, outcomes and plies.
  static async open(files) {
    const source = new EmbeddedTables();
    source.tables = new Map();
    for (const [name, texts] of Object.entries(files)) {
      source.tables.set(name, await Promise.all(texts.map(openTable)));
    }
    return source;
  }

  async lookUp(states) {
    return states.map((state) => this.one(state));
  }

  one({ position, record }) {
    if (record.code < 2) return { outcome: outcomeOf(record), plies: 0 };
    const { name, turned } = classOf(position.squares), flip = turned ? 56 : 0;
    if (!this.tables.has(name)) return { error: `There is no table of ${name} in this page.` };
    const [values, plies] = this.tables.get(name);
    const place = (man) => position.squares.indexOf(man) ^ flip;
    const third = position.squares.findIndex((man) => man && kindOf(man) !== "K");
    const number = numberOf(place(turned ? "k" : "K"), place(turned ? "K" : "k"),
      third < 0 ? null : { square: third ^ flip, kind: kindOf(position.squares[third]) },
      (position.turn === "b") !== turned ? 1 : 0);
    const asked = turned ? { code: record.code, owner: 1 - record.owner } : record;
    const value = numberIn(values, number, asked);
    if (value === 0) return { outcome: outcomeOf(record), plies: 0 };
    return { outcome: turned ? -value : value, plies: numberIn(plies, number, asked) };
  }
}

// ---- the program that serves the page ----

class ServedTables {
  async lookUp(states) {
    if (!states.length) return [];
    const asked = states.map(({ position, record }) => [fenOf(position), record.code, record.owner]);
    let answer;
    try {
      answer = await fetch("values", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ states: asked }),
      });
    } catch {
      throw new Error("The program that served this page has ended: start `standstill tables browse` again.");
    }
    if (!answer.ok) throw new Error(`The program that serves this page refused: ${await answer.text()}`);
    return answer.json();
  }
}

// ---- computations from values ----

// Lower is better for the side to move: outcome first, then a short way to an improvement, or a long one to a loss.
function rank(turn, record, value) {
  const sign = turn === "w" ? 1 : -1, gain = sign * (value.outcome - outcomeOf(record)), plies = value.plies ?? 0;
  return [-sign * value.outcome, gain > 0 ? plies : -plies];
}

function compare(turn, record, one, two) {
  if (one.error || two.error) return (one.error ? 1 : 0) - (two.error ? 1 : 0);
  const [a, b] = [rank(turn, record, one), rank(turn, record, two)];
  return a[0] - b[0] || a[1] - b[1];
}

// Each move with its notation, the record after it and its value, the best first; plies count from before the move.
async function moveValues(source, position, record, wholeGame) {
  const moves = legalMoves(position);
  const states = moves.map((move) => ({ position: move.next, record: recordAfter(record, move, wholeGame) }));
  const values = await source.lookUp(states);
  const entries = moves.map((move, index) => {
    const value = values[index];
    if (!value.error) {
      const stands = value.outcome === outcomeOf(record);
      value.plies = stands ? 0 : value.plies === null ? null : value.plies + 1;
    }
    return { move, text: san(position, move, moves), record: states[index].record, value };
  });
  return entries.sort((one, two) => compare(position.turn, record, one.value, two.value));
}
