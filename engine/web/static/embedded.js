// Replaces server.js in a page that is a file: the page contains the games and sends no request.

import { rejudged } from "./judging.js";

export class Refusal extends Error {}

const NOT_HERE = "This page is only a file. To edit or analyse the games, run “standstill study GAMES.pgn”.";

/** @type {{ file: string, games: any[] } | undefined} */
let data;

/** Return the games of the page, which are compressed. */
async function unpacked() {
  if (data) return data;
  const packed = atob(document.getElementById("data")?.textContent ?? "");
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  data = await new Response(stream).json();
  return /** @type {{ file: string, games: any[] }} */ (data);
}

export function takeToken() {}

/** @param {string} path as on the server */
export async function get(path) {
  const { file, games } = await unpacked();
  const [, number] = /^\/api\/study\/(\d+)$/.exec(path) ?? [];
  if (number) return games.find((game) => game.number === Number(number)) ?? refuse();
  if (path.startsWith("/api/study/engines")) return { engines: [] };
  const given = new URLSearchParams(path.split("?")[1]);
  const asked = given.get("text") ?? "";
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const found = games.filter((game) => {
    const text = Object.values(game.tags).concat(game.result).join(" ").toLowerCase();
    const isWanted = !given.get("result") || game.result === given.get("result");
    return isWanted && words.every((word) => text.includes(word));
  });
  return { file, total: games.length, found: found.length, games: found.map(listed) };
}

/** @param {any} game */
function listed({ number, tags, result }) {
  const lower = Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]);
  return { date: "", event: "", ...Object.fromEntries(lower), number, result };
}

/**
 * @param {string} path as on the server
 * @param {any} [asked]
 * @returns {Promise<any>}
 */
export async function post(path, asked) {
  return path === "/api/study/view" ? rejudged(await get(`/api/study/${asked.number}`), asked) : refuse();
}

/** @returns {never} */
function refuse() {
  throw new Refusal(NOT_HERE);
}

export async function listen() {}
