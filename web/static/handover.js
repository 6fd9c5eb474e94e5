// One phone for several people. A page in somebody's hand carries a token (data-hold); whatever could show it
// to somebody else covers it at once, before anything is asked or answered, and tells the house.

let cover = null; // the screen that everybody may see, as it was shown last
let turns = 0; // how often the phone was put down
let taking = -1; // in which of those turns somebody has tapped to take it

const live = () => document.querySelector("#live");

/** The token of whoever holds the phone, as the stream sends it. */
export function hold() {
  const token = live().dataset.hold;
  return token ? `&hold=${token}` : "";
}

/** Whether a page may be shown: nobody's, that of whoever holds the phone, or of whoever has just tapped. */
export function admits(fresh) {
  const token = fresh.dataset.hold;
  const allowed = !token || token === live().dataset.hold || taking === turns;
  if (!allowed) tell(fresh);
  if (token) taking = -1;
  return allowed;
}

/** Whether the phone changes hands with a page: then nothing of the old one may stay. */
export function passes(fresh) {
  return fresh.dataset.hold !== live().dataset.hold;
}

/** Keep the screen that everybody may see, to have it at hand. */
export function arrived() {
  if ("passing" in (live()?.dataset ?? {})) cover = live().cloneNode(true);
}

/** Say that nobody looks at this page any more; a late answer is of no use. */
function tell(page) {
  const body = new URLSearchParams({ hold: page.dataset.hold, csrf: page.querySelector("[name=csrf]").value });
  fetch("/hand/down", { method: "POST", body, keepalive: true, headers: { "X-Companion": "fragment" } }).catch(() => {});
}

function putDown() {
  turns += 1;
  const page = live();
  if (!page?.dataset.hold) return;
  const blank = Object.assign(document.createElement("div"), { id: "live", className: "phone hand" });
  page.replaceWith(cover?.cloneNode(true) ?? blank);
  document.title = cover?.dataset.title ?? "";
  tell(page);
}

document.addEventListener("submit", ({ target }) => {
  if (target.getAttribute("action") === "/hand/take") taking = turns;
}, true);
document.addEventListener("visibilitychange", () => document.hidden && putDown());
document.addEventListener("freeze", putDown);
addEventListener("blur", putDown);
addEventListener("pagehide", putDown);

// Neither the address nor the history says whose page this was: all of them lead to the same screen.
if (live() && ("passing" in live().dataset || live().dataset.hold)) history.replaceState(null, "", "/play");
arrived();
