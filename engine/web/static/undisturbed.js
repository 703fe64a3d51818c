// Keeps redraws from disturbing the user. Messages of the program may arrive at any time, and a redraw replaces
// elements: a button that is replaced while it is pressed is never clicked, and an element that has the focus loses it.

import { h } from "./dom.js";

let isPressed = false; // whether a button of the mouse, or a finger, is down
/** @type {(() => void)[]} */
let waiting = []; // what comes after the press

/**
 * Run an action now, or after the press in progress. Actions keep their order.
 * @param {() => void} action
 */
export function afterPress(action) {
  if (isPressed || waiting.length) waiting.push(action);
  else action();
}

/** Wait for the end of a press in progress. */
export function released() {
  return new Promise((done) => afterPress(() => done(undefined)));
}

function release() {
  if (!isPressed) return;
  isPressed = false;
  setTimeout(() => {
    if (isPressed) return; // again
    const due = waiting;
    waiting = [];
    for (const action of due) action();
  }); // because the click comes after the release
}

function listenToPresses() {
  const down = (/** @type {PointerEvent} */ event) => {
    if (!event.button) isPressed = true;
  };
  addEventListener("pointerdown", down, true);
  for (const kind of ["pointerup", "pointercancel", "keydown", "change"]) addEventListener(kind, release, true);
  addEventListener("blur", release); // of the window
  // The open list of a field may swallow the release.
  addEventListener("pointermove", (event) => event.buttons || release(), true);
}

/** @typedef {[value: string, text: string]} Choice */

/**
 * Show the choices of a field. The open list of the field stays open if the choices are the same.
 * @param {HTMLSelectElement} field
 * @param {(Choice | { label: string, choices: Choice[] })[]} choices with groups, which have a label
 * @param {string} chosen
 */
export function showChoices(field, choices, chosen) {
  const option = (/** @type {Choice} */ [value, text]) => h("option", { value }, text);
  const drawn = choices.map((each) =>
    Array.isArray(each) ? option(each) : h("optgroup", { label: each.label }, ...each.choices.map(option)),
  );
  const texts = (/** @type {Iterable<Element>} */ all) => [...all].map((each) => each.outerHTML).join("");
  if (texts(field.children) !== texts(drawn)) field.replaceChildren(...drawn);
  field.value = chosen;
}

// ---- the focus ----

/** Attributes that a redraw may change. */
const STATES = ["class", "style", "title", "disabled", "aria-current", "aria-pressed"];

/**
 * @typedef {{ element: Element, place: string, at: number }} Focused
 * at: which one of the elements that are alike in the element with the id `place`
 */

/** @type {Focused | null} */
let focused = null; // the element with the focus
/** @type {Focused | null} */
let below = null; // the same before a dialogue was opened

/** @param {Element} element */
function nameOf(element) {
  const own = [...element.attributes].filter(({ name }) => !STATES.includes(name));
  return [element.tagName, ...own.map(({ name, value }) => `${name}=${value}`).sort()].join("\n");
}

/**
 * The elements of a place that the program cannot tell from an element.
 * @param {string} place
 * @param {Element} element
 */
function alike(place, element) {
  const name = nameOf(element);
  const all = document.getElementById(place)?.getElementsByTagName(element.tagName) ?? [];
  return [...all].filter((each) => nameOf(each) === name);
}

/** Give the focus to the element that has taken the place of the one with the focus. */
function follow() {
  const here = document.activeElement;
  const isLost = here === document.body || here?.closest("dialog:not([open])");
  if (!focused || focused.element.isConnected || !isLost) return;
  const { element, place, at } = focused;
  const found = alike(place, element);
  const next = found[Math.min(at, found.length - 1)];
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

function listenToFocus() {
  addEventListener("focusin", ({ target }) => {
    const element = /** @type {Element} */ (target);
    if (element.closest("dialog") && focused && !focused.element.closest("dialog")) below = focused;
    const place = element.parentElement?.closest("[id]")?.id ?? "";
    focused = { element, place, at: alike(place, element).indexOf(element) };
  });
  addEventListener("pointerdown", () => (focused = null), true); // the user gives the focus to something else, or to nothing
  const close = () => {
    focused = below;
    below = null;
    follow();
  };
  addEventListener("close", close, true); // of a dialogue
  new MutationObserver(follow).observe(document.body, { childList: true, subtree: true });
}

listenToPresses();
listenToFocus();
