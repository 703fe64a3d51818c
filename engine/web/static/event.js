// The page of an event with its games inside. The address decides whether it shows the tables or a game.

import {} from "./study.js";

let place = 0; // how far the tables are scrolled, for Back

const addressed = () => (location.hash.startsWith("#game=") ? "game" : "event");

function show() {
  const view = addressed();
  if (view === document.body.dataset.view) return;
  document.body.dataset.view = view;
  scrollTo(0, view === "event" ? place : 0);
}

// Back and Forward scroll before the address is followed.
addEventListener("scroll", () => {
  if (document.body.dataset.view === "event" && addressed() === "event") place = scrollY;
});
addEventListener("hashchange", show);
document.querySelector("#back")?.addEventListener("click", (event) => {
  event.preventDefault();
  history.pushState(null, "", "#tables");
  show();
});
show();
