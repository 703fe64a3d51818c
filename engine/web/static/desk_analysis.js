// Analyses: the tree of a game with its backed-up values, and the view Analysis with the queue of all games.
import { counted, instant } from "./desk_texts.js";
import { byId, h } from "./dom.js";
import { get } from "./server.js";

/**
 * @typedef {{ move: string, score: string, own: string, depth: number, best: boolean, level: number, ply: number,
 *   engine: string, moves: string, line: import("./desk_game.js").Position[] | null, next: boolean }} Node
 * @typedef {{ nodes: Node[], score: string, best: string, changed: string, at: number | null }} Tree
 */

/**
 * @param {Tree | null} tree
 * @param {(node: Node) => void} chosen
 * @param {(node: Node) => void} kept
 */
export function nodeList(tree, chosen, kept) {
  if (!tree?.nodes.length)
    return h("p", { class: "dim" }, "No analysis yet: ", h("code", {}, "standstill games analyse"), " begins one.");
  return h(
    "ol",
    { class: "nodes" },
    ...tree.nodes.map((node) =>
      h(
        "li",
        { "data-level": Math.min(node.level, 12), "data-best": node.best },
        h("button", { type: "button", onclick: () => chosen(node) }, node.move),
        h("span", { class: "value" }, node.score),
        h(
          "span",
          { class: "dim" },
          `${node.depth ? `depth ${node.depth}` : "from below"}${node.own && node.own !== node.score ? `, alone ${node.own}` : ""}`,
        ),
        node.next ? h("span", { class: "badge" }, "next") : null,
        node.level
          ? h(
              "button",
              {
                type: "button",
                class: "keep",
                "aria-label": `Keep the line to ${node.move} in the notes`,
                onclick: () => kept(node),
              },
              "to notes",
            )
          : null,
      ),
    ),
  );
}

export async function drawAnalysis() {
  const found = await get("/api/desk/analyses");
  if (found.missing) return;
  const now = found.running
    ? h("p", { class: "live" }, found.running)
    : h(
        "p",
        { class: "dim" },
        "No analysis runs. Start one in a terminal: ",
        h("code", {}, "standstill games analyse --all --time 8h"),
      );
  const rows = found.games.map((/** @type {Record<string, any>} */ game) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: `#game=${encodeURIComponent(game.name)}` },
        h("strong", {}, game.opponent),
        h("span", { class: "dim" }, game.name),
      ),
      h("span", { class: "value" }, game.score || "–"),
      h("span", {}, game.line || "not analysed yet"),
      h(
        "span",
        { class: "dim" },
        [game.nodes ? counted(game.nodes, "position") : "", game.at ? instant(game.at) : "", game.changed]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
  );
  const report = found.report.length
    ? [
        h(
          "section",
          { class: "panel card" },
          h("h2", {}, `What the analysis since ${instant(found.reported)} has changed`),
          h("ul", { class: "plain" }, ...found.report.map((/** @type {string} */ line) => h("li", {}, line))),
        ),
      ]
    : [];
  byId("analyses").replaceChildren(
    ...report,
    h("section", { class: "panel card" }, h("h2", {}, "Queue"), now, h("ol", { class: "queue" }, ...rows)),
  );
}
