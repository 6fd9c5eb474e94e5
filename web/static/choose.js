// Two taps: the first chooses a room, the second confirms. Here the confirm bar learns what was chosen.

/** Say what is chosen on the confirm bar. */
export function tell() {
  const chosen = document.querySelector("form[data-two-taps] input[data-what]:checked");
  const bar = document.querySelector("[data-confirm]");
  if (!chosen || !bar) return;
  bar.querySelector("[data-what]").textContent = chosen.dataset.what;
  bar.querySelector("[data-note]").textContent = chosen.dataset.note;
  const thumb = bar.querySelector("[data-thumb]");
  if (!thumb) return;
  const tile = chosen.parentElement.cloneNode(true);
  tile.querySelector("input").remove();
  const shown = document.createElement("span");
  shown.className = tile.className;
  shown.append(...tile.childNodes);
  thumb.replaceChildren(shown);
}

document.addEventListener("change", (event) => event.target.closest("form[data-two-taps]") && tell());
