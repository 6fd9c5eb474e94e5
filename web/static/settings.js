// "My phone": a choice is seen on the page itself before it is kept.

const form = document.querySelector("#look");
const HEADS = { light: "head link[media], meta[content='#f5eede']", dark: "meta[content='#0c1424']" };

function wear() {
  const look = Object.fromEntries(new FormData(form));
  for (const name of ["text", "colours", "hand", "side"]) document.documentElement.dataset[name] = look[name];
  for (const [scheme, heads] of Object.entries(HEADS)) {
    const media = look.scheme === scheme ? "all" : "not all";
    const asked = look.scheme === "phone" ? `(prefers-color-scheme: ${scheme})` : media;
    document.querySelectorAll(heads).forEach((one) => (one.media = asked));
  }
}

form.addEventListener("change", wear);
