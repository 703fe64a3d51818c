// Asks for the games of Today as soon as it is loaded, while the browser still reads the page and its other scripts.
import { get, takeToken } from "./server.js";
import { released } from "./undisturbed.js";

const PATH = "/api/desk/today";

takeToken();
/** @type {Promise<any> | null} */
let asked = !location.hash || location.hash === "#today" ? get(PATH) : null;
asked?.catch(() => {}); // `todaysGames` returns the error, too

// The version of the store that the page shows, from the first answer that is used to draw the view.
export const seen = { version: "" };

/** What a view shows. @param {string} path */
export function read(path) {
  return noted(get(path));
}

/** The games of Today; the first call returns the answer to the request that was sent when the page opened. */
export function todaysGames() {
  const first = asked;
  asked = null;
  return noted(first ?? get(PATH));
}

/** @param {Promise<any>} answer */
async function noted(answer) {
  const { version, ...found } = await answer;
  seen.version ||= version;
  await released(); // because the answer is drawn
  return found;
}
