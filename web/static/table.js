// The simulated board's buttons are held as long as a finger is on them, as real ones are.

async function tell(form, path) {
  const body = new URLSearchParams(new FormData(form));
  body.set("button", form.dataset.button);
  await fetch(path, { method: "POST", body, headers: { "X-Companion": "fragment" } });
}

let held = null;
let byHand = false; // a click that follows a pointer has been told already

function release() {
  if (held) tell(held, "/table/release");
  held = null;
}

document.addEventListener("pointerdown", (event) => {
  const form = event.target.closest?.("button")?.closest("form[data-button]");
  if (!form) return;
  held = form;
  byHand = true;
  tell(form, "/table/press");
});
document.addEventListener("pointerup", release);
document.addEventListener("pointercancel", release);
// By keyboard a press is a short one.
document.addEventListener("submit", async (event) => {
  if (!event.target.matches("form[data-button]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!byHand) {
    await tell(event.target, "/table/press");
    await tell(event.target, "/table/release");
  }
  byHand = false;
}, true);
