// Draws boards: squares, pieces, arrows. Pieces of chess are pictures from the page; others are letters in discs.
import { h, s } from "./dom.js";
import { FILES, piecesOf, placeOf, sideOf } from "./squares.js";

/** @typedef {import("./squares.js").GameView} GameView */
/** @typedef {{ from: string, to: string, kind: string }} Arrow */

export const UNIT = 45; // width of a square in the drawing
const LARGE = 12; // files or ranks of a board whose squares are small

/**
 * @param {string} letter
 * @param {GameView} game
 */
export function pieceDrawing(letter, game) {
  const picture = game.pictures[letter];
  if (picture) return s("use", { href: `#${picture}` });
  return s(
    "g",
    { class: `disc ${sideOf(letter)}` },
    s("circle", { cx: UNIT / 2, cy: UNIT / 2, r: 17 }),
    s("text", { x: UNIT / 2, y: UNIT / 2 }, letter.toUpperCase()),
  );
}

/**
 * A single piece, for buttons.
 * @param {string} letter
 * @param {GameView} game
 */
export function pieceIcon(letter, game) {
  return s(
    "svg",
    { viewBox: `0 0 ${UNIT} ${UNIT}`, class: "icon-man", "aria-hidden": "true" },
    pieceDrawing(letter, game),
  );
}

/**
 * The empty squares, with the light ones below the dark ones; a1 is dark. Over them the lines of palaces and rivers.
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function squaresDrawing(game, flipped) {
  let dark = "";
  for (let row = 0; row < game.height; row++) {
    for (let column = 0; column < game.width; column++) {
      const isDark = flipped ? onDark(game.width - 1 - column, row) : onDark(column, game.height - 1 - row);
      if (isDark) dark += `M${column * UNIT} ${row * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
    }
  }
  return [
    s("rect", { class: "light", width: game.width * UNIT, height: game.height * UNIT }),
    s("path", { class: "dark", d: dark }),
    ...Object.entries(game.lines ?? {}).map(([kind, lines]) => {
      const at = (/** @type {number} */ x, /** @type {number} */ y) =>
        flipped ? `${(game.width - x) * UNIT} ${y * UNIT}` : `${x * UNIT} ${(game.height - y) * UNIT}`;
      return s("path", { class: kind, d: lines.map(([x, y, x2, y2]) => `M${at(x, y)}L${at(x2, y2)}`).join("") });
    }),
  ];
}

/**
 * Names of files and ranks, inside the squares at the edge; larger where the squares are small.
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function coordinates(game, flipped) {
  const isLarge = Math.max(game.width, game.height) >= LARGE;
  const name = `coordinate${isLarge ? " large" : ""}`;
  const found = [];
  for (let column = 0; column < game.width; column++) {
    const file = FILES[flipped ? game.width - 1 - column : column];
    const isDark = onDark(flipped ? game.width - 1 - column : column, flipped ? game.height - 1 : 0);
    const at = {
      x: (column + 1) * UNIT - 2,
      y: game.height * UNIT - 2.5,
      class: isDark ? `${name} file` : `${name} file on-light`,
    };
    found.push(s("text", at, file));
  }
  for (let row = 0; row < game.height; row++) {
    const rank = flipped ? row : game.height - 1 - row;
    const isDark = onDark(flipped ? game.width - 1 : 0, rank);
    const at = { x: 2, y: row * UNIT + (isLarge ? 13.5 : 8), class: isDark ? name : `${name} on-light` };
    found.push(s("text", at, String(rank + 1)));
  }
  return found;
}

/**
 * @param {number} file
 * @param {number} rank
 */
function onDark(file, rank) {
  return (file + rank) % 2 === 0;
}

/**
 * The centre of a square in the drawing.
 * @param {string} square
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function middleOf(square, game, flipped) {
  const [column, row] = placeOf(square, game, flipped);
  return [(column + 0.5) * UNIT, (row + 0.5) * UNIT];
}

/**
 * An arrow from square to square; a ring if both are the same.
 * @param {Arrow} arrow
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function arrowDrawing(arrow, game, flipped) {
  const [x1, y1] = middleOf(arrow.from, game, flipped);
  if (arrow.from === arrow.to) return s("circle", { class: `ring ${arrow.kind}`, cx: x1, cy: y1, r: 19.5 });
  const [x2, y2] = middleOf(arrow.to, game, flipped);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - 17 * dx, y2 - 17 * dy]; // where the head begins
  const point = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${bx + along * dx - aside * dy} ${by + along * dy + aside * dx}`;
  const start = `${x1 + 12 * dx} ${y1 + 12 * dy}`;
  return s(
    "g",
    { class: `arrow ${arrow.kind}` },
    s("path", { class: "shaft", d: `M${start}L${bx} ${by}` }),
    s("path", { class: "head", d: `M${point(0, 9)}L${point(17, 0)}L${point(0, -9)}z` }),
  );
}

/**
 * The sign of a move, at the corner of its square.
 * @param {string} sign
 * @param {string} square
 * @param {GameView} game
 * @param {boolean} flipped
 */
export function signDrawing(sign, square, game, flipped) {
  const [x, y] = middleOf(square, game, flipped);
  const kind = sign === "?!" ? "own" : sign === "!?" ? "hint" : sign.startsWith("?") ? "worse" : "better";
  return s(
    "g",
    { class: `sign ${kind}`, transform: `translate(${x + 17} ${y - 17})` },
    s("circle", { r: 9 }),
    s("text", {}, sign),
  );
}

/**
 * A small board for display only.
 * @param {GameView} game
 * @param {string} fen
 * @param {{ squares?: string[], arrows?: Arrow[], label: string, check?: string[] }} extra squares: marked with dots
 */
export function diagram(game, fen, extra) {
  const pieces = [...piecesOf(fen, game.height)].map(([square, letter]) => {
    const [column, row] = placeOf(square, game, false);
    return s("g", { transform: `translate(${column * UNIT} ${row * UNIT})` }, pieceDrawing(letter, game));
  });
  const dots = (extra.squares ?? []).map((square) => {
    const [cx, cy] = middleOf(square, game, false);
    return s("circle", { class: "target", cx, cy, r: 7 });
  });
  const arrows = (extra.arrows ?? []).map((arrow) => arrowDrawing(arrow, game, false));
  const size = `0 0 ${game.width * UNIT} ${game.height * UNIT}`;
  return h(
    "div",
    { class: "diagram" },
    s(
      "svg",
      { viewBox: size, role: "img", "aria-label": extra.label },
      ...squaresDrawing(game, false),
      ...pieces,
      ...dots,
      ...arrows,
    ),
  );
}
