// What changed: one line for each game, folded after a few.
import { breakable, counted, instant } from "./desk_texts.js";
import { byId, h } from "./dom.js";

/**
 * notes: what the user has to read or do. times: clocks that were only brought up to date.
 * @typedef {{ name: string, done: string, notes: string[], times: string[] }} Item
 */

const SHOWN = 5; // lines that are not folded

/**
 * The lines of a report as items: indented lines belong to the line above.
 * @param {string[]} lines
 * @returns {Item[]}
 */
export function itemsOf(lines) {
  /** @type {Item[]} */
  const items = [];
  for (const line of lines) {
    const [, name, rest] = /^(\S+): (.*)$/.exec(line) ?? ["", "", line];
    if (line.startsWith("  ") && items.length) items[items.length - 1].notes.push(line.trim());
    else items.push({ name, done: rest, notes: [], times: [] });
  }
  return items;
}

/**
 * A message without the command that a terminal would need: the link beside it leads to the game and its buttons.
 * @param {string} words
 */
function withoutCommand(words) {
  return words.replace(/(?: with|:) `games [^`]*`/g, "");
}

/** @param {Item} item */
function text(item) {
  const link = h("a", { href: `#game=${encodeURIComponent(item.name)}` }, ...breakable(item.name));
  const notes = item.notes.flatMap((note) => [" · ", h("span", { class: "noted" }, withoutCommand(note))]);
  return [...(item.name ? [link, ": "] : []), withoutCommand(item.done), ...notes];
}

/**
 * What the user has to read comes first, then moves, then clocks alone.
 * @param {Item} item
 */
function rank(item) {
  return item.notes.length ? 0 : item.done.includes("half-move") ? 1 : 2;
}

/** @param {Item} item */
function row(item) {
  if (!item.times.length) return h("li", {}, ...text(item));
  const times = item.times.map((line) => h("p", { class: "dim" }, line));
  return h("li", {}, h("details", {}, h("summary", {}, ...text(item)), ...times));
}

/**
 * @param {Item[]} items
 * @param {string[]} problems
 * @param {number} [at]
 * @param {string[]} [others] lines about no single game
 */
export function drawNews(items, problems, at, others = []) {
  const sorted = [...items].sort((one, other) => rank(one) - rank(other)); // stable
  const rows = [...problems.map((line) => h("li", { class: "problem" }, line)), ...sorted.map(row)];
  const folded = rows.slice(rows.length > SHOWN + 1 ? SHOWN : rows.length);
  for (const each of folded) each.hidden = true;
  byId("news-title").textContent = at ? `What changed, ${instant(at)}` : "What changed";
  byId("news-rows").replaceChildren(...rows);
  byId("news-others").textContent = others.join(" · ");
  const more = byId("news-more");
  const show = (/** @type {boolean} */ all) => {
    for (const each of folded) each.hidden = !all;
    more.setAttribute("aria-expanded", String(all));
    more.textContent = all ? "Show fewer" : `Show ${counted(folded.length, "more line")}`;
  };
  more.hidden = !folded.length;
  more.onclick = () => show(more.getAttribute("aria-expanded") === "false");
  show(false);
  byId("news-close").onclick = () => {
    byId("news").hidden = true;
  };
  byId("news").hidden = false;
}
