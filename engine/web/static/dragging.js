// A piece that is dragged to the board from beside it.
import { isDrag } from "./board.js";
import { h } from "./dom.js";
import { pieceIcon } from "./drawing.js";

/**
 * Follow a press on a piece beside the board until it ends.
 * @param {PointerEvent} event
 * @param {string} letter
 * @param {import("./board.js").Board} board
 * @param {{ lifted: () => void, dropped: (square: string) => void }} owner dropped: "" outside the board
 */
export function dragPiece(event, letter, board, owner) {
  if (event.button) return;
  const press = { x: event.clientX, y: event.clientY };
  const end = new AbortController();
  /** @type {HTMLElement | null} */
  let ghost = null;
  const move = (/** @type {PointerEvent} */ to) => {
    if (!ghost && isDrag(press, to)) {
      ghost = h("div", { class: "ghost" }, pieceIcon(letter, board.game));
      ghost.style.width = `${board.svg.getBoundingClientRect().width / board.game.width}px`;
      document.body.append(ghost);
      owner.lifted();
    }
    ghost?.style.setProperty("left", `${to.clientX}px`);
    ghost?.style.setProperty("top", `${to.clientY}px`);
  };
  const finish = (/** @type {PointerEvent} */ at) => {
    end.abort();
    ghost?.remove();
    if (ghost) owner.dropped(at.type === "pointerup" ? board.squareOf(at) : "");
  };
  addEventListener("pointermove", move, end);
  addEventListener("pointerup", finish, end);
  addEventListener("pointercancel", finish, end);
}
