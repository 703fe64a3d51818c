// The view Game: board, clocks as they run, moves with notes, analyses, log.
import { Board } from "./board.js";
import { ask } from "./desk_dialogue.js";
import {
  correctClock,
  decideClaim,
  enterClaim,
  enterMove,
  enterResult,
  refillClock,
  replacePlayer,
  sendAction,
} from "./desk_actions.js";
import { nodeList, startAnalysis } from "./desk_analysis.js";
import { changeRows, editGame, removeGame, savePgn } from "./desk_head.js";
import { CAP, HOUR, MINUTE, bar, counted, instant, span, urgency } from "./desk_texts.js";
import { read } from "./desk_first.js";
import { byId, guarded, h, notice } from "./dom.js";
import { post } from "./server.js";

/**
 * @typedef {{ fen: string, turn: string, check: string[], last: string[], text: string, at?: number | null }} Position
 * @typedef {{ player: string, clock: number, bank: number, bankMost: number, clockKnown: boolean, bankKnown: boolean,
 *   hasBank: boolean, moves: number, words: string, reason: string, flagged: boolean }} Side
 * @typedef {{ number: number, at: number, instant: string, text: string, kind: string, undone: boolean,
 *   fields: string[], removable: boolean }} LogEntry
 * @typedef {{ id: number, kind: string, ply: number, text: string, words: string, line: Position[] }} Remark
 * @typedef {{ now: number, name: string, players: string[], side: string | null, mine: boolean, event: string,
 *   head: { newName: string, white: string, black: string, side: string, event: string, control: string,
 *   server: string, serverId: string, engines: boolean, rmobility: boolean },
 *   control: string, controlWords: string, server: string | null, noEngines: boolean, status: string, result: string,
 *   reason: string, game: import("./squares.js").GameView, positions: Position[],
 *   legal: import("./squares.js").LegalMove[], clocks: Side[], running: { side: string, known: boolean,
 *   deadline: number, refill: number, refilled: number, last: number } | null, hints: string[], offered: boolean, message: string,
 *   unsent: string, planned: string | null, log: LogEntry[], remarks: Remark[],
 *   next: string, analysis: import("./desk_analysis.js").Tree | null }} Game
 */

const SIDES = ["white", "black"];
const SENT = ["send", "accept", "claim-server", "resign"]; // actions that go to the server

/**
 * Everything in a game except its clocks, which change with time.
 * @param {Game} game
 */
function stored(game) {
  return JSON.stringify({ ...game, now: 0, clocks: 0, running: 0, next: "" });
}

export class GameView {
  constructor() {
    /** @type {Game | null} */
    this.game = null;
    this.at = 0;
    /** @type {{ positions: Position[], from: number, at: number } | null} */
    this.line = null; // a line of the notes or of an analysis that the board shows
    this.name = "";
    this.settled = Promise.resolve(); // the action that is on its way: the game may have another name after it, or none
    this.asked = 0; // how often a game was asked for
    this.received = 0; // when the game arrived, by the browser's clock
    this.board = new Board(
      byId("board"),
      { name: "chess", title: "Chess", width: 8, height: 8, pictures: {} },
      {
        label: "Board",
        onMove: (move) => this.game && enterMove(this, this.game, move),
      },
    );
    /** @type {Record<string, () => void>} */
    const actions = {
      first: () => this.go(0),
      previous: () => this.step(-1),
      next: () => this.step(1),
      last: () => this.go(this.lastPly),
      flip: () => this.board.flip(!this.board.flipped),
      undo: () => this.undo(),
      "add-note": () => this.note("comment"),
      "add-line": () => this.note(this.game?.side && !this.game.mine ? "plan" : "line"),
      "add-tag": () => this.note("tag"),
      "next-game": () => {
        if (this.game?.next) location.hash = `#game=${encodeURIComponent(this.game.next)}`;
      },
      "edit-game": () => this.game && editGame(this, this.game),
      "save-game": () => this.game && void savePgn(this.game.name),
      "remove-game": () => this.game && removeGame(this, this.game),
      "analyse-game": () => this.game && void startAnalysis(this.game.name),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    document.addEventListener("keydown", (event) => this.key(event));
    setInterval(() => this.tick(), 30000);
  }

  get lastPly() {
    return (this.game?.positions.length ?? 1) - 1;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isTyping =
      event.target instanceof Element && event.target.closest("input, select, textarea, dialog, [role=application]");
    if (byId("view-game").hidden || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.lastPly),
      f: () => this.board.flip(!this.board.flipped),
      n: () => byId("next-game").click(),
    });
    const action = steps[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {string} name */
  async open(name) {
    const asked = ++this.asked;
    const game = /** @type {Game} */ (await read(`/api/desk/game?name=${encodeURIComponent(name)}`));
    if (asked !== this.asked) return; // a later answer shows the game
    const isOther = name !== this.name;
    // The place is determined after the answer, because the user may have gone to another position in the meantime,
    // and stays there.
    const wasLast = !this.line && this.at === this.lastPly;
    const isSame = !isOther && this.game !== null && stored(this.game) === stored(game);
    this.name = name;
    if (isSame) {
      // Another part of the store has changed, so the board and the moves need no new drawing.
      this.game = game;
      this.received = Date.now();
      this.drawClocks(game);
      return;
    }
    this.show(game, isOther || wasLast);
    if (isOther) this.board.flip(game.side === "black");
  }

  /**
   * @param {Game} game
   * @param {boolean} toEnd
   */
  show(game, toEnd) {
    this.game = game;
    this.received = Date.now();
    this.board.play(game.game);
    if (toEnd || this.at > this.lastPly) {
      this.at = this.lastPly;
      this.line = null;
    }
    this.draw();
  }

  /**
   * Perform an action in the game, and show the changed game.
   * @param {Record<string, unknown>} what
   * @param {Game} game as it was when the user began the action
   */
  async perform(what, game) {
    const done = this.performed(what, game);
    this.settled = done.catch(() => {});
    await done;
  }

  /**
   * @param {Record<string, unknown>} what
   * @param {Game} game
   */
  async performed(what, game) {
    const isRemark = what.action === "note" || what.action === "drop"; // valid even if the log has grown since
    const seen = isRemark ? null : game.log.length;
    const answer = await post("/api/desk/action", { name: game.name, seen, ...what });
    notice([answer.done, ...answer.warnings].join("; "));
    if (this.name !== game.name) return; // the user has gone to another game
    const place = decodeURIComponent(location.hash);
    this.name = answer.game?.name ?? "";
    if (answer.game) this.show(answer.game, !isRemark);
    if (place !== "#game" && place !== `#game=${game.name}`) return;
    if (!answer.game) location.hash = "#today";
    else if (this.name !== game.name) history.replaceState(null, "", `#game=${encodeURIComponent(this.name)}`);
  }

  // ---- going through the game ----

  /** @param {number} at */
  go(at) {
    this.line = null;
    this.at = Math.max(0, Math.min(this.lastPly, at));
    this.drawPosition();
  }

  /** @param {number} way */
  step(way) {
    if (!this.line) {
      this.go(this.at + way);
      return;
    }
    const at = this.line.at + way;
    if (at < 0) this.go(this.line.from);
    else if (at < this.line.positions.length) {
      this.line.at = at;
      this.drawPosition();
    }
  }

  /**
   * @param {Position[]} positions
   * @param {number} from
   * @param {number} at
   */
  goLine(positions, from, at) {
    this.line = { positions, from, at };
    this.at = from;
    this.drawPosition();
  }

  // ---- drawing ----

  draw() {
    const game = this.game;
    if (!game) return;
    byId("game-title").textContent = `${game.players[0]} – ${game.players[1]}`;
    const over = game.status === "over" ? `${game.result}${game.reason ? ` (${game.reason})` : ""}` : "";
    byId("game-about").replaceChildren(
      [
        over,
        game.name,
        game.control,
        game.noEngines ? "no engines" : "",
        game.server ? new URL(game.server).host : "not on a server",
      ]
        .filter(Boolean)
        .join(" · "),
      ...(game.event ? [" · ", h("a", { href: `#event=${encodeURIComponent(game.event)}` }, game.event)] : []),
    );
    const hints = [...game.hints];
    if (game.message) hints.unshift(game.message);
    if (game.offered) hints.unshift("Your opponent offers a draw; a move declines it.");
    if (game.unsent) hints.unshift(`${game.unsent} is not sent yet: on the server your clock runs on.`);
    if (game.planned) hints.unshift(`You have planned ${game.planned}.`);
    byId("hints").replaceChildren(...hints.map((text) => h("li", {}, text)));
    this.drawClocks(game);
    this.drawActions(game);
    this.drawScore(game);
    this.drawRemarks(game);
    this.drawLog(game);
    byId("game-tree").replaceChildren(
      nodeList(
        game.analysis,
        (node) => (node.line ? this.goLine(node.line, node.ply, node.line.length - 1) : this.go(this.lastPly)),
        (node) =>
          void guarded(() =>
            this.perform(
              {
                action: "note",
                kind: "line",
                ply: node.ply,
                moves: node.moves,
                text: `${node.score}, ${node.engine}`,
              },
              game,
            ),
          ),
      ),
    );
    byId("next-game").hidden = !game.next;
    byId("analyse-game", HTMLButtonElement).disabled = game.noEngines || game.status === "over";
    this.drawPosition();
  }

  tick() {
    if (this.game && !byId("view-game").hidden) this.drawClocks(this.game);
  }

  /** @param {Game} game */
  drawClocks(game) {
    const passed = Date.now() - this.received;
    const sides = SIDES.map((side, index) => {
      const clock = game.clocks[index];
      const isRunning = game.running?.side === side;
      const left = Math.max(0, clock.clock - (isRunning ? passed : 0));
      const known = clock.clockKnown;
      const text = clock.flagged ? "time up" : span(left, known);
      const most =
        !clock.bankKnown && clock.bankMost > clock.bank ? ` At most ${span(clock.bankMost)} in the bank.` : "";
      return h(
        "div",
        { class: "side", "data-running": isRunning },
        h(
          "p",
          {},
          h("span", { class: `piece ${side}` }),
          h("strong", {}, game.players[index]),
          game.side === side ? h("span", { class: "dim" }, " you") : null,
          h("span", { class: "dim" }, ` ${counted(clock.moves, "move")}`),
        ),
        bar("clock", left, CAP, text, isRunning ? urgency(left) : "calm"),
        clock.hasBank ? bar("bank", clock.bank, 2 * CAP, span(clock.bank, clock.bankKnown), "bank") : null,
        clock.reason ? h("p", { class: "dim" }, `Unknown, because ${clock.reason}.${most}`) : null,
      );
    });
    byId("clocks").replaceChildren(...(this.board.flipped ? sides : sides.toReversed()));
    this.drawRun(game);
  }

  /** How long the running clock lasts: without a refill, with one now, with all refills. @param {Game} game */
  drawRun(game) {
    const run = game.running;
    if (!run) {
      byId("runs").replaceChildren(game.status === "claimed" ? h("p", {}, "A claim is pending: no clock runs.") : "");
      return;
    }
    const now = Date.now();
    const whose = game.side === run.side ? "You" : `${run.side === "white" ? "White" : "Black"}`;
    const least = run.known ? "" : "at the earliest ";
    const isOver = run.known && run.deadline <= now;
    const rows = [["without a refill", run.deadline, urgency(run.deadline - now)]];
    if (!isOver && run.refill >= MINUTE) rows.push([`with a refill of ${span(run.refill)} now`, run.refilled, "calm"]);
    if (!isOver && run.last > run.refilled + HOUR) rows.push(["with every refill", run.last, "bank"]);
    byId("runs").replaceChildren(
      h(
        "p",
        { class: "dim" },
        isOver
          ? "Time ran out. If the game goes on, enter the missing refill, or correct the clock."
          : `${whose} must move ${least}before`,
      ),
      ...rows.map(([name, until, kind]) =>
        bar(String(name), Number(until) - now, run.last - now, instant(Number(until)), String(kind)),
      ),
    );
  }

  /** @param {Game} game */
  drawActions(game) {
    /** @type {[string, string, () => void, boolean?][]} */
    const found = [];
    const isLinked = Boolean(game.server);
    if (game.status === "running") {
      if (isLinked && game.unsent)
        found.push(["send", `Send ${game.unsent}`, () => sendAction(this, game, "move"), true]);
      if (isLinked && game.offered) found.push(["accept", "Accept draw", () => sendAction(this, game, "accept")]);
      if (game.running?.refill && !game.unsent) found.push(["refill", "Refill", () => refillClock(this, game)]);
      if (game.mine && isLinked) found.push(["claim-server", "Claim draw", () => sendAction(this, game, "claim")]);
      found.push(["claim", isLinked ? "Enter a claim" : "Claim", () => enterClaim(this, game)]);
      if (isLinked && game.side) found.push(["resign", "Resign", () => sendAction(this, game, "resign")]);
      found.push(["replace", "Replace", () => replacePlayer(this, game)]);
    }
    if (game.status === "claimed") {
      found.push(
        ["accepted", "Claim accepted", () => decideClaim(this, game, true), true],
        ["rejected", "Claim rejected", () => decideClaim(this, game, false)],
      );
    }
    if (game.status !== "over")
      found.push(
        ["correct", "Correct a clock", () => correctClock(this, game)],
        ["result", "Enter the result", () => enterResult(this, game)],
      );
    const button = (/** @type {typeof found[number]} */ [id, text, run, isMain]) =>
      h("button", { type: "button", "data-action": id, class: isMain ? "main" : "", onclick: run }, text);
    const groups = /** @type {[string, boolean][]} */ (
      isLinked
        ? [
            ["On the server", true],
            ["In the store", false],
          ]
        : [["", false]]
    );
    byId("actions").replaceChildren(
      ...groups.map(([name, sent]) => {
        const own = found.filter(([id]) => SENT.includes(id) === sent);
        return own.length
          ? h("div", { class: "actions" }, name ? h("span", { class: "dim" }, name) : null, ...own.map(button))
          : "";
      }),
    );
  }

  /** @param {Game} game */
  drawScore(game) {
    const comments = new Map();
    for (const each of game.remarks)
      if (each.kind === "comment") comments.set(each.ply, [...(comments.get(each.ply) ?? []), each]);
    byId("score").replaceChildren(
      ...game.positions.flatMap((position, ply) => {
        const link = ply
          ? h(
              "button",
              {
                type: "button",
                "data-ply": ply,
                title: position.at ? instant(position.at) : "",
                onclick: () => this.go(ply),
              },
              position.text.includes("...") && ply > 1 ? position.text.split("...")[1] : position.text,
            )
          : null;
        const words = (comments.get(ply) ?? []).map((/** @type {Remark} */ each) =>
          h("span", { class: "comment" }, each.text, this.cross(game, each)),
        );
        return link || words.length ? [h("li", {}, link, ...words)] : [];
      }),
    );
  }

  /** @param {Game} game */
  drawRemarks(game) {
    byId("tags").replaceChildren(
      ...game.remarks
        .filter((each) => each.kind === "tag")
        .map((each) => h("span", { class: "badge tag" }, each.text, this.cross(game, each))),
    );
    byId("remarks").replaceChildren(
      ...game.remarks
        .filter((each) => each.kind === "line" || each.kind === "plan")
        .map((each) => {
          const moves = each.line.map((position, at) =>
            h(
              "button",
              { type: "button", class: "move", onclick: () => this.goLine(each.line, each.ply, at) },
              position.text.includes("...") && at ? position.text.split("...")[1] : position.text,
            ),
          );
          const words = each.text ? `(${each.text})` : "";
          return h(
            "li",
            {},
            each.kind === "plan" ? h("span", { class: "badge good" }, "planned reply") : null,
            ...moves,
            h("span", { class: "comment" }, words),
            this.cross(game, each),
          );
        }),
    );
  }

  /**
   * @param {Game} game
   * @param {Remark} remark
   */
  cross(game, remark) {
    return h(
      "button",
      {
        type: "button",
        class: "cross",
        "aria-label": `Remove: ${remark.words}`,
        onclick: () =>
          ask({
            title: "Remove this remark?",
            words: remark.words,
            yes: "Remove",
            run: () => this.perform({ action: "drop", id: remark.id }, game),
          }),
      },
      "×",
    );
  }

  /** @param {Game} game */
  drawLog(game) {
    byId("log").replaceChildren(
      ...game.log.map((entry) =>
        h(
          "li",
          { "data-undone": entry.undone },
          h("span", { class: "dim when", title: entry.instant }, instant(entry.at)),
          h("span", {}, entry.text),
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              "data-entry": entry.number,
              "aria-label": `Correct entry ${entry.number}`,
              onclick: () => this.editEntry(game, entry),
            },
            "Correct",
          ),
        ),
      ),
    );
    byId("undo", HTMLButtonElement).disabled = game.log.length < 2;
  }

  drawPosition() {
    const game = this.game;
    if (!game) return;
    const position = this.line ? this.line.positions[this.line.at] : game.positions[this.at];
    const isPresent = !this.line && this.at === this.lastPly;
    this.board.show({ ...position, legal: isPresent ? game.legal : [] });
    const where = this.line ? `line, ${position.text}` : position.text || "Start position";
    byId("caption").textContent =
      isPresent && game.status === "running"
        ? `${where || "Start"} · ${game.mine ? "your move" : "move a piece to enter a move"}`
        : where;
    for (const button of byId("score").querySelectorAll("button"))
      if (!this.line && Number(button.dataset.ply) === this.at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    byId("first", HTMLButtonElement).disabled = byId("previous", HTMLButtonElement).disabled =
      !this.line && this.at === 0;
    byId("last", HTMLButtonElement).disabled = byId("next", HTMLButtonElement).disabled = isPresent;
  }

  // ---- actions ----

  undo() {
    const { game } = this;
    const last = game?.log.at(-1);
    if (!game || !last) return;
    const run = () => this.perform({ action: "undo" }, game);
    ask({ title: "Undo the last entry?", words: last.text, yes: "Undo", run });
  }

  /** @param {string} kind */
  note(kind) {
    const { game } = this;
    if (!game) return;
    const where = this.line ? this.line.from : this.at;
    const at = game.positions[where].text || "the start";
    if (kind === "tag") {
      ask({
        title: "Tag this game",
        fields: [{ name: "text", label: "Tag, one word" }],
        yes: "Keep",
        run: (values) => this.perform({ action: "note", kind, ply: 0, ...values }, game),
      });
      return;
    }
    /** @type {import("./desk_dialogue.js").Field[]} */
    const fields = [{ name: "text", label: "Comment", type: "long" }];
    if (kind !== "comment") {
      const kinds = /** @type {[string, string][]} */ ([
        ["line", "A line"],
        ["plan", "Planned replies: they begin with a move of the opponent"],
      ]);
      fields.unshift(
        { name: "moves", label: "Moves, such as Nf6 Bg5 h6" },
        { name: "kind", label: "Kind", type: "choice", value: kind, choices: kinds },
      );
    }
    ask({
      title: kind === "comment" ? `Note after ${at}` : `Line after ${at}`,
      fields,
      yes: "Keep",
      run: (values) => this.perform({ action: "note", kind, ply: where, ...values }, game),
    });
  }

  /**
   * @param {Game} game
   * @param {LogEntry} entry
   */
  editEntry(game, entry) {
    /** @type {Record<string, string>} */
    const labels = { clock: "Clock", bank: "Bank", amount: "Amount", player: "Player" };
    const wanted = (/** @type {import("./desk_dialogue.js").Values} */ values) => ({
      name: game.name,
      entry: entry.number,
      ...values,
    });
    ask({
      title: `Correct entry ${entry.number}: ${entry.text}`,
      words: "All later entries are recomputed, and shown before they are stored.",
      fields: [
        { name: "at", label: "When", type: "datetime-local", hint: `empty: ${instant(entry.at)}, as it is` },
        ...entry.fields.map((name) => ({ name, label: labels[name] })),
        ...(entry.removable ? [{ name: "remove", label: "Remove this entry", type: "check" }] : []),
      ],
      yes: "Store",
      preview: async (values) => changeRows((await post("/api/desk/edit", wanted(values))).changes),
      run: (values) => this.perform({ action: "edit", entry: entry.number, ...values }, game),
    });
  }
}
