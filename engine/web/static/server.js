// Communicates with the program that serves the page. The token comes from the fragment of the address, which browsers
// do not send, and stays in this tab.

const KEY = "standstill.token";
const FILE = "standstill.file"; // the file of games that this tab shows; without it, that of the command
const OWN = "mine"; // the key of the user's own file, not a copy

/** The server refused a request. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} text
   */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

const ENDED = "The program that serves this page has ended. Start its command again.";
const STRANGER = "Open the address that the program prints in the terminal: it contains the token of this session.";

/** Take the token out of the address. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    if (given !== sessionStorage.getItem(KEY)) sessionStorage.removeItem(FILE); // another run of the program
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
}

/** The key of the opened file that this tab shows, or "". */
export function openedFile() {
  return sessionStorage.getItem(FILE) ?? "";
}

/** Whether this tab shows the program's copy of a file that was opened on a page. */
export function isCopy() {
  return !["", OWN].includes(openedFile());
}

/**
 * From now on the tab shows this file; its page has to load again.
 * @param {string} key
 */
export function takeFile(key) {
  sessionStorage.setItem(FILE, key);
}

function headers() {
  return {
    Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`,
    "Content-Type": "application/json",
    "Standstill-File": openedFile(),
  };
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function fetched(path, options) {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: headers(), cache: "no-store" });
  } catch (error) {
    if (error instanceof DOMException) throw error; // aborted by ourselves
    throw new Refusal(0, ENDED);
  }
  if (answer.ok) return answer;
  const text = await answer.text();
  if (answer.status === 401) throw new Refusal(401, STRANGER);
  throw new Refusal(answer.status, errorText(text));
}

/** @param {string} text */
function errorText(text) {
  try {
    return String(JSON.parse(text).error);
  } catch {
    return text.trim() || "The program refused the request.";
  }
}

/** @param {string} path */
export async function get(path) {
  return (await fetched(path, {})).json();
}

/** @param {string} path */
export async function getBlob(path) {
  return (await fetched(path, {})).blob();
}

/** @param {string} path */
export async function getText(path) {
  return (await fetched(path, {})).text();
}

/**
 * @param {string} path
 * @param {object} [body]
 */
export async function post(path, body = {}) {
  return (await fetched(path, { method: "POST", body: JSON.stringify(body) })).json();
}

/**
 * Listen to a stream of events until it is aborted; reconnect if the connection breaks.
 * @param {string} path
 * @param {(kind: string, data: any) => void} heard
 * @param {AbortSignal} signal
 * @param {(error: Refusal | null) => void} state null: connected; otherwise the error
 * @param {object} [body] of a request whose response is the stream; it is sent only once
 */
export async function listen(path, heard, signal, state, body) {
  for (let pause = 250; !signal.aborted; pause = Math.min(2 * pause, 4000)) {
    try {
      const answer = await fetched(path, body ? { method: "POST", body: JSON.stringify(body), signal } : { signal });
      state(null);
      pause = 250;
      for await (const [kind, data] of eventsOf(/** @type {ReadableStream<Uint8Array>} */ (answer.body))) {
        if (signal.aborted) return; // events that had already arrived
        heard(kind, data);
      }
      if (body) return;
    } catch (error) {
      if (signal.aborted) return;
      const refusal = error instanceof Refusal ? error : new Refusal(0, ENDED);
      state(refusal);
      if (refusal.status >= 400 && refusal.status < 500) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * [kind, data] of each event of a stream in the format of server-sent events.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<[string, any]>}
 */
async function* eventsOf(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const found = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end));
      text = text.slice(end + 2);
      if (found) yield [found[1], JSON.parse(found[2])];
    }
  }
}
