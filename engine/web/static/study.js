// The page Study: one game at a time, with what the file and the evaluations say of it, and live analysis.
import { Board } from "./board.js";
import { goalChart } from "./chart.js";
import { curve, plyAt } from "./curve.js";
import { byId, h, notice, say } from "./dom.js";
import { diagram } from "./drawing.js";
import { drawBands, drawBar, movesInWords } from "./panel.js";
import { Score, signsOf } from "./score.js";
import { get, listen, takeToken } from "./server.js";
import { symbolDrawing } from "./symbols.js";

/** @typedef {import("./score.js").Node} Node */
/** @typedef {import("./curve.js").Judged} Judged */
/**
 * @typedef {{ number: number, game: import("./squares.js").GameView, chess960: boolean, tags: Record<string, string>,
 *   result: string, judge: string, x05: number, nodes: Node[], judged: (Judged & { before?: number | null } | null)[],
 *   goals: { goal: string, record: string }[],
 *   moments: { ply: number, move: string, sign: string, better: string, before: number, after: number }[],
 *   players: { name: string, moves: number, signs: Record<string, number>, lost: number, kept: number }[] }} Study
 */

const EMPTY = { name: "chess", title: "Chess", width: 8, height: 8, men: {} };
const LINES = 3;

class Page {
  constructor() {
    /** @type {Study | null} */
    this.study = null;
    this.at = 0;
    this.flipped = false;
    /** @type {Score | null} */
    this.score = null;
    /** @type {AbortController | null} */
    this.analysis = null;
    /** @type {number[]} */
    this.bands = [];
    this.number = 0;
    this.room = "";
    this.board = new Board(byId("board"), EMPTY, { label: "Board" });
    this.listenToPage();
  }

  listenToPage() {
    /** @type {Record<string, () => void>} */
    const actions = {
      first: () => this.go(0),
      previous: () => this.go(this.node.parent),
      next: () => this.step(),
      last: () => this.go(this.mainLast),
      flip: () => this.flip(),
      copy: () => void this.copy(),
      analyse: () => this.toggleAnalysis(),
      "show-games": () => byId("games", HTMLDialogElement).showModal(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    addEventListener("hashchange", () => void this.guarded(() => this.readAddress()));
    byId("curve").addEventListener("click", (event) => {
      const drawing = byId("curve").querySelector("svg");
      if (drawing && this.study) this.go(plyAt(drawing, event.clientX, this.mainLast));
    });
    byId("moments").addEventListener("click", (event) => {
      const card = event.target instanceof Element ? event.target.closest("button") : null;
      if (card) this.go(Number(card.dataset.ply));
    });
    byId("filter", HTMLInputElement).addEventListener("input", () => void this.guarded(() => this.list()));
    document.addEventListener("keydown", (event) => this.key(event));
    this.listenToSwipes();
  }

  /** On a phone a swipe over the board is a step. */
  listenToSwipes() {
    let from = 0;
    const frame = this.board.frame;
    frame.addEventListener("pointerdown", (event) => {
      from = event.pointerType === "touch" ? event.clientX : 0;
    });
    frame.addEventListener("pointerup", (event) => {
      const way = from ? event.clientX - from : 0;
      if (way > 40) this.go(this.node.parent);
      else if (way < -40) this.step();
    });
  }

  async open() {
    takeToken();
    this.bands = (await get("/api/catalogue")).bands;
    drawBands(this.bands);
    const isAddressed = location.hash !== "";
    const list = await this.list();
    byId("show-games").hidden = list.total < 2;
    await this.readAddress();
    if (!this.study && list.total) await this.load(`/api/study/${list.games[0].number}`, list.games[0].number, "");
    if (!this.study) document.body.dataset.state = "nothing";
    if (list.total > 1 && !isAddressed) byId("games", HTMLDialogElement).showModal();
  }

  /** The address has the game of the file (`game=3`) or of the page Play (`room=…`), and the position. */
  async readAddress() {
    const [words, at] = location.hash.slice(1).split("/");
    if (/^\d+$/.test(words) && this.study) {
      this.go(Number(words)); // a link of the score
      return;
    }
    const wanted = new URLSearchParams(words);
    byId("games", HTMLDialogElement).close();
    const [number, room] = [Number(wanted.get("game")), wanted.get("room") ?? ""];
    if (number && number !== this.number) await this.load(`/api/study/${number}`, number, "");
    else if (room && room !== this.room) await this.load(`/api/games/${room}/study`, 0, room);
    if ((number || room) && this.study) this.go(Number(at ?? 0));
  }

  /**
   * @param {string} path
   * @param {number} number in the file, 0 for a game of the page Play
   * @param {string} room of that page
   */
  async load(path, number, room) {
    const study = /** @type {Study} */ (await get(path));
    this.study = study;
    this.number = number;
    this.room = room;
    this.at = 0;
    document.body.dataset.state = "study";
    this.board.play(study.game);
    this.score = new Score(byId("score"), study.nodes, study.judged);
    this.drawHead(study);
    this.drawMoments(study);
    this.drawFigures(study);
    this.draw();
  }

  async list() {
    const text = byId("filter", HTMLInputElement).value;
    const list = await get(`/api/study?text=${encodeURIComponent(text)}`);
    byId("found").textContent =
      `${list.found} of ${list.total} games${list.found > list.games.length ? `, the first ${list.games.length} shown` : ""}`;
    const rows = list.games.map((/** @type {Record<string, string>} */ game) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `#game=${game.number}`, onclick: () => byId("games", HTMLDialogElement).close() },
          h("span", { class: "who" }, `${game.white || "?"} \u2013 ${game.black || "?"}`),
          h("span", { class: "outcome" }, game.result),
          h(
            "span",
            { class: "dim" },
            [game.event, game.date.replace(/(\.\?\?)+$/, "")]
              .filter((each) => each && !/^[?.]+$/.test(each))
              .join(", "),
          ),
        ),
      ),
    );
    byId("list").replaceChildren(...rows);
    return list;
  }

  // ---- going through the game ----

  /** @returns {Node} */
  get node() {
    return /** @type {Study} */ (this.study).nodes[this.at];
  }

  /** The last position of the main line. */
  get mainLast() {
    return this.study ? this.study.judged.length - 1 : 0;
  }

  /** @param {number} at */
  go(at) {
    if (!this.study || !(at >= 0 && at < this.study.nodes.length)) return;
    this.at = at;
    this.draw();
    this.follow();
  }

  step() {
    const next = this.score?.children[this.at][0];
    if (next !== undefined) this.go(next);
  }

  /**
   * To the next variation of this move, or back to the line that it leaves.
   * @param {number} way 1 into a variation, -1 out of it
   */
  turn(way) {
    const { study, score } = this;
    if (!study || !score || !this.at) return;
    const siblings = score.children[this.node.parent];
    const to = siblings[siblings.indexOf(this.at) + way];
    if (to !== undefined) this.go(to);
    else if (way < 0 && this.node.depth) {
      let at = this.at;
      while (study.nodes[at].depth === this.node.depth) at = study.nodes[at].parent;
      this.go(at);
    }
  }

  /**
   * To the next or previous key moment.
   * @param {number} way
   */
  moment(way) {
    const plies = (this.study?.moments ?? []).map((each) => each.ply);
    const to = way > 0 ? plies.find((ply) => ply > this.at) : plies.findLast((ply) => ply < this.at);
    if (to !== undefined) this.go(to);
  }

  // ---- drawing ----

  draw() {
    const study = this.study;
    if (!study) return;
    const node = this.node;
    const judged = study.judged[this.at] ?? null;
    this.board.flip(this.flipped);
    this.board.show({ fen: node.fen, turn: node.turn, check: node.check, last: node.squares });
    this.board.point([...(node.arrows ?? []), ...this.betterArrow()]);
    this.score?.mark(this.at);
    drawBar(judged?.result ?? null);
    const ply = this.mainPly();
    byId("curve").replaceChildren(study.judge ? curve(study.judged, this.bands, ply) : "");
    this.drawCaption(node, judged);
    for (const card of byId("moments").querySelectorAll("button"))
      card.toggleAttribute("data-here", Number(card.dataset.ply) === this.at);
    byId("first").toggleAttribute("disabled", this.at === 0);
    byId("previous").toggleAttribute("disabled", this.at === 0);
    byId("next").toggleAttribute("disabled", !this.score?.children[this.at].length);
    byId("last").toggleAttribute("disabled", this.at === this.mainLast);
    const game = this.number ? `game=${this.number}` : `room=${this.room}`;
    history.replaceState(null, "", `#${game}/${this.at}`);
  }

  /** Where the position's line leaves the main line. */
  mainPly() {
    let at = this.at;
    while (this.study && this.study.nodes[at].depth) at = this.study.nodes[at].parent;
    return at;
  }

  /** An arrow for the better move beside a bad one, if the file has its variation. */
  betterArrow() {
    const judged = this.study?.judged[this.at];
    if (!judged?.sign?.includes("?") || this.node.depth) return [];
    const other = this.score?.children[this.node.parent][1];
    const squares = other === undefined ? [] : /** @type {Study} */ (this.study).nodes[other].squares;
    return squares.length ? [{ from: squares[0], to: squares[1], kind: "better" }] : [];
  }

  /**
   * @param {Node} node
   * @param {Judged & { before?: number | null } | null} judged
   */
  drawCaption(node, judged) {
    const place = byId("caption");
    if (!this.at) {
      place.replaceChildren("Before the first move");
      return;
    }
    const name = `${node.number}${node.turn === "black" ? "." : "\u2026"} ${node.san}${signsOf(node) || judged?.sign || ""}`;
    const words = judged ? `${judged.meaning}, ${Math.round(100 * judged.result)} % for White` : node.comment || "";
    place.replaceChildren(
      h("strong", {}, name),
      judged ? symbolDrawing(judged.symbol, judged.meaning) : "",
      h("span", {}, words),
    );
  }

  /** @param {Study} study */
  drawHead(study) {
    const { tags } = study;
    const rated = (/** @type {string} */ side) =>
      `${tags[side] ?? side}${tags[`${side}Elo`] ? ` (${tags[`${side}Elo`]})` : ""}`;
    byId("players").textContent =
      `${rated("White")} \u2013 ${rated("Black")}  ${study.result.replace("1/2-1/2", "\u00bd\u2013\u00bd").replace("-", "\u2013")}`;
    byId("about").textContent = ["Event", "Site", "Date", "ECO", "Opening"]
      .map((name) => tags[name]?.replace(/(\.\?\?)+$/, ""))
      .filter(Boolean)
      .join(", ");
    byId("judge").textContent = study.judge
      ? `Evaluated by ${study.judge}.`
      : "The file has no evaluations of this game.";
    document.title = `${tags.White ?? "White"} \u2013 ${tags.Black ?? "Black"} \u00b7 Standstill`;
  }

  /** @param {Study} study */
  drawMoments(study) {
    const percent = (/** @type {number} */ result) => `${Math.round(100 * result)} %`;
    const cards = study.moments.map((each) => {
      const node = study.nodes[each.ply];
      const picture = diagram(study.game, study.nodes[each.ply - 1].fen, {
        arrows: node.squares.length ? [{ from: node.squares[0], to: node.squares[1], kind: "worse" }] : [],
        label: `Before ${each.move}`,
      });
      const swing = h("span", { class: "swing" }, `${Math.round(100 * each.before)} \u2192 ${percent(each.after)}`);
      const better = each.better ? h("span", { class: "dim" }, `better ${each.better}`) : null;
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", "data-ply": String(each.ply) },
          picture,
          h("span", { class: "words" }, h("strong", {}, each.move + each.sign), swing, better),
        ),
      );
    });
    byId("moments").replaceChildren(...cards);
    byId("moments").hidden = !cards.length;
  }

  /** @param {Study} study */
  drawFigures(study) {
    const body = byId("figures-body");
    const chart = h(
      "figure",
      {},
      goalChart(study.goals, study.goals.length - 1),
      h("figcaption", { class: "dim" }, "Moves left to the opponent after each move, and the R-Mobility record."),
    );
    const [first] = study.players;
    if (!first) {
      body.replaceChildren(chart);
      return;
    }
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
          `${(100 * player.kept).toFixed(1)} %`,
        ].map((cell) => h("td", {}, String(cell))),
      ),
    );
    const told =
      "Lost: the expected result lost against the best moves, in games. Kept: the mean share that a move has kept.";
    body.replaceChildren(
      h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)),
      h("p", { class: "dim" }, told),
      chart,
    );
  }

  // ---- the engine ----

  toggleAnalysis() {
    const button = byId("analyse");
    const isOn = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", String(!isOn));
    byId("lines").hidden = isOn;
    if (isOn) this.analysis?.abort();
    else this.follow();
  }

  /** Analyse the position on the board if the engine is on. */
  follow() {
    this.analysis?.abort();
    const study = this.study;
    if (!study || byId("analyse").getAttribute("aria-pressed") !== "true") return;
    this.analysis = new AbortController();
    const list = byId("lines");
    list.replaceChildren(h("li", { class: "dim" }, "The engine begins\u2026"));
    /** @type {Map<number, Element>} */
    const rows = new Map();
    const moves = [];
    for (let at = this.at; at; at = study.nodes[at].parent) moves.unshift(study.nodes[at].move);
    // With a FEN the number of a Chess960 position does not matter.
    const game = study.chess960 ? { game: "chess960", number: 0 } : { game: study.game.name };
    const body = { ...game, fen: study.nodes[0].fen, moves, lines: LINES };
    const heard = (/** @type {string} */ kind, /** @type {import("./panel.js").Line} */ line) => {
      if (kind !== "line") return;
      rows.set(line.rank, lineRow(line));
      list.replaceChildren(...[...rows].sort(([one], [two]) => one - two).map(([, row]) => row));
      if (line.rank === 1) {
        drawBar(line.result);
        this.board.point([...(this.node.arrows ?? []), { from: line.squares[0], to: line.squares[1], kind: "hint" }]);
      }
    };
    const state = (/** @type {Error | null} */ problem) =>
      problem && list.replaceChildren(h("li", { class: "problem" }, problem.message));
    void listen("/api/analysis", heard, this.analysis.signal, state, body);
  }

  // ---- what else the user does ----

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  async copy() {
    await navigator.clipboard.writeText(this.node.fen);
    notice("The position is copied.");
  }

  /** @param {() => Promise<unknown>} action */
  async guarded(action) {
    try {
      await action();
    } catch (error) {
      notice(/** @type {Error} */ (error).message, "wrong");
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isTyping = event.target instanceof HTMLInputElement;
    if (
      isTyping ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog[open]") ||
      !this.study
    )
      return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.node.parent),
      ArrowRight: () => this.step(),
      ArrowDown: () => this.turn(1),
      ArrowUp: () => this.turn(-1),
      Home: () => this.go(0),
      End: () => this.go(this.mainLast),
      n: () => this.moment(1),
      p: () => this.moment(-1),
      f: () => this.flip(),
      c: () => void this.guarded(() => this.copy()),
      a: () => this.toggleAnalysis(),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** @param {import("./panel.js").Line} line */
function lineRow(line) {
  const score = line.words ?? line.score.replace("-", "\u2212");
  return h(
    "li",
    {},
    symbolDrawing(line.symbol, line.meaning),
    h("span", { class: "line-score" }, score),
    h("span", { class: "line-moves" }, movesInWords(line)),
    h("span", { class: "dim" }, `depth ${line.depth}`),
  );
}

const page = new Page();
page.open().then(
  () => say(""),
  (error) => {
    document.body.dataset.state = "refused";
    byId("refused").textContent = error.message;
  },
);
