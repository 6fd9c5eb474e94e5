// A castle is drawn: a tap or a drag over the sheet is a room, and a tap on a shared wall says who passes there.
// Everything is kept by the companion as soon as it is drawn; what is on the page is all there is to send.

const CELL = 28;
const LOCKABLE = JSON.parse(document.querySelector("#draw").dataset.lockable);
const LAST = 54;
const form = document.querySelector("#draw");
const words = JSON.parse(form.dataset.words);
const sheet = form.querySelector(".sheet");
const paper = form.querySelector("[data-paper]");
const frame = form.querySelector(".drag");
const part = (name) => form.querySelector(`[data-${name}]`);

const castle = JSON.parse(form.dataset.castle);
const rooms = new Map(castle.rooms.filter((room) => room.w).map((room) => [room.room, room]));
const ways = new Map(); // "12-13" is walked ("walk") or only haunted ("wall"); neither: nobody passes
const doors = new Map(Object.entries(castle.doors ?? {}).map(([room, beyond]) => [Number(room), beyond]));
for (const kind of ["wall", "walk"]) for (const way of castle[`${kind}s`] ?? []) ways.set(name(...way), kind);

let mode = "rooms";
let number = following();
let start = null;

function name(one, two) {
  return `${Math.min(one, two)}-${Math.max(one, two)}`;
}

function say(key, ...values) {
  return values.reduce((text, value, at) => text.replaceAll(`@${at + 1}`, value), words[key]);
}

/** The lowest number that is not drawn yet, after the last one if there is one. */
function following(after = 0) {
  const open = Array.from({ length: LAST }, (_, at) => at + 1).filter((each) => !rooms.has(each));
  return open.find((each) => each > after) ?? open[0] ?? null;
}

/** The wall or floor that two rooms share: from where to where. */
function shared(one, two) {
  const left = Math.max(one.x, two.x);
  const right = Math.min(one.x + one.w, two.x + two.w);
  const top = Math.max(one.y, two.y);
  const bottom = Math.min(one.y + one.h, two.y + two.h);
  const touch = (left === right && bottom > top) || (top === bottom && right > left);
  return touch ? { left, right, top, bottom, one: one.room, two: two.room } : null;
}

function borders() {
  const all = [...rooms.values()].sort((a, b) => a.room - b.room);
  return all.flatMap((one, at) => all.slice(at + 1).map((two) => shared(one, two)).filter(Boolean));
}

/** A room comes, moves or goes: walls that it shares now are proposed, those that it no longer shares are gone. */
function change(room, place) {
  const around = () => new Set(borders().filter((each) => each.one === room || each.two === room).map((each) => name(each.one, each.two)));
  const before = around();
  if (place) rooms.set(room, { room, ...place });
  else rooms.delete(room);
  const now = around();
  for (const each of before) if (!now.has(each)) ways.delete(each);
  for (const each of now) if (!before.has(each) && !ways.has(each)) ways.set(each, "wall");
  if (!place) for (const each of [...ways.keys()]) if (each.split("-").includes(String(room))) ways.delete(each);
  tidy();
}

/** A red door is on a way that is walked. */
function tidy() {
  for (const [room, beyond] of doors) if (ways.get(name(room, beyond)) !== "walk") doors.delete(room);
}

/** What a border says: who passes there, and whose red door it is. */
function state({ one, two }) {
  const red = [one, two].find((each) => doors.get(each) === (each === one ? two : one));
  return red ? { kind: "red", red } : { kind: ways.get(name(one, two)) ?? "none" };
}

/** One tap further: only Max, then a way, then a red door where one can be, then nobody. */
function turn({ one, two }) {
  const key = name(one, two);
  const reds = [one, two].filter((each) => LOCKABLE.includes(each));
  const { kind, red } = state({ one, two });
  const next = { wall: "walk", none: "wall" }[kind] ?? reds[kind === "walk" ? 0 : reds.indexOf(red) + 1] ?? "none";
  if (red) doors.delete(red);
  if (typeof next === "number") doors.set(next, next === one ? two : one);
  else if (next === "none") ways.delete(key);
  else ways.set(key, next);
  tidy();
}

const told = (border) => {
  const { kind, red } = state(border);
  return say(`way_${kind}`, border.one, border.two, red ?? "");
};

// Drawing

function element(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function box({ x, y, w, h }) {
  return { x: x * CELL, y: y * CELL, width: w * CELL, height: h * CELL };
}

const SIGNS = JSON.parse(words.signs);

function drawn(border) {
  const { left, right, top, bottom } = border;
  const upright = left === right;
  const { kind } = state(border);
  const long = ((upright ? bottom - top : right - left) * CELL) / 2 - 3;
  const label = { role: "button", tabindex: 0, "aria-label": told(border), "data-way": name(border.one, border.two) };
  const turned = `translate(${((left + right) / 2) * CELL} ${((top + bottom) / 2) * CELL})${upright ? "" : " rotate(90)"}`;
  const made = element("g", { class: `pass ${kind}`, transform: turned, ...label });
  made.append(element("path", { class: "edge", d: `M0 ${-long}v${2 * long}` }), element("path", { class: "sign", d: SIGNS[kind] }));
  return made;
}

function show(message) {
  const size = [...rooms.values()].reduce((most, room) => Math.max(most, room.x + room.w, room.y + room.h), Number(form.dataset.grid));
  const all = [...rooms.values()];
  const from = (axis) => (mode === "ways" && all.length ? Math.min(...all.map((room) => room[axis])) : 0);
  const to = (axis, side) => (mode === "ways" && all.length ? Math.max(...all.map((room) => room[axis] + room[side])) : size);
  const [wide, high] = [to("x", "w") - from("x"), to("y", "h") - from("y")];
  sheet.setAttribute("viewBox", [from("x") * CELL - 2, from("y") * CELL - 2, wide * CELL + 4, high * CELL + 4].join(" "));
  sheet.style.minWidth = mode === "ways" ? `${wide * 44}px` : "0";
  sheet.classList.toggle("ways", mode === "ways");
  const lines = Array.from({ length: size + 1 }, (_, at) => `M${at * CELL} 0V${size * CELL}M0 ${at * CELL}H${size * CELL}`);
  paper.replaceChildren(
    ...(mode === "rooms" ? [element("path", { class: "lines", d: lines.join("") })] : []),
    ...all.flatMap((room) => [
      element("rect", { class: `wall${room.room === number && mode === "rooms" ? " on" : ""}`, ...box(room) }),
      element("text", { x: (room.x + room.w / 2) * CELL, y: (room.y + room.h / 2) * CELL + 4 }, room.room),
    ]),
    ...(mode === "ways" ? borders().map(drawn) : []),
  );
  part("count").textContent = say("count", rooms.size);
  part("say").textContent = message ?? hint();
  part("erase").hidden = !rooms.has(number);
  part("erase").textContent = say("erase", number);
  for (const each of form.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== mode;
  for (const each of form.querySelectorAll("[data-mode]")) each.ariaPressed = String(each.dataset.mode === mode);
  for (const each of part("numbers").children) {
    each.classList.toggle("done", rooms.has(Number(each.value)));
    each.ariaPressed = String(Number(each.value) === number);
  }
}

function hint() {
  if (mode === "ways") return say("ways");
  if (number === null) return say("all");
  return say(rooms.has(number) ? "again" : "room", number);
}

// Keeping

const packed = () =>
  JSON.stringify({
    rooms: [...rooms.values()].map(({ room, x, y, w, h }) => [room, x, y, w, h]),
    walks: [...ways].filter(([, kind]) => kind === "walk").map(([key]) => key.split("-").map(Number)),
    walls: [...ways].filter(([, kind]) => kind === "wall").map(([key]) => key.split("-").map(Number)),
    doors: Object.fromEntries(doors),
  });

let sending = null;
let sent = packed();

/** The newest drawing is sent, one at a time, until nothing has changed meanwhile. */
async function keep() {
  form.elements.drawn.value = packed();
  if (sending) return;
  while (sent !== packed()) {
    const now = packed();
    sending = fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" });
    // A redirect is the answer to what was kept.
    const kept = await sending.then((answer) => answer.type === "opaqueredirect", () => false);
    sending = null;
    part("kept").textContent = say(kept ? "kept" : "not_kept");
    if (!kept) return;
    sent = now;
  }
}

function done(message) {
  show(message);
  keep();
}

// Fingers

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.getScreenCTM().inverse());
  return { x: point.x / CELL, y: point.y / CELL };
}

/** The rectangle of squares between two points. */
function between(one, two) {
  const edge = Number(form.dataset.grid) - 1;
  const cells = [one, two].map(({ x, y }) => [x, y].map((each) => Math.max(0, Math.min(edge, Math.floor(each)))));
  const [x, y] = [0, 1].map((axis) => Math.min(cells[0][axis], cells[1][axis]));
  const [w, h] = [0, 1].map((axis) => Math.abs(cells[0][axis] - cells[1][axis]) + 1);
  return { x, y, w, h };
}

function covers(place, but) {
  return [...rooms.values()].find(
    (each) => each.room !== but && place.x < each.x + each.w && each.x < place.x + place.w && place.y < each.y + each.h && each.y < place.y + place.h,
  );
}

sheet.addEventListener("pointerdown", (event) => {
  if (mode !== "rooms" || !event.isPrimary) return;
  start = at(event);
  sheet.setPointerCapture(event.pointerId);
});
sheet.addEventListener("pointermove", (event) => {
  if (!start) return;
  const place = between(start, at(event));
  for (const [key, value] of Object.entries(box(place))) frame.setAttribute(key, value);
  frame.classList.toggle("bad", !!covers(place, number));
  frame.removeAttribute("hidden");
});
sheet.addEventListener("pointercancel", () => {
  start = null;
  frame.setAttribute("hidden", "");
});
sheet.addEventListener("pointerup", (event) => {
  if (!start) return;
  const place = between(start, at(event));
  start = null;
  frame.setAttribute("hidden", "");
  const there = covers(place, null);
  if (place.w === 1 && place.h === 1 && there) {
    number = there.room;
    show();
  } else if (covers(place, number)) show(say("taken", covers(place, number).room));
  else if (number === null) show();
  else {
    change(number, place);
    number = following(number);
    done();
  }
});

/** How far a point is from a border, in squares. */
function away({ x, y }, { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

function pass(border) {
  turn(border);
  done(told(border));
  form.querySelector(`[data-way="${name(border.one, border.two)}"]`).focus({ preventScroll: true });
}

sheet.addEventListener("click", (event) => {
  if (mode !== "ways") return;
  const point = at(event);
  const [near] = borders().sort((one, two) => away(point, one) - away(point, two));
  if (near && away(point, near) < 0.5) pass(near);
});
sheet.addEventListener("keydown", (event) => {
  const key = event.target.dataset.way;
  if (!key || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  pass(borders().find((each) => name(each.one, each.two) === key));
});
part("erase").addEventListener("click", () => {
  change(number, null);
  done();
});
for (const each of form.querySelectorAll("[data-mode]")) {
  each.addEventListener("click", () => {
    mode = each.dataset.mode;
    show();
  });
}
part("numbers").append(
  ...Array.from({ length: LAST }, (_, at) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", value: at + 1, textContent: at + 1 });
    made.addEventListener("click", () => {
      number = at + 1;
      show();
      sheet.scrollIntoView({ block: "nearest" });
    });
    return made;
  }),
);
form.addEventListener("submit", () => (form.elements.drawn.value = packed()));

show();
form.elements.drawn.value = packed();
