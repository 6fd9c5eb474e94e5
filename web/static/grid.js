// The board as one stop of the tab key; arrows walk from room to room.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const CELL = "[data-room]";
const TURNS = { right: 1, top: 2, left: 3 }; // quarters by which the board is turned on a phone (settings.css)

/** Leave one room of each board in the tab order: the one last visited. */
export function settle() {
  for (const grid of document.querySelectorAll("[role=grid]")) {
    const cells = [...grid.querySelectorAll(CELL)];
    const here = cells.find((cell) => cell === document.activeElement)
      ?? cells.find((cell) => cell.dataset.room === grid.dataset.at) ?? cells[0];
    for (const cell of cells) cell.tabIndex = cell === here ? 0 : -1;
  }
}

/** The step on the board that a key means to whoever sees it from their side of the table. */
function stepOf(key, grid) {
  let [down, right] = STEPS[key];
  const turns = grid.closest(".tbl") ? 0 : TURNS[document.documentElement.dataset.side] ?? 0;
  for (let turn = 0; turn < turns; turn++) [down, right] = [-right, down];
  return [down, right];
}

function walk(event) {
  const grid = event.key in STEPS && event.target.closest("[role=grid]");
  if (!grid) return;
  const step = stepOf(event.key, grid);
  const cells = [...grid.querySelectorAll(CELL)];
  const width = Number(grid.getAttribute("aria-colcount"));
  const at = cells.indexOf(event.target);
  const column = (at % width) + step[1];
  const next = cells[at + step[0] * width + step[1]];
  event.preventDefault();
  if (next && column >= 0 && column < width) next.focus();
}

document.addEventListener("keydown", walk);
document.addEventListener("focusin", (event) => {
  const grid = event.target.closest?.("[role=grid]");
  if (!grid) return;
  grid.dataset.at = event.target.dataset.room;
  settle();
});
