// The parts of a game's panel beside the moves: players, key moments, figures of both players.
import { goalChart } from "./goal_chart.js";
import { byId, h, s, showText } from "./dom.js";
import { diagram } from "./drawing.js";
import { signsOf } from "./move_list.js";

/** @typedef {import("./study.js").Study} Study */

/** @param {Study} study */
export function drawHead(study) {
  const { tags } = study;
  const rated = (/** @type {string} */ side) =>
    `${tags[side] ?? side}${tags[`${side}Elo`] ? ` (${tags[`${side}Elo`]})` : ""}`;
  byId("players").textContent =
    `${rated("White")} \u2013 ${rated("Black")}  ${study.result.replace(/1\/2/g, "\u00bd").replace("-", "\u2060\u2013\u2060")}`;
  byId("about").textContent = ["Event", "Site", "Date", "ECO", "Opening"]
    .map((name) => tags[name]?.replace(/(\.\?\?)+$/, ""))
    .filter(Boolean)
    .join(", ");
  byId("judge").textContent = study.judge
    ? `Source of the evaluations: ${study.judge}.`
    : "The game has no evaluations.";
  if (study.judges.length) byId("judge").append(" Each has its own curve: ", ...study.judges.flatMap(keyOf), ".");
  document.title = `${tags.White ?? "White"} \u2013 ${tags.Black ?? "Black"} \u00b7 Standstill`;
}

/**
 * A player's name with the stroke of its curve.
 * @param {string} name
 * @param {number} index
 */
function keyOf(name, index) {
  const stroke = s("path", { class: index ? "second" : "", d: "M0 4h24" });
  const key = s("svg", { class: "key", viewBox: "0 0 24 8", "aria-hidden": "true" }, stroke);
  return [index ? ", " : "", key, ` ${name}`];
}

/** @param {Study} study */
export function drawMoments(study) {
  const percent = (/** @type {number} */ result) => `${Math.round(100 * result)} %`;
  const cards = study.moments.map((each) => {
    const node = study.nodes[each.ply];
    const picture = diagram(study.game, study.nodes[each.ply - 1].fen, {
      arrows: node.squares.length ? [{ from: node.squares[0], to: node.squares[1], kind: "worse" }] : [],
      label: `Before ${each.move}`,
    });
    const swing = h("span", { class: "swing" }, `${Math.round(100 * each.before)} \u2192 ${percent(each.after)}`);
    const better = each.better ? h("span", { class: "dim better-words" }, `better ${each.better}`) : null;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", "data-ply": String(each.ply) },
        picture,
        h(
          "span",
          { class: "words" },
          h("strong", {}, each.move + (signsOf(node).join("") || each.sign)),
          swing,
          better,
        ),
      ),
    );
  });
  byId("moments").replaceChildren(...cards);
  byId("moments").hidden = !cards.length;
}

/** @param {Study} study */
export function drawFigures(study) {
  const body = byId("figures-body");
  byId("goals").replaceChildren(
    goalChart(study.goals, study.goals.length - 1),
    h("figcaption", { class: "dim" }, "The opponent's legal moves after each move, and the R-Mobility record."),
  );
  byId("judging").hidden = !study.judge;
  const x05 = byId("x05", HTMLInputElement);
  if (Number(x05.value) !== study.x05) showText(x05, String(study.x05));
  byId("positions", HTMLSelectElement).value = study.schemes.positions;
  byId("move-marks", HTMLSelectElement).value = study.schemes.moves;
  const [first] = study.players;
  body.hidden = !first;
  if (!first) return;
  const symbols = Object.keys(first.signs);
  const head = h(
    "tr",
    {},
    ...["Player", "Moves", ...symbols, "Lost", "Kept"].map((name) => h("th", { scope: "col" }, name)),
  );
  const rows = study.players.map((player) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, player.name),
      ...[
        player.moves,
        ...symbols.map((each) => player.signs[each] || "\u00b7"),
        player.lost.toFixed(2),
        `${(100 * player.kept).toFixed(1)}\u00a0%`,
      ].map((cell) => h("td", {}, String(cell))),
    ),
  );
  const shownText =
    "Signs follow from the evaluations. Lost: the expected result, in games, that was lost compared with the best moves. Kept: the share that a move kept on average.";
  body.replaceChildren(
    h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)),
    h("p", { class: "dim" }, shownText),
  );
}
