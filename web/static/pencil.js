// The pencil: while it is out, a tap on a room writes there and does nothing else.

const out = () => document.querySelector("details[data-pencil][open] form");

document.addEventListener(
  "click",
  (event) => {
    const form = out();
    const room = form && event.target.closest("[data-room]")?.dataset.room;
    if (!room || form.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    form.elements.room.value = room;
    if (form.reportValidity()) form.requestSubmit();
  },
  true,
);
