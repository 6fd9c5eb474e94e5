// The screen stays awake while a game goes on, where browsers allow it: over https, or on this very machine. A hidden
// page lets go by itself, so the phone's own button still darkens it, and so does a phone that everybody has forgotten.

const FORGOTTEN = 15 * 60 * 1000; // without a change or a touch
let lock = null; // the promise of one
let rest = 0;

function letGo() {
  lock?.then((held) => held?.release());
}

export function stayAwake() {
  if (!("wakeLock" in navigator)) return;
  clearTimeout(rest);
  const [part] = document.querySelector("#live").dataset.turn.split(" ");
  if (document.hidden || !["setup", "playing"].includes(part)) return letGo();
  rest = setTimeout(letGo, FORGOTTEN);
  lock ??= navigator.wakeLock.request("screen").then(
    (held) => {
      held.addEventListener("release", () => (lock = null));
      return held;
    },
    () => (lock = null), // a battery that is low, say: the next change asks again
  );
}

document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("pointerdown", stayAwake);
