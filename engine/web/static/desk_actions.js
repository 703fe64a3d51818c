// Actions with a dialogue: entering a move, sending to the server, claims, substitutions.
import { ask } from "./desk_dialogue.js";
import { span } from "./desk_texts.js";
import { notice } from "./dom.js";
import { post } from "./server.js";

/** @typedef {import("./desk_game.js").Game} Game */
/** @typedef {import("./desk_game.js").GameView} GameView */

const WORDS = { draw: "Offer a draw with the move", message: "Message to the opponent" };

/**
 * A move made on the board: sent to the server, or only entered.
 * @param {GameView} view
 * @param {Game} game
 * @param {string} move
 */
export function enterMove(view, game, move) {
  const found = game.legal.find((each) => each.move === move);
  const san = found?.san ?? move;
  view.drawPosition(); // the move is not made until it is entered
  if (game.server && game.mine && !game.unsent) {
    sendAction(view, game, "move", move, san);
    return;
  }
  const whose = game.side && !game.mine ? "of your opponent" : "";
  ask({
    title: `Enter ${san} ${whose}`.trim(),
    words: "If the move was not made just now, enter its time.",
    fields: [{ name: "at", label: "When", type: "datetime-local", hint: "empty: now" }],
    yes: `Enter ${san}`,
    run: (values) => view.perform({ action: "move", move, ...values }, game),
  });
}

/**
 * Send a move or another action to the server, after a preview of all values.
 * @param {GameView} view
 * @param {Game} game
 * @param {"move" | "resign" | "accept" | "claim"} action
 * @param {string} [move]
 * @param {string} [san]
 */
export function sendAction(view, game, action, move = "", san = "") {
  const titles = {
    move: san ? `Send ${san}` : `Send ${game.unsent}`,
    resign: "Resign this game",
    accept: "Accept the draw",
    claim: "Claim a draw",
  };
  /** @type {Map<string, string>} */
  const summaries = new Map(); // of what each preview has shown
  const wanted = (/** @type {import("./desk_dialogue.js").Values} */ values) => ({
    name: game.name,
    action,
    move: values.move || move,
    draw: values.draw === true,
    message: values.message,
  });
  ask({
    title: titles[action],
    words: `You see what is sent to the server before it is sent.`,
    fields: [
      ...(action === "claim"
        ? [{ name: "move", label: "Move that completes the claim", hint: "empty: claim in the current position" }]
        : []),
      ...(action === "move" ? [{ name: "draw", label: WORDS.draw, type: "check" }] : []),
      { name: "message", label: WORDS.message, type: "long" },
    ],
    yes: action === "move" ? "Send" : titles[action],
    preview: async (values) => {
      const found = await post("/api/desk/preview", wanted(values));
      summaries.set(JSON.stringify(wanted(values)), found.summary);
      return found.details;
    },
    run: async (values) => {
      const summary = summaries.get(JSON.stringify(wanted(values)));
      const answer = await post("/api/desk/send", { ...wanted(values), summary });
      if (view.name === game.name) await view.open(game.name); // else the user has gone to another game
      notice([answer.done, ...answer.warnings].join("; "));
    },
    other: move ? { label: "Only enter it", run: () => view.perform({ action: "move", move }, game) } : undefined,
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 */
export function enterClaim(view, game) {
  ask({
    title: "Enter a claim",
    words: game.server
      ? "For a claim that you made on the server's page. The clock stops until the decision."
      : "The clock stops until the decision.",
    fields: [
      {
        name: "what",
        label: "Claim",
        type: "choice",
        value: "draw",
        choices: [
          ["draw", "a draw"],
          ["win", "a win"],
        ],
      },
      { name: "at", label: "When", type: "datetime-local", hint: "empty: now" },
    ],
    yes: "Enter the claim",
    run: (values) => view.perform({ action: "claim", ...values }, game),
  });
}

/**
 * @template {{ name: string, players: string[] }} T
 * @param {{ perform: (what: Record<string, unknown>, game: T) => Promise<unknown> }} view
 * @param {T} game
 * @param {string} [side]
 */
export function replacePlayer(view, game, side = "white") {
  ask({
    title: `Replace a player in ${game.name}`,
    words: "The clock keeps running. A captain may refill it only now.",
    fields: [
      {
        name: "side",
        label: "Side",
        type: "choice",
        value: side,
        choices: [
          ["white", `White, ${game.players[0]}`],
          ["black", `Black, ${game.players[1]}`],
        ],
      },
      { name: "player", label: "New player" },
      { name: "refill", label: "Refill by the captain, such as 20d, or all", hint: "empty: none" },
      { name: "at", label: "When", type: "datetime-local", hint: "empty: now" },
    ],
    yes: "Replace",
    run: (values) => view.perform({ action: "replace", ...values }, game),
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 */
export function refillClock(view, game) {
  const most = span(game.running?.refill ?? 0);
  ask({
    title: `Refill the clock of ${game.players[game.running?.side === "black" ? 1 : 0]}`,
    words: game.server
      ? `Up to ${most} fit now. This enters the refill here only: make it on the server's page as well.`
      : `Up to ${most} fit now.`,
    fields: [
      { name: "amount", label: "Amount, such as 20d or 12d6h", hint: "empty: all that fits" },
      { name: "at", label: "When", type: "datetime-local", hint: "empty: now" },
    ],
    yes: "Enter the refill",
    run: (values) => view.perform({ action: "refill", ...values }, game),
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 * @param {boolean} accepted
 */
export function decideClaim(view, game, accepted) {
  ask({
    title: accepted ? "The claim was accepted" : "The claim was rejected",
    words: accepted ? "The game ends." : "The clock continues from its old value.",
    fields: [{ name: "at", label: "When", type: "datetime-local", hint: "empty: now" }],
    yes: "Enter the decision",
    run: (values) => view.perform({ action: "decide", accepted, ...values }, game),
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 */
export function correctClock(view, game) {
  ask({
    title: "Correct a clock to the server's display",
    fields: [
      {
        name: "side",
        label: "Side",
        type: "choice",
        value: game.running?.side ?? "white",
        choices: [
          ["white", `White, ${game.players[0]}`],
          ["black", `Black, ${game.players[1]}`],
        ],
      },
      { name: "clock", label: "Clock, such as 41d6h" },
      { name: "bank", label: "Bank, such as 60d" },
      { name: "at", label: "When", type: "datetime-local", hint: "empty: now" },
    ],
    yes: "Correct",
    run: (values) => view.perform({ action: "correct", ...values }, game),
  });
}

/**
 * @param {GameView} view
 * @param {Game} game
 */
export function enterResult(view, game) {
  ask({
    title: `Enter the result of ${game.name}`,
    words: game.server ? "This enters the result in the store only; it does not tell the server." : "",
    fields: [
      {
        name: "result",
        label: "Result",
        type: "choice",
        value: "1/2-1/2",
        choices: [
          ["1-0", "1–0"],
          ["1/2-1/2", "½–½"],
          ["0-1", "0–1"],
        ],
      },
      { name: "reason", label: "Reason, such as agreement" },
    ],
    yes: "Enter the result",
    run: (values) => view.perform({ action: "result", ...values }, game),
  });
}
