// The page Desk: correspondence games of the store. The program performs each action by the same code as the command
// line, so both can use one store at the same time.
import { seen, todaysGames } from "./desk_first.js";
import { drawToday, prepareToday } from "./desk_today.js";
import { byId, notice } from "./dom.js";
import { listen, post } from "./server.js";

const VIEWS = ["today", "game", "analysis", "away", "team", "event"];
// The other views are loaded after Today is drawn, so that the request for the games does not wait for their scripts.
const views = {
  game: () => import("./desk_game.js"),
  analysis: () => import("./desk_analysis.js"),
  away: () => import("./desk_away.js"),
  lists: () => import("./desk_lists.js"),
  begin: () => import("./desk_new_games.js"),
  head: () => import("./desk_head.js"),
  copies: () => import("./desk_copies.js"),
  news: () => import("./desk_news.js"),
};

class Page {
  constructor() {
    prepareToday();
    /** @type {import("./desk_game.js").GameView | null} */
    this.opened = null;
    this.view = "";
    this.drawing = false;
    this.again = false;
    this.shown = ""; // the place that is shown
    this.left = 0; // how far down Today was left
    addEventListener("scroll", () => {
      if (location.hash === this.shown && this.view === "today") this.left = scrollY;
    });
    addEventListener("hashchange", () => void this.draw());
    byId("fetch").addEventListener("click", () => void this.fetch());
    for (const button of document.querySelectorAll("[data-enter]"))
      button.addEventListener("click", () => void this.enter(/** @type {HTMLElement} */ (button).dataset.enter ?? ""));
    document.addEventListener("click", (event) => {
      for (const menu of document.querySelectorAll("details.menu[open]"))
        if (!(event.target instanceof Element && event.target.closest("summary"))) menu.removeAttribute("open");
    });
    for (const id of ["team-event", "team-order"]) byId(id).addEventListener("change", () => void this.draw());
    byId("event-name").addEventListener("change", () => {
      location.hash = `event=${encodeURIComponent(byId("event-name", HTMLSelectElement).value)}`;
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) void this.draw();
    });
  }

  async open() {
    if (!location.hash) history.replaceState(null, "", "#today");
    await this.draw(true);
    for (const load of Object.values(views)) void load().catch(() => {}); // the view itself will say what is wrong
    void listen(
      "/api/desk/changes",
      (_, version) => version !== seen.version && void this.draw(),
      new AbortController().signal,
      (error) => {
        if (error) notice(error.message, "wrong");
      },
    );
  }

  /** [view, name] of the address, as in `#game=WS-12`. */
  get place() {
    const [view, name] = location.hash.slice(1).split(/=(.*)/s);
    return [VIEWS.includes(view) ? view : "today", decodeURIComponent(name ?? "")];
  }

  /**
   * Show the view that the address names, with the current games.
   * @param {boolean} [isFirst] whether this is the first drawing, in which an error fills the page
   */
  async draw(isFirst) {
    if (this.drawing) {
      this.again = true;
      return;
    }
    this.drawing = true;
    try {
      do {
        this.again = false;
        await this.drawView();
      } while (this.again);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (isFirst && document.body.dataset.state !== "desk") {
        byId("refused").textContent = text;
        document.body.dataset.state = "refused";
      } else notice(text, "wrong");
    } finally {
      this.drawing = false;
    }
  }

  async drawView() {
    await this.opened?.settled;
    seen.version = "";
    const address = location.hash; // it may change before the view is shown
    const [view, name] = this.place;
    const today = view === "today" || view === "away" || (view === "game" && !name) ? await todaysGames() : null;
    if (today?.missing) {
      byId("missing-path").textContent = today.missing;
      this.reveal("missing", address);
      return;
    }
    if (view === "today" && !today.games.length && !today.ended.length && !today.accounts) {
      byId("missing-path").textContent = today.path;
      this.reveal("missing", address);
      return;
    }
    if (view === "today") drawToday(today);
    else if (view === "away") (await views.away()).drawAway(today);
    else if (view === "game") {
      const first = name || this.opened?.name || today?.games[0]?.name || today?.ended[0]?.name || "";
      if (!first) {
        location.hash = "#today"; // Today says how to begin
        return;
      }
      this.opened ??= new (await views.game()).GameView();
      await this.opened.open(first);
    } else if (view === "analysis") await (await views.analysis()).drawAnalysis(() => void this.draw());
    else if (view === "team") await (await views.lists()).drawTeam(() => void this.draw());
    else if (view === "event") await (await views.lists()).drawEvent(name);
    this.reveal(view, address);
  }

  /**
   * @param {string} view
   * @param {string} address
   */
  reveal(view, address) {
    this.view = view;
    byId("missing").hidden = view !== "missing";
    for (const name of VIEWS) byId(`view-${name}`).hidden = name !== view;
    for (const link of document.querySelectorAll(".views a"))
      if (link.getAttribute("href") === `#${view}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    document.body.dataset.state = "desk";
    if (this.shown && address !== this.shown) scrollTo(0, view === "today" ? this.left : 0);
    this.shown = address;
  }

  /**
   * Ask for games, moves or accounts and store them, or save what is stored as a file.
   * @param {string} kind
   */
  async enter(kind) {
    try {
      const [begin, { drawNews, itemsOf }] = await Promise.all([views.begin(), views.news()]);
      const draw = () => void this.draw();
      const place = location.hash;
      const show = (/** @type {string[]} */ lines, /** @type {string[]} */ problems) => {
        if (lines.length || problems.length) drawNews(itemsOf(lines), problems, Date.now());
        if (location.hash === place)
          location.hash = "#today"; // else the user has gone elsewhere
        else if (lines.length || problems.length) notice(`Today says what changed: ${[...problems, ...lines][0]}`);
        draw();
      };
      if (kind === "game") begin.beginGame(draw);
      else if (kind === "file") begin.importGames(show);
      else if (kind === "moves") begin.enterMoves(show);
      else if (kind === "banks") await begin.enterBanks(draw);
      else if (kind === "servers") await begin.editServers(draw);
      else if (kind === "check") await (await views.copies()).checkGames(show);
      else if (kind === "backup") await (await views.copies()).saveBackup();
      else if (kind === "restore") (await views.copies()).restoreBackup(show);
      else if (kind === "remind") (await views.copies()).remind(show);
      else if (kind === "pgn") await (await views.head()).savePgn();
      else await (await views.head()).saveCalendar();
    } catch (error) {
      notice(error instanceof Error ? error.message : String(error), "wrong");
    }
  }

  async fetch() {
    const button = byId("fetch", HTMLButtonElement);
    button.disabled = true;
    button.textContent = "Fetching…";
    try {
      const found = await post("/api/desk/fetch");
      (await views.news()).drawNews(found.games, [...found.problems, ...found.warnings], Date.now(), found.lines);
      await this.draw();
    } catch (error) {
      (await views.news()).drawNews([], [error instanceof Error ? error.message : String(error)]);
    } finally {
      button.disabled = false;
      button.textContent = "Fetch";
      if (document.activeElement === document.body) button.focus({ preventScroll: true }); // which it has lost
    }
  }
}

void new Page().open();
