// Entering a whole board: a square is chosen, its tile is tapped, and the next square chooses itself. Taps are
// sent one after the other and nobody waits for the answers: fingers are faster than the answers. A finger drawn over
// empty squares paints them in the colour in hand: then only the numbers are left to tap.

import { show } from "/static/live.js";

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
let line = Promise.resolve();
let waiting = 0;

const grid = () => document.querySelector("#grid");
const squares = () => [...grid().querySelectorAll("input[name=room]")];
const chosen = () => grid().querySelector("input[name=room]:checked");
const inHand = () => grid().querySelector("input[name=colour]:checked")?.value;
const painted = new Map(); // the colours of squares by their rooms, until a tile is laid there

function choose(square) {
  if (!square) return;
  square.checked = true;
  if (painted.has(square.value)) grid().querySelector(`input[name=colour][value=${painted.get(square.value)}]`).checked = true;
  if (grid().contains(document.activeElement) && document.activeElement.matches("[data-room]")) square.focus();
  if (!grid().dataset.whole) document.querySelector("[data-asked]").textContent = square.dataset.ask;
}

/** The next square without a tile, around the board; none where it is full. */
function following(square) {
  const all = squares();
  const at = all.indexOf(square) + 1;
  return [...all.slice(at), ...all.slice(0, at)].find((one) => one.parentElement.matches(".slot"));
}

/** Send what was tapped, after what was tapped before it. */
function send(path, fields, failed) {
  const body = new URLSearchParams(new FormData(grid()));
  ["room", "colour"].forEach((name) => body.delete(name));
  Object.entries(fields).forEach(([name, value]) => body.set(name, value));
  waiting += 1;
  line = line.then(async () => {
    try {
      const answer = await fetch(path, { method: "POST", body, headers: { "X-Companion": "fragment" } });
      const html = await answer.text();
      waiting -= 1;
      if (!answer.ok) failed();
      if (!waiting || !answer.ok) show(html);
      if (path === "/lay/erase" && grid()) choose(grid().querySelector(`#square-${grid().dataset.at}`));
    } catch {
      waiting -= 1;
      failed();
    }
  });
}

function lay(value) {
  const square = chosen();
  const colour = inHand();
  if (!square || !colour) return;
  const label = square.parentElement;
  const before = label.className;
  if (before === "slot") {
    label.className = `tile w-${colour} sending`;
    label.lastElementChild.textContent = value;
  }
  send("/lay/tile", { room: square.value, colour, value }, () => {
    // Not kept: the square asks again.
    if (label.matches(".sending")) {
      label.className = before;
      label.lastElementChild.textContent = square.value;
    }
    choose(square);
  });
  choose(following(square));
}

/** What is painted, and still without a tile, is to be seen; a page that was pushed knows nothing of it. */
function wash() {
  for (const square of squares()) {
    const label = square.parentElement;
    const colour = label.matches(".slot") ? painted.get(square.value) : undefined;
    if (label.dataset.wash === colour) continue;
    colour ? (label.dataset.wash = colour) : delete label.dataset.wash;
  }
}

let from = null; // the square on which a finger came down,
let drawn = false; // and whether it has been drawn on to others

function paint(square) {
  if (square.parentElement.matches(".slot")) painted.set(square.value, inHand());
}

document.addEventListener("pointerdown", (event) => {
  from = event.target.closest?.("#grid .slot")?.querySelector("input[name=room]") ?? null;
  drawn = false;
  if (from) event.target.releasePointerCapture?.(event.pointerId);
});
document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (!from || !inHand()) return;
  const over = document.elementFromPoint(clientX, clientY)?.closest("#grid label")?.querySelector("input[name=room]");
  if (!over || (over === from && !drawn)) return;
  if (!drawn) paint(from);
  drawn = true;
  paint(over);
  wash();
});
for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => {
    if (from && drawn) choose(from);
    from = null;
  });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!grid() || (form !== grid() && !form.matches("[action='/lay/erase']"))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form === grid()) lay(event.submitter.value);
  else send("/lay/erase", {}, () => {});
}, true);

document.addEventListener("change", (event) => {
  if (event.target.matches("#grid input[name=room]")) choose(event.target);
});

// By keyboard the square that has the focus is the chosen one.
document.addEventListener("focusin", (event) => {
  if (event.target.matches("#grid input[name=room]") && !event.target.checked) choose(event.target);
});

document.addEventListener("keydown", (event) => {
  if (!grid() || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio])")) return;
  const paper = grid().querySelector(`input[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (/^[1-6]$/.test(event.key)) lay(event.key);
  else if (paper) paper.checked = true;
  else if (event.key === "Backspace" || event.key === "Delete") send("/lay/erase", {}, () => {});
  else if (ARROWS.includes(event.key) && !event.target.closest("[role=grid], [role=radiogroup]")) chosen()?.focus();
  else return;
  event.preventDefault();
});

// A push may come while another square is chosen here: the question is about that one.
function keepAsking() {
  const heading = document.querySelector("[data-asked]");
  const { ask } = chosen()?.dataset ?? {};
  if (ask && heading.textContent !== ask && grid().querySelector(".slot")) heading.textContent = ask;
}
if (grid()) {
  keepAsking(); // a finger may have been quicker than this script
  const asked = { characterData: true, childList: true, subtree: true };
  new MutationObserver(() => grid() && keepAsking()).observe(document.querySelector("[data-asked]"), asked);
  const looks = { attributeFilter: ["class", "data-wash"], childList: true, subtree: true };
  new MutationObserver(() => grid() && wash()).observe(document.querySelector("#live"), looks);
}

if (grid() && matchMedia("(hover: hover)").matches) chosen()?.focus({ preventScroll: true });
