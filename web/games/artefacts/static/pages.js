// The manor on a screen: the pawn whose turn it is comes into sight, a tile can be turned by a button, tiles that
// were turned up are told together, and another tile in hand forgets the square that was chosen for the last one.

let seen = "";
let sent = false; // something was done on this page, and its answer has not been shown yet

/** Bring the middle of what matters into sight, once a turn: whoever pans may go on panning. */
function centre() {
  const pan = document.querySelector(".pan");
  const turn = document.querySelector("#live")?.dataset.turn;
  if (!pan) return;
  if (sent && pan.getBoundingClientRect().bottom < innerHeight / 2) pan.scrollIntoView();
  sent = false;
  if (turn === seen) return;
  seen = turn;
  show(pan);
}

function show(pan) {
  const what = pan.querySelector("[data-here]") ?? pan.querySelector(".manor");
  const there = what.getBoundingClientRect();
  const here = pan.getBoundingClientRect();
  pan.scrollLeft += there.left + there.width / 2 - here.left - here.width / 2;
  pan.scrollTop += there.top + there.height / 2 - here.top - here.height / 2;
}

/** The next way the tile may lie on the chosen square. */
function turn() {
  const chosen = document.querySelector(".spot input:checked");
  if (!chosen) return;
  const ways = [...chosen.closest(".spot").querySelectorAll("input")].filter((way) => way.offsetParent);
  const next = ways[(ways.indexOf(chosen) + 1) % ways.length];
  next.checked = true;
  next.dispatchEvent(new Event("change", { bubbles: true }));
}

let told = []; // the tiles that were turned up, by the ids of what was tapped,
let awaited = ""; // and what they are told for

/** Another tile that was turned up; more than are awaited are not. */
function tellTile(input) {
  const bar = document.querySelector("[data-told]");
  input.checked = false;
  if (told.length < bar.querySelectorAll(".slot").length) told.push(input.id);
  fill();
}

/** Show what has been told so far: a push knows nothing of it. */
function fill() {
  const bar = document.querySelector("[data-told]");
  if ((bar?.id ?? "") !== awaited) [told, awaited] = [[], bar?.id ?? ""];
  if (!bar) return;
  const inputs = told.map((id) => document.getElementById(id));
  const slots = [...bar.querySelectorAll(".slot")];
  slots.forEach((slot, i) => {
    if ((slot.dataset.tile ?? "") === (told[i] ?? "")) return;
    slot.dataset.tile = told[i] ?? "";
    slot.disabled = !told[i];
    slot.replaceChildren(...(inputs[i] ? [inputs[i].parentElement.querySelector("svg").cloneNode(true)] : []));
  });
  const send = bar.querySelector(".primary");
  send.disabled = told.length < slots.length;
  send.value = JSON.stringify({ type: "reveal", tiles: inputs.map((input) => JSON.parse(input.value).tiles[0]) });
}

/** What was told by mistake is not told. */
function untell(slot) {
  told.splice([...document.querySelectorAll(".slot")].indexOf(slot), 1);
  fill();
}

const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** Most of a screen further, for whoever cannot drag. */
function go(way) {
  const pan = document.querySelector(".pan");
  const [right, down] = WAYS[way];
  pan.scrollBy(right * pan.clientWidth * 0.7, down * pan.clientHeight * 0.7);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-turn-tile], [data-pan], .slot");
  if (button?.matches("[data-turn-tile]")) turn();
  else if (button?.matches(".slot")) untell(button);
  else if (button) go(button.dataset.pan);
});
document.addEventListener("change", ({ target }) => {
  if (target.name === "zoom") show(document.querySelector(".pan"));
  if (target.matches(".g-reveal input")) return tellTile(target);
  if (!target.matches("[data-tile]")) return;
  document.querySelectorAll(".spot input:checked").forEach((spot) => (spot.checked = false));
});
new MutationObserver(() => {
  centre();
  fill();
}).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-turn"] });
document.addEventListener("submit", ({ target }) => (sent = target.id === "act"));
addEventListener("load", centre);
