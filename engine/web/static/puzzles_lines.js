// The worth of an answer, in words and symbols, and the lines to step through.
import { byId, h } from "./dom.js";
import { symbolDrawing } from "./symbols.js";

/**
 * @typedef {{ san: string, number: number, by: string, last: string[], fen: string, turn: string, check: string[] }} Step
 * @typedef {{ text: string, meaning: string }} Symbol
 * @typedef {{ kind: "better" | "worse", sign: string, text: string, symbol: Symbol | null, nodes: Step[] }} Line
 * @typedef {{ verdict: "right" | "good" | "close" | "wrong" | "solution", words: string, over?: boolean, symbol?: Symbol,
 *   line?: Step[], lines?: Line[], legal?: import("./squares.js").LegalMove[], game_words?: string,
 *   comes?: string }} Judged
 */

const NAMES = { right: "Right", good: "Right", close: "Nearly", wrong: "Wrong", solution: "Solution" };

/** @param {Judged | null} judged */
export function drawVerdict(judged) {
  const place = byId("verdict");
  place.dataset.kind = judged?.verdict ?? "";
  if (!judged) {
    place.replaceChildren();
    return;
  }
  const { symbol } = judged;
  const again = judged.verdict === "wrong" && !judged.over ? " Try again." : "";
  place.replaceChildren(
    h("strong", {}, NAMES[judged.verdict]),
    symbol ? symbolDrawing(symbol.text, symbol.meaning) : "",
    h("span", {}, `${judged.words}${again}`),
  );
}

/**
 * A move with its number: "24. Nf3", "24\u2026 Nf6".
 * @param {Step} step
 */
export function lineName(step) {
  return `${step.number}${step.by === "white" ? "." : "\u2026"} ${step.san}`;
}

/**
 * The lines, each move a button.
 * @param {Judged | null} judged
 * @param {number} line the chosen one
 * @param {number} at the place in it
 */
export function drawLines(judged, line, at) {
  const rows = (judged?.lines ?? []).map((each, index) =>
    h(
      "li",
      { "data-kind": each.kind },
      h(
        "span",
        { class: "worth" },
        each.symbol ? symbolDrawing(each.symbol.text, each.symbol.meaning) : "",
        h("span", { class: "dim" }, each.text),
      ),
      h(
        "span",
        { class: "line-moves" },
        ...each.nodes.map((step, place) => moveButton(each, step, index, place, line, at)),
      ),
    ),
  );
  byId("lines").replaceChildren(...rows);
}

/**
 * @param {Line} owner
 * @param {Step} step
 * @param {number} index of the line
 * @param {number} place of the move in it
 * @param {number} line that the board shows
 * @param {number} at its place there
 */
function moveButton(owner, step, index, place, line, at) {
  const isHere = index === line && place + 1 === at;
  const name = place === 0 || step.by === "white" ? lineName(step) : step.san;
  const sign = place === 0 ? owner.sign : "";
  const marks = { "data-line": index, "data-at": place + 1, "aria-current": isHere ? "true" : null };
  return h("button", { type: "button", class: "quiet", ...marks }, `${name}${sign}`);
}
