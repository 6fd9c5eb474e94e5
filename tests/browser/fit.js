// What does not fit on the page as it is: out of sight what must be seen, too wide, cut off, or in the way.
([must, whole, scroll]) => {
  const faults = [];
  const root = document.scrollingElement;
  const told = (one) => `${one.tagName.toLowerCase()}.${one.className?.baseVal ?? one.className} “${one.textContent.trim().slice(0, 40)}”`;
  const inside = ({ left, top, right, bottom }) => left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  // A part that scrolls by itself hides what it has no room for.
  const hiddenBehind = (one, { bottom, right }) => {
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      const edge = up.getBoundingClientRect();
      if (getComputedStyle(up).overflowY !== "visible" && (bottom > edge.bottom + 3 || right > edge.right + 3)) return true;
    }
    return false;
  };
  const live = document.querySelector("#live, main");
  if (!live) return ["no page"];
  scrollTo(0, 0);
  for (const css of must) {
    const found = [...live.querySelectorAll(css)].filter((one) => one.getClientRects().length);
    if (!found.length) faults.push(`${css} is missing`);
    for (const one of found.slice(0, 1)) {
      // With the largest letters one scrolls, and then sees as much of it as a screen holds.
      if (scroll) one.scrollIntoView({ block: "center" });
      const box = one.getBoundingClientRect();
      const wide = box.left < -1 || box.right > innerWidth + 1;
      if (scroll ? wide || box.bottom < 24 || box.top > innerHeight - 24 : !inside(box)) faults.push(`${css} is out of sight: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
      else if (!scroll && hiddenBehind(one, box)) faults.push(`${css} is cut off by what is around it`);
      else if (!scroll && Math.min(box.width, box.height) < 8) faults.push(`${css} is too small`);
    }
  }
  const seen = document.querySelector(".moments form button");
  if (seen && !seen.closest("main")) {
    seen.scrollIntoView({ block: "nearest" });
    if (!inside(seen.getBoundingClientRect())) faults.push("a moment cannot be tapped away");
    scrollTo(0, 0);
  }
  if (root.scrollWidth > innerWidth) faults.push(`too wide by ${root.scrollWidth - innerWidth}`);
  if (whole && root.scrollHeight > innerHeight + 2) faults.push(`too high by ${root.scrollHeight - innerHeight}`);

  // Every line of text as it is seen: what a box around it that cannot be scrolled hides is cut off.
  const lines = [];
  // Told to screen readers alone, and so hidden on purpose.
  const onlySpoken = (one) => one && one !== live && (getComputedStyle(one).clipPath === "inset(50%)" || onlySpoken(one.parentElement));
  const walker = document.createTreeWalker(live, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const one = node.parentElement;
    if (!node.nodeValue.trim() || one.closest("svg, .sr, .secret, .foot, .holdbar, .verdict, select, [hidden]")) continue;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (onlySpoken(one)) continue;
    for (const box of range.getClientRects()) {
      const seen = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
      let cut = null;
      for (let up = one; up && up !== live; up = up.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(up);
        if (overflowX === "visible" && overflowY === "visible") continue;
        const edge = up.getBoundingClientRect();
        const gone = Math.max(edge.left - seen.left, seen.right - edge.right, edge.top - seen.top, seen.bottom - edge.bottom);
        // A line of the log or of the news that has no room is not there at all; none is cut through.
        const away = up.matches(".ticker, .tbl > .moments > div") && (seen.left >= edge.right || seen.top >= edge.bottom);
        if (gone > 3 && overflowX === "hidden" && overflowY === "hidden" && !away) cut = up;
        seen.left = Math.max(seen.left, edge.left);
        seen.right = Math.min(seen.right, edge.right);
        seen.top = Math.max(seen.top, edge.top);
        seen.bottom = Math.min(seen.bottom, edge.bottom);
      }
      if (cut) faults.push(`cut off: ${told(one)} by ${cut.className}`);
      if (seen.right - seen.left > 2 && seen.bottom - seen.top > 2) lines.push({ one, ...seen });
    }
  }
  for (const [at, a] of lines.entries()) {
    if (a.left < -1 || a.right > innerWidth + 1) faults.push(`beside the screen: ${told(a.one)}`);
    for (const b of lines.slice(at + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // What is told until it is tapped away lies over the page, and closed eyes over the board; nothing else may.
      const layers = [a, b].map(({ one }) => one.closest(".moments:has(form), .closed-eyes"));
      if (wide > 4 && high > 5 && a.one !== b.one && layers[0] === layers[1]) faults.push(`${told(a.one)} lies over ${told(b.one)}`);
    }
  }
  return [...new Set(faults)].slice(0, 6);
}
