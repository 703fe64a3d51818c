"use strict";
// The page: display and editing of a position, and the quiz.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const MOST_PLIES = 400; // maximum length of a line
const SCORE = "standstill-tables-quiz";

const state = {
  position: readFen(data.fen),
  given: data.record ? readGoal(data.record) : null, // the record set by the user or by the previous moves
  history: [],
  moves: [], // legal moves; empty if the position has an error
  maps: new Map(), // by square of a piece: for each square the value with the piece there, or null
  mapped: -1, // square of the piece whose map is on the board, or -1
  quiz: null, // { asking, entries, right } while the quiz is on
};
let source = null, latest = 0;

const board = new Board($("position"), $("palette"), {
  drop: (man, from, to) => (playing() ? play(from, to) : place(man, from, to)),
  lift: (man, from) => lift(man, from),
  typed: (letter, square) => { if (!playing()) place(letter, -1, square); },
  removed: (square) => { if (!playing()) place(state.position.squares[square], square, -1); },
  describe: (square) => described(square),
  say: (text) => say(text),
});

const asking = () => Boolean(state.quiz?.asking);
const playing = () => asking() || $("mode-play").checked;
const mover = () => (state.position.turn === "w" ? 0 : 1);
const recordNow = () => held(state.position, state.given, state.moves);

function say(text, isProblem = false) {
  $("notice").textContent = text;
  $("notice").classList.toggle("problem", isProblem);
}

// ---- editing the position ----

function go(position, given, last = [], remember = true) {
  const { position: before, given: record } = state;
  if (remember) state.history.push({ position: before, given: record, last: board.marks.last });
  Object.assign(state, { position, given, mapped: -1 });
  board.marks.last = last;
  say("");
  $("verdict").textContent = "";
  show(remember);
}

// Put a piece on a square, or remove it from the board.
function place(man, from, to) {
  if (!man) return;
  const squares = [...state.position.squares], isKing = kindOf(man) === "K";
  if (isKing && from < 0) from = squares.indexOf(man);
  if (to < 0 && isKing) return say("Each side keeps its king.");
  if (to >= 0 && to !== from && kindOf(squares[to]) === "K") return say(`A king stands on ${squareName(to)}.`);
  if (from >= 0) squares[from] = "";
  if (to >= 0) squares[to] = man;
  return go({ squares, turn: state.position.turn, ep: -1 }, state.given);
}

async function play(from, to) {
  const found = state.moves.filter((move) => move.from === from && move.to === to);
  if (!found.length) {
    if (from >= 0 && to >= 0) say(`${squareName(from)}${squareName(to)} is not a legal move.`, true);
    return;
  }
  const move = found.length > 1 ? await promotion(found) : found[0];
  if (move) playMove(move);
}

function promotion(moves) {
  const dialog = $("promotion"), side = state.position.turn === "w" ? "white" : "black";
  dialog.querySelector("div").innerHTML = moves.map(({ promoted }) => `<button value="${promoted}" aria-label=` +
    `"${NAMES[promoted]}"><svg viewBox="0 0 45 45"><use href="#${side}-${NAMES[promoted]}"/></svg></button>`).join("");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(moves.find(({ promoted }) => promoted === dialog.returnValue));
  });
}

function playMove(move) {
  if (asking()) return answered(move);
  const record = recordAfter(recordNow(), move, data.wholeGame);
  return go(move.next, record.code < 2 ? null : record, [move.from, move.to]);
}

function lift(man, from) {
  board.marks.targets = man && playing() ? state.moves.filter((move) => move.from === from).map((move) => move.to) : [];
  paint(man && from >= 0 && !playing() ? from : state.mapped);
}

// Colour the board by the map of the piece on a square; -1 removes the colours.
function paint(square) {
  const map = asking() ? null : state.maps.get(square), man = state.position.squares[square];
  board.map = map ? map.map((value, at) => cellOf(value, `${NAMES[kindOf(man)]} ${squareName(at)}`)) : null;
  board.draw();
}

function described(square) {
  const { squares } = state.position, man = squares[square], name = squareName(square);
  const text = man ? `${name}, ${sideName(colourOf(man)).toLowerCase()} ${NAMES[kindOf(man)]}` : name;
  const from = board.hand && !playing() ? board.hand.from : state.mapped;
  const value = asking() ? null : state.maps.get(from)?.[square];
  return value && !value.error ? `${text}: ${valueText(value)}` : text;
}

// ---- displaying it ----

// isStep: keep the address before in the browser's list of pages.
function show(isStep = false) {
  const { position } = state, text = trouble();
  state.moves = text ? [] : legalMoves(position);
  state.maps = new Map();
  board.squares = position.squares;
  board.map = null;
  board.marks.targets = [];
  board.hand = null;
  board.draw();
  $("fen").value = fenOf(position);
  $(position.turn === "w" ? "turn-w" : "turn-b").checked = true;
  $("back").disabled = !state.history.length;
  showRecords(text);
  keepAddress(isStep);
  showQuiz();
  latest += 1;
  if (asking()) showQuestion();
  else if (text) showProblem(text);
  else analyse(latest).catch((error) => showProblem(error.message));
}

// The reason why no table has the position; "" if one may.
function trouble() {
  const men = state.position.squares.filter(Boolean).length, wrong = problem(state.position);
  if (wrong) return wrong;
  if (men > data.mostMen) return `Expected at most ${data.mostMen} pieces, found ${men}: no table here has more.`;
  const { name } = classOf(state.position.squares);
  return data.classes.includes(name) ? "" : `There is no table of ${name} here. ${data.missing.replace("CLASS", name)}`;
}

function showProblem(text) {
  $("headline").textContent = text;
  $("headline").classList.add("problem");
  for (const id of ["subline", "moves", "line", "runs", "stairs", "maps"]) $(id).replaceChildren();
  $("results").hidden = true;
  $("main").setAttribute("aria-busy", "false");
}

function showRecords(isTrouble) {
  const select = $("record");
  select.disabled = Boolean(isTrouble);
  if (isTrouble) return select.replaceChildren();
  const own = goalOf(state.position, state.moves), record = recordNow();
  const options = [new Option(`the position\u2019s own: ${shownGoal(own)}`, "")];
  for (const owner of [0, 1]) {
    const group = document.createElement("optgroup");
    group.label = `${sideName(owner)}\u2019s record`;
    for (let code = 2; code <= own.code; code++) group.append(new Option(shownGoal({ code, owner }), goalText({ code, owner })));
    if (group.children.length) options.push(group);
  }
  select.replaceChildren(...options);
  select.value = state.given && state.given.code <= own.code ? goalText(record) : "";
  return select.value;
}

function addressOf(position, given) {
  const words = new URLSearchParams({ fen: fenOf(position).replaceAll(" ", "_") });
  if (given) words.set("record", goalText(given));
  return `#${words.toString().replaceAll("%2F", "/")}`;
}

function keepAddress(isStep) {
  const address = addressOf(state.position, state.given);
  try {
    if (isStep && address !== location.hash) history.pushState({ step: true }, "", address);
    else history.replaceState(history.state, "", address);
  } catch { /* a browser that forbids it for files: only the address is less useful */ }
}

async function analyse(turn) {
  const { position } = state, record = recordNow(), own = goalOf(position, state.moves);
  $("main").setAttribute("aria-busy", "true");
  const [value] = await source.lookUp([{ position, record }]);
  if (value.error) throw new Error(value.error);
  const entries = await moveValues(source, position, record, data.wholeGame);
  if (turn !== latest) return;
  showValue(value, record, own);
  showMoves(entries, value);
  const records = recordsUpTo(own.code);
  const values = await source.lookUp(records.map((each) => ({ position, record: each })));
  const maps = await mapsOf(position);
  if (turn !== latest) return;
  showStairs(records, values, record);
  showMaps(maps);
  const line = await bestLine(position, record, value, turn);
  if (turn !== latest) return;
  showLine(line, value);
  $("main").setAttribute("aria-busy", "false");
}

function showValue(value, record, own) {
  const stands = value.outcome === outcomeOf(record);
  $("headline").classList.remove("problem");
  $("headline").innerHTML = `<b class="${SIDES[value.outcome > 0 ? 0 : 1]}">${shownOutcome(value.outcome)}</b> ` +
    escaped(sentence(value, stands, !state.moves.length));
  $("headline").dataset.value = goalText(recordOf(value.outcome));
  $("headline").dataset.plies = value.plies ?? "";
  const check = own.code % 2 ? "" : ", in check";
  $("subline").textContent = `${sideName(mover())} to move: ${state.moves.length} moves${check}. The record is ` +
    `${shownGoal(record)}, ${sideName(record.owner)}\u2019s.`;
  $("results").hidden = false;
}

function moveButton(entry, words, className) {
  const button = document.createElement("button");
  button.className = `move ${className}`;
  button.dataset.move = moveText(entry.move);
  button.innerHTML = `<b>${entry.text}</b> <span>${escaped(words)}</span>`;
  button.addEventListener("click", () => playMove(entry.move));
  return button;
}

function showMoves(entries, value) {
  const buttons = entries.map((entry) => {
    if (entry.value.error) {
      const button = moveButton(entry, "?", "unknown");
      button.title = entry.value.error;
      return button;
    }
    const keeps = entry.value.outcome === value.outcome ? "keeps" : "loses";
    const button = moveButton(entry, shortText(entry.value), `${keeps} ${SIDES[entry.value.outcome > 0 ? 0 : 1]}`);
    Object.assign(button.dataset, { value: goalText(recordOf(entry.value.outcome)), plies: entry.value.plies ?? "" });
    return button;
  });
  const keeping = entries.filter((entry) => entry.value.outcome === value.outcome).length;
  $("moves-title").textContent = entries.length ? `Moves: ${keeping} of ${entries.length} keep ${shownOutcome(value.outcome)} (outcome, plies)`
    : "No legal moves";
  $("moves").replaceChildren(...buttons);
}

function showStairs(records, values, record) {
  $("stairs-part").hidden = !records.length || values.some((value) => value.error);
  if ($("stairs-part").hidden) return;
  const width = Math.max(280, $("stairs").clientWidth);
  const stairs = new Staircase(records, values, record, width);
  $("stairs").setAttribute("viewBox", `0 0 ${width} 250`);
  $("stairs").innerHTML = stairs.svg();
  $("stairs").onclick = (event) => {
    const hit = event.target.closest(".hit");
    if (hit) go(state.position, records[Number(hit.dataset.index)], board.marks.last);
  };
  $("runs").innerHTML = stairs.runs().map(({ first, last, text }) => {
    const span = first === last ? shownGoal(first) : `${shownGoal(first)} to ${shownGoal(last)}`;
    return `<li><b>${span}</b> ${escaped(text)}</li>`;
  }).join("");
}

// For each man the value with it on each square; null where another man stands or the position is impossible.
async function mapsOf(position) {
  const states = [], maps = new Map();
  position.squares.forEach((man, from) => {
    if (!man) return;
    const map = Array(64).fill(null);
    for (let to = 0; to < 64; to++) {
      if (to !== from && position.squares[to]) continue;
      const squares = [...position.squares];
      squares[from] = "";
      squares[to] = man;
      const there = { squares, turn: position.turn, ep: -1 };
      if (problem(there)) continue;
      states.push({ map, to, position: there, record: held(there, state.given, legalMoves(there)) });
    }
    maps.set(from, map);
  });
  const values = await source.lookUp(states);
  states.forEach(({ map, to }, index) => { map[to] = values[index]; });
  return maps;
}

function showMaps(maps) {
  const { squares } = state.position;
  state.maps = maps;
  $("maps").replaceChildren(...[...maps].map(([from, map]) => {
    const man = squares[from], name = `${sideName(colourOf(man))}\u2019s ${NAMES[kindOf(man)]}`, button = document.createElement("button");
    const cells = map.map((value, at) => cellOf(value, squareName(at)));
    button.className = "map";
    button.dataset.man = squareName(from);
    button.setAttribute("aria-pressed", String(state.mapped === from));
    button.innerHTML = `<svg viewBox="0 0 80 80" aria-hidden="true">${smallMap(cells, squares, from)}</svg>${name}`;
    button.addEventListener("click", () => toggleMap(from));
    return button;
  }));
  if (board.hand) lift(board.hand.man, board.hand.from);
}

function toggleMap(from) {
  state.mapped = state.mapped === from ? -1 : from;
  for (const button of $("maps").children) {
    button.setAttribute("aria-pressed", String(button.dataset.man === (state.mapped < 0 ? "" : squareName(state.mapped))));
  }
  paint(state.mapped);
}

// Best play until the final record is on the board: entries as of `moveValues`; null where plies are not known.
async function bestLine(position, record, value, turn) {
  const line = [];
  let at = position, holding = record;
  while (value.outcome !== outcomeOf(holding) && line.length < MOST_PLIES) {
    const [entry] = await moveValues(source, at, holding, data.wholeGame);
    if (turn !== latest || !entry || entry.value.error || entry.value.plies === null) return null;
    line.push({ ...entry, position: at });
    [at, holding] = [entry.move.next, entry.record];
  }
  return line;
}

function showLine(line, value) {
  const own = value.plies === 0;
  if (!line || own) {
    $("line").textContent = own ? "" : "The best line is unknown: it needs plies, or a class that is not in the folder.";
    $("line-part").hidden = own;
    return;
  }
  $("line-part").hidden = false;
  const parts = [];
  line.forEach((entry, index) => {
    const white = entry.position.turn === "w", first = state.position.turn === "b" ? 1 : 0;
    if (white || !index) parts.push(`${1 + Math.floor((index + first) / 2)}${white ? "." : "\u2026"}\u00a0`);
    const button = document.createElement("button");
    button.className = "ply";
    button.textContent = entry.text;
    const goal = goalOf(entry.move.next, legalMoves(entry.move.next));
    button.title = `goal ${shownGoal(goal)}, record ${shownGoal(entry.record)}`;
    button.addEventListener("click", () => go(entry.move.next, entry.record.code < 2 ? null : entry.record,
      [entry.move.from, entry.move.to]));
    parts.push(button, " ");
  });
  $("line").replaceChildren(...parts);
}
