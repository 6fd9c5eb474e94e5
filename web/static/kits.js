// Making a kit: every change is checked at once; the address follows, so that a reload shows the same.
import { morph } from "./morph.js";

document.documentElement.classList.add("js");
const form = document.querySelector("#making");
let latest = 0;

form.addEventListener("change", async () => {
  const turn = ++latest;
  const answers = new URLSearchParams(new FormData(form));
  answers.delete("csrf");
  answers.delete("replace");
  const address = `/kits/make?${answers}`;
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (turn !== latest) return; // somebody has chosen on
  const fresh = page.querySelector("main");
  if (answer.ok) history.replaceState(null, "", address);
  morph(document.querySelector("main"), document.adoptNode(fresh));
});
