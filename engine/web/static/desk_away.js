// The view Away: a period, typed in or selected by dragging across a calendar, and what games need before it begins.
import { DAY, counted, day, instant, span } from "./desk_texts.js";
import { byId, h, notice } from "./dom.js";
import { get, post } from "./server.js";

const WEEKS = 14;

/** @param {Date} date */
function iso(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** @param {string} text */
function form(text) {
  const found = /** @type {HTMLFormElement} */ (byId("away-form")).elements.namedItem(text);
  return /** @type {HTMLInputElement} */ (found);
}

/** @typedef {{ from: string, to: string }} Absence the first and the last day, as in 2026-12-20 */

let dragFrom = "";
let begun = ""; // the first day, chosen by a tap or key

/** @param {Map<string, string[]>} deadlines */
function drawCalendar(deadlines) {
  const today = new Date();
  const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - ((today.getDay() + 6) % 7));
  const days = Array.from(
    { length: 7 * WEEKS },
    (_, index) => new Date(start.getFullYear(), start.getMonth(), start.getDate() + index),
  );
  const month = new Intl.DateTimeFormat("en-GB", { month: "short" });
  const cells = days.map((date) => {
    const key = iso(date);
    const due = deadlines.get(key) ?? [];
    const title = due.length ? `Time runs out in ${due.join(", ")}` : "";
    const isFirst = date.getDate() === 1 || date === days[0];
    return h(
      "button",
      {
        type: "button",
        "data-day": key,
        "data-past": key < iso(today),
        "data-due": due.length > 0,
        title,
        tabindex: key === iso(today) ? "0" : "-1",
      },
      h("span", {}, isFirst ? `${date.getDate()} ${month.format(date)}` : String(date.getDate())),
      h("span", { class: "only-heard" }, ` ${day(date.getTime())}`),
      due.length ? h("span", { class: "dot" }, String(due.length)) : null,
      due.length ? h("span", { class: "only-heard" }, title) : null,
    );
  });
  const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((name) => h("span", { class: "dim" }, name));
  byId("calendar").replaceChildren(h("div", { class: "days" }, ...names, ...cells));
  markDays();
}

function markDays() {
  const [from, to] = [form("from").value, form("to").value];
  for (const cell of byId("calendar").querySelectorAll("button")) {
    const key = cell.dataset.day ?? "";
    const isChosen = Boolean(from && to) && key >= from && key <= to;
    cell.setAttribute("aria-pressed", String(isChosen || absences.some((each) => key >= each.from && key <= each.to)));
  }
}

/** @param {EventTarget | null} target */
function dayOf(target) {
  const cell = target instanceof Element ? target.closest("[data-day]") : null;
  return cell instanceof HTMLElement ? (cell.dataset.day ?? "") : "";
}

/**
 * @param {string} one
 * @param {string} other
 */
function choose(one, other) {
  [form("from").value, form("to").value] = one <= other ? [one, other] : [other, one];
  markDays();
}

// ---- the absences ----

const KEY = "standstill.absences";

/** @returns {Absence[]} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const day = /^\d{4}-\d\d-\d\d$/;
    return found.filter((/** @type {Absence} */ each) => day.test(each.from) && each.to >= iso(new Date()));
  } catch {
    return [];
  }
}

let absences = kept(); // of all tabs
/** @type {Map<string, string>} */
let opponents = new Map(); // the opponent in each game

/** Add the absence of the form; it replaces the absences that it overlaps. */
function add() {
  const [from, to] = [form("from").value, form("to").value].sort();
  byId("away-problem").textContent = "";
  if (!from || !to) {
    byId("away-problem").textContent = "Choose the first and the last day.";
    return;
  }
  absences = [...kept().filter((each) => each.to < from || each.from > to), { from, to }];
  absences.sort((one, other) => (one.from < other.from ? -1 : 1));
  form("from").value = form("to").value = "";
  changed();
}

function changed() {
  localStorage.setItem(KEY, JSON.stringify(absences));
  show();
}

function show() {
  drawAbsences();
  markDays();
  void answer();
}

/** @param {string} key */
function dayText(key) {
  return day(new Date(`${key}T12:00`).getTime());
}

function drawAbsences() {
  byId("away-list").replaceChildren(
    ...absences.map((each) => {
      const text = each.from === each.to ? dayText(each.from) : `${dayText(each.from)} – ${dayText(each.to)}`;
      const drop = () => {
        absences = kept().filter((other) => other.from !== each.from || other.to !== each.to);
        changed();
      };
      return h(
        "li",
        { class: "badge" },
        text,
        h("button", { type: "button", class: "cross", "aria-label": `Remove the absence ${text}`, onclick: drop }, "×"),
      );
    }),
  );
}

/**
 * @param {Record<string, any>} action
 * @param {number} now
 */
function needed(action, now) {
  if (action.flag <= now) return `time ran out ${instant(action.flag)}`;
  if (action.kind === "refill") return `at least ${span(action.least)}, by ${instant(action.by)}`;
  return action.kind === "move" ? `by ${instant(action.by)}` : "only your opponent can move";
}

/**
 * @param {Record<string, any>} action
 * @param {number} now
 */
function reason(action, now) {
  if (action.flag <= now)
    return "By the entries in the store the time is up. If the server shows more, correct the clock.";
  const unsure = action.known ? "" : " The clock or bank is unknown: this uses its lower limit.";
  if (action.kind === "refill")
    return `Otherwise time runs out ${instant(action.flag)}; a refill of ${span(action.most)} lasts until ${instant(action.until)}.${unsure}`;
  if (action.kind === "move")
    return `No refill lasts to the end.${action.least ? ` If your opponent replies at once, your time lasts until ${instant(action.until)}.` : ""}${unsure}`;
  return `If your opponent moves when the absence begins, your time runs out ${instant(action.flag)}.${unsure}`;
}

/** @param {Record<string, any>} found */
function heading(found) {
  const spans = /** @type {[number, number][]} */ (found.absences);
  const days = Math.round(spans.reduce((sum, [from, to]) => sum + to - from, 0) / DAY);
  const [first, last] = [spans[0][0], spans[spans.length - 1][1] - 1];
  const words = spans.length > 1 ? `${spans.length} absences, ${counted(days, "day")}` : `${counted(days, "day")} away`;
  return `${words}, ${day(first)} to ${day(last)}`;
}

let asked = 0; // how often the absences have changed

async function answer() {
  const now = ++asked;
  if (!begun) byId("away-problem").textContent = "";
  if (!absences.length) {
    byId("away-answer").replaceChildren();
    return;
  }
  try {
    const found = await post("/api/desk/away", { absences: absences.flatMap((each) => [each.from, each.to]) });
    if (now !== asked) return; // the absences have changed again
    const kinds = /** @type {Record<string, string>} */ ({ refill: "Refill", move: "Move", risk: "Watch" });
    const rows = found.actions.map((/** @type {Record<string, any>} */ action) =>
      h(
        "li",
        { "data-kind": action.kind },
        h("span", { class: "badge" }, kinds[action.kind]),
        h(
          "a",
          { href: `#game=${encodeURIComponent(action.game)}` },
          action.game,
          opponents.has(action.game) ? h("span", { class: "dim" }, ` ${opponents.get(action.game)}`) : null,
        ),
        h("span", {}, needed(action, found.now)),
        h("span", { class: "dim" }, reason(action, found.now)),
      ),
    );
    byId("away-answer").replaceChildren(
      h(
        "section",
        { class: "panel card" },
        h("h2", {}, heading(found)),
        h(
          "p",
          { class: "dim" },
          rows.length
            ? `${counted(rows.length, "thing")} to do, in this order; ${counted(found.safe, "other game")} last without.`
            : `Nothing to do: all clocks last (${counted(found.safe, "game")}).`,
        ),
        h("ol", { class: "needs" }, ...rows),
      ),
    );
  } catch (error) {
    if (now === asked) byId("away-problem").textContent = error instanceof Error ? error.message : String(error);
  }
}

const MOST_DATES = 60;
let plans = 0; // how often the plan was asked for

async function drawPlan() {
  const now = ++plans;
  const found = await get("/api/desk/plan");
  if (now !== plans) return;
  const rows = found.steps
    .slice(0, MOST_DATES)
    .map((/** @type {Record<string, any>} */ step) =>
      h(
        "li",
        {},
        h("span", { class: "when" }, `${step.known ? "" : "≥ "}${instant(step.at)}`),
        h("a", { href: `#game=${encodeURIComponent(step.game)}` }, step.game),
        h("span", { class: "dim" }, step.amount ? `refill ${span(step.amount)}, or move` : "move"),
      ),
    );
  const more = found.steps.length - rows.length;
  if (more > 0) rows.push(h("li", { class: "dim" }, `and ${counted(more, "later date")}`));
  byId("plan").replaceChildren(...(rows.length ? rows : [h("li", { class: "dim" }, "No clock of yours is running.")]));
}

/** @param {import("./desk_today.js").Today} today */
export function drawAway(today) {
  const deadlines = new Map();
  for (const entry of today.games)
    if (entry.mine && entry.deadline !== null) {
      const key = iso(new Date(entry.deadline));
      deadlines.set(key, [...(deadlines.get(key) ?? []), entry.name]);
    }
  opponents = new Map(today.games.map((entry) => [entry.name, entry.opponent]));
  drawCalendar(deadlines);
  drawAbsences();
  void answer();
  void drawPlan().catch((error) => notice(error instanceof Error ? error.message : String(error), "wrong"));
}

function prepare() {
  byId("away-form").addEventListener("submit", (event) => {
    event.preventDefault();
    add();
  });
  byId("away-form").addEventListener("input", markDays);
  addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    absences = kept(); // another tab has changed them
    show();
  });
  const calendar = byId("calendar");
  calendar.addEventListener("pointerdown", (event) => {
    dragFrom = dayOf(event.target);
    if (dragFrom) choose(begun || dragFrom, dragFrom);
  });
  calendar.addEventListener("pointermove", (event) => {
    const to = dayOf(document.elementFromPoint(event.clientX, event.clientY));
    if (dragFrom && to && to !== dragFrom) {
      begun = "";
      choose(dragFrom, to);
    }
  });
  addEventListener("pointerup", () => {
    // Two taps choose an absence as well as a drag does, because a finger that is dragged scrolls the page.
    const isFirst = dragFrom && !begun && form("from").value === form("to").value;
    if (isFirst) {
      begun = dragFrom;
      byId("away-problem").textContent = "Now choose the last day; the same one for a single day.";
    } else if (dragFrom && form("from").value) {
      begun = "";
      add();
    }
    dragFrom = "";
  });
  addEventListener("pointercancel", () => {
    dragFrom = "";
  });
  calendar.addEventListener("keydown", (event) => {
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 });
    const cells = [...calendar.querySelectorAll("button")];
    const at = cells.findIndex((cell) => cell === document.activeElement);
    if (at < 0) return;
    if (steps[event.key]) {
      event.preventDefault();
      const to = cells[at + steps[event.key]];
      if (!to) return;
      to.focus();
      if (event.shiftKey) choose(form("from").value || (cells[at].dataset.day ?? ""), to.dataset.day ?? "");
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const key = cells[at].dataset.day ?? "";
      choose(event.shiftKey && form("from").value ? form("from").value : begun || key, key);
      if (event.shiftKey || begun) {
        begun = "";
        add();
      } else begun = key;
    }
  });
}

prepare();
