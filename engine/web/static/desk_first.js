// Asks for the games of Today as soon as it is loaded, while the browser still reads the page and its other scripts.
import { get, takeToken } from "./server.js";

const PATH = "/api/desk/today";

takeToken();
/** @type {Promise<any> | null} */
let asked = !location.hash || location.hash === "#today" ? get(PATH) : null;
asked?.catch(() => {}); // `todaysGames` returns the error, too

/** The games of Today; the first time those that were asked for when the page opened. */
export function todaysGames() {
  const first = asked;
  asked = null;
  return first ?? get(PATH);
}
