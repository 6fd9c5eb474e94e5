// Behind the host's desk: sums while one types, and a file that is too large is said where it was chosen.

document.documentElement.classList.add("js");

const WORTH = {
  digits: (text) => text.replace(/\s/g, "").length,
  number: (text) => Number(text) || 0,
  one: (text) => (text ? 1 : 0),
};

/** Say how many there are of how many; the sign tells it too, not the colour alone. */
function tally(group) {
  const told = group.querySelector(".tally");
  const all = [...group.querySelectorAll("[data-add]")];
  const n = all.reduce((sum, one) => sum + WORTH[one.dataset.add](one.value), 0);
  const right = n === Number(told.dataset.due);
  const words = `${right ? "✓ " : ""}${told.dataset.words.replace("{n}", n)}`;
  if (told.textContent !== words) told.textContent = words;
  told.classList.toggle("right", right);
}

document.querySelectorAll("[data-tally]").forEach(tally);
document.addEventListener("input", ({ target }) => {
  const group = target.closest("[data-tally]");
  if (group) tally(group);
});

document.addEventListener("change", ({ target }) => {
  const { most, tooLarge } = target.dataset;
  if (!most) return;
  target.setCustomValidity(target.files[0]?.size > Number(most) ? tooLarge : "");
  target.reportValidity();
});
