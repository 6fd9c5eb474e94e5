// Where somebody is on the page, and what they must hear. A push, or the answer to a form, may take away what
// had the focus: whoever uses a keyboard or a screen reader is then put back where they were, on the board, or
// at the headline.

let here = null; // what had the focus last, unless its person left it

const there = (one) => one?.isConnected && !one.disabled && one.getClientRects().length > 0
  && getComputedStyle(one).visibility === "visible";

/** Put a lost focus back. */
export function keepFocus() {
  const now = document.activeElement;
  if (!here || (now !== document.body && there(now))) return;
  const onBoard = here.closest("[data-confirm], form[data-two-taps]");
  const board = onBoard && document.querySelector("#live [role=grid] [tabindex='0']");
  const again = [here, here.id && document.getElementById(here.id), board].find(there);
  (again ?? headline())?.focus({ preventScroll: true });
}

function headline() {
  const found = document.querySelector("#live h1");
  if (found) found.tabIndex = -1;
  return found;
}

document.addEventListener("focusin", (event) => (here = event.target));
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  // Tapped beside it, to close the keyboard perhaps: nobody wants to be put back there. What is being taken
  // from the page is still there at this moment, and gone in the next.
  const left = () => here === target && document.hasFocus() && there(target);
  if (!relatedTarget) setTimeout(() => left() && document.activeElement === document.body && (here = null));
});

let turn = document.querySelector("#live")?.dataset.turn;

/** Say aloud whose turn it is, when that has changed. */
export function announce() {
  const live = document.querySelector("#live");
  if (live.dataset.turn === turn) return;
  turn = live.dataset.turn;
  const head = live.querySelector("h1:not([role=status] *)"); // a headline that is read aloud by itself is not said twice
  document.querySelector("#turn").textContent = head?.textContent ?? "";
}
