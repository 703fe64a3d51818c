// Chess without castling, for positions with few pieces, and the goals of R-Mobility.
//
// A square is a number: a1 is 0, b1 1, h8 63. A piece, or pawn, is a letter as in FEN; "" is an empty square.
// A position is { squares, turn, ep }: 64 letters, "w" or "b", and the square that a pawn has just passed, or -1; ep is kept
// only if a capture there is legal. A record is { code, owner }: twice the number of legal moves, plus one if not in
// check, and the side that reached it, 0 for White. An outcome is a record as one number, from White's point of view:
// a larger number is better for White.

/** @typedef {{ squares: string[], turn: string, ep: number }} Position */
/** @typedef {{ code: number, owner: number }} Goal */
/** @typedef {{ from: number, to: number, promoted: string, takes: boolean, resets: boolean, next: Position }} Move */

export const TOP = 127;
/** @type {Record<string, string>} */
export const NAMES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
const STRAIGHT = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ],
  DIAGONAL = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ];
const LEAPS = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];
/** @type {Record<string, number[][]>} */
const STEPS = { N: LEAPS, B: DIAGONAL, R: STRAIGHT, Q: [...STRAIGHT, ...DIAGONAL], K: [...STRAIGHT, ...DIAGONAL] };
const ORDER = "KQRBNP"; // strength, as in the names of classes

/** @param {string} piece */
export const colourOf = (piece) => (piece === piece.toUpperCase() ? "w" : "b");
/**
 * @param {string} piece
 * @param {string} colour
 */
const isPiece = (piece, colour) => piece !== "" && colourOf(piece) === colour;
/** @param {string} colour */
const other = (colour) => (colour === "w" ? "b" : "w");
/** @param {string} piece */
export const kindOf = (piece) => piece.toUpperCase();
/** @param {number} square */
export const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);

/**
 * The square at this distance, or -1.
 * @param {number} square
 * @param {number[]} step
 */
function shifted(square, [files, ranks]) {
  const file = (square & 7) + files,
    rank = (square >> 3) + ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : 8 * rank + file;
}

/**
 * The squares that the piece on a square attacks.
 * @param {string[]} squares
 * @param {number} from
 */
function attacks(squares, from) {
  const piece = squares[from],
    kind = kindOf(piece);
  /** @type {number[]} */
  const found = [];
  if (kind === "P") {
    const ahead = piece === "P" ? 1 : -1;
    return [shifted(from, [-1, ahead]), shifted(from, [1, ahead])].filter((square) => square >= 0);
  }
  for (const step of STEPS[kind]) {
    let to = shifted(from, step);
    while (to >= 0) {
      found.push(to);
      if (kind === "N" || kind === "K" || squares[to]) break;
      to = shifted(to, step);
    }
  }
  return found;
}

/**
 * @param {string[]} squares
 * @param {string} colour
 */
export function inCheck(squares, colour) {
  const king = squares.indexOf(colour === "w" ? "K" : "k");
  return squares.some((piece, from) => isPiece(piece, other(colour)) && attacks(squares, from).includes(king));
}

/**
 * The position after a move, without testing its legality.
 * @param {Position} position
 * @param {number} from
 * @param {number} to
 * @param {string} promoted
 * @returns {Position}
 */
function moved(position, from, to, promoted) {
  const squares = [...position.squares],
    piece = squares[from],
    isPawn = kindOf(piece) === "P";
  const passing = isPawn && to === position.ep;
  if (passing) squares[to + (piece === "P" ? -8 : 8)] = "";
  squares[from] = "";
  squares[to] = promoted ? (piece === "P" ? promoted : promoted.toLowerCase()) : piece;
  const ep = isPawn && Math.abs(to - from) === 16 ? (from + to) / 2 : -1;
  return { squares, turn: other(position.turn), ep };
}

/**
 * @param {Position} position
 * @param {number} from
 */
function pawnTargets(position, from) {
  const { squares, turn, ep } = position,
    step = turn === "w" ? 8 : -8;
  const targets = attacks(squares, from).filter((to) => to === ep || isPiece(squares[to], other(turn)));
  if (squares[from + step] === "") {
    targets.push(from + step);
    if (from >> 3 === (turn === "w" ? 1 : 6) && squares[from + 2 * step] === "") targets.push(from + 2 * step);
  }
  return targets;
}

/**
 * All moves that leave the mover's king out of check: { from, to, promoted, resets, takes, next }.
 * @param {Position} position
 */
export function legalMoves(position) {
  const { squares, turn } = position;
  /** @type {Move[]} */
  const found = [];
  squares.forEach((piece, from) => {
    if (!isPiece(piece, turn)) return;
    const isPawn = kindOf(piece) === "P";
    const targets = isPawn
      ? pawnTargets(position, from)
      : attacks(squares, from).filter((to) => !isPiece(squares[to], turn));
    for (const to of targets) {
      const takes = squares[to] !== "" || (isPawn && to === position.ep);
      for (const promoted of isPawn && (to < 8 || to > 55) ? ["Q", "R", "B", "N"] : [""]) {
        const next = moved(position, from, to, promoted);
        if (!inCheck(next.squares, turn)) found.push({ from, to, promoted, takes, resets: takes || isPawn, next });
      }
    }
  });
  for (const move of found) if (move.next.ep >= 0) dropIdleEp(move.next);
  return found;
}

/** @param {Position} position */
function dropIdleEp(position) {
  const { squares, turn, ep } = position;
  const can = squares.some(
    (piece, from) =>
      piece === (turn === "w" ? "P" : "p") &&
      attacks(squares, from).includes(ep) &&
      !inCheck(moved(position, from, ep, "").squares, turn),
  );
  if (!can) position.ep = -1;
}

/** @param {Move} move */
export const moveText = (move) => squareName(move.from) + squareName(move.to) + move.promoted.toLowerCase();

/**
 * Standard notation. moves: all legal ones, among which the text has to be unique.
 * @param {Position} position
 * @param {Move} move
 * @param {Move[]} moves
 */
export function san(position, move, moves) {
  const kind = kindOf(position.squares[move.from]),
    to = squareName(move.to);
  let text;
  if (kind === "P") {
    text = (move.takes ? `${squareName(move.from)[0]}x` : "") + to + (move.promoted ? `=${move.promoted}` : "");
  } else {
    const rivals = moves.filter(
      (each) =>
        each.to === move.to && each.from !== move.from && position.squares[each.from] === position.squares[move.from],
    );
    const sameFile = rivals.some((each) => (each.from & 7) === (move.from & 7));
    const sameRank = rivals.some((each) => each.from >> 3 === move.from >> 3);
    const own = squareName(move.from);
    const which = !rivals.length ? "" : !sameFile ? own[0] : !sameRank ? own[1] : own;
    text = kind + which + (move.takes ? "x" : "") + to;
  }
  if (!inCheck(move.next.squares, move.next.turn)) return text;
  return text + (legalMoves(move.next).length ? "+" : "#");
}

// ---- text ----

/** @param {Position} position */
export function fenOf(position) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank--) {
    const row = position.squares
      .slice(8 * rank, 8 * rank + 8)
      .map((piece) => piece || "1")
      .join("");
    rows.push(row.replace(/1+/g, (ones) => String(ones.length)));
  }
  return `${rows.join("/")} ${position.turn} - ${position.ep < 0 ? "-" : squareName(position.ep)} 0 1`;
}

/**
 * The fields of a FEN, with a hyphen for each of the dashes that web pages print.
 * @param {string} text
 */
export const fieldsOf = (text) =>
  text
    .replace(/[\u2010-\u2014\u2212]/g, "-")
    .trim()
    .split(/[\s_]+/);

/**
 * Throws an Error whose message names the fault in the text.
 * @param {string} text
 * @returns {Position}
 */
export function readFen(text) {
  const [placement, turn = "w", castling = "-", ep = "-"] = fieldsOf(text),
    squares = /** @type {string[]} */ (Array(64).fill(""));
  const rows = placement.split("/");
  if (rows.length !== 8) throw new Error(`Expected eight rows of a FEN, found ${rows.length}.`);
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
      } else if (kindOf(letter) in NAMES) {
        if (file < 8) squares[8 * (7 - index) + file] = letter;
        file += 1;
      } else {
        throw new Error(`Expected pieces and numbers of empty squares, found “${letter}” in row ${8 - index}.`);
      }
    }
    if (file !== 8) throw new Error(`Expected eight squares in row ${8 - index}, found ${file}.`);
  });
  if (turn !== "w" && turn !== "b") throw new Error(`Expected w or b as the side to move, found “${turn}”.`);
  if (castling !== "-") throw new Error("Tables exclude positions with castling rights.");
  const position = { squares, turn, ep: -1 };
  if (ep !== "-") {
    const square = "abcdefgh".indexOf(ep[0]) + 8 * (Number(ep[1]) - 1),
      ahead = turn === "w" ? 8 : -8;
    const pawn = turn === "w" ? "p" : "P";
    if (
      !/^[a-h][36]$/.test(ep) ||
      square >> 3 !== (turn === "w" ? 5 : 2) ||
      squares[square - ahead] !== pawn ||
      squares[square] ||
      squares[square + ahead]
    ) {
      throw new Error(`No pawn can have passed ${ep}.`);
    }
    position.ep = square;
    if (!problem(position)) dropIdleEp(position);
  }
  return position;
}

/**
 * The reason, in one sentence, why a position is impossible; "" for a possible one.
 * @param {Position} position
 */
export function problem(position) {
  const { squares, turn } = position;
  for (const [king, side] of [
    ["K", "White"],
    ["k", "Black"],
  ]) {
    const kings = squares.filter((piece) => piece === king).length;
    if (kings !== 1) return `Expected one king of ${side}, found ${kings}.`;
  }
  const [white, black] = [squares.indexOf("K"), squares.indexOf("k")];
  if (STEPS.K.some((step) => shifted(white, step) === black)) return "The kings are next to each other.";
  const pawn = squares.findIndex((piece, square) => kindOf(piece) === "P" && (square < 8 || square > 55));
  if (pawn >= 0) return `No pawn can stand on ${squareName(pawn)}.`;
  if (inCheck(squares, other(turn))) {
    return `${sideName(other(turn))} is in check, and it is ${sideName(turn)} to move.`;
  }
  return "";
}

/** @param {string | number} colour */
export const sideName = (colour) => (colour === "w" || colour === 0 ? "White" : "Black");

/**
 * The class of material, such as KBvK: the side with more or stronger pieces first. turned: that side is Black.
 * @param {string[]} squares
 */
export function classOf(squares) {
  const sides = ["w", "b"].map((colour) =>
    squares
      .filter((piece) => isPiece(piece, colour))
      .map(kindOf)
      .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
  );
  const strength = sides.map(
    (side) => String.fromCharCode(99 - side.length) + side.map((kind) => ORDER.indexOf(kind)).join(""),
  );
  const turned = strength[1] < strength[0];
  if (turned) sides.reverse();
  return { name: `${sides[0].join("")}v${sides[1].join("")}`, turned };
}

// ---- R-Mobility ----

/**
 * @param {Position} position
 * @param {Move[]} moves
 * @returns {Goal}
 */
export function goalOf(position, moves) {
  return {
    code: 2 * moves.length + (inCheck(position.squares, position.turn) ? 0 : 1),
    owner: position.turn === "w" ? 1 : 0,
  };
}

/** @param {Goal} record */
export const outcomeOf = (record) => (record.owner === 0 ? TOP - record.code : record.code - TOP);
/**
 * @param {number} outcome
 * @returns {Goal}
 */
export const recordOf = (outcome) => ({ code: TOP - Math.abs(outcome), owner: outcome > 0 ? 0 : 1 });
/** @param {Goal} record */
export const goalText = ({ code, owner }) => `${owner ? "-" : ""}G${code >> 1}.${code % 2 ? 5 : 0}`;
/** @param {Goal} record */
export const shownGoal = (record) => goalText(record).replace("-", "\u2212");

/**
 * The record in force in a position: the given record, unless the position's own goal is lower.
 * @param {Position} position
 * @param {Goal | null} given
 * @param {Move[]} moves
 */
export function held(position, given, moves) {
  const own = goalOf(position, moves);
  return given && given.code <= own.code ? given : own;
}

/**
 * The record after a move.
 * @param {Goal} record
 * @param {Move} move
 * @param {boolean} wholeGame
 */
export function recordAfter(record, move, wholeGame) {
  const own = goalOf(move.next, legalMoves(move.next));
  return own.code < record.code || (move.resets && !wholeGame) ? own : record;
}

/**
 * @param {string} text
 * @returns {Goal}
 */
export function readGoal(text) {
  const found = /^([-\u2212\u2013+]?)[Gg](\d{1,3})(?:\.([05]))?$/.exec(text.trim());
  if (!found) throw new Error(`Expected a goal such as G1.5 or -G8.5, found “${text}”.`);
  return {
    code: 2 * Number(found[2]) + (found[3] === "5" ? 1 : 0),
    owner: found[1] === "" || found[1] === "+" ? 0 : 1,
  };
}
