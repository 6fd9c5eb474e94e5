import "./secret.js";
import "./live.js";
import "./pencil.js";
import "./sound.js";
import "./table.js";

document.documentElement.classList.add("js");

// An open drawer closes by a tap beside it, or by Escape.
function tidy(event) {
  for (const drawer of document.querySelectorAll("details.menu[open], details.more[open], details.sure[open]")) {
    if (event.key === "Escape" || (event.type === "click" && !drawer.contains(event.target))) drawer.open = false;
  }
}
document.addEventListener("click", tidy);
document.addEventListener("keydown", tidy);

// The code on the front page leads to the door of its table.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-code]")) return;
  event.preventDefault();
  location.assign("/j/" + encodeURIComponent(event.target.elements.code.value.trim()));
});
