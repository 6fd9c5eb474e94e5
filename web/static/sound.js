// A short sound for each step that people copy on the table, for whoever switched it on. It is made from what is
// written on the page for all to see, so it tells nothing more.

const TUNES = {
  moved: [392, 330],
  stayed: [330, 330],
  grew: [392, 523],
  appeared: [494, 466, 494],
  escaped: [330, 262, 196],
  round: [523, 659],
  over: [262, 196, 131],
};
const OTHER = [440];
const NOTE = 0.16; // seconds

let room = null; // where it sounds; browsers open it only after a finger has touched the page
let on = remembered();
let heard = null;

function remembered() {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return false; // a browser that keeps nothing
  }
}

function remember() {
  try {
    localStorage.setItem("sound", on ? "on" : "off");
  } catch {
    // then for this evening only
  }
}

function play(kind) {
  room ??= new AudioContext();
  room.resume();
  let at = room.currentTime + 0.02;
  for (const frequency of TUNES[kind] ?? OTHER) {
    const tone = new OscillatorNode(room, { type: "triangle", frequency });
    const swell = new GainNode(room, { gain: 0 });
    swell.gain.setValueAtTime(0, at);
    swell.gain.linearRampToValueAtTime(0.2, at + 0.02);
    swell.gain.linearRampToValueAtTime(0, at + NOTE);
    tone.connect(swell).connect(room.destination);
    tone.start(at);
    tone.stop(at + NOTE);
    at += NOTE;
  }
}

/** After every change of the page: the button as it was left, and the next step if there is one. */
function listen() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    if (button.getAttribute("aria-pressed") !== String(on)) button.setAttribute("aria-pressed", on);
  }
  const copy = document.querySelector("#copy");
  const step = copy?.dataset.step ?? "";
  if (on && step && heard !== null && step !== heard) play(copy.dataset.cue);
  heard = step;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-sound]")) return;
  on = !on;
  remember();
  if (on) play(document.querySelector("#copy")?.dataset.cue);
  listen();
});
const what = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-step", "aria-pressed"] };
new MutationObserver(listen).observe(document.body, what);
listen();
