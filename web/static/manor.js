// The manor on a screen: the pawn whose turn it is comes into sight, a tile can be turned by a button, and
// another tile in hand forgets the square that was chosen for the last one.

let seen = "";

/** Bring the middle of what matters into sight, once a turn: whoever pans may go on panning. */
function centre() {
  const pan = document.querySelector(".pan");
  const turn = document.querySelector("#live")?.dataset.turn;
  if (!pan || turn === seen) return;
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

const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** Most of a screen further, for whoever cannot drag. */
function go(way) {
  const pan = document.querySelector(".pan");
  const [right, down] = WAYS[way];
  pan.scrollBy(right * pan.clientWidth * 0.7, down * pan.clientHeight * 0.7);
}

document.addEventListener("click", (event) => event.target.closest?.("[data-turn-tile]") && turn());
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-pan]");
  if (button) go(button.dataset.pan);
});
document.addEventListener("change", (event) => {
  if (event.target.name === "zoom") show(document.querySelector(".pan"));
  if (!event.target.matches("[data-tile]")) return;
  document.querySelectorAll(".spot input:checked").forEach((spot) => (spot.checked = false));
});
new MutationObserver(centre).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-turn"] });
addEventListener("load", centre);
