"use strict";
// Values as colours, small boards and steps.

const SIDES = ["white", "black"];
const MARKUP = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => MARKUP[letter]);

const shownOutcome = (outcome) => shownGoal(recordOf(outcome));

// Strong colours for nearly won values, pale ones for nearly level values.
function strengthOf(outcome) {
  const { code } = recordOf(outcome);
  return code === 0 ? 0.95 : code === 1 ? 0.8 : Math.max(0.14, 0.66 - 0.035 * code).toFixed(2);
}

// The content of a square on the main board and on small ones.
function cellOf(value, name) {
  if (!value) return null;
  if (value.error) return { className: "none", strength: 0, text: "", title: escaped(`${name}: ${value.error}`) };
  return {
    className: SIDES[value.outcome > 0 ? 0 : 1],
    strength: strengthOf(value.outcome),
    text: shownOutcome(value.outcome).replace("G", ""),
    title: `${name}: ${valueText(value)}`,
  };
}

// A short form, for lists whose title mentions plies.
const shortText = ({ outcome, plies }) => shownOutcome(outcome) + (plies === 0 ? "" : ` in ${plies ?? "?"}`);

function pliesText(plies) {
  return plies === null ? "plies unknown" : plies === 1 ? "1 ply" : `${plies} plies`;
}

const valueText = (value) => `${shownOutcome(value.outcome)}${value.plies === 0 ? "" : ` in ${pliesText(value.plies)}`}`;

// A sentence about the end of the game. stands: the present record will be the final one.
function sentence(value, stands, over) {
  const { code, owner } = recordOf(value.outcome), side = sideName(owner), plies = pliesText(value.plies);
  if (over) return code === 0 ? `${side} has mated.` : `${side} has stalemated.`;
  if (stands) return `${side} keeps the record: nothing better than ${shownOutcome(value.outcome)} can be forced.`;
  if (code === 0) {
    const moves = value.plies === null ? "" : ` in ${Math.ceil(value.plies / 2)} (${plies})`;
    return `${side} mates${moves}.`;
  }
  return `${side} ${code === 1 ? "stalemates" : `reaches ${shownGoal({ code, owner: 0 })}`}` +
    `${value.plies === null ? "" : ` in ${plies}`}.`;
}

// A small board, White below: the squares coloured by a map.
function smallMap(cells, squares, own) {
  let text = "";
  cells.forEach((cell, square) => {
    const x = 10 * (square & 7), y = 70 - 10 * (square >> 3);
    const place = `x="${x}" y="${y}" width="10" height="10"`;
    text += `<rect class="nothing" ${place}/>`;
    if (cell) {
      text += `<g class="${cell.className}" data-square="${squareName(square)}"><title>${cell.title}</title>` +
        `<rect class="under" ${place}/><rect class="over" ${place} fill-opacity="${cell.strength}"/></g>`;
    }
  });
  squares.forEach((man, square) => {
    if (!man) return;
    const x = 10 * (square & 7), y = 70 - 10 * (square >> 3);
    if (square === own) text += `<rect class="own" x="${x + 0.5}" y="${y + 0.5}" width="9" height="9"/>`;
    text += `<use href="#${manName(man)}" transform="translate(${x} ${y}) scale(.2222)"/>`;
  });
  return text;
}

// ---- the staircase: the outcome as a function of the record ----

const HEIGHT = 250, LEFT = 54, RIGHT = 14, ABOVE = 12, BELOW = 34;

// The records that can hold in a position, the worst for White first. code: the position's own.
function recordsUpTo(code) {
  const codes = Array.from({ length: Math.max(0, code - 1) }, (_, index) => index + 2);
  return [...codes.map((each) => ({ code: each, owner: 1 })), ...codes.reverse().map((each) => ({ code: each, owner: 0 }))];
}

class Staircase {
  // records, values: in White's order. held: the record that holds now. width: of the drawing.
  constructor(records, values, held, width) {
    Object.assign(this, { records, values, held, width });
    this.most = Math.max(...records.map(({ code }) => code), ...values.map(({ outcome }) => recordOf(outcome).code));
    this.step = (this.width - LEFT - RIGHT) / records.length;
  }

  y(outcome) {
    const { code, owner } = recordOf(outcome), half = (HEIGHT - ABOVE - BELOW) / 2;
    return ABOVE + half + (owner ? 1 : -1) * half * (this.most + 1 - code) / (this.most + 1);
  }

  x(index) { return LEFT + this.step * index; }

  svg() {
    const { records, step, values } = this, inner = this.width - LEFT - RIGHT, heights = values.map((value) => this.y(value.outcome));
    let standing = "", steps = "", hits = "";
    records.forEach((record, index) => {
      const from = this.x(index), to = from + step, own = this.y(outcomeOf(record));
      standing += `M${from.toFixed(1)} ${own.toFixed(1)}H${to.toFixed(1)}`;
      steps += `${index ? "V" : `M${from.toFixed(1)} `}${heights[index].toFixed(1)}H${to.toFixed(1)}`;
      const title = `Record ${shownGoal(record)}: ${this.label(index)}`;
      hits += `<rect class="hit" data-index="${index}" x="${from.toFixed(1)}" y="${ABOVE}" width="${step.toFixed(1)}" ` +
        `height="${HEIGHT - ABOVE - BELOW}"><title>${title}</title></rect>`;
    });
    const now = this.now, middle = (ABOVE + HEIGHT - BELOW) / 2;
    const marker = now < 0 ? "" : `<rect class="now" x="${this.x(now).toFixed(1)}" y="${ABOVE}" width="${step.toFixed(1)}" ` +
      `height="${HEIGHT - ABOVE - BELOW}"/>`;
    return `<rect class="half white" x="${LEFT}" y="${ABOVE}" width="${inner}" height="${middle - ABOVE}"/>` +
      `<rect class="half black" x="${LEFT}" y="${middle}" width="${inner}" height="${HEIGHT - BELOW - middle}"/>` +
      `${marker}${this.rows()}${this.columns()}<path class="standing" d="${standing}"/><path class="steps" d="${steps}"/>${hits}`;
  }

  get now() {
    return this.records.findIndex(({ code, owner }) => code === this.held.code && owner === this.held.owner);
  }

  label(index) {
    const value = this.values[index];
    return value.outcome === outcomeOf(this.records[index]) ? "stands" : valueText(value);
  }

  // Labels of the outcomes where there is room, those that can be forced first.
  rows() {
    const found = [...new Set(this.values.map(({ outcome }) => outcome))].sort((a, b) => a - b), shown = [];
    const wanted = [...found.filter((each) => this.forced(each)), found[0], found.at(-1), ...found];
    for (const outcome of wanted) {
      if (shown.every((each) => Math.abs(this.y(each) - this.y(outcome)) >= 15)) shown.push(outcome);
    }
    return shown.map((outcome) => `<text class="name" x="${LEFT - 6}" y="${(this.y(outcome) + 4).toFixed(1)}">` +
      `${shownOutcome(outcome)}</text><path class="grid" d="M${LEFT} ${this.y(outcome).toFixed(1)}H${this.width - RIGHT}"/>`).join("");
  }

  // Is the outcome better than the present record?
  forced(outcome) {
    return this.records.some((record, index) => this.values[index].outcome === outcome && outcomeOf(record) !== outcome);
  }

  columns() {
    const last = this.records.length - 1, half = this.records.length / 2, places = [0, half - 1, half, last];
    const every = Math.max(1, Math.ceil(48 / this.step));
    for (let index = every; index < half - every / 2; index += every) places.push(index, last - index);
    const shown = [];
    for (const index of places) if (shown.every((each) => Math.abs(each - index) >= every)) shown.push(index);
    return shown.map((index) => `<text class="tick" x="${(this.x(index) + this.step / 2).toFixed(1)}" ` +
      `y="${HEIGHT - BELOW + 14}">${shownGoal(this.records[index])}</text>`).join("") +
      `<text class="tick" x="${(LEFT + this.width - RIGHT) / 2}" y="${HEIGHT - 4}">record, Black’s best to White’s best</text>`;
  }

  // Runs of records with the same outcome: { first, last, text }.
  runs() {
    const found = [];
    this.records.forEach((record, index) => {
      const value = this.values[index], stands = value.outcome === outcomeOf(record), key = stands ? "stands" : value.outcome;
      const owner = stands ? record.owner : 0, run = found.at(-1);
      if (run && run.key === key && run.owner === owner) {
        run.last = record;
        run.plies.push(value.plies);
      } else {
        found.push({ key, owner, first: record, last: record, plies: [value.plies] });
      }
    });
    return found.map(({ key, first, last, plies }) => {
      const known = plies.filter((each) => each !== null), [least, most] = [Math.min(...known), Math.max(...known)];
      const span = !known.length ? "plies unknown" : least === most ? pliesText(most) : `${least} to ${most} plies`;
      return { first, last, text: key === "stands" ? "the record stands" : `${shownOutcome(key)} in ${span}` };
    });
  }
}
