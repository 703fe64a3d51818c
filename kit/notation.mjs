// Positions, moves and games as text, for rmobility.mjs: FEN, coordinates, algebraic notation, PGN.
//
// Copyright (c) 2026 the Standstill developers. MIT licence: permission is granted, free of charge, to any person
// obtaining a copy of this file to deal in it without restriction, including the rights to use, copy, modify, merge,
// publish, distribute, sublicense and sell copies, provided that this notice is included in all copies or substantial
// portions. The software is provided "as is", without warranty of any kind.

const LETTERS = "PNBRQK";
const CASTLING = 6;

/** @param {number} square */
export function squareText(square) {
  return "abcdefgh"[square & 7] + (1 + (square >> 3));
}

/** @param {Uint8Array} squares */
export function placement(squares) {
  const rows = [];
  for (let first = 56; first >= 0; first -= 8) {
    const row = [...squares.slice(first, first + 8)].map((man) => {
      const letter = LETTERS[(man & 7) - 1] ?? "1";
      return man & 8 ? letter.toLowerCase() : letter;
    });
    rows.push(row.join("").replace(/1+/g, (empty) => String(empty.length)));
  }
  return rows.join("/");
}

/** @param {Uint8Array} squares */
export function castling(squares) {
  let found = "";
  for (const [first, black] of [
    [0, 0],
    [56, 8],
  ]) {
    const row = [...squares.slice(first, first + 8)];
    const king = row.findIndex((man) => (man & 15) === 6 + black);
    const rooks = row.flatMap((man, file) => ((man & 15) === 4 + black ? [file] : []));
    const may = rooks.filter((file) => row[file] & 16).reverse();
    for (const file of may) {
      const isOutermost = file === (file > king ? rooks[rooks.length - 1] : rooks[0]);
      const letter = isOutermost ? (file > king ? "K" : "Q") : "ABCDEFGH"[file];
      found += black ? letter.toLowerCase() : letter;
    }
  }
  return found || "-";
}

/** @param {number[]} move */
export function coordinates([from, to, promotion]) {
  return squareText(from) + squareText(to) + (promotion ? LETTERS[promotion].toLowerCase() : "");
}

/**
 * Read algebraic notation. Returns the move in coordinates, or null unless exactly one legal move fits.
 *
 * @param {string} text
 * @param {number[][]} moves from, to, promotion, kind of piece
 */
export function readSan(text, moves) {
  const plain = text.replace(/(e\.p\.)?[+#!?]*$/, "");
  const way = /^[O0]-[O0](-[O0])?$/.exec(plain);
  /** @type {number[][]} */
  let found = [];
  if (way) {
    found = moves.filter((move) => move[3] === CASTLING && move[1] > move[0] === !way[1]);
  } else {
    const parts = /^([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?([NBRQnbrq]))?$/.exec(plain);
    if (!parts) return null;
    const [, letter, file, rank, target, promotion] = parts;
    const kind = letter ? LETTERS.indexOf(letter) : 0;
    const wanted = promotion ? LETTERS.indexOf(promotion.toUpperCase()) : 0;
    found = moves.filter((move) => {
      const from = squareText(move[0]);
      const fits = move[3] === kind && squareText(move[1]) === target && move[2] === wanted;
      return fits && from.startsWith(file) && from.endsWith(rank);
    });
  }
  return found.length === 1 ? coordinates(found[0]) : null;
}

// The parts of a PGN text: tags, comments, variations, annotations, words.
const PARTS = /^%.*$|\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{[^}]*\}?|;.*$|[()]|\$\d+|[^\s()[\]{};$]+/gm;
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;

/**
 * Yield the games of a PGN text: their tags, the words of their moves, and their results.
 *
 * @param {string} text
 * @returns {Generator<{ tags: Record<string, string>, words: string[], result: string }>}
 */
export function* splitGames(text) {
  const begun = () => ({
    tags: /** @type {Record<string, string>} */ ({}),
    words: /** @type {string[]} */ ([]),
    ended: "",
  });
  let game = begun();
  let depth = 0;
  const ready = () => ({
    tags: game.tags,
    words: game.words,
    result: RESULT.exec(game.tags.Result)?.[0] ?? (game.ended || "*"),
  });
  const isEmpty = () => !game.words.length && !game.ended && !Object.keys(game.tags).length;
  for (const [part, name, value] of text.matchAll(PARTS)) {
    if (name) {
      if (game.words.length || game.ended || name in game.tags) {
        yield ready();
        game = begun();
      }
      game.tags[name] = value.replace(/\\(.)/g, "$1");
      depth = 0;
    } else if (part === "(" || part === ")") {
      depth = Math.max(0, depth + (part === "(" ? 1 : -1));
    } else if (depth === 0 && !/^[%{;$]/.test(part)) {
      if (game.ended) {
        yield ready();
        game = begun();
      }
      const word = part.replace(/^\d+\.+/, "");
      if (RESULT.test(part)) game.ended = part;
      else if (word && !/^(\d+|[-!?=+/∓±⩲⩱∞□.]+|e\.p\.)$/.test(word)) game.words.push(word);
    }
  }
  if (!isEmpty()) yield ready();
}
