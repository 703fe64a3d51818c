// Makes elements. No text ever becomes markup: children are nodes or plain text.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {Element} T
 * @param {T} element
 * @param {Record<string, unknown>} attributes `on…` are listeners; true sets an empty attribute, false and null leave it out
 * @param {Child[]} children
 * @returns {T}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

/** @param {Child} child */
function asNode(child) {
  return /** @type {Node | string} */ (child);
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * The element of the page with this id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new (...given: any[]) => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!found || (kind && !(found instanceof kind))) throw new Error(`the page has no ${id}`);
  return /** @type {T} */ (found);
}

/** @type {EventTarget | null} */
let typing = null; // the field whose text the user is changing
addEventListener("input", ({ target }) => (typing = target));
addEventListener("change", () => (typing = null), true); // before the field's own listeners

/**
 * Show a text in a field, unless the user is typing there.
 * @param {HTMLInputElement} field
 * @param {string} text
 */
export function showText(field, text) {
  if (field !== typing || field !== document.activeElement) field.value = text;
}

/**
 * Say something to users of a screen reader.
 * @param {string} text
 */
export function say(text) {
  byId("said").textContent = text;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/**
 * Show a message at the edge of the page for a while; screen readers read it.
 * @param {string} text
 * @param {"plain" | "wrong"} [kind]
 */
export function notice(text, kind = "plain") {
  const place = byId("notice");
  place.textContent = text;
  place.dataset.kind = kind;
  place.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => {
    place.hidden = true;
  }, 6000);
}

/**
 * Run an action of the user; if it fails, show the error as a notice.
 * @param {() => unknown} action
 */
export async function guarded(action) {
  try {
    await action();
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error), "wrong");
  }
}
