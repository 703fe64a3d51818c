// The view Away: a period by its days or dragged over a calendar, and what the games need before it.
import { DAY, day, instant, span } from "./desk_texts.js";
import { byId, h } from "./dom.js";
import { post } from "./server.js";

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

let dragFrom = "";

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
    cell.setAttribute("aria-pressed", String(Boolean(from && to) && key >= from && key <= to));
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

/**
 * @param {Record<string, any>} action
 * @param {number} now
 */
function needed(action, now) {
  if (action.flag <= now) return `time ran out ${instant(action.flag)}`;
  if (action.kind === "refill") return `at least ${span(action.least)}, by ${instant(action.by)}`;
  return action.kind === "move" ? `by ${instant(action.by)}` : "only your opponent can move";
}

/** @param {Record<string, any>} action */
function reason(action) {
  const unsure = action.known ? "" : " By the lower limits of a clock or bank that is not known.";
  if (action.kind === "refill")
    return `Otherwise time runs out ${instant(action.flag)}; a refill of ${span(action.most)} lasts until ${instant(action.until)}.${unsure}`;
  if (action.kind === "move")
    return `No refill lasts to the end.${action.least ? ` After an answer at once you have until ${instant(action.until)}.` : ""}${unsure}`;
  return `After a move as the absence begins, your time runs out ${instant(action.flag)}.${unsure}`;
}

async function answer() {
  const [from, to] = [form("from").value, form("to").value];
  byId("away-problem").textContent = "";
  if (!from || !to) {
    byId("away-problem").textContent = "Choose the first and the last day.";
    return;
  }
  try {
    const found = await post("/api/desk/away", { absences: [from, to] });
    const kinds = /** @type {Record<string, string>} */ ({ refill: "Refill", move: "Move", risk: "Watch" });
    const rows = found.actions.map((/** @type {Record<string, any>} */ action) =>
      h(
        "li",
        { "data-kind": action.kind },
        h("span", { class: "badge" }, kinds[action.kind]),
        h("a", { href: `#game=${encodeURIComponent(action.game)}` }, action.game),
        h("span", {}, needed(action, found.now)),
        h("span", { class: "dim" }, reason(action)),
      ),
    );
    const days = Math.round((found.absences[0][1] - found.absences[0][0]) / DAY);
    byId("away-answer").replaceChildren(
      h(
        "h2",
        {},
        `${days} ${days === 1 ? "day" : "days"} away, ${day(found.absences[0][0])} to ${day(found.absences[0][1] - 1)}`,
      ),
      h(
        "p",
        {},
        rows.length
          ? `${rows.length === 1 ? "One thing" : `${rows.length} things`} to do, in this order; ${found.safe} other ${found.safe === 1 ? "game lasts" : "games last"}.`
          : `Nothing to do: all clocks last (${found.safe} games).`,
      ),
      h("ol", { class: "needs" }, ...rows),
    );
  } catch (error) {
    byId("away-problem").textContent = error instanceof Error ? error.message : String(error);
  }
}

/** @param {import("./desk_today.js").Today} today */
export function drawAway(today) {
  const deadlines = new Map();
  for (const entry of today.games)
    if (entry.mine && entry.deadline !== null) {
      const key = iso(new Date(entry.deadline));
      deadlines.set(key, [...(deadlines.get(key) ?? []), entry.name]);
    }
  drawCalendar(deadlines);
}

function prepare() {
  byId("away-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void answer();
  });
  byId("away-form").addEventListener("input", markDays);
  const calendar = byId("calendar");
  calendar.addEventListener("pointerdown", (event) => {
    dragFrom = dayOf(event.target);
    if (dragFrom) choose(dragFrom, dragFrom);
  });
  calendar.addEventListener("pointermove", (event) => {
    const to = dayOf(document.elementFromPoint(event.clientX, event.clientY));
    if (dragFrom && to) choose(dragFrom, to);
  });
  addEventListener("pointerup", () => {
    if (dragFrom && form("from").value) void answer();
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
      choose(event.shiftKey && form("from").value ? form("from").value : key, key);
      void answer();
    }
  });
}

prepare();
