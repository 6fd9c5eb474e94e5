// On a screen for all a moment is told for a while; it is new when this screen first shows it. What hands are to do stays.

const WHILE = 15000;
const born = new Map();
let later = 0;

/** After every change of the page. */
export function pass() {
  clearTimeout(later);
  const now = Date.now();
  for (const one of document.querySelectorAll(".moments.passing .moment[id]:not(.errand)")) {
    if (!born.has(one.id)) born.set(one.id, now);
    one.hidden = now - born.get(one.id) >= WHILE;
    if (!one.hidden) later = setTimeout(pass, WHILE / 4);
  }
}
