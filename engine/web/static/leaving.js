// Leaves the page, for another one or to reload it, once everything unsaved is stored; and downloads files.
import { h, notice } from "./dom.js";

const KEY = "standstill.notice"; // the message for the next page of this tab

/**
 * Go to a page of the program. The browser does not ask for confirmation, because drafts survive.
 * @param {string} path with the fragment
 */
export function leave(path) {
  document.body.dataset.leaving = "";
  history.replaceState(null, "", path); // another fragment alone would not load the page again
  location.reload();
}

/**
 * Show a message on the next page.
 * @param {string} text
 */
export function later(text) {
  sessionStorage.setItem(KEY, text);
}

/** Show the message that the previous page has left. */
export function showLater() {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (text) notice(text);
}

/**
 * Let the browser write a file into its folder for downloads.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
