// The overlay for a stream: the record of the followed game, as a bar or a card on a transparent page.
import { goalChart } from "./goal_chart.js";
import { byId, h } from "./dom.js";
import { shown } from "./intro.js";
import {
  beatingText,
  bothPoints,
  komiText,
  lastMove,
  moveOfRecord,
  movesText,
  nameOf,
  outcomeText,
  reasonText,
  resultText,
} from "./live_texts.js";
import { title } from "./panel.js";
import { listen, takeToken } from "./server.js";

/** @typedef {import("./live_texts.js").Now} Now */
/** @typedef {import("./live_texts.js").Forecast} Forecast */
/** @typedef {{ fault: string, now: Now, first: any, plies: any[], line: { forecast: Forecast | null } | null }} Followed */

const isCard = new URLSearchParams(location.search).get("size") === "card";
/** @type {Followed | null} */
let game = null;

/**
 * A label with a value and a remark below it.
 * @param {string} kind
 * @param {string} label
 * @param {import("./dom.js").Child} value
 * @param {import("./dom.js").Child} remark
 */
function part(kind, label, value, remark) {
  return h("section", { class: kind }, h("h2", {}, label), h("p", { class: "value" }, value), remark);
}

/**
 * @param {string} text
 * @param {string} [kind] proven, or guess
 */
function remarkOf(text, kind = "") {
  return h("p", { class: `remark ${kind}` }, text);
}

/**
 * @param {Now} now
 * @param {"white" | "black"} side
 */
function player(now, side) {
  const isTurn = now.turn === side && now.result === "*";
  const lowest = now.lowest[side];
  const last = now.last?.side === side ? h("span", { class: "last" }, lastMove(now)) : null;
  const remarks = [movesText(now.mobility[side]), lowest && !last ? `lowest ${shown(lowest)}` : ""].filter(Boolean);
  return h(
    "section",
    { class: `player ${side}`, "data-turn": String(isTurn) },
    h("p", { class: "name" }, h("i", { class: `stone ${side}` }), h("span", {}, nameOf(now, side))),
    h("p", { class: "remark" }, remarks.join(" · "), last ? " · " : "", last),
  );
}

/** @param {Now} now */
function record(now) {
  const goal = h("b", { class: "goal", "data-owner": now.owner ?? "" }, now.record ? shown(now.record) : "none");
  const holder = now.owner ? title(now.owner) : "";
  const label = now.result === "*" ? "R-Mobility record" : "Final record";
  return part("record", label, goal, remarkOf([holder, moveOfRecord(now)].filter(Boolean).join(", ")));
}

/** @param {Now} now */
function toBeat(now) {
  if (now.result !== "*") return part("beat", "Result", resultText(now.result), remarkOf(reasonText(now)));
  const can = now.beating.length ? `Now: ${beatingText(now, isCard ? 3 : 1)}` : "No move beats it now";
  const [first, ...rest] = (now.to_beat ?? "").replace(/^leave /, "").split(/(?=, or)/);
  const isLong = (now.to_beat ?? "").length > 30;
  const value = h("span", { class: isLong ? "long" : "" }, first, rest.length ? h("small", {}, rest.join("")) : null);
  return part("beat", now.to_beat?.startsWith("leave") ? "To beat it, leave" : "To beat it", value, remarkOf(can));
}

/**
 * @param {Now} now
 * @param {Forecast | null} forecast
 */
function stake(now, forecast) {
  const isOpen = now.result === "*";
  let remark = null;
  if (isOpen && outcomeText(now)) remark = remarkOf(`Proven: ${outcomeText(now)}`, "proven");
  else if (isOpen && forecast)
    remark = remarkOf(`${forecast.promised ? "Outcome" : "Forecast"}: ${shown(forecast.record)}`, "guess");
  const short = now.komi ? `If drawn now, ${komiText(now)}` : "Points if drawn now"; // a bar has room for one line
  return part("stake", isOpen ? short : "Points", bothPoints(now.points), remark);
}

function draw() {
  const place = byId("overlay");
  place.hidden = game === null;
  if (!game) return;
  const { now } = game;
  const forecast = game.line?.forecast ?? null;
  const middle = [record(now), toBeat(now), stake(now, forecast)];
  const chart = isCard ? h("div", { class: "chart" }, goalChart([game.first, ...game.plies], game.plies.length)) : null;
  place.dataset.stale = String(Boolean(game.fault));
  place.replaceChildren(
    player(now, "white"),
    ...(isCard ? [player(now, "black"), ...middle] : [...middle, player(now, "black")]),
    chart ?? "",
  );
  document.body.dataset.state = "game";
}

document.body.dataset.size = isCard ? "card" : "bar";
document.body.dataset.state = "waiting";
takeToken();
void listen(
  "/api/live/events",
  (kind, data) => {
    if (kind === "live" && data.now) game = data;
    else if (kind === "line" && game && data.rank === 1) game.line = data;
    draw();
  },
  new AbortController().signal,
  (problem) => {
    // A stream must not show errors, so the last state stays, and is marked as outdated.
    byId("overlay").dataset.stale = String(problem !== null);
    document.body.dataset.connected = String(problem === null);
    if (problem && problem.status >= 400) document.body.dataset.state = "refused";
  },
);
