// R-Mobility for web pages and Node.js: goals, records, komi, adjudication, outcome tables.
//
//   import { load } from "./rmobility.mjs";
//   const rm = await load();                       // reads rmobility.wasm from the folder of this file
//   rm.goal("8/8/8/2K3k1/8/8/8/8 w - - 0 1");      // "-G8.5"
//   rm.adjudicate({ moves: ["e2e4", "e7e5"] });    // { record: "-G29.5", ply: 2, owner: "black", ... }
//
// rmobility.wasm is rmobility.c, compiled; rmobility.h explains the rules and terms. docs/adjudication.md of Standstill
// describes the functions. Texts of goals: G1.5 is White's, -G8.5 Black's.
//
// Copyright (c) 2026 the Standstill developers. MIT licence: permission is granted, free of charge, to any person
// obtaining a copy of this file and of rmobility.wasm to deal in them without restriction, including the rights to use,
// copy, modify, merge, publish, distribute, sublicense and sell copies, provided that this notice is included in all
// copies or substantial portions. The software is provided "as is", without warranty of any kind.

import { castling, coordinates, placement, readSan, splitGames, squareText } from "./notation.mjs";

/**
 * @typedef {"white" | "black"} Side
 * @typedef {object} Rules the switches of rmobility.h
 * @property {"fide" | "record" | "off"} [fifty] the 50-move rule; record: an improved record restarts the count
 * @property {boolean} [keep_trigger] the position that triggers the 50-move rule may set a record
 * @property {boolean} [whole_game] captures and pawn moves do not delete the record
 * @property {boolean} [dead_draw] insufficient material ends the game
 * @property {boolean} [chess960] accepted and ignored: every FEN may have castling rights of Chess960
 * @property {string} [limit] weaker goals do not set records
 * @property {string} [cut_off] this goal and weaker ones are plain draws
 *
 * @typedef {object} Question
 * @property {string | null} [fen] the first position, by default the standard one; a record may be its last field
 * @property {string[] | string} [moves] in coordinates or in algebraic notation
 * @property {string | null} [record] a record that stands at the first position, such as "-G4.0"
 * @property {string | null} [komi] decides a drawn game, such as "G3.75"
 * @property {string} [result] 1-0 or 0-1, for a game that did not end on the board
 * @property {Rules} [rules]
 *
 * @typedef {object} Answer
 * @property {string | null} record the record if the game ended here
 * @property {number | null} ply the half-move that set it
 * @property {Side | null} owner
 * @property {string | null} over the rule that ends the game
 * @property {string} result "*" if the game goes on
 * @property {boolean} proven whether the outcome is certain
 * @property {string | null} outcome the final record of best play, if it is certain
 * @property {number | null} plies the half-moves until then
 * @property {[number, number]} points of White and Black for the record
 *
 * @typedef {object} PgnGame
 * @property {Record<string, string>} tags
 * @property {Question} question for `adjudicate`
 * @property {string} result 1-0, 0-1, 1/2-1/2 or *
 * @property {string} [error] what is wrong; the question then has the moves before
 *
 * @typedef {{ end: number, hasRecord: boolean, code: number, owner: number, recordPly: number, goal: number,
 *   side: number, clock: number, ply: number, ep: number, lowest: number, lowestOwner: number }} State
 */

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const NO_LIMIT = 1 << 20;
const CLOCK_LIMIT = 100;
const TOP = 127;
const MOST_TEXT = 255;
/** @type {Side[]} */
const SIDES = ["white", "black"];
const FIFTY = ["fide", "record", "off"];
const RESULTS = ["1/2-1/2", "1-0", "0-1"];
const ENDS = [null, "mate", "stalemate", "threefold repetition", "fifty-move rule", "insufficient material"];
const FLAGS = ["keep_trigger", "whole_game", "dead_draw", "chess960"];

/**
 * Load the compiled file.
 *
 * @param {string | URL | BufferSource | Response | WebAssembly.Module} [source] its content, or its address, which may
 *   be relative to this file
 * @returns {Promise<RMobility>}
 */
export async function load(source = "rmobility.wasm") {
  let content = typeof source === "string" ? await read(new URL(source, import.meta.url)) : source;
  if (content instanceof URL) content = await read(content);
  if (typeof Response !== "undefined" && content instanceof Response) content = await content.arrayBuffer();
  const bytes = /** @type {BufferSource | WebAssembly.Module} */ (content);
  const module = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
  return new RMobility(await WebAssembly.instantiate(module, {}));
}

/** @param {URL} address */
async function read(address) {
  if (address.protocol === "file:" && "process" in globalThis) {
    // @ts-ignore: a module of Node.js, which cannot fetch files
    return (await import(/* webpackIgnore: true */ "node:fs/promises")).readFile(address);
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`expected ${address}, found status ${response.status}`);
  return response.arrayBuffer();
}

/**
 * @param {number} code
 * @param {number} owner
 */
function goalText(code, owner) {
  return `${owner ? "-" : ""}G${code >> 1}.${code % 2 ? 5 : 0}`;
}

/** The functions of rmobility.c. `load` makes one. */
export class RMobility {
  /** @type {any} */
  #wasm;
  /** @type {number[]} the tables for records of a phase, and for records of the whole game */
  #tables;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  /** @type {FinalizationRegistry<number>} */
  #lost = new FinalizationRegistry((address) => this.#wasm.close_game(address));

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#wasm = instance.exports;
    this.#tables = [0, 1].map((wholeGame) => this.#wasm.open_tables(wholeGame));
  }

  /**
   * Return the goal of a position, such as "-G8.5".
   *
   * @param {string} fen
   * @returns {string}
   */
  goal(fen) {
    this.#say(fen);
    const code = this.#wasm.goal();
    if (code < 0) throw this.#wrongFen(fen);
    return goalText(code, this.#numbers()[0]);
  }

  /**
   * Begin a game.
   *
   * @param {string} [fen] the first position; a record may be its last field
   * @param {{ record?: string | null, rules?: Rules }} [given]
   * @returns {Game}
   */
  game(fen = START, { record = null, rules = {} } = {}) {
    const { fifty = "fide" } = rules;
    for (const name of FLAGS)
      expect(typeof (/** @type {any} */ (rules)[name] ?? false) === "boolean", `${name}, true or false`, name);
    expect(FIFTY.includes(fifty), `fifty, one of ${FIFTY.join(", ")}`, fifty);
    const limit = rules.limit ? this.#weakest(rules.limit) : NO_LIMIT;
    const [code, owner] = record ? this.#goalOf(record) : [-1, 0];
    expect(code < 0 || code > 1, "a record that leaves the game open", record);
    this.#say(fen);
    const { keep_trigger: keep, whole_game: whole, dead_draw: dead } = rules;
    const address = this.#wasm.open_game(code, owner, FIFTY.indexOf(fifty), +!!keep, +!!whole, limit, +!!dead);
    if (!address) throw this.#wrongFen(fen);
    const access = {
      state: () => this.#state(address),
      moves: () => this.#moves(address),
      squares: () => this.#squares(address),
      push: (/** @type {string} */ move) => this.#push(address, move),
      probe: () => this.#probe(address, !!whole),
      close: () => {
        this.#lost.unregister(access);
        this.#wasm.close_game(address);
      },
    };
    const number = Number(/^\d+$/.exec(fen.trim().split(/\s+/)[5] ?? "")?.[0] ?? 1);
    const game = new Game(access, rules, number || 1);
    this.#lost.register(game, address, access);
    return game;
  }

  /**
   * Adjudicate a game, as `standstill adjudicate` does.
   *
   * @param {Question} question
   * @returns {Answer}
   */
  adjudicate({ fen, moves = [], record = null, komi = null, result = "*", rules = {} }) {
    const terms = komi ? this.#komiOf(komi) : null;
    const cutOff = rules.cut_off ? this.#weakest(rules.cut_off) : NO_LIMIT;
    const game = this.game(fen ?? START, { record, rules });
    try {
      for (const move of typeof moves === "string" ? moves.split(/\s+/).filter(Boolean) : moves) game.push(move);
      const found = game.found(result);
      const points = this.#points(found, terms, cutOff);
      if (found.over && found.result === RESULTS[0] && terms) {
        found.result = points[0] === 1 ? "1-0" : points[0] === 0 ? "0-1" : "1/2-1/2";
      }
      const { code, side, ...told } = found;
      return { ...told, points };
    } finally {
      game.close();
    }
  }

  /**
   * Read the games of a PGN file.
   *
   * @param {string} text
   * @returns {PgnGame[]}
   */
  games(text) {
    return [...splitGames(text)].map(({ tags, words, result }) => {
      /** @type {PgnGame} */
      const found = { tags, result, question: {} };
      const moves = [];
      if (tags.FEN) found.question.fen = tags.FEN;
      if (tags.RMobilityRecord) found.question.record = tags.RMobilityRecord;
      if (result === "1-0" || result === "0-1") found.question.result = result;
      let game;
      try {
        const variant = tags.Variant ?? "";
        expect(/^(|chess|standard|normal|from position|chess ?960|fischer ?r?andom)$/i.test(variant), "chess", variant);
        game = this.game(tags.FEN);
        for (const word of words) moves.push(game.push(word));
      } catch (error) {
        found.error = /** @type {Error} */ (error).message;
      } finally {
        game?.close();
      }
      return { ...found, question: { ...found.question, moves } };
    });
  }

  /**
   * Add an outcome table, and from then on use it.
   *
   * @param {string} name the name of the file, such as KBvK.rmv (outcomes), KBvK.rmd (plies), KBvK.wgv (whole game)
   * @param {ArrayBuffer | Uint8Array} content
   */
  addTable(name, content) {
    const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
    const address = this.#wasm.malloc(bytes.length);
    if (!address) throw new Error(`${name}: not enough memory`);
    new Uint8Array(this.#wasm.memory.buffer, address, bytes.length).set(bytes);
    this.#say(name);
    const isTable = this.#wasm.add_file(this.#tables[+/\.wg.$/.test(name)], address, bytes.length);
    expect(isTable, "a table of at most five men, such as KBvK.rmv", name);
  }

  /** Forget all tables, and free their memory. */
  dropTables() {
    for (const tables of this.#tables) this.#wasm.close_tables(tables);
    this.#tables = [0, 1].map((wholeGame) => this.#wasm.open_tables(wholeGame));
  }

  /**
   * Return the record at the end of best play by the tables, leaving the 50-move rule aside; null without a table.
   *
   * @param {string} fen
   * @param {{ record?: string | null, wholeGame?: boolean }} [given]
   * @returns {{ outcome: string, plies: number | null } | null}
   */
  probe(fen, { record = null, wholeGame = false } = {}) {
    const game = this.game(fen, { record, rules: { whole_game: wholeGame } });
    try {
      return game.probe();
    } finally {
      game.close();
    }
  }

  /** @param {string} text at most 255 bytes, which the next call reads */
  #say(text) {
    const bytes = this.#encoder.encode(text);
    expect(bytes.length <= MOST_TEXT, `at most ${MOST_TEXT} characters`, `${text.slice(0, 30)}…`);
    const place = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.text(), MOST_TEXT + 1);
    place.set(bytes);
    place[bytes.length] = 0;
  }

  #numbers() {
    return new Int32Array(this.#wasm.memory.buffer, this.#wasm.numbers(), 12);
  }

  /** @param {number} length */
  #bytes(length) {
    return new Uint8Array(this.#wasm.memory.buffer, this.#wasm.bytes(), length);
  }

  /** @param {string} fen */
  #wrongFen(fen) {
    const place = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.text(), MOST_TEXT + 1);
    const wrong = this.#decoder.decode(place.slice(0, place.indexOf(0)));
    return new Error(wrong ? `expected ${wrong}, found ${fen}` : "not enough memory");
  }

  /** @param {string} text */
  #goalOf(text) {
    this.#say(text);
    expect(this.#wasm.parse_goal(), "a goal such as G1.5 or -G8.5", text);
    return [...this.#numbers().slice(0, 2)];
  }

  /** @param {string} text a goal for both sides */
  #weakest(text) {
    const [code, owner] = this.#goalOf(text);
    expect(!owner, `a goal for both sides such as ${goalText(code, 0)}`, text);
    return code;
  }

  /** @param {string} text */
  #komiOf(text) {
    this.#say(text.trim().replace(/^[−–]/, "-"));
    expect(this.#wasm.parse_komi(), "a komi like G3.75 or -G3.75", text);
    return [...this.#numbers().slice(0, 2)];
  }

  /**
   * @param {{ code: number, side: number }} record code: -1 without one
   * @param {number[] | null} komi
   * @param {number} cutOff
   * @returns {[number, number]}
   */
  #points({ code, side }, komi, cutOff) {
    let gained = 0;
    if (komi) {
      gained = [0, 0.5, -0.5][this.#wasm.by_komi(code, side, komi[0], komi[1], cutOff)];
    } else if (code >= 0 && code < cutOff) {
      gained = 2 ** -(code + 1) * (side ? -1 : 1);
    }
    return [0.5 + gained, 0.5 - gained];
  }

  /**
   * @param {number} address
   * @returns {State}
   */
  #state(address) {
    this.#wasm.state(address);
    const [end, has, code, owner, recordPly, goal, side, clock, ply, ep, lowest, lowestOwner] = this.#numbers();
    return { end, hasRecord: !!has, code, owner, recordPly, goal, side, clock, ply, ep, lowest, lowestOwner };
  }

  /** @param {number} address */
  #moves(address) {
    const count = this.#wasm.moves(address);
    const found = this.#bytes(4 * count);
    return Array.from({ length: count }, (_, at) => [...found.slice(4 * at, 4 * at + 4)]);
  }

  /** @param {number} address */
  #squares(address) {
    this.#wasm.board(address);
    return this.#bytes(64).slice();
  }

  /**
   * @param {number} address
   * @param {string} move
   */
  #push(address, move) {
    this.#say(move);
    const done = this.#wasm.push(address);
    if (done < 0) throw new Error("not enough memory");
    return !!done;
  }

  /**
   * @param {number} address
   * @param {boolean} wholeGame
   */
  #probe(address, wholeGame) {
    const outcome = this.#wasm.probe(this.#tables[+wholeGame], address);
    if (!outcome) return null;
    const plies = this.#numbers()[0];
    return { outcome: goalText(TOP - Math.abs(outcome), +(outcome < 0)), plies: plies < 0 ? null : plies };
  }
}

/** A game, move by move. `RMobility.game` makes one; `close` frees its memory. */
export class Game {
  /** @type {any} */
  #access;
  #rules;
  #number;
  #first;

  /**
   * @param {any} access
   * @param {Rules} rules
   * @param {number} number of the first move
   */
  constructor(access, rules, number) {
    this.#access = access;
    this.#rules = rules;
    this.#number = number;
    this.#first = this.#state().side;
  }

  /** Free the memory of the game, which must not be used afterwards. */
  close() {
    this.#access?.close();
    this.#access = null;
  }

  #opened() {
    if (!this.#access) throw new Error("expected an open game, found a closed one");
    return this.#access;
  }

  /** @returns {State} */
  #state() {
    return this.#opened().state();
  }

  /** The goal of the position, such as "-G8.5". */
  get goal() {
    const { goal, side } = this.#state();
    return goalText(goal, 1 - side);
  }

  /** The record, or null without one within the limit. @returns {{ goal: string, owner: Side, ply: number } | null} */
  get record() {
    const { hasRecord, code, owner, recordPly } = this.#state();
    return hasRecord ? { goal: goalText(code, owner), owner: SIDES[owner], ply: recordPly } : null;
  }

  /** The rule that ends the game, such as "stalemate"; null if the game goes on. */
  get over() {
    const { end, side } = this.#state();
    return end === 1 ? `${side ? "White" : "Black"} mates` : ENDS[end];
  }

  get ply() {
    return this.#state().ply;
  }

  /** @returns {Side} */
  get turn() {
    return SIDES[this.#state().side];
  }

  /** The position; castling rights as KQkq where the rook is the outermost one, else by its file. */
  get fen() {
    const { side, clock, ep, ply } = this.#state();
    const squares = this.#opened().squares();
    const number = this.#number + Math.floor((this.#first + ply) / 2);
    return [placement(squares), "wb"[side], castling(squares), ep > 63 ? "-" : squareText(ep), clock, number].join(" ");
  }

  /** The legal moves in coordinates; castling goes to the square of the rook. @returns {string[]} */
  moves() {
    return this.#opened().moves().map(coordinates);
  }

  /**
   * Make a move, and return it in coordinates.
   *
   * @param {string} move in coordinates (e2e4, e7e8q, e1g1 or e1h1) or in algebraic notation
   * @returns {string}
   */
  push(move) {
    const access = this.#opened();
    if (access.push(move)) return move;
    const found = readSan(move, access.moves());
    if (!found || !access.push(found)) throw new Error(`ply ${this.ply + 1}: expected a legal move, found ${move}`);
    return found;
  }

  /** The outcome of best play by the tables, and the plies to it, leaving the 50-move rule aside; null without a table. */
  probe() {
    return /** @type {{ outcome: string, plies: number | null } | null} */ (this.#opened().probe());
  }

  /**
   * The answer of `adjudicate` without the points, and the record as numbers.
   *
   * @param {string} result
   */
  found(result = "*") {
    const { end, side, ply, hasRecord, code, owner, recordPly } = this.#state();
    const won = end === 1 ? 1 - side : end === 2 ? -1 : ["1-0", "0-1"].indexOf(result);
    const record = won >= 0 ? { code: 0, owner: won, ply } : hasRecord ? { code, owner, ply: recordPly } : null;
    const over = this.over ?? (won >= 0 ? "result" : null);
    const text = record && goalText(record.code, record.owner);
    const best = over ? { outcome: text, plies: 0 } : this.#proven();
    return {
      record: text,
      ply: record && record.ply,
      owner: record && SIDES[record.owner],
      over,
      result: won >= 0 ? RESULTS[1 + won] : over ? RESULTS[0] : "*",
      proven: best !== null,
      outcome: best && best.outcome,
      plies: best && best.plies,
      code: record ? record.code : -1,
      side: record ? record.owner : 0,
    };
  }

  /** The outcome of best play, unless the 50-move rule or a rule that tables do not know could change it. */
  #proven() {
    const { limit, dead_draw: isDeadDraw, fifty } = this.#rules;
    if (limit || isDeadDraw || fifty === "record") return null;
    const found = this.probe();
    const { clock, lowest, lowestOwner } = this.#state();
    if (!found) return null;
    const isHeld = found.outcome === goalText(lowest, lowestOwner);
    const isLate = fifty !== "off" && (found.plies === null || clock + found.plies + 2 >= CLOCK_LIMIT);
    return isHeld || !isLate ? found : null;
  }
}

/**
 * @param {unknown} isRight
 * @param {string} what
 * @param {unknown} found
 */
function expect(isRight, what, found) {
  if (!isRight) throw new Error(`expected ${what}, found ${found}`);
}
