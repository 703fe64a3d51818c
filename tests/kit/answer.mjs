// Answers JSON lines by kit/rmobility.mjs: node answer.mjs FOLDER..., folders of tables. A line without "call" is a
// question for `adjudicate`.

import { readFileSync, readdirSync } from "node:fs";
import { load } from "../../kit/rmobility.mjs";

const rm = await load();

/** @param {string} folder */
function addTables(folder) {
  for (const name of readdirSync(folder)) {
    if (/\.(rm|wg)[vd]$/.test(name)) rm.addTable(name, readFileSync(`${folder}/${name}`));
  }
}

/** @type {Record<string, (asked: any) => unknown>} */
const CALLS = {
  goal: ({ fen }) => rm.goal(fen),
  probe: ({ fen, record, whole }) => rm.probe(fen, { record, wholeGame: whole }),
  games: ({ text }) => rm.games(text),
  add: ({ name, content }) => rm.addTable(name, Buffer.from(content, "base64")),
  drop: () => rm.dropTables() ?? null,
  // For each position of the game: its FEN, legal moves, goal, record and end, and the move as it was made.
  play: ({ fen, moves, rules }) => {
    const game = rm.game(fen, { rules });
    const told = () => ({
      ...{ fen: game.fen, moves: game.moves(), goal: game.goal, record: game.record },
      over: game.over,
    });
    const found = [told(), ...moves.map((/** @type {string} */ move) => ({ made: game.push(move), ...told() }))];
    game.close();
    return found;
  },
};

process.argv.slice(2).forEach(addTables);
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { call, id, ...asked } = JSON.parse(line);
  let found;
  try {
    found = call ? (CALLS[call](asked) ?? null) : rm.adjudicate(asked);
  } catch (error) {
    found = { error: /** @type {Error} */ (error).message };
  }
  console.log(JSON.stringify(found));
}
