// Turn what is on the page into what came from the house, touching only what differs:
// focus, scroll, open drawers and typed words stay where they are.

const KEPT = new Set(["open", "tabindex"]); // attributes that belong to the person, not to the house

/** Make `old` equal to `fresh`. */
export function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
    old.replaceWith(fresh);
  } else if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
  } else if (!old.isEqualNode(fresh) || old.matches("[data-at-once]")) {
    attributes(old, fresh);
    children(old, fresh);
    if (old.closest("[data-at-once]")) agree(old, fresh);
  }
}

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !KEPT.has(name)) old.setAttribute(name, value);
  }
}

// In a form that is sent at every change the house has the last word on what is chosen.
function agree(old, fresh) {
  if (old === document.activeElement) return;
  if ("checked" in old) old.checked = fresh.defaultChecked;
  if ("selected" in old) old.selected = fresh.defaultSelected;
  if (old.matches("input:not([type=radio])")) old.value = fresh.defaultValue;
}

function children(old, fresh) {
  const wanted = [...fresh.childNodes];
  wanted.forEach((node, i) => {
    const same = node.id && document.getElementById(node.id);
    const there = old.childNodes[i];
    // What has a name is known again when something comes or goes before it.
    if (same && same !== there && same.parentNode === old) old.insertBefore(same, there);
    i < old.childNodes.length ? morph(old.childNodes[i], node) : old.append(node);
  });
  [...old.childNodes].slice(wanted.length).forEach((node) => node.remove());
}
