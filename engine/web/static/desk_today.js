// The view Today: every running game by urgency, with clock and bank as bars, filters, and the fetch.
import { CAP, DAY, MINUTE, bar, counted, instant, span, urgency } from "./desk_texts.js";
import { byId, h } from "./dom.js";

/**
 * @typedef {{ name: string, white: string, black: string, side: string | null, opponent: string, player: string,
 *   turn: string, whose: string, mine: boolean, status: string, control: string, move: number, last: string,
 *   left: number | null, bank: number, hasBank: boolean, clockKnown: boolean, bankKnown: boolean,
 *   deadline: number | null, flagged: boolean, silent: number, event: string, server: boolean, offered: boolean,
 *   tags: string[], unsent: boolean, noEngines: boolean }} Entry
 * @typedef {{ now: number, games: Entry[], ended: Record<string, string>[], problems: string[], path: string,
 *   accounts: number, banks: number }} Today
 */

const DUE = 7 * DAY;
const SILENT = 20 * DAY;
const AT_ONCE = 60; // rows of a new list that are drawn before the others

/** @type {Record<string, (entry: Entry) => boolean>} */
const FILTERS = {
  mine: (entry) => entry.mine,
  due: (entry) => entry.mine && entry.left !== null && entry.left <= DUE,
  empty: (entry) => entry.mine && entry.hasBank && entry.bankKnown && entry.bank <= 0,
  offered: (entry) => entry.offered,
  silent: (entry) => !entry.mine && entry.status === "running" && entry.silent >= SILENT,
};

/** @type {Today | null} */
let shown = null;
const chosen = new Set();
let drawing = 0;
let drawn = ""; // the games as they were drawn, without what changes with time

/** @param {Entry} entry */
function until(entry) {
  if (entry.deadline === null) return "";
  if (entry.flagged) return `since ${instant(entry.deadline)}`;
  return `${entry.clockKnown ? "by" : "not before"} ${instant(entry.deadline)}`;
}

/** @param {Entry} entry */
function row(entry) {
  const turn =
    entry.status === "running"
      ? entry.mine
        ? entry.unsent
          ? "not sent yet"
          : "your move"
        : entry.side
          ? "opponent"
          : `${entry.turn} to move`
      : entry.whose;
  const left = entry.left ?? 0;
  const clock = entry.left === null ? "no clock runs" : entry.flagged ? "time up" : span(left, entry.clockKnown);
  const badges = [
    entry.offered ? h("span", { class: "badge good" }, "draw offered") : null,
    FILTERS.silent(entry) ? h("span", { class: "badge" }, `silent ${Math.floor(entry.silent / DAY)} d`) : null,
    ...entry.tags.map((tag) => h("span", { class: "badge tag" }, tag)),
  ];
  const bank = entry.hasBank ? bar("bank", entry.bank, 2 * CAP, span(entry.bank, entry.bankKnown), "bank") : null;
  return h(
    "li",
    { "data-urgency": entry.mine ? urgency(entry.left) : "none", "data-mine": entry.mine },
    h(
      "a",
      { href: `#game=${encodeURIComponent(entry.name)}` },
      h(
        "span",
        { class: "who" },
        h("strong", {}, entry.opponent),
        h("span", { class: "dim" }, [entry.name, entry.event].filter(Boolean).join(" · ")),
      ),
      h(
        "span",
        { class: "turn" },
        h("span", {}, turn),
        h("span", { class: "dim" }, entry.last ? `after ${entry.last}` : `move ${entry.move}`),
      ),
      h("span", { class: "bars" }, bar("clock", left, CAP, clock, entry.mine ? urgency(entry.left) : "calm"), bank),
      h("span", { class: "until" }, h("span", {}, until(entry)), ...badges),
    ),
  );
}

/** @param {Entry} entry */
function matches(entry) {
  const words = byId("search", HTMLInputElement).value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [entry.name, entry.white, entry.black, entry.event, ...entry.tags].join(" ").toLowerCase();
  return words.every((word) => text.includes(word)) && [...chosen].every((name) => FILTERS[name](entry));
}

function draw() {
  if (!shown) return;
  for (const button of document.querySelectorAll("[data-filter]")) {
    const name = /** @type {HTMLElement} */ (button).dataset.filter ?? "";
    button.setAttribute("aria-pressed", String(chosen.has(name)));
    /** @type {HTMLElement} */ (button.querySelector("span")).textContent = String(
      shown.games.filter(FILTERS[name]).length,
    );
  }
  const found = shown.games.filter(matches);
  const [all, mine] = [shown.games.length, shown.games.filter((each) => each.mine).length];
  byId("today-count").textContent = !all
    ? `No running games.${shown.accounts ? " Fetch brings the games of your account on the server." : ""}`
    : found.length === all
      ? `${counted(all, "running game")}, your move in ${mine}`
      : `${found.length} of ${counted(all, "running game")}`;
  const atOnce = Math.max(AT_ONCE, byId("rows").childElementCount); // a shorter list would move the window
  byId("rows").replaceChildren(...found.slice(0, atOnce).map(row));
  byId("enter-banks").hidden = !shown.banks;
  byId("enter-banks").textContent = `Enter ${counted(shown.banks, "bank")}`;
  const turn = ++drawing;
  if (found.length > atOnce)
    setTimeout(() => {
      if (turn === drawing) byId("rows").append(...found.slice(atOnce).map(row));
    });
  drawEnded(shown);
}

/** @param {Today} today */
function drawEnded(today) {
  const place = byId("ended");
  place.hidden = !today.ended.length;
  /** @type {HTMLElement} */ (place.querySelector("summary")).textContent = counted(
    today.ended.length,
    "finished game",
  );
  /** @type {HTMLElement} */ (place.querySelector("ol")).replaceChildren(
    ...today.ended.map((each) =>
      h(
        "li",
        {},
        h("a", { href: `#game=${encodeURIComponent(each.name)}` }, `${each.white} – ${each.black}`),
        ` ${each.result} `,
        h("span", { class: "dim" }, [each.name, each.event].filter(Boolean).join(" · ")),
      ),
    ),
  );
}

/** @param {Today} today */
export function drawToday(today) {
  const key = JSON.stringify([
    today.games.map((each) => ({ ...each, left: 0, silent: 0 })),
    today.ended,
    today.accounts,
    today.banks,
  ]);
  const isSame = key === drawn && shown !== null && today.now - shown.now < MINUTE;
  if (isSame) return; // something else in the store has changed
  drawn = key;
  shown = today;
  draw();
}

export function prepareToday() {
  for (const button of document.querySelectorAll("[data-filter]"))
    button.addEventListener("click", () => {
      const name = /** @type {HTMLElement} */ (button).dataset.filter ?? "";
      if (!chosen.delete(name)) chosen.add(name);
      draw();
    });
  byId("search").addEventListener("input", draw);
}
