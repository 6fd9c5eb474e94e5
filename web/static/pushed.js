// The page as it was last pushed, line by line. What comes after it tells only which lines are others now.

let token = "";
let lines = [];

/** What the forms of this phone carry; a house that was restarted may want another one. */
export function own(given) {
  token = given;
}

export function whole(told, version) {
  lines = JSON.parse(told);
  return stamped(version);
}

/** Each run says from which line on how many are gone, and what stands there instead. */
export function changed(told, version) {
  const now = [];
  let at = 0;
  for (const [from, gone, ...fresh] of JSON.parse(told)) {
    now.push(...lines.slice(at, from), ...fresh);
    at = from + gone;
  }
  lines = [...now, ...lines.slice(at)];
  return stamped(version);
}

/** With this phone's own token and the moment it shows: the house leaves both open (`CSRF`, `MOMENT`). */
function stamped(version) {
  return lines.join("\n").replaceAll("\x01", token).replaceAll("\x02", version);
}
