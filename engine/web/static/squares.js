// Squares, pieces and placements of a board of any size up to 16x16.

/**
 * @typedef {{ name: string, title: string, width: number, height: number, pictures: Record<string, string>,
 *   lines?: Record<string, number[][]> }} GameView
 * lines: palaces and rivers, with x and y of both ends, in squares from the lower left corner
 * @typedef {{ move: string, san: string, from: string, to: string[], letter: string, goal: string, resets: boolean,
 *   sets: boolean }} LegalMove
 */

export const FILES = "abcdefghijklmnop";
/** @type {GameView} */
export const CHESS = {
  name: "chess",
  title: "Chess",
  width: 8,
  height: 8,
  pictures: Object.fromEntries(
    ["king", "queen", "rook", "bishop", "knight", "pawn"].flatMap((name, at) => [
      ["KQRBNP"[at], `white-${name}`],
      ["kqrbnp"[at], `black-${name}`],
    ]),
  ),
};

/**
 * Whether a move passes the turn: a piece stays where it is, as in Janggi. Castling may name the king's own square, too.
 * @param {LegalMove} move
 */
export function isPass(move) {
  return move.to.length === 1 && move.to[0] === move.from;
}

/**
 * The pieces of a FEN, each under the name of its square.
 * @param {string} fen
 * @param {number} height
 * @returns {Map<string, string>}
 */
export function piecesOf(fen, height) {
  const pieces = new Map();
  fen
    .split(/[\s[]/, 1)[0]
    .split("/")
    .slice(0, height)
    .forEach((row, index) => {
      let file = 0;
      // In games with hands, ~ follows a promoted piece; + precedes the letter of a piece in its promoted form.
      for (const item of row.match(/\d+|\+?[^\d~+]/g) ?? []) {
        if (/\d/.test(item)) {
          file += Number(item);
        } else {
          pieces.set(`${FILES[file]}${height - index}`, item);
          file += 1;
        }
      }
    });
  return pieces;
}

/**
 * The placement of pieces as the first field of a FEN.
 * @param {Map<string, string>} pieces each under the name of its square
 * @param {GameView} game
 */
export function placementOf(pieces, game) {
  const rows = [];
  for (let rank = game.height; rank > 0; rank--) {
    let row = "";
    let empty = 0;
    for (const file of FILES.slice(0, game.width)) {
      const letter = pieces.get(`${file}${rank}`);
      if (letter) {
        row += `${empty || ""}${letter}`;
        empty = 0;
      } else empty += 1;
    }
    rows.push(`${row}${empty || ""}`);
  }
  return rows.join("/");
}

/**
 * The squares whose pieces a move has blown up, as a capture in atomic chess does; [] for other moves.
 * @param {string} before FEN
 * @param {string} after FEN
 * @param {string[]} move from where to where
 * @param {number} height
 */
export function burstSquares(before, after, [from, to], height) {
  const left = piecesOf(after, height);
  if (!to || left.has(to)) return [];
  return [...piecesOf(before, height).keys()].filter((square) => square !== from && !left.has(square));
}

/**
 * The pieces in hand, as letters of the FEN.
 * @param {string} fen
 */
export function handOf(fen) {
  return [...(/\[([^\]]*)\]/.exec(fen)?.[1] ?? "")].filter((letter) => letter !== "-");
}

/**
 * Column and row of a square, from the upper left corner.
 * @param {string} square
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function placeOf(square, game, flipped) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square.slice(1)) - 1;
  return flipped ? [game.width - 1 - file, rank] : [file, game.height - 1 - rank];
}

/**
 * The square in this column and row; "" outside the board.
 * @param {number} column
 * @param {number} row
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function squareAt(column, row, game, flipped) {
  if (column < 0 || row < 0 || column >= game.width || row >= game.height) return "";
  const file = flipped ? game.width - 1 - column : column;
  const rank = flipped ? row : game.height - 1 - row;
  return `${FILES[file]}${rank + 1}`;
}

/** @param {string} letter */
export function sideOf(letter) {
  return letter === letter.toUpperCase() ? "white" : "black";
}

/**
 * A piece in words: "white knight", or "white C" for a piece unknown to chess.
 * @param {string} letter
 * @param {GameView} game
 */
export function pieceName(letter, game) {
  const picture = game.pictures[letter];
  return picture ? picture.replace("-", " ") : `${sideOf(letter)} ${letter.toUpperCase()}`;
}

/**
 * The whole position in words.
 * @param {string} fen
 * @param {GameView} game
 */
export function positionInWords(fen, game) {
  const pieces = piecesOf(fen, game.height);
  return ["white", "black"]
    .map((side) => {
      const found = [...pieces].filter(([, letter]) => sideOf(letter) === side);
      const words = found.map(([square, letter]) => `${pieceName(letter, game).replace(`${side} `, "")} ${square}`);
      return `${side === "white" ? "White" : "Black"}: ${words.join(", ") || "no pieces"}.`;
    })
    .join(" ");
}
