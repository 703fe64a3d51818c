"use strict";
// The quiz: positions in which some moves hold or win and others do not.
const BATCH = 12, BATCHES = 60;

const pick = (list) => list[Math.floor(Math.random() * list.length)];

// A random position of a class with a possible record, or null if the pieces do not fit.
function randomState(name) {
  const squares = Array(64).fill(""), turned = Math.random() < 0.5;
  name.split("v").forEach((side, index) => {
    for (const kind of side) {
      const isPawn = kind === "P", free = squares.map((man, square) => (man ? -1 : square))
        .filter((square) => square >= 0 && (!isPawn || (square > 7 && square < 56)));
      squares[pick(free)] = (index === 1) === turned ? kind : kind.toLowerCase();
    }
  });
  const position = { squares, turn: pick(["w", "b"]), ep: -1 };
  if (problem(position)) return null;
  const moves = legalMoves(position), own = goalOf(position, moves);
  if (moves.length < 2) return null;
  const given = Math.random() < 0.5 ? null : { code: 2 + Math.floor(Math.random() * (own.code - 1)), owner: pick([0, 1]) };
  return { position, given, record: held(position, given, moves) };
}

// Is the position worth asking: do at most half of the moves keep the outcome?
function isQuestion(entries) {
  if (entries.length < 2 || entries.some((entry) => entry.value.error)) return false;
  const best = entries[0].value.outcome;
  return 2 * entries.filter((entry) => entry.value.outcome === best).length <= entries.length;
}

async function findQuestion(names) {
  for (let batch = 0; batch < BATCHES; batch++) {
    const found = Array.from({ length: BATCH }, () => randomState(pick(names))).filter(Boolean);
    const all = await Promise.all(found.map((each) => moveValues(source, each.position, each.record, data.wholeGame)));
    const index = all.findIndex(isQuestion);
    if (index >= 0) return { ...found[index], entries: all[index] };
  }
  return null;
}

async function ask() {
  const chosen = $("quiz-class").value, names = chosen ? [chosen] : data.classes;
  state.quiz = { asking: false, entries: [] };
  latest += 1; // discards the result of an analysis in progress
  showQuiz();
  $("main").setAttribute("aria-busy", "true");
  let question;
  try {
    question = await findQuestion(names);
  } catch (error) {
    return showProblem(error.message);
  }
  if (!question) return showProblem(`No position of ${chosen || "these classes"} worth asking was found: try again.`);
  state.quiz = { asking: true, entries: question.entries };
  state.history = [];
  return go(question.position, question.record, [], false);
}

function showQuestion() {
  const { entries } = state.quiz, best = entries[0].value, record = recordNow(), side = sideName(mover());
  const stands = best.outcome === outcomeOf(record), { code, owner } = recordOf(best.outcome);
  const goal = code === 0 ? "mate" : code === 1 ? "stalemate" : shownGoal({ code, owner: 0 });
  const aim = stands ? "keeps the record" : `leads to ${sideName(owner)}\u2019s ${goal}`;
  $("headline").classList.remove("problem");
  delete $("headline").dataset.value;
  $("headline").textContent = `${side} to move. Which move ${aim}?`;
  $("subline").textContent = `The record is ${shownGoal(record)}, ${sideName(record.owner)}\u2019s. Move on the board, or choose:`;
  const sorted = [...entries].sort((one, two) => (one.text < two.text ? -1 : 1));
  $("moves").replaceChildren(...sorted.map((entry) => moveButton(entry, "", "hidden")));
  $("moves-title").textContent = `${entries.length} moves`;
  for (const id of ["line-part", "stairs-part"]) $(id).hidden = true;
  $("maps-part").hidden = true;
  $("results").hidden = false;
  $("verdict").textContent = "";
  $("main").setAttribute("aria-busy", "false");
}

function answered(move) {
  const { entries } = state.quiz, own = entries.find((entry) => moveText(entry.move) === moveText(move));
  const right = own.value.outcome === entries[0].value.outcome, score = readScore();
  state.quiz.asking = false;
  score.asked += 1;
  score.right += right ? 1 : 0;
  score.row = right ? score.row + 1 : 0;
  writeScore(score);
  const keeping = entries.filter((entry) => entry.value.outcome === entries[0].value.outcome).map((entry) => entry.text);
  board.marks.last = [move.from, move.to];
  show();
  $("verdict").className = right ? "right" : "wrong";
  $("verdict").textContent = right ? `${own.text} is right: ${valueText(own.value)}.`
    : `${own.text} is wrong: it leads to ${valueText(own.value)}. Right: ${keeping.join(", ")}.`;
  $("next").focus();
}

function showQuiz() {
  const on = state.quiz !== null, score = readScore();
  document.body.dataset.asking = String(asking());
  $("quiz").hidden = !on;
  $("tab-browse").setAttribute("aria-pressed", String(!on));
  $("tab-quiz").setAttribute("aria-pressed", String(on));
  $("maps-part").hidden = asking();
  $("next").textContent = asking() ? "Another one" : "Next";
  $("score").textContent = score.asked ? `${score.right} of ${score.asked} right, ${score.row} in a row` : "No answer yet";
}

// The browser stores the score if it allows that, else the page does.
let scoreHere = { asked: 0, right: 0, row: 0 };

function readScore() {
  try {
    const kept = JSON.parse(localStorage.getItem(SCORE));
    if (kept && ["asked", "right", "row"].every((name) => Number.isInteger(kept[name]))) return kept;
  } catch { /* not allowed, or not ours */ }
  return { ...scoreHere };
}

function writeScore(score) {
  scoreHere = score;
  try {
    localStorage.setItem(SCORE, JSON.stringify(score));
  } catch { /* kept by the page */ }
}

function leaveQuiz() {
  state.quiz = null;
  $("verdict").textContent = "";
  show();
}

// ---- the controls, and the start ----

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (!words.has("fen")) return;
  try {
    const position = readFen(words.get("fen"));
    const record = writtenRecord(words.get("fen")) ?? words.get("record");
    state.given = record === null ? null : openRecord(record);
    state.position = position;
  } catch (error) {
    say(error.message, true);
  }
}

// The text of the record after the other fields of a FEN, or null.
function writtenRecord(text) {
  return fieldsOf(text).slice(4).find((field) => /^[-+]?g/i.test(field)) ?? null;
}

// A record that leaves the game open. Throws an Error.
function openRecord(text) {
  const record = readGoal(text);
  if (record.code < 2) throw new Error(`Expected a record that leaves the game open, found “${text}”.`);
  return record;
}

function readFenField() {
  const field = $("fen");
  try {
    const position = readFen(field.value);
    const record = writtenRecord(field.value); // without one, the position's own goal is the record
    const given = record === null ? null : openRecord(record);
    field.removeAttribute("aria-invalid");
    if (state.quiz) state.quiz.asking = false;
    go(position, given);
  } catch (error) {
    field.setAttribute("aria-invalid", "true");
    say(error.message, true);
  }
}

function turnTo(turn) {
  go({ squares: state.position.squares, turn, ep: -1 }, state.given);
}

function takeBack() {
  if (history.state?.step) return history.back(); // the browser's list has the position before, too
  const before = state.history.pop();
  return before && go(before.position, before.given, before.last, false);
}

// The address has changed: by the browser's Back or Forward, or by hand.
function followAddress() {
  const before = state.history.at(-1);
  readAddress();
  state.quiz = null;
  const isBack = before && addressOf(before.position, before.given) === addressOf(state.position, state.given);
  board.marks.last = isBack ? state.history.pop().last : [];
  show();
}

function connect() {
  const on = (id, kind, action) => $(id).addEventListener(kind, action);
  on("fen-form", "submit", (event) => event.preventDefault());
  on("fen", "change", readFenField);
  on("record", "change", () => go(state.position, $("record").value ? readGoal($("record").value) : null, board.marks.last));
  on("turn-w", "change", () => turnTo("w"));
  on("turn-b", "change", () => turnTo("b"));
  on("back", "click", takeBack);
  on("flip", "click", () => { board.flipped = !board.flipped; board.draw(); });
  on("clear", "click", () => go(readFen("8/8/8/4k3/8/8/4K3/8 w"), null));
  on("tab-quiz", "click", ask);
  on("tab-browse", "click", leaveQuiz);
  on("next", "click", ask);
  on("quiz-class", "change", ask);
  addEventListener("hashchange", followAddress);
}

async function start() {
  $("quiz-class").append(...data.classes.map((name) => new Option(name, name)));
  connect();
  readAddress();
  try {
    source = data.files ? await EmbeddedTables.open(data.files) : new ServedTables();
  } catch {
    showProblem("This browser cannot unpack the tables in this page: a newer one can.");
    return;
  }
  show();
}

start();
