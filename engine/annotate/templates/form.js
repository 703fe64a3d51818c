"use strict";
// The relevance model of engine/relevance/model.py; the tests compare the two.
const { positions: POSITIONS, moves: MOVES } = JSON.parse(document.getElementById("schemes").textContent);
const WHITE_BETTER = [14, 16, 18, 20], BLACK_BETTER = [15, 17, 19, 21], BALANCED = 10;
const GOOD = [5, 1, 3], BAD = [6, 2, 4];
const TOLERANCE = 1e-12;
const NO_BOUNDARY = "------";

const share = (x, h) => -0.5 * Math.sign(x) * Math.expm1(-Math.abs(x) / h * Math.LN2);
const result = (x, h) => (x <= 0 ? 2 ** (x / h - 1) : 1 - 2 ** (-x / h - 1));
const total = (h) => 2 * h / Math.LN2;

// Relevant difference, as a share of the total area.
function gap(a, b, h) {
  if (a === b) return 0;
  if ((a > 0) !== (b > 0)) return Math.abs(share(a, h)) + Math.abs(share(b, h));
  const near = Math.min(Math.abs(a), Math.abs(b)), far = Math.max(Math.abs(a), Math.abs(b));
  return -0.5 * 2 ** (-near / h) * Math.expm1(-(far - near) / h * Math.LN2);
}

const level = (size, edges) => edges.filter((edge) => size >= edge - TOLERANCE).length;

function positionNag(x, h, scheme) {
  const found = level(Math.abs(share(x, h)), POSITIONS[scheme]);
  return found ? (x > 0 ? WHITE_BETTER : BLACK_BETTER)[found - 1] : BALANCED;
}

function moveNag(played, reference, sign, h, scheme) {
  const found = level(gap(played, reference, h), MOVES[scheme]);
  if (!found) return 0;
  return ((played > reference) === (sign > 0) ? GOOD : BAD)[found - 1];
}

// Evaluations at the edges between the columns of a scheme, from positive to negative.
function positionEdges(h, scheme) {
  const white = POSITIONS[scheme].map((edge) => -h * Math.log1p(-2 * edge) / Math.LN2).reverse();
  const missing = Array(4 - white.length).fill(null);
  return [...missing, ...white, ...white.map((x) => -x).reverse(), ...missing];
}

// Evaluations where !! ! !? ?! ? ?? begin, if the alternative move has the evaluation alt; null for a sign that none
// earns.
function boundaries(alt, h, sign, scheme) {
  const tail = 0.5 * 2 ** (-Math.abs(alt) / h);
  const steps = [...MOVES[scheme]].reverse().map((step) => sign * step).concat(MOVES[scheme].map((step) => -sign * step));
  return steps.map((step) => {
    const below = alt > 0 ? 1 - tail + step : tail + step, above = alt > 0 ? tail - step : 1 - tail - step;
    if (below <= 0 || above <= 0) return null;
    return below <= 0.5 ? h * Math.log2(2 * below) : -h * Math.log2(2 * above);
  });
}

// ---- the page ----

const field = (name) => document.getElementById(name);
const FIELDS = ["x05", "correct", "faulty"];
const FORMAT = /^[-+\u2212]?\d{1,3}(?:[.,]\d{1,6})?$/;
let comma = false;

function read(name) {
  const text = field(name).value.trim();
  const value = FORMAT.test(text) ? Number(text.replace("\u2212", "-").replace(",", ".")) : NaN;
  const wrong = Number.isNaN(value) || (name === "x05" && value <= 0);
  field(name).setAttribute("aria-invalid", wrong);
  return wrong ? null : value;
}

const digits = (value, count) => {
  const text = value.toFixed(count).replace(/^-(?=0\.?0*$)/, "");
  return comma ? text.replace(".", ",") : text;
};

// Show a rounded value; the data of the element keeps all digits.
function put(output, value, count, suffix = "") {
  output.textContent = value === null ? NO_BOUNDARY : digits(value, count) + suffix;
  if (value === null) delete output.dataset.value;
  else output.dataset.value = String(value);
}

function clear() {
  for (const output of document.querySelectorAll("output")) {
    output.textContent = "";
    delete output.dataset.value;
  }
  for (const cell of document.querySelectorAll(".grid td[data-nag]")) mark(cell, "");
  field("curve").replaceChildren();
}

function mark(cell, text) {
  cell.textContent = text;
  cell.classList.toggle("here", text !== "");
}

function update() {
  comma = FIELDS.some((name) => field(name).value.includes(","));
  const [h, correct, faulty] = FIELDS.map(read);
  const wrong = [h, correct, faulty].includes(null);
  field("problem").hidden = !wrong;
  field("problem").textContent = wrong ? "Expected numbers such as 0,62 or -1.5, and x05 above 0." : "";
  if (wrong) { clear(); return; }
  const sign = correct > faulty ? 1 : -1;
  put(field("absolute"), Math.abs(correct - faulty), 2);
  put(field("relevant"), total(h) * gap(correct, faulty, h), 6);
  put(field("share"), 100 * gap(correct, faulty, h), 4);
  put(field("result-correct"), result(correct, h), 4);
  put(field("result-faulty"), result(faulty, h), 4);
  for (const row of document.querySelectorAll("[data-positions]")) {
    const scheme = row.dataset.positions;
    const [c, f] = [correct, faulty].map((x) => positionNag(x, h, scheme));
    for (const cell of row.querySelectorAll("td")) {
      const nag = Number(cell.dataset.nag);
      mark(cell, [nag === c ? "c" : "", nag === f ? "f" : ""].join(" ").trim());
      cell.classList.toggle("none", POSITIONS[scheme].length < 4 && nag >= 20);
    }
  }
  for (const row of document.querySelectorAll("[data-edges]")) {
    const edges = positionEdges(h, row.dataset.edges);
    row.querySelectorAll("output").forEach((output, at) => put(output, edges[at], 4));
  }
  const values = { correct, faulty };
  for (const row of document.querySelectorAll("[data-move]")) {
    const own = values[row.dataset.move], other = row.dataset.move === "correct" ? faulty : correct;
    const nag = moveNag(own, other, sign, h, row.dataset.scheme);
    for (const cell of row.querySelectorAll("td")) mark(cell, Number(cell.dataset.nag) === nag ? cell.dataset.symbol : "");
  }
  for (const row of document.querySelectorAll("[data-boundaries]")) {
    const found = boundaries(values[row.dataset.boundaries], h, sign, row.dataset.scheme);
    row.querySelectorAll("output").forEach((output, at) => put(output, found[at], 4));
  }
  for (const output of document.querySelectorAll("[data-alt]")) put(output, values[output.dataset.alt], 2);
  draw(h, correct, faulty);
}

// Draw the weight of evaluations, and the area between the two moves.
function draw(h, correct, faulty) {
  const widest = Math.max(4 * h, 1.1 * Math.min(8 * h, Math.max(Math.abs(correct), Math.abs(faulty))));
  const x = (value) => 320 + 300 * Math.max(-1.05, Math.min(1.05, value / widest));
  const y = (value) => 106 - 92 * 2 ** (-Math.abs(value) / h);
  const path = (from, to) => {
    const points = [from];
    for (let at = 0; at <= 200; at++) points.push(from + (to - from) * at / 200);
    if (from < 0 && to > 0) points.push(0);
    return points.sort((a, b) => a - b).map((value) => `${x(value).toFixed(1)},${y(value).toFixed(1)}`);
  };
  const [low, high] = [Math.min(correct, faulty), Math.max(correct, faulty)].map((value) => Math.max(-widest, Math.min(widest, value)));
  const area = [`${x(low).toFixed(1)},106`, ...path(low, high), `${x(high).toFixed(1)},106`].join(" ");
  const ticks = [-2 * h, -h, 0, h, 2 * h].map((value) => `<text x="${x(value)}" y="122">${digits(value, 2)}</text>`).join("");
  const marks = [low, high].map((value) => `<path class="mark" d="M${x(value)} 10V106"/>`).join("");
  field("curve").innerHTML =
    `<polygon class="area" points="${area}"/><polyline class="line" points="${path(-widest, widest).join(" ")}"/>${marks}${ticks}`;
}

document.querySelector("form").addEventListener("input", update);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
update();
