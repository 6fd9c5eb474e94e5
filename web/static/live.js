// The line to the house: every change is pushed, forms are sent without leaving the page, and a line that
// broke is picked up again at once when the phone wakes or finds its network.

import { announce, keepFocus } from "./attend.js";
import { stayAwake } from "./awake.js";
import { tell } from "./choose.js";
import { settle } from "./grid.js";
import { admits, arrived, hold, passes } from "./handover.js";
import { pass } from "./moments.js";
import { morph } from "./morph.js";
import { changed, own, whole } from "./pushed.js";
import { shut, spoken } from "./secret.js";

const { page } = document.body.dataset;
const named = location.pathname.split("/")[2]; // only a page that names its seat or its game is bound to it
const binds = { play: "seat", demo: "game" }[page];
const address = `/events?page=${page}` + (binds && named ? `&${binds}=${named}` : "");
const first = 500; // after a lost line, try again this soon; then slower, up to eight seconds
let stream = null;
let retry = 0;
let wait = first;
let newest = 0; // the version of what is shown: the answer to a form may come after a newer push

export function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("#live");
  const old = document.querySelector("#live");
  if (!fresh || !old || !admits(fresh)) return;
  const passed = passes(fresh);
  const version = Number(fresh.dataset.version ?? newest);
  if (version < newest && !passed && !fresh.querySelector("[role=alert]")) return;
  newest = Math.max(newest, version);
  if (passed || old.dataset.turn !== fresh.dataset.turn) shut();
  const top = opensAnew(old, fresh);
  passed ? old.replaceWith(document.adoptNode(fresh)) : morph(old, document.adoptNode(fresh));
  if (top) scrollTo(0, 0);
  const now = document.querySelector("#live");
  document.title = now.dataset.title;
  document.documentElement.lang = now.lang;
  settle();
  spoken();
  tell();
  keepFocus();
  announce();
  pass();
  stayAwake();
  arrived();
  if (passed) listen();
}

/** Whether this is another page to the reader: the next part of the evening, or their own turn. It opens at its top. */
function opensAnew(old, fresh) {
  const part = (one) => one.dataset.turn.split(" ")[0];
  const lit = (one) => Boolean(one.querySelector(".turn.lit"));
  return part(old) !== part(fresh) || (lit(fresh) && !lit(old));
}

/** Until a version has been shown: a second tap must not meet the page before. A line that is lost tells it anew. */
async function shown(version) {
  for (let turn = 0; newest < version && turn < 40; turn += 1) await new Promise((soon) => setTimeout(soon, 25));
}

/** Tell that the line is lost, or that it is back. */
function lost(isLost) {
  const bar = document.querySelector("#lost");
  bar.textContent = isLost ? document.querySelector("#live").dataset.lost : "";
  bar.hidden = !isLost;
}

function listen() {
  clearTimeout(retry);
  stream?.close();
  if (document.hidden || page === "gone" || page === "front" || page === "join") return;
  stream = new EventSource(address + hold());
  stream.onopen = () => {
    wait = first;
    newest = 0; // a house that was restarted may count anew
    lost(false);
  };
  stream.onerror = again;
  stream.addEventListener("token", (event) => own(event.data));
  stream.addEventListener("page", (event) => show(whole(event.data, event.lastEventId)));
  stream.addEventListener("change", (event) => show(changed(event.data, event.lastEventId)));
  stream.addEventListener("lamps", (event) => light(JSON.parse(event.data).strips));
  stream.addEventListener("go", (event) => location.assign(event.data));
}

function again() {
  stream?.close();
  shut();
  lost(true);
  clearTimeout(retry);
  retry = setTimeout(listen, wait);
  wait = Math.min(wait * 2, 8000);
}

function wake() {
  wait = first;
  listen();
}

/** The colours of lamps that move, as `web/render/lamps.py` shows them. */
function light(strips) {
  for (const [strip, colours] of Object.entries(strips)) {
    colours.forEach((colour, i) => {
      const bulb = document.querySelector(`[data-led="${strip}-${i + 1}"]`);
      bulb?.classList.toggle("on", colour !== "000000");
      bulb?.setAttribute("fill", seen(colour));
    });
  }
}

function seen(colour) {
  const parts = [0, 2, 4].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const brightest = Math.max(...parts, 1);
  const shine = 0.5 + (0.5 * brightest) / 255;
  return `rgb(${parts.map((part) => Math.round((64 + (191 * part) / brightest) * shine)).join(" ")})`;
}

async function send(form, button, fields = new FormData(form, button)) {
  const path = button?.getAttribute("formaction") ?? form.getAttribute("action");
  const buttons = [...form.querySelectorAll("button"), ...(button ? [button] : [])];
  const told = [...form.elements].map((one) => [one, one.value, one.checked]);
  buttons.forEach((one) => (one.disabled = true));
  // Now, not when the answer is there: by then somebody may have chosen anew on a page that was pushed.
  if (!form.matches("[data-keep], [data-at-once]")) form.reset();
  try {
    const body = new URLSearchParams(fields);
    // Where the line is open the new page comes by it, and need not come twice.
    const wanted = stream?.readyState === EventSource.OPEN ? "pushed" : "fragment";
    const answer = await fetch(path, { method: "POST", body, headers: { "X-Companion": wanted } });
    const go = answer.headers.get("X-Companion-Go");
    if (go) return location.assign(go);
    form.closest("details.more")?.removeAttribute("open");
    if (answer.status === 204) await shown(Number(answer.headers.get("X-Companion-Version")));
    else show(await answer.text());
    // Wherever one has scrolled to: why it was refused is seen.
    document.querySelector("#live [role=alert]")?.scrollIntoView({ block: "nearest" });
  } catch {
    told.forEach(([one, value, checked]) => Object.assign(one, { value, checked }));
    lost(true);
    wake();
  } finally {
    buttons.forEach((one) => (one.disabled = false));
    keepFocus();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  send(form, event.submitter);
});
document.addEventListener("change", (event) => {
  const { form, name, value } = event.target;
  if (!form?.matches("[data-at-once]")) return;
  // Only what was changed is sent: the rest may have been changed by somebody else meanwhile.
  const fields = new FormData();
  form.querySelectorAll("input[type=hidden]").forEach((one) => fields.set(one.name, one.value));
  fields.set(name, value);
  send(form, null, fields);
});
document.addEventListener("visibilitychange", () => (document.hidden ? stream?.close() : wake()));
addEventListener("offline", again);
addEventListener("online", wake);
addEventListener("pageshow", (event) => event.persisted && wake());
addEventListener("pagehide", () => stream?.close());

history.scrollRestoration = "manual"; // a page opens at its top
settle();
tell();
pass();
stayAwake();
listen();
