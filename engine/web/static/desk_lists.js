// The views Team and Event.
import { replacePlayer } from "./desk_actions.js";
import { DAY, HOUR, breakable, counted, day, instant, span, urgency } from "./desk_texts.js";
import { read } from "./desk_first.js";
import { byId, h, notice } from "./dom.js";
import { post } from "./server.js";
import { showChoices } from "./undisturbed.js";

/** @typedef {import("./desk_today.js").Entry} Entry */

/** @param {Entry} entry */
function silence(entry) {
  return entry.silent < HOUR ? "< 1 h" : span(entry.silent);
}

/** @param {() => void} changed */
export async function drawTeam(changed) {
  const found = await read("/api/desk/team");
  if (found.missing) return;
  const select = byId("team-event", HTMLSelectElement);
  const wanted = select.value;
  showChoices(
    select,
    [["", "all events"], ...found.events.map((/** @type {string} */ event) => [event, event])],
    wanted,
  );
  const games = found.games.filter((/** @type {Entry} */ entry) => !wanted || entry.event === wanted);
  if (byId("team-order", HTMLSelectElement).value === "deadline")
    games.sort((/** @type {Entry} */ one, /** @type {Entry} */ other) => (one.deadline ?? 0) - (other.deadline ?? 0));
  const view = (/** @type {Entry} */ entry) => ({
    perform: async (/** @type {Record<string, unknown>} */ what) => {
      const answer = await post("/api/desk/action", { name: entry.name, ...what });
      notice([`${entry.name}: ${answer.done}`, ...answer.warnings].join("; "));
      changed();
    },
  });
  const cells = games.map((/** @type {Entry} */ entry) =>
    h(
      "tr",
      { "data-urgency": urgency(entry.left) },
      h("th", { scope: "row" }, entry.player),
      h(
        "td",
        { "data-label": "Game" },
        h("a", { href: `#game=${encodeURIComponent(entry.name)}` }, ...breakable(entry.name)),
      ),
      h("td", { "data-label": "Silent", class: entry.silent >= 20 * DAY ? "late" : "" }, silence(entry)),
      h(
        "td",
        { "data-label": "Clock", class: "left" },
        entry.flagged ? "time up" : entry.left === null ? "–" : span(entry.left, entry.clockKnown),
      ),
      h("td", { "data-label": "Bank" }, entry.hasBank ? span(entry.bank, entry.bankKnown) : "–"),
      h("td", { "data-label": "Deadline" }, instant(entry.deadline)),
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            "aria-label": `Replace ${entry.player} in ${entry.name}`,
            onclick: () =>
              replacePlayer(view(entry), { name: entry.name, players: [entry.white, entry.black] }, entry.turn),
          },
          "Replace",
        ),
      ),
    ),
  );
  /** @type {HTMLElement} */ (byId("team-table").querySelector("tbody")).replaceChildren(...cells);
}

/** @param {{ name: string, games: number, running: number }} event */
function eventCard(event) {
  const ended = event.games - event.running;
  return h(
    "li",
    { class: "panel" },
    h("a", { href: `#event=${encodeURIComponent(event.name)}` }, event.name),
    h("span", { class: "dim" }, [counted(event.running, "running game"), `${ended} ended`].join(", ")),
  );
}

/** @param {string} name */
export async function drawEvent(name) {
  const found = await read(`/api/desk/event?name=${encodeURIComponent(name)}`);
  if (found.missing) return;
  const events = found.events.map((/** @type {{ name: string, games: number }} */ each) => [
    each.name,
    `${each.name} (${counted(each.games, "game")})`,
  ]);
  showChoices(byId("event-name", HTMLSelectElement), [["", "choose an event"], ...events], name);
  const body = byId("event-body");
  if (!found.games) {
    body.replaceChildren(
      events.length
        ? h("ol", { class: "cards" }, ...found.events.map(eventCard))
        : h("p", { class: "dim" }, "No game has an event yet. Use Edit on the page of a game to enter its event."),
    );
    return;
  }
  const notices = Object.entries(found.notices);
  const rows = found.standings.rows;
  // Another tab or a terminal may change the store while a person reads, so open parts stay open.
  const shown = new Map([...body.querySelectorAll("details")].map((each) => [each.lang, each.open]));
  body.replaceChildren(
    h(
      "section",
      { class: "panel card" },
      h("h2", {}, "Terms"),
      h("p", {}, h("strong", {}, found.control), ` – ${found.words}`),
      h(
        "p",
        { class: "dim" },
        `Start ${found.start ? day(new Date(`${found.start}T12:00`).getTime()) : "unknown"}.${found.others.length ? ` Other games are played under ${found.others.join(", ")}.` : ""}`,
      ),
    ),
    notices.length
      ? h(
          "section",
          { class: "panel card" },
          h("h2", {}, "Notice to the players"),
          ...notices.map(([language, text]) =>
            h(
              "details",
              { lang: language, open: shown.get(language) ?? language === "en" },
              h("summary", {}, language === "en" ? "English" : "Polski"),
              h("pre", {}, String(text)),
              h("button", { type: "button", onclick: () => void copy(String(text)) }, "Copy"),
            ),
          ),
        )
      : "",
    h(
      "section",
      { class: "panel card" },
      h("h2", {}, "Standings"),
      rows.length
        ? h(
            "div",
            { class: "wide", tabindex: "0", role: "region", "aria-label": "Standings" },
            h(
              "table",
              {},
              h("thead", {}, h("tr", {}, ...rows[0].map((/** @type {string} */ text) => h("th", {}, text)))),
              h("tbody", {}, ...rows.slice(1).map((/** @type {string[]} */ row) => h("tr", {}, ...row.map(figure)))),
            ),
          )
        : h("p", { class: "dim" }, sentence(found.standings.why)),
      found.standings.komi ? h("p", { class: "dim" }, found.standings.komi) : null,
    ),
    h(
      "section",
      { class: "panel card" },
      h("h2", {}, counted(found.games.length, "game")),
      h(
        "ol",
        { class: "plain" },
        ...found.games.map((/** @type {Record<string, string>} */ game) =>
          h(
            "li",
            {},
            h("a", { href: `#game=${encodeURIComponent(game.name)}` }, `${game.white} – ${game.black}`),
            ` ${game.result === "*" ? game.status : game.result} `,
            h("span", { class: "dim" }, game.name),
          ),
        ),
      ),
    ),
  );
}

/**
 * A cell of the standings. Sums that differ late have many decimals: it shows six, and the others when pointed at.
 * @param {string} text
 */
function figure(text) {
  const short = /^-?\d+\.\d{6}(?=\d)/.exec(text);
  return short ? h("td", { title: text }, `${short[0]}…`) : h("td", {}, text);
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied.");
  } catch {
    notice("The browser does not allow copying: select the text and copy it.", "wrong");
  }
}
