// Two taps: the first chooses a room, the second confirms, on the bar or on the same place again. Here the confirm bar
// learns what was chosen.
// On a page of the class `secret-choice` what is chosen is a secret until it is done: what closes the secrets closes
// over it, for eyes and for ears. Elsewhere everybody sees a moment later what was chosen, so that it stays in sight.

const ROOM = "input[data-what]:is(form[data-two-taps] *, [form])"; // in its form, or beside it
const PLAN = "[role=radiogroup], [role=grid]"; // whose rooms are chosen
const SECRET = ".secret-choice *";
const chosen = () => document.querySelector(`${ROOM}:checked`);

// In the place of a room that nobody may see chosen: it can be confirmed all the same.
const standIn = Object.assign(document.createElement("input"), { type: "checkbox", name: "action", hidden: true });
let kept = ""; // the room that it stands for,
let home = null; // and the form where that was chosen: on a phone handed on there is another
let walking = false; // by arrow keys, which choose each room on the way

/** Say what is chosen on the confirm bar, to whom it may be said. */
export function tell() {
  keep();
  hush();
  pick();
  const room = chosen();
  const bar = document.querySelector("[data-confirm]");
  if (!room || !bar) return;
  const what = bar.querySelector("[data-what]");
  what.dataset.plain ??= what.textContent;
  what.textContent = room.dataset.what;
  bar.querySelector("[data-note]").textContent = room.dataset.note;
  const go = bar.querySelector("[data-go]"); // the button says what it does, where that depends on what was chosen
  if (go) {
    go.dataset.plain ??= go.textContent;
    go.textContent = room.dataset.go;
  }
  const thumb = bar.querySelector("[data-thumb]");
  if (!thumb) return;
  const tile = room.parentElement.cloneNode(true);
  tile.querySelector("input").remove();
  const shown = document.createElement("span");
  shown.className = tile.className;
  shown.append(...tile.childNodes);
  thumb.replaceChildren(shown);
}

/** One of the tools is in hand: the first, if the last one has been used up. */
function pick() {
  const tools = [...document.querySelectorAll("[name=tool]")];
  if (tools.length && !tools.some((tool) => tool.checked)) tools[0].checked = true;
}

/** Secrets close: what was chosen is put out of sight, and waits. */
export function cover() {
  const room = chosen();
  if (!room?.matches(SECRET)) return;
  leave(room);
  [kept, home] = [room.id, room.form];
  room.checked = false;
  standIn.checked = true;
  const [what, note] = ["what", "note"].map((part) => document.querySelector(`[data-confirm] [data-${part}]`));
  if (what) [what.textContent, note.textContent] = [what.dataset.plain ?? "", ""];
  const go = document.querySelector("[data-confirm] [data-go]"); // what it would do tells what was chosen
  if (go) go.textContent = go.dataset.plain ?? go.textContent;
  tell();
}

/** Secrets open: what was chosen is there again. */
export function uncover() {
  const room = waiting();
  drop();
  if (room) room.checked = true;
  tell();
}

/** The room that the stand-in stands for, while that can be chosen. */
function waiting() {
  const room = standIn.checked && document.getElementById(kept);
  return room && room.matches(ROOM) && room.form === home ? room : null;
}

/** A push knows nothing of the stand-in, and takes it away. */
function keep() {
  const room = waiting();
  if (!room) return drop();
  standIn.value = room.value;
  home.append(standIn);
  home.noValidate = true; // a room must be chosen: it is, but not to be seen
}

function drop() {
  if (home) home.noValidate = false;
  standIn.checked = false;
  standIn.remove();
}

/** One may also choose behind closed secrets; then the rooms are for no other ears until one looks or lets go. */
function hush() {
  const plan = document.querySelector(`.secret-choice :is(${PLAN})`);
  if (!plan) return;
  const rooms = [...plan.querySelectorAll("input")];
  const room = rooms.find((one) => one.checked);
  const hidden = Boolean(room && closed(room) && !walking);
  if (hidden) leave(room);
  hidden ? plan.setAttribute("aria-hidden", "true") : plan.removeAttribute("aria-hidden");
  rooms.forEach((one) => (hidden ? (one.tabIndex = -1) : one.removeAttribute("tabindex")));
}

const closed = (room) => room.matches(SECRET) && !document.documentElement.classList.contains("held");

/** The focus would tell which room it was. */
function leave(room) {
  if (document.activeElement === room) document.querySelector(".hold")?.focus({ preventScroll: true });
}

document.addEventListener("change", (event) => {
  if (!event.target.form?.matches("[data-two-taps]")) return;
  walking = event.target.matches(":focus-visible");
  drop();
  tell();
});
// Another tool: what was chosen with the one before is chosen no more.
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[name=tool], [data-one-of]")) return;
  document.querySelectorAll(`[data-one-of="${target.dataset.oneOf}"]`).forEach((one) => (one.checked &&= one === target));
  const room = chosen();
  if (room) room.checked = false;
  drop();
  tell();
});
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const plan = walking && target.closest(PLAN);
  if (!plan || plan.contains(relatedTarget)) return;
  walking = false;
  if (closed(target)) cover(); // whoever walked has arrived
});
// A second tap on what is chosen does it; one that comes at once belongs to the first: a nervous finger does nothing.
const NERVOUS = 300;
let before = ""; // what was chosen when the finger came down,
let since = 0; // and since when
document.addEventListener("change", (event) => event.target.matches(ROOM) && (since = event.timeStamp));
document.addEventListener("pointerdown", () => (before = chosen()?.id ?? ""), true);
document.addEventListener("click", ({ target, timeStamp, detail }) => {
  const again = detail && target.matches?.(ROOM) && target.checked && target.id === before;
  if (again && timeStamp - since > NERVOUS) target.form.requestSubmit();
});
document.addEventListener("reset", () => setTimeout(tell)); // after it, when nothing is chosen any more
