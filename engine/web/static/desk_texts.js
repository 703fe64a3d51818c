// Durations, instants and bars of the desk.
import { h } from "./dom.js";

export const MINUTE = 60000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const CAP = 50 * DAY; // the most that a clock under Triple Block shows
const RED = 3 * DAY;
const YELLOW = 10 * DAY;

/**
 * A duration in two units, rounded down so that it never looks too long.
 * @param {number} ms
 * @param {boolean} [known] false: at least
 */
export function span(ms, known = true) {
  if (!known && ms <= 0) return "?";
  if (ms <= 0) return "empty";
  const left = Math.max(0, ms);
  const [days, hours, minutes] = [
    Math.floor(left / DAY),
    Math.floor((left % DAY) / HOUR),
    Math.floor((left % HOUR) / MINUTE),
  ];
  let text = days
    ? `${days} d${hours ? ` ${hours} h` : ""}`
    : hours
      ? `${hours} h${minutes ? ` ${minutes} m` : ""}`
      : `${minutes} m`;
  if (!known) text = `≥ ${text}`;
  return text;
}

const DATE = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** @param {number | null | undefined} ms */
export function day(ms) {
  return ms === null || ms === undefined ? "–" : DATE.format(ms);
}

/** @param {number | null | undefined} ms */
export function instant(ms) {
  return ms === null || ms === undefined ? "–" : `${DATE.format(ms)}, ${TIME.format(ms)}`;
}

/**
 * How urgent a running clock is.
 * @param {number | null} left
 */
export function urgency(left) {
  if (left === null) return "none";
  return left <= RED ? "red" : left <= YELLOW ? "yellow" : "calm";
}

/**
 * A bar with its text.
 * @param {string} label
 * @param {number} ms
 * @param {number} full
 * @param {string} text
 * @param {string} kind
 */
export function bar(label, ms, full, text, kind) {
  const share = full > 0 ? Math.max(0, Math.min(1, ms / full)) : 0;
  const meter = h("progress", {
    class: "meter",
    max: "1000",
    value: String(Math.round(1000 * share)),
    "aria-label": label,
  });
  return h(
    "div",
    { class: "bar-line", "data-kind": kind },
    h("span", { class: "bar-name" }, label),
    meter,
    h("span", { class: "bar-text" }, text),
  );
}

/**
 * @param {number} count
 * @param {string} what
 */
export function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/**
 * The name of a game, which a narrow column breaks between its words.
 * @param {string} name
 */
export function breakable(name) {
  return name.split(/(?<=[_-])/).flatMap((part) => [part, h("wbr")]);
}
