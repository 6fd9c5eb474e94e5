// The study: a photo of one's own board behind the sheet, and a castle read from a file. Both stay on this
// phone: the photo is made small and kept in its storage, never sent.

const form = document.querySelector("[data-photo]");
const sheet = document.querySelector(".sheet .photo");
const key = form && `castle photo ${form.dataset.photo}`;
const LARGEST = 1024; // pixels of the longer side

document.documentElement.classList.add("js");

function show() {
  if (!sheet) return; // a check-up may ask for something else
  const photo = localStorage.getItem(key);
  if (photo) sheet.setAttribute("href", photo);
  else sheet.removeAttribute("href");
}

async function take(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LARGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * scale;
  canvas.height = picture.height * scale;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  localStorage.setItem(key, canvas.toDataURL("image/jpeg", 0.6));
  show();
}

/** Bring the part of the sheet into view that is being drawn: this room, or the last one. */
function turn() {
  const box = document.querySelector(".sheetbox");
  const near = box?.querySelector(".cell:checked") ?? [...(box?.querySelectorAll(".wall") ?? [])].at(-1);
  if (!near) return;
  const left = near.getBoundingClientRect().left - box.getBoundingClientRect().left;
  box.scrollLeft = left - box.clientWidth / 2;
}

if (form) {
  show();
  turn();
  document.querySelector("[data-photo-file]")?.addEventListener("change", async ({ target }) => {
    // What is no picture, or does not fit into this phone's storage, is said where it was chosen.
    const fault = await take(target.files[0]).then(() => "", () => target.dataset.photoFile);
    target.setCustomValidity(fault);
    target.reportValidity();
    target.setCustomValidity("");
  });
  document.querySelector("[data-photo-away]")?.addEventListener("click", () => {
    localStorage.removeItem(key);
    show();
  });
  // A room is either walked to or reached through the wall alone, never both.
  form.addEventListener("change", ({ target }) => {
    const other = { walk: "wall", wall: "walk" }[target.name];
    if (other && target.checked) document.querySelector(`#${other}-${target.value}`).checked = false;
  });
}

document.addEventListener("change", async ({ target }) => {
  if (target.dataset.into) document.getElementById(target.dataset.into).value = await target.files[0].text();
});
