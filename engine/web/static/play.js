// The page Play: a game against the engine, or of the engine with itself. The server keeps the game; this page shows it.
import { drawBands, drawBar } from "./bar.js";
import { Board } from "./board.js";
import { byId, h, notice, say } from "./dom.js";
import { dragPiece } from "./dragging.js";
import { pieceIcon } from "./drawing.js";
import { introduce, shown } from "./intro.js";
import { download } from "./leaving.js";
import { clockText, drawLine, drawMoves, drawRecord, keepInView, movesInWords, playerName, title } from "./panel.js";
import { get, getText, listen, post, takeToken } from "./server.js";
import { Setup } from "./setup.js";
import { burstSquares, handOf, isPass, pieceName, sideOf } from "./squares.js";
import {} from "./undisturbed.js";

/** @typedef {import("./panel.js").Game} Game */
/** @typedef {import("./panel.js").Line} Line */

const KEY = "standstill.game"; // { id, setup, moves }: the game of this tab, and for new tabs the last one of any tab
const CHESS = { name: "chess", title: "Chess", width: 8, height: 8, pictures: {} };

class Play {
  constructor() {
    /** @type {Game | null} */
    this.game = null;
    /** @type {object} */
    this.setupOfGame = {};
    this.ply = 0;
    this.flipped = false;
    this.received = 0; // when the clocks were read, in ms
    this.waiting = false; // whether the answer to a move is outstanding
    /** @type {{ place: string, arrow: import("./drawing.js").Arrow } | null} */
    this.hinted = null; // the last hint and its position
    /** @type {AbortController | null} */
    this.stream = null;
    this.board = new Board(byId("board"), CHESS, { onMove: (move) => void this.move(move), label: "Chess board" });
    this.setup = new Setup({
      preview: (position) => this.preview(position),
      begin: (setup) => this.begin(setup),
      board: this.board,
    });
    this.listenToPage();
    setInterval(() => this.drawClocks(), 100);
  }

  listenToPage() {
    /** @type {Record<string, () => void | Promise<void>>} */
    const actions = {
      back: () => this.perform("back"),
      hint: () => this.hint(),
      draw: () => this.offerDraw(),
      resign: () => this.resign(),
      swap: () => this.perform("swap"),
      pass: () => this.move(this.game?.legal.find(isPass)?.move ?? ""),
      pause: () => this.perform("pause", { paused: !this.game?.paused }),
      flip: () => this.flip(),
      save: () => this.save(),
      study: () => this.study(),
      "new-game": () => this.showSetup(),
      first: () => this.go(0),
      previous: () => this.go(this.ply - 1),
      next: () => this.go(this.ply + 1),
      last: () => this.go(Infinity),
    };
    for (const [id, action] of Object.entries(actions))
      byId(id).addEventListener("click", () => void this.guarded(action));
    byId("moves").addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.go(Number(button.dataset.ply));
    });
    byId("watching", HTMLInputElement).addEventListener("change", () => this.watch());
    byId("goals", HTMLInputElement).addEventListener("change", (event) => {
      this.board.showsGoals = /** @type {HTMLInputElement} */ (event.target).checked;
      this.board.drawMarks();
    });
    byId("typed-form", HTMLFormElement).addEventListener("submit", (event) => this.typed(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // ---- starting a game ----

  async open() {
    takeToken();
    drawBands((await this.setup.open()).bands);
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? "null");
    if (kept && !this.setup.isHanded) await this.guarded(() => this.resume(kept));
    const isArranging = location.hash === "#position"; // a link of the page Study
    if (isArranging) history.replaceState(null, "", location.pathname);
    if (isArranging || !this.game) this.showSetup();
    if (isArranging) this.setup.arrange(true);
    // A user who brings a game from the page Workshop wants to play that game first.
    await introduce(!this.setup.isHanded);
  }

  /**
   * Continue the game of the last visit; after a restart of the program, restore it from its moves.
   * @param {{ id: string, setup: object, moves: string[] }} kept
   */
  async resume(kept) {
    this.setupOfGame = kept.setup;
    const game = await get(`/api/games/${kept.id}`).catch((error) => {
      if (error.status !== 404) throw error;
      return kept.moves.length ? post("/api/games", { ...kept.setup, moves: kept.moves, restores: kept.id }) : null;
    });
    if (game) this.follow(game);
  }

  /** @param {object} setup */
  async begin(setup) {
    const game = /** @type {Game} */ (await post("/api/games", setup));
    this.setupOfGame = setup; // until now the page has kept the game before, with its own setup
    this.follow(game);
    this.board.frame.focus({ preventScroll: true });
  }

  /** @param {Game} game */
  follow(game) {
    this.setup.arrange(false);
    this.flipped = !game.players[1].engine && game.players[0].engine;
    this.ply = game.plies.length;
    document.body.dataset.state = "game";
    this.show(game);
    this.listen();
  }

  /** Listen to the game. The program analyses the position while a page that listens shows evaluations. */
  listen() {
    if (!this.game) return;
    this.stream?.abort();
    this.stream = new AbortController();
    const heard = (/** @type {string} */ kind, /** @type {any} */ data) => {
      if (kind === "game") this.show(data);
      else if (kind === "line") this.showLine(data);
    };
    const state = (/** @type {Error | null} */ problem) => {
      document.body.dataset.connected = String(problem === null);
      if (problem) notice(problem.message, "wrong");
    };
    void listen(`/api/games/${this.game.id}/events?watching=${this.isWatching}`, heard, this.stream.signal, state);
  }

  showSetup() {
    document.body.dataset.state = "setup";
    this.setup.changed();
    byId("setup-title").focus({ preventScroll: true });
  }

  /** @param {any} position */
  preview(position) {
    if (document.body.dataset.state !== "setup") return;
    this.board.play(position.game);
    this.board.flip(position.flipped);
    this.board.show({ fen: position.fen, turn: position.turn, check: position.check });
    this.board.point([]);
  }

  // ---- the game ----

  /** @param {Game} game */
  show(game) {
    const before = this.game?.id === game.id ? this.game : null;
    const followed = !before || this.ply >= before.plies.length;
    // The sides have been swapped, perhaps in another tab.
    if (before && before.players[0].engine !== game.players[0].engine) this.flipped = !this.flipped;
    this.game = game;
    this.received = performance.now();
    this.waiting = false;
    if (followed || this.ply > game.plies.length) this.ply = game.plies.length;
    const kept = { id: game.id, setup: this.setupOfGame, moves: game.plies.map((ply) => ply.move) };
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEY, JSON.stringify(kept));
    if (document.body.dataset.state === "setup") return;
    if (this.hinted && placeOf(game) !== this.hinted.place) {
      this.hinted = null;
      byId("notice").hidden = true;
    }
    this.draw();
    if (before) this.announce(before, game);
  }

  /**
   * Announce the change to users of a screen reader.
   * @param {Game} before
   * @param {Game} game
   */
  announce(before, game) {
    const last = game.plies.at(-1);
    if (game.end && !before.end) say(`${game.end.headline}. ${game.end.reason} ${game.end.record}`);
    else if (last && game.plies.length > before.plies.length) {
      const record = game.mode !== "Off" && last.beats ? ` New record, ${last.goal}.` : "";
      say(`${title(last.turn === "white" ? "black" : "white")}: ${last.san}.${record}`);
    }
  }

  get isLive() {
    return this.game !== null && this.ply === this.game.plies.length;
  }

  /** Whether the user may move now. */
  get isTurn() {
    const game = this.game;
    return game !== null && this.isLive && !game.end && !game.players[game.turn === "white" ? 0 : 1].engine;
  }

  draw() {
    const game = this.game;
    if (!game) return;
    const at = this.ply ? game.plies[this.ply - 1] : game.first;
    const before = game.plies[this.ply - 2] ?? game.first;
    this.board.play(game.game);
    this.board.flip(this.flipped);
    this.board.show({
      fen: at.fen,
      turn: at.turn,
      check: at.check,
      last: at.squares,
      burst: this.ply ? burstSquares(before.fen, at.fen, at.squares, game.game.height) : [],
      legal: this.isTurn && !this.waiting ? game.legal : [],
    });
    const { hinted } = this;
    this.board.point(hinted && this.isLive && placeOf(game) === hinted.place ? [hinted.arrow] : []);
    drawRecord(game, this.ply);
    drawLine(this.isLive ? game.line : null, this.isWatching, this.withoutLine(game));
    this.drawPlayers(game, at.fen);
    this.drawEnd(game);
    this.drawActions(game);
    drawMoves(game, this.ply); // last, because the list gets the space that the others leave
    this.drawClocks();
  }

  /**
   * The text in place of an evaluation.
   * @param {Game} game
   */
  withoutLine(game) {
    if (!this.isLive) return "Shown for the current position only.";
    return game.end ? "The game is over." : game.thinking ? "The engine is thinking." : "No evaluation yet.";
  }

  /**
   * @param {Game} game
   * @param {string} fen
   */
  drawPlayers(game, fen) {
    for (const [index, side] of ["white", "black"].entries()) {
      const isAbove = (side === "white") === this.flipped;
      const strip = byId(isAbove ? "above" : "below");
      const hand = handOf(fen)
        .filter((letter) => sideOf(letter) === side)
        .map((letter) => this.handPiece(letter, game));
      const isTurn = !game.end && game.turn === side && this.isLive;
      strip.dataset.turn = String(isTurn);
      strip.dataset.side = side;
      const name = h(
        "span",
        { class: "name" },
        h("i", { class: `stone ${side}`, "aria-hidden": "true" }),
        playerName(game.players[index]),
      );
      const busy = isTurn && game.thinking ? h("span", { class: "busy" }, "thinks\u2026") : null;
      const clock = game.clock ? h("time", { class: "clock", "data-index": String(index) }) : null;
      strip.replaceChildren(name, ...hand, busy ?? "", clock ?? "");
    }
  }

  /**
   * A piece in hand: a button that picks it up if it can be dropped now.
   * @param {string} letter
   * @param {Game} game
   */
  handPiece(letter, game) {
    const icon = pieceIcon(letter, game.game);
    const from = `${letter.toUpperCase()}@`;
    if (sideOf(letter) !== game.turn || !this.board.movesFrom(from).length) return icon;
    const label = `Drop ${pieceName(letter, game.game)}`;
    const { board } = this;
    const mark = () => {
      for (const each of document.querySelectorAll(".in-hand"))
        each.setAttribute("aria-pressed", String(each === button && board.selected === from));
    };
    const take = () => {
      board.select(board.selected === from ? "" : from);
      mark();
    };
    const drag = (/** @type {PointerEvent} */ event) =>
      dragPiece(event, letter, board, {
        lifted: () => board.select(from),
        dropped: (square) => void board.tryMove(from, square),
      });
    const isTaken = String(board.selected === from);
    const attributes = { type: "button", class: "in-hand", title: label, "aria-label": label, "aria-pressed": isTaken };
    const button = h("button", { ...attributes, onclick: take, onpointerdown: drag }, icon);
    return button;
  }

  drawClocks() {
    const clock = this.game?.clock;
    if (!clock) return;
    for (const place of document.querySelectorAll(".clock")) {
      const index = Number(/** @type {HTMLElement} */ (place).dataset.index);
      const since = clock.running === index ? performance.now() - this.received : 0;
      const left = Math.max(0, clock.left[index] - since);
      place.textContent = clockText(left);
      place.classList.toggle("short", left < 20_000);
      place.classList.toggle("runs", clock.running === index);
    }
  }

  /** @param {Game} game */
  drawEnd(game) {
    const place = byId("end");
    place.hidden = game.end === null;
    if (!game.end) return;
    const shares = new Map([
      ["1-0", 1],
      ["0-1", 0],
    ]);
    if (this.isLive) drawBar(shares.get(game.end.result) ?? null);
    // If the record decides, a draw has a winner, so the headline replaces the result.
    const isDraw = game.end.result === "1/2-1/2";
    const result = isDraw ? "\u00bd\u2013\u00bd  " : `${game.end.result.replace("-", "\u2013")}  `;
    const headline = (isDraw && game.end.headline !== "Draw" ? "" : result) + game.end.headline;
    place.replaceChildren(
      h("strong", {}, headline),
      h("p", {}, game.end.reason),
      game.end.record ? h("p", {}, shown(game.end.record)) : "",
    );
  }

  /** @param {Game} game */
  drawActions(game) {
    const people = game.players.filter((player) => !player.engine).length;
    const isOver = game.end !== null;
    for (const id of ["back", "study"]) byId(id).toggleAttribute("disabled", game.plies.length === 0);
    byId("hint").toggleAttribute("disabled", !this.isTurn);
    byId("pass").hidden = people === 0 || !game.legal.some(isPass);
    byId("pass").toggleAttribute("disabled", !this.isTurn);
    byId("draw").toggleAttribute("disabled", isOver || people === 0 || game.mode === "Decisive");
    byId("resign").toggleAttribute("disabled", isOver || people === 0);
    byId("swap").toggleAttribute("disabled", isOver);
    const pause = byId("pause");
    pause.hidden = people > 0;
    pause.textContent = game.paused ? "Go on" : "Pause";
    for (const id of ["hint", "draw", "resign"]) byId(id).hidden = people === 0;
    byId("first").toggleAttribute("disabled", this.ply === 0);
    byId("previous").toggleAttribute("disabled", this.ply === 0);
    byId("next").toggleAttribute("disabled", this.isLive);
    byId("last").toggleAttribute("disabled", this.isLive);
    byId("typed-form").hidden = people === 0 || isOver;
  }

  /** @param {Line} line */
  showLine(line) {
    const game = this.game;
    if (!game || line.rank !== 1) return;
    game.line = line;
    performance.mark("line");
    if (this.isLive && document.body.dataset.state === "game") {
      keepInView(() => drawLine(line, this.isWatching, ""));
    }
  }

  /** @param {number} ply */
  go(ply) {
    if (!this.game) return;
    this.ply = Math.max(0, Math.min(this.game.plies.length, ply));
    this.draw();
  }

  // ---- actions of the user ----

  /**
   * Perform an action on the server; show the reason if it is refused.
   * @param {() => void | Promise<void>} action
   */
  async guarded(action) {
    try {
      await action();
    } catch (error) {
      notice(/** @type {Error} */ (error).message, "wrong");
      this.waiting = false;
      this.draw();
    }
  }

  /**
   * @param {string} action
   * @param {object} [given]
   */
  async perform(action, given = {}) {
    if (this.game) await post(`/api/games/${this.game.id}/${action}`, given);
  }

  /** @param {string} move */
  async move(move) {
    performance.mark("move");
    this.waiting = true;
    await this.guarded(() => this.perform("move", { move }));
  }

  /** @param {SubmitEvent} event */
  typed(event) {
    event.preventDefault();
    const field = byId("typed", HTMLInputElement);
    const move = field.value.trim();
    field.value = "";
    if (move) void this.guarded(() => this.perform("move", { move }));
  }

  async hint() {
    if (!this.game) return;
    const place = placeOf(this.game);
    const line = /** @type {Line | null} */ (await post(`/api/games/${this.game.id}/hint`));
    if (!line || placeOf(this.game) !== place) return; // the game has gone on
    const [from, to] = line.squares;
    if (from) this.hinted = { place, arrow: { from, to, kind: "hint" } };
    this.draw();
    notice(`Hint: ${movesInWords(line)}`);
  }

  async offerDraw() {
    const game = this.game;
    if (!game) return;
    const { accepted } = await post(`/api/games/${game.id}/draw`);
    if (!accepted) notice("The engine declines the draw.");
  }

  resign() {
    const dialog = byId("sure", HTMLDialogElement);
    dialog.returnValue = "";
    dialog.addEventListener(
      "close",
      () => void (dialog.returnValue === "yes" && this.guarded(() => this.perform("resign"))),
      { once: true },
    );
    dialog.showModal();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** Whether the user wants to see evaluations in this tab. */
  get isWatching() {
    return byId("watching", HTMLInputElement).checked;
  }

  watch() {
    this.draw();
    this.listen();
  }

  /** Open the game in Study. */
  study() {
    if (this.game?.plies.length) location.assign(`/study#played=${this.game.id}`);
  }

  async save() {
    if (!this.game) return;
    const text = await getText(`/api/games/${this.game.id}/pgn`);
    download(new Blob([text], { type: "application/x-chess-pgn" }), "standstill.pgn");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.ply - 1),
      ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      f: () => this.flip(),
    };
    if (document.body.dataset.state !== "game" || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/**
 * The game and its last position, as the place to which a hint belongs.
 * @param {Game} game
 */
function placeOf(game) {
  return `${game.id} ${game.plies.length} ${(game.plies.at(-1) ?? game.first).fen}`;
}

const page = new Play();
page.open().catch((error) => {
  document.body.dataset.state = "refused";
  byId("refused").textContent = error.message;
});
