// The page of an event with its games inside. The address decides whether it shows the tables or a game.

import {} from "./study.js";

let place = 0; // how far the tables are scrolled, for Back

function show() {
  const view = location.hash.startsWith("#game=") ? "game" : "event";
  const before = document.body.dataset.view;
  if (view === before) return;
  if (before === "event") place = scrollY;
  document.body.dataset.view = view;
  scrollTo(0, view === "event" ? place : 0);
}

addEventListener("hashchange", show);
document.querySelector("#back")?.addEventListener("click", (event) => {
  event.preventDefault();
  history.pushState(null, "", "#tables");
  show();
});
show();
