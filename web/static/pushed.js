// The page as it was last pushed, line by line. What comes after it tells only which lines are others now.

const { token } = document.body.dataset;
let lines = [];

export function whole(page, version) {
  lines = page.split("\n");
  return stamped(version);
}

/** Each run says from which line on how many are gone, and how many of those that follow stand instead. */
export function changed(told, version) {
  const news = told ? told.split("\n") : [];
  const now = [];
  let at = 0;
  for (let next = 0; next < news.length; ) {
    const [from, gone, fresh] = news[next].split(" ").map(Number);
    now.push(...lines.slice(at, from), ...news.slice(next + 1, next + 1 + fresh));
    at = from + gone;
    next += 1 + fresh;
  }
  lines = [...now, ...lines.slice(at)];
  return stamped(version);
}

/** With this phone's own token and the moment it shows: the house leaves both open (`CSRF`, `MOMENT`). */
function stamped(version) {
  return lines.join("\n").replaceAll("\x01", token).replaceAll("\x02", version);
}
