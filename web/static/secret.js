// Secrets: shown while a finger or a key holds the button, or for ten seconds after a short tap.
// Everything that could show them to somebody else closes them: letting go, leaving, sleeping, a lost
// stream, the end of the turn.

import { cover, uncover } from "./choose.js";

const TAP = 350; // a press shorter than this is a tap
const OPEN = 10_000; // how long a tap shows them
const root = document.documentElement;
let pressed = 0;
let timer = 0;

/** Close whatever is open. */
export function shut() {
  clearTimeout(timer);
  pressed = 0;
  const wasOpen = root.classList.contains("held");
  root.classList.remove("held");
  spoken(false);
  if (wasOpen) cover();
}

function open() {
  root.classList.add("held");
  spoken(true);
  uncover();
}

/** Closed secrets are also closed to a screen reader, which would read them aloud; a page just pushed knows no better. */
export function spoken(open = root.classList.contains("held")) {
  document.querySelectorAll(".hold").forEach((button) => button.setAttribute("aria-pressed", String(open)));
}

function press() {
  if (root.classList.contains("held")) return shut();
  pressed = performance.now();
  open();
}

function release() {
  if (!pressed) return;
  const tapped = performance.now() - pressed < TAP;
  pressed = 0;
  if (!tapped) return shut();
  clearTimeout(timer);
  timer = setTimeout(shut, OPEN);
}

const onHold = (event) => event.target.closest?.(".hold");
const isKey = (event) => event.key === " " || event.key === "Enter";

document.addEventListener("pointerdown", (event) => onHold(event) && press());
document.addEventListener("pointerup", release);
document.addEventListener("pointercancel", release);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") shut();
  if (!onHold(event) || !isKey(event)) return;
  event.preventDefault();
  if (!event.repeat) press();
});
document.addEventListener("keyup", (event) => onHold(event) && isKey(event) && release());
document.addEventListener("contextmenu", (event) => onHold(event) && event.preventDefault());
document.addEventListener("visibilitychange", () => document.hidden && shut());
addEventListener("blur", shut);
addEventListener("pagehide", shut);
addEventListener("pageshow", shut);
