// The page Study: one game at a time, with the comments and evaluations of the file, and live analysis.
import { Board } from "./board.js";
import { Analysis } from "./analysis.js";
import { drawBands, drawBar } from "./bar.js";
import { curve, plyAt } from "./evaluation_chart.js";
import { byId, guarded, h, notice, say } from "./dom.js";
import { Drafts } from "./drafts.js";
import { EditPanel } from "./edit.js";
import { Edits } from "./edits.js";
import { Finder } from "./find_better.js";
import { GameList } from "./game_list.js";
import { drawFigures, drawHead, drawMoments } from "./figures.js";
import { showPlayers } from "./players.js";
import { Score, signsOf } from "./move_list.js";
import { get, post, takeToken } from "./server.js";
import { burstSquares } from "./squares.js";
import { symbolDrawing } from "./symbols.js";

/** @typedef {import("./move_list.js").Node} Node */
/** @typedef {import("./evaluation_chart.js").Judged} Judged */
/**
 * @typedef {{ number: number, game: import("./squares.js").GameView, chess960: boolean, tags: Record<string, string>,
 *   result: string, judge: string, x05: number, x05s: number[], bands: number[], judges: string[],
 *   schemes: { positions: string, moves: string }, text: string, at: number, digest?: string, nodes: Node[], judged: (Judged & { before?: number | null } | null)[],
 *   goals: { goal: string, record: string }[],
 *   moments: { ply: number, move: string, sign: string, better: string, before: number, after: number }[],
 *   players: { name: string, moves: number, signs: Record<string, number>, lost: number, kept: number }[] }} Study
 */

const EMPTY = { name: "chess", title: "Chess", width: 8, height: 8, pictures: {} };
const isFile = "file" in document.body.dataset; // without a server
const isEvent = "view" in document.body.dataset; // the page of an event, which opens a game when one is chosen
const OUTDATED = "The file now has another version of this game. Your changes are shown; Copy PGN keeps them.";
const PAUSE = 80; // ms at a position before its moves are asked for

class Page {
  constructor() {
    /** @type {Study | null} */
    this.study = null;
    this.at = 0;
    this.flipped = false;
    /** @type {Score | null} */
    this.score = null;
    this.number = 0;
    this.played = "";
    this.file = ""; // its name
    this.path = ""; // which the drafts of its games have in their names, because two files may have the same name
    this.position = ""; // of a game that begins with it, as the address has it
    /** @type {import("./squares.js").LegalMove[]} */
    this.legal = []; // of the position on the board
    this.isOpen = false; // until the page knows the file
    this.asked = 0; // how often a game was chosen
    this.gone = 0; // how often the reader has gone to a move
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    this.board = new Board(byId("board"), EMPTY, { onMove: (move) => void this.play(move), label: "Board" });
    this.drafts = new Drafts();
    this.edits = new Edits(this);
    this.list = new GameList();
    this.analysis = new Analysis(this);
    this.editing = new EditPanel(this);
    this.finder = new Finder(() => this.draw());
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
      copy: () => void guarded(() => this.copy(this.node.fen, "The position is copied.")),
      "copy-pgn": () => void guarded(() => this.copyGame()),
      undo: () => void guarded(() => this.edits.undo()),
      save: () => void guarded(() => this.edits.save()),
      "new-position": () => location.assign("/play#position"),
      "show-games": () => byId("games", HTMLDialogElement).showModal(),
      "show-players": () => void guarded(showPlayers),
    };
    // Single files lack the buttons that need the program.
    for (const [id, action] of Object.entries(actions)) document.getElementById(id)?.addEventListener("click", action);
    // The address comes from the event, because drawing the game may have changed the address of the page since.
    addEventListener("hashchange", ({ newURL }) => {
      if (this.isOpen) void guarded(() => this.readAddress(new URL(newURL).hash));
    });
    byId("score").addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault(); // at once, while the browser would follow the address a little later
      this.go(Number(link.dataset.at));
    });
    byId("curve").addEventListener("click", (event) => {
      const drawing = byId("curve").querySelector("svg");
      if (drawing && this.study) this.go(plyAt(drawing, event.clientX, this.mainLast));
    });
    byId("moments").addEventListener("click", (event) => {
      const card = event.target instanceof Element ? event.target.closest("button") : null;
      if (card) this.go(Number(card.dataset.ply) - (this.finder.hides(Number(card.dataset.ply)) ? 1 : 0));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.listenToJudging();
    this.listenToSwipes();
  }

  /** The settings that turn evaluations into symbols; a button of the form restores the settings of the file. */
  listenToJudging() {
    const form = byId("judging", HTMLFormElement);
    form.addEventListener("change", (event) => {
      const { name, value, validity } = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
      if (!validity.valid || !value) return;
      void guarded(() => this.edits.judge({ [name]: name === "x05" ? Number(value) : value }));
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    byId("unjudge").addEventListener("click", () => void guarded(() => this.edits.judge(null)));
  }

  /** On a phone, a swipe over the board goes one move forward or back. */
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
    this.analysis.offer((await get("/api/study/engines")).engines);
    const isAddressed = location.hash !== "";
    const list = await this.list.show();
    [this.file, this.path] = [list.file ?? "", list.path ?? ""];
    byId("show-games").hidden = list.total < 2;
    document.getElementById("train")?.toggleAttribute("hidden", !list.total); // single files have no trainer
    byId("show-players").hidden = list.total < 2 || isFile;
    this.isOpen = true;
    const asked = this.asked + 1;
    await this.readAddress(location.hash);
    if (isEvent && !this.study) return;
    if (!this.study && list.total && asked === this.asked) {
      const { number } = list.games[0];
      await this.load(`/api/study/${number}`, { number }, ++this.asked);
    }
    if (!this.study && !list.total) document.body.dataset.state = "nothing";
    if (list.total > 1 && !isAddressed) byId("games", HTMLDialogElement).showModal();
  }

  /**
   * Read an address: the game of the file (`game=3`) or of the page Play (`played=…`), and the position.
   * @param {string} address from # on
   */
  async readAddress(address) {
    const [words, at] = address.slice(1).split("/");
    if (/^\d+$/.test(words) && this.study) {
      this.go(Number(words)); // a link of the score
      return;
    }
    const asked = ++this.asked;
    const wanted = new URLSearchParams(words);
    byId("games", HTMLDialogElement).close();
    const [number, played] = [Number(wanted.get("game")), wanted.get("played") ?? ""];
    const position = wanted.has("position") ? words : "";
    if (position && position !== this.position) await this.begin(position, asked);
    else if (number && number !== this.number) await this.load(`/api/study/${number}`, { number }, asked);
    else if (played && played !== this.played) await this.load(`/api/games/${played}/study`, { played }, asked);
    if (asked !== this.asked) return; // the user has chosen another game
    if ((number || played || position) && this.study) this.go(Number(at ?? 0));
  }

  /**
   * @param {string} path
   * @param {{ number?: number, played?: string }} source
   * @param {number} asked
   */
  async load(path, source, asked) {
    const study = /** @type {Study} */ (await get(path));
    await this.take(study, source, source.played ?? `${this.path}#${source.number}`, asked);
  }

  /**
   * Show a game that the page has received, or its draft, unless the user has chosen another one.
   * @param {Study} study
   * @param {{ number?: number, played?: string, position?: string }} source number in the file, or the name of a game of
   *   the page Play, or the address of a position
   * @param {string} name of its draft
   * @param {number} asked
   */
  async take(study, { number = 0, played = "", position = "" }, name, asked) {
    let shown = study;
    let judging;
    do {
      judging = this.edits.judging;
      const text = this.drafts.edited(name) ?? (judging && study.text);
      shown = text === undefined ? study : await this.edits.view(number, text);
      await this.editing.named();
      this.editing.commit();
      await this.edits.idle(); // what was changed until now belongs to the game before
      if (asked !== this.asked) return;
    } while (judging !== this.edits.judging || this.editing.isWriting); // the user has gone on
    [this.number, this.played, this.position, this.study] = [number, played, position, null];
    const found = this.drafts.open(name, study);
    document.body.dataset.state = "study";
    this.show(shown, 0);
    if (found === "outdated") notice(OUTDATED, "wrong");
    else if (found === "kept") notice("Your unsaved changes are back.");
  }

  /**
   * Begin a game at a position of the editor.
   * @param {string} position the address of the page with it
   * @param {number} asked
   */
  async begin(position, asked) {
    const [study, name] = await this.edits.begun(position);
    await this.take(study, { position }, name, asked);
  }

  /**
   * Show a game, possibly after an edit.
   * @param {Study} study
   * @param {number} at
   */
  show(study, at) {
    this.editing.follow(this.study, study);
    this.study = study;
    this.board.play(study.game);
    this.score = new Score(byId("score"), study.nodes, study.judged);
    this.at = at;
    this.finder.begin(study, this.score.children);
    drawBands(study.bands);
    drawHead(study);
    drawMoments(study);
    drawFigures(study);
    this.place(at);
  }

  // ---- editing ----

  /** The game as PGN, which the server sends as bytes. */
  get pgn() {
    const bytes = Uint8Array.from(this.study?.text ?? "", (letter) => letter.charCodeAt(0));
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder("windows-1252").decode(bytes);
    }
  }

  /**
   * Follow a move on the board to its node; add the node if it is new.
   * @param {string} move
   */
  async play(move) {
    const known = this.score?.children[this.at].find((child) => this.study?.nodes[child].move === move);
    const next = this.score?.children[this.at][0];
    if (this.study && next !== undefined && this.finder.hides(next)) {
      if (this.finder.answer(this.study, next, known)) this.go(known ?? next);
      else this.draw();
      return;
    }
    if (known !== undefined) this.go(known);
    else {
      await guarded(() => this.edit({ kind: "moves", at: this.at, moves: [move] }));
      this.draw(); // a move that was refused goes back
    }
  }

  /** @param {{ kind: string, at: number } & Record<string, unknown>} edit */
  edit(edit) {
    return this.edits.make(edit);
  }

  /** Request the legal moves of the position on the board. */
  askForMoves() {
    clearTimeout(this.waiting);
    if (isFile) this.board.allow((this.legal = this.knownMoves()));
    else this.waiting = setTimeout(() => void guarded(() => this.takeMoves()), PAUSE);
  }

  /** The moves of the tree from this position, because a page without a server knows no others. */
  knownMoves() {
    const { study } = this;
    const nodes = (this.score?.children[this.at] ?? []).map((at) => /** @type {Study} */ (study).nodes[at]);
    return nodes
      .filter((node) => node.squares.length)
      .map(({ move, san, squares: [from, to] }) => {
        const letter = /^[a-p]\d+[a-p]\d+(\D)$/.exec(move)?.[1] ?? "";
        return { move, san, from, to: [to], letter, goal: "", resets: false, sets: false };
      });
  }

  async takeMoves() {
    const { study } = this;
    if (!study) return;
    const { node } = this;
    const position = await post("/api/preview", { ...gameOf(study), fen: node.fen, mode: "Off" });
    if (this.study?.nodes[this.at] !== node) return; // findings of an analysis bring another study with the same nodes
    this.legal = position.end ? [] : position.legal;
    this.board.allow(this.legal);
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

  /**
   * Go to a move at the reader's request.
   * @param {number} at
   */
  go(at) {
    if (!this.study || !(at >= 0 && at < this.study.nodes.length)) return;
    this.gone += 1;
    this.place(at);
  }

  /** @param {number} at */
  place(at) {
    this.at = at;
    this.legal = [];
    this.analysis.follow();
    this.draw();
    this.askForMoves();
  }

  step() {
    const next = this.score?.children[this.at][0];
    if (next !== undefined) this.go(next);
  }

  /**
   * Go to the next variation of this move, or back to the parent line.
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
   * Go to the next or previous key moment.
   * @param {number} way
   */
  moment(way) {
    const moments = (this.study?.moments ?? []).map((each) => each.ply);
    const isHidden = moments.some((ply) => this.finder.hides(ply));
    const plies = isHidden ? [...this.finder.bad].filter((ply) => this.finder.hides(ply)) : moments;
    const here = isHidden ? this.at + 1 : this.at; // questions are put before the move
    const to = way > 0 ? plies.find((ply) => ply > here) : plies.findLast((ply) => ply < here);
    if (to !== undefined) this.go(this.finder.hides(to) ? to - 1 : to);
  }

  // ---- drawing ----

  draw() {
    const study = this.study;
    if (!study) return;
    const node = this.node;
    const judged = study.judged[this.at] ?? null;
    this.board.flip(this.flipped);
    const before = this.at ? study.nodes[node.parent].fen : "";
    const burst = burstSquares(before, node.fen, node.squares, study.game.height);
    const { fen, turn, check, squares: last } = node;
    const sign = signsOf(node)[0] ?? judged?.sign ?? "";
    this.board.show({ fen, turn, check, last, burst, sign, legal: this.legal });
    const { best } = this.analysis;
    this.board.point([...(node.arrows ?? []), ...(best ? [best.arrow] : this.betterArrows())]);
    this.score?.mark(this.at);
    drawBar(best?.result ?? judged?.result ?? null, best?.goal);
    const ply = this.mainPly();
    byId("curve").replaceChildren(study.judge ? curve(study.judged, study.bands, ply, study.judges.length > 0) : "");
    this.drawCaption(node, judged);
    this.editing.draw();
    for (const card of byId("moments").querySelectorAll("button"))
      card.toggleAttribute("data-here", Number(card.dataset.ply) === this.at);
    byId("first").toggleAttribute("disabled", this.at === 0);
    byId("previous").toggleAttribute("disabled", this.at === 0);
    byId("next").toggleAttribute("disabled", !this.score?.children[this.at].length);
    byId("last").toggleAttribute("disabled", this.at === this.mainLast);
    const game = this.number ? `game=${this.number}` : this.position || `played=${this.played}`;
    history.replaceState(null, "", `#${game}/${this.at}`);
  }

  /** The ply at which the line of the position leaves the main line. */
  mainPly() {
    let at = this.at;
    while (this.study && this.study.nodes[at].depth) at = this.study.nodes[at].parent;
    return at;
  }

  /** The better move beside a bad one, if the file contains its variation. */
  betterNode() {
    const isBad = this.finder.bad.has(this.at) || this.study?.judged[this.at]?.sign?.includes("?");
    if (!isBad || this.node.depth || this.finder.hides(this.at)) return undefined;
    const other = this.score?.children[this.node.parent][1];
    return other === undefined ? undefined : this.study?.nodes[other];
  }

  /** Arrows for a bad move and for the better one. */
  betterArrows() {
    const better = this.betterNode();
    const drawn = (/** @type {string[]} */ [from, to], /** @type {string} */ kind) => (to ? [{ from, to, kind }] : []);
    return better ? [...drawn(this.node.squares, "worse"), ...drawn(better.squares, "better")] : [];
  }

  /**
   * @param {Node} node
   * @param {Judged & { before?: number | null } | null} judged
   */
  drawCaption(node, judged) {
    const place = byId("caption");
    const next = this.score?.children[this.at][0];
    if (next !== undefined && this.finder.hides(next)) {
      const other = /** @type {Study} */ (this.study).nodes[next];
      place.replaceChildren(
        h("strong", {}, `${node.turn === "white" ? "White" : "Black"} to move`),
        h("span", {}, `find a better move than ${other.san}`),
      );
      return;
    }
    if (!this.at) {
      place.replaceChildren("Before the first move");
      return;
    }
    const name = `${node.number}${node.turn === "black" ? "." : "\u2026"} ${node.san}${signsOf(node).join("") || judged?.sign || ""}`;
    const better = this.betterNode();
    const words = judged
      ? `${Math.round(100 * judged.result)} % for White${better ? `; better was ${better.san}` : `, ${judged.meaning}`}`
      : node.comment || (better ? `better was ${better.san}` : "");
    place.replaceChildren(
      h("strong", {}, name),
      judged ? symbolDrawing(judged.symbol, judged.meaning) : "",
      h("span", {}, words),
    );
  }

  // ---- other actions of the user ----

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  async copyGame() {
    await this.edits.idle();
    await this.copy(this.pgn, "The game is copied.");
  }

  /**
   * @param {string} text
   * @param {string} done
   */
  async copy(text, done) {
    await navigator.clipboard.writeText(text);
    notice(done);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (document.querySelector("dialog[open]") || !this.study || event.altKey) return;
    const isTyping = isField(event.target);
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "s") void guarded(() => this.edits.save());
      else if (event.key === "z" && !isTyping) void guarded(() => this.edits.undo());
      else return;
      event.preventDefault();
      return;
    }
    if (isTyping) return;
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
      c: () => void guarded(() => this.copy(this.node.fen, "The position is copied.")),
      a: () => this.analysis.toggle(),
      b: () => byId("finding").click(),
      e: () => this.editing.toggleByKey(),
      m: () => this.editing.write(),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** @param {EventTarget | null} target */
function isField(target) {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/**
 * The name of the game for the server. With a FEN, the number of a Chess960 position does not matter.
 * @param {Study} study
 */
function gameOf(study) {
  return study.chess960 ? { game: "chess960", number: 0 } : { game: study.game.name };
}

const page = new Page();
page.open().then(
  () => {
    say("");
    performance.mark("ready");
  },
  (error) => {
    document.body.dataset.state = "refused";
    byId("refused").textContent = error.message;
  },
);
