// The page Live: a game played elsewhere, with its record and the points at stake.
import { drawBands } from "./bar.js";
import { Board } from "./board.js";
import { byId, h, notice, say } from "./dom.js";
import { shown } from "./intro.js";
import {
  bothPoints,
  komiText,
  lastMove,
  moveOfRecord,
  movesText,
  nameOf,
  outcomeText,
  pointsText,
  reasonText,
  resultText,
} from "./live_texts.js";
import { drawLine, drawMoves, drawRecord, keepInView, title } from "./panel.js";
import { listen, takeToken } from "./server.js";
import {} from "./undisturbed.js";

/** @typedef {import("./live_texts.js").Now} Now */
/** @typedef {import("./panel.js").Line & { forecast: import("./live_texts.js").Forecast | null }} LiveLine */
/**
 * @typedef {Omit<import("./panel.js").Game, "line" | "end"> & { source: string, fault: string, now: Now,
 *   line: LiveLine | null, end: { result: string, reason: string } | null }} LiveGame
 */

const CHESS = { name: "chess", title: "Chess", width: 8, height: 8, pictures: {} };

class Live {
  constructor() {
    /** @type {LiveGame | null} */
    this.game = null;
    this.ply = 0;
    this.flipped = false;
    this.board = new Board(byId("board"), CHESS, { onMove: () => {}, label: "Chess board" });
    /** @type {Record<string, () => void>} */
    const actions = {
      flip: () => this.flip(),
      first: () => this.go(0),
      previous: () => this.go(this.ply - 1),
      next: () => this.go(this.ply + 1),
      last: () => this.go(Infinity),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    byId("moves").addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.go(Number(button.dataset.ply));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  open() {
    takeToken();
    document.body.dataset.state = "waiting";
    const heard = (/** @type {string} */ kind, /** @type {any} */ data) => {
      if (kind === "live") this.take(data);
      else if (kind === "line") this.showLine(data);
    };
    const state = (/** @type {import("./server.js").Refusal | null} */ problem) => {
      document.body.dataset.connected = String(problem === null);
      if (problem && problem.status >= 400 && !this.game) this.refuse(problem.message);
      else if (problem) notice(problem.message, "wrong");
    };
    void listen("/api/live/events", heard, new AbortController().signal, state);
  }

  /** @param {string} text */
  refuse(text) {
    document.body.dataset.state = "refused";
    byId("refused").textContent = text;
  }

  /** @param {any} data */
  take(data) {
    const fault = byId("fault");
    const waits = data.now ? "" : `Waiting for a game in ${data.source}.`;
    fault.textContent = data.fault ? `${data.fault}. Trying again.` : waits;
    fault.hidden = !fault.textContent;
    fault.classList.toggle("wrong", Boolean(data.fault));
    if (!data.now) return;
    const game = /** @type {LiveGame} */ (data);
    const before = this.game;
    const follows = !before || this.ply >= before.plies.length || game.plies.length < this.ply;
    this.game = game;
    if (follows) this.ply = game.plies.length;
    document.body.dataset.state = "game";
    if (!before) drawBands(data.bands);
    this.draw();
    if (before && game.plies.length !== before.plies.length) this.announce(game.now);
  }

  /** @param {Now} now */
  announce(now) {
    const sets = now.last?.sets ? ` New record, ${now.record}.` : "";
    if (now.last) say(`${title(now.last.side)}: ${now.last.san}.${sets}`);
  }

  get isNewest() {
    return this.game !== null && this.ply === this.game.plies.length;
  }

  draw() {
    const game = this.game;
    if (!game) return;
    const at = this.ply ? game.plies[this.ply - 1] : game.first;
    this.board.play(game.game);
    this.board.flip(this.flipped);
    this.board.show({ fen: at.fen, turn: at.turn, check: at.check, last: at.squares, legal: [] });
    const shownGame = /** @type {import("./panel.js").Game} */ (/** @type {unknown} */ (game));
    drawRecord(shownGame, this.ply);
    drawMoves(shownGame, this.ply);
    this.drawPlayers(game.now);
    this.drawNow(game);
    this.drawView();
    const ends = { first: this.ply === 0, previous: this.ply === 0, next: this.isNewest, last: this.isNewest };
    for (const [id, isEnd] of Object.entries(ends)) byId(id).toggleAttribute("disabled", isEnd);
    document.title = [lastMove(game.now), `${nameOf(game.now, "white")} – ${nameOf(game.now, "black")}`]
      .filter(Boolean)
      .join(" · ");
    keepInView(); // the cards above the moves have their heights now
  }

  /** @param {Now} now */
  drawPlayers(now) {
    for (const side of /** @type {const} */ (["white", "black"])) {
      const strip = byId((side === "white") === this.flipped ? "above" : "below");
      strip.dataset.turn = String(now.turn === side && now.result === "*");
      const name = h(
        "span",
        { class: "name" },
        h("i", { class: `stone ${side}`, "aria-hidden": "true" }),
        nameOf(now, side),
      );
      const lowest = now.lowest[side];
      strip.replaceChildren(
        name,
        h(
          "span",
          { class: "mobility" },
          h("b", {}, movesText(now.mobility[side])),
          lowest ? h("span", { class: "dim" }, "lowest goal ", h("span", {}, shown(lowest))) : null,
        ),
      );
    }
  }

  /**
   * Draw the parts that concern only the newest position.
   * @param {LiveGame} game
   */
  drawNow({ now, end, line }) {
    byId("since").textContent = this.isNewest ? [sinceMove(now), fifty(now)].filter(Boolean).join(" · ") : "";
    const place = byId("end");
    place.hidden = end === null;
    if (end) {
      const held = now.record ? `${nameOf(now, now.owner ?? "white")} has ${shown(now.record)}: ` : "";
      const reason = reasonText(now);
      place.replaceChildren(
        h("strong", {}, resultText(end.result)),
        ...(reason ? [h("p", {}, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`)] : []),
        h("p", {}, `${held}${bothPoints(now.points)}`),
      );
    }
    byId("stake-card").hidden = end !== null;
    byId("komi").textContent = now.komi ? komiText(now) : "";
    byId("stake").replaceChildren(...stakeRows(now, line?.forecast ?? null));
  }

  drawView() {
    const game = this.game;
    if (!game) return;
    const line = this.isNewest ? game.line : null;
    byId("view-card").hidden = game.end !== null && this.isNewest;
    drawLine(line, true, this.isNewest ? "No evaluation yet." : "Shown for the newest position only.");
  }

  /** @param {LiveLine} line */
  showLine(line) {
    if (!this.game || line.rank !== 1) return;
    this.game.line = line;
    const { game } = this;
    keepInView(() => {
      this.drawView();
      this.drawNow(game);
    });
  }

  /** @param {number} ply */
  go(ply) {
    if (!this.game) return;
    this.ply = Math.max(0, Math.min(this.game.plies.length, ply));
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.ply - 1),
      ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      f: () => this.flip(),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** @param {Now} now */
function sinceMove(now) {
  const move = moveOfRecord(now);
  return move ? `since ${move}` : "";
}

/**
 * How soon the 50-move rule ends the game; empty until it is near.
 * @param {Now} now
 */
function fifty(now) {
  if (now.fifty === null || now.fifty > 60) return "";
  return now.fifty === 0 ? "50-move rule reached" : `50-move rule in ${movesText(Math.ceil(now.fifty / 2))}`;
}

/**
 * @param {Now} now
 * @param {import("./live_texts.js").Forecast | null} forecast
 */
function stakeRows(now, forecast) {
  /** @type {[string, string, import("./live_texts.js").Points, string?][]} */
  const rows = [];
  if (now.record) rows.push(["this record", now.record, now.points]);
  if (now.stake.best)
    rows.push([`${now.stake.best.move} and no lower goal`, now.stake.best.record, now.stake.best.points]);
  if (now.result === "*" && now.stake.outcome)
    rows.push(["best play, proven by tables", outcomeText(now), now.stake.outcome, "proven"]);
  else if (now.result === "*" && forecast)
    rows.push([forecast.promised ? "the search's outcome" : "the forecast", forecast.record, forecast.points, "guess"]);
  return rows.map(([words, goal, points, kind]) =>
    h(
      "tr",
      { class: kind },
      h("th", { scope: "row" }, `${words}, `, h("b", {}, shown(goal))),
      h("td", {}, pointsText(points[0])),
      h("td", {}, pointsText(points[1])),
    ),
  );
}

new Live().open();
