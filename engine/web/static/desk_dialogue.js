// The dialogue of Desk: asks for values, previews the result, and performs the action after the user's confirmation.
import { byId, h, notice } from "./dom.js";

/**
 * @typedef {{ name: string, label: string, type?: string, value?: string, choices?: [string, string][], hint?: string,
 *   rows?: string, example?: string }} Field
 * @typedef {Record<string, string | boolean | File | null>} Values
 * @typedef {(values: Values, say: (words: string) => void) => Promise<unknown>} Run `say` shows what is under way
 * @typedef {{ title: string, words?: string, fields?: Field[], yes: string, run: Run,
 *   preview?: (values: Values) => Promise<[string, string][]>, other?: { label: string, run: Run } }} Question
 */

/** @type {Question | null} */
let asked = null;
let isShown = false; // whether the preview of the current values is shown
let inputs = 0; // how often values were changed: a preview that arrives later is that of other values
let previewed = 0; // `inputs` when a preview was requested that is on its way; 0 without one

/** @param {Field} field */
function control(field) {
  if (field.type === "check")
    return h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: field.name, checked: field.value === "yes" }),
      ` ${field.label}`,
    );
  const value = field.value ?? "";
  const input =
    field.type === "choice"
      ? h(
          "select",
          { name: field.name },
          ...(field.choices ?? []).map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
        )
      : field.type === "long"
        ? h("textarea", { name: field.name, rows: field.rows ?? "3", placeholder: field.example }, value)
        : field.type === "file"
          ? h("input", { name: field.name, type: "file" })
          : h("input", {
              name: field.name,
              value,
              autocomplete: "off",
              spellcheck: "false",
              type: field.type ?? "text",
            });
  return h(
    "label",
    { class: "field" },
    field.label,
    input,
    field.hint ? h("span", { class: "dim" }, field.hint) : null,
  );
}

/**
 * An instant that was chosen in the browser's time zone, exactly. The terminal refuses such times as well.
 * @param {string} text as in 2026-03-02T10:00
 */
function exact(text) {
  const chosen = new Date(text);
  const local = (/** @type {Date} */ date) =>
    new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, text.length);
  if (local(chosen) !== text) throw new Error("That time does not exist: the clocks go forward then.");
  const hour = 3600000;
  if ([-hour, hour].some((by) => local(new Date(chosen.getTime() + by)) === text))
    throw new Error(
      "That time occurs twice, because the clocks go back then: enter it in the terminal, with its zone.",
    );
  return chosen.toISOString().replace(".000", "");
}

/** @returns {Values} */
function values() {
  const found = /** @type {Values} */ ({});
  for (const input of byId("ask-fields").querySelectorAll("input, select, textarea")) {
    if (input instanceof HTMLInputElement && input.type === "checkbox") found[input.name] = input.checked;
    else if (input instanceof HTMLInputElement && input.type === "file") found[input.name] = input.files?.[0] ?? null;
    else if (input instanceof HTMLInputElement && input.type === "datetime-local")
      found[input.name] = input.value && exact(input.value);
    else if (
      input instanceof HTMLInputElement ||
      input instanceof HTMLSelectElement ||
      input instanceof HTMLTextAreaElement
    )
      found[input.name] = input.value;
  }
  return found;
}

/** @param {[string, string][] | null} rows */
function showPreview(rows) {
  isShown = rows !== null;
  byId("ask-preview").hidden = !rows;
  byId("ask-preview").replaceChildren(
    ...(rows ?? []).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
  byId("ask-yes").textContent = asked?.preview && !isShown ? "Preview" : (asked?.yes ?? "");
}

/** @param {Run} run */
async function finish(run) {
  const [question, dialog] = [asked, byId("ask", HTMLDialogElement)];
  const before = document.activeElement;
  allow(false);
  let isOver = false;
  try {
    await run(values(), (words) => {
      if (asked === question && !isOver) byId("ask-words").textContent = words;
    });
    if (asked === question) dialog.close();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (asked === question && dialog.open) {
      byId("ask-problem").textContent = text;
      showPreview(null);
    } else notice(text, "wrong"); // the user has left the question before its answer
  } finally {
    isOver = true;
    if (asked === question) {
      byId("ask-words").textContent = question?.words ?? "";
      allow(true);
      focusAgain(before);
    }
  }
}

/** @param {boolean} isAllowed to answer and change the values, which are on their way otherwise. Leaving is always allowed */
function allow(isAllowed) {
  byId("ask-fields").inert = !isAllowed;
  for (const name of ["ask-yes", "ask-other"]) byId(name, HTMLButtonElement).disabled = !isAllowed;
  byId("ask-no").textContent = isAllowed ? "Cancel" : "Close";
}

/**
 * Give the focus back to an element that has lost it, because it was disabled.
 * @param {Element | null} before
 */
function focusAgain(before) {
  const isLost = byId("ask", HTMLDialogElement).open && !document.activeElement?.closest("#ask *");
  if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
}

async function agree() {
  if (!asked) return;
  byId("ask-problem").textContent = "";
  if (asked.preview && !isShown) {
    if (previewed === inputs) return; // pressed again. A disabled button would lose the focus
    const now = (previewed = ++inputs);
    try {
      const rows = await asked.preview(values());
      if (now === inputs) showPreview(rows);
    } catch (error) {
      if (now === inputs) byId("ask-problem").textContent = error instanceof Error ? error.message : String(error);
    } finally {
      if (now === previewed) previewed = 0;
    }
    return;
  }
  await finish(asked.run);
}

/**
 * Ask the question, unless the user is already answering another one.
 * @param {Question} question
 */
export function ask(question) {
  if (byId("ask", HTMLDialogElement).open) return;
  asked = question;
  inputs += 1;
  allow(true);
  byId("ask-title").textContent = question.title;
  byId("ask-words").textContent = question.words ?? "";
  byId("ask-fields").replaceChildren(...(question.fields ?? []).map(control));
  byId("ask-problem").textContent = "";
  byId("ask-other").hidden = !question.other;
  byId("ask-other").textContent = question.other?.label ?? "";
  showPreview(null);
  byId("ask", HTMLDialogElement).showModal();
  if (question.preview && !question.fields?.length) void agree();
}

function prepare() {
  byId("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void agree();
  });
  byId("ask-fields").addEventListener("input", () => {
    inputs += 1;
    showPreview(null);
  });
  byId("ask-no").addEventListener("click", () => byId("ask", HTMLDialogElement).close());
  byId("ask-other").addEventListener("click", () => {
    if (asked?.other) void finish(asked.other.run);
  });
}

prepare();
