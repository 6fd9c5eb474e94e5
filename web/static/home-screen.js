// Where the browser allows it (https, or this very machine), a worker keeps the page that says that the house
// does not answer, and the static files it is made of. On a home network there is none, and nothing is missing.

if (isSecureContext && "serviceWorker" in navigator) {
  const { lang } = document.documentElement;
  addEventListener("load", () => navigator.serviceWorker.register(`/sw.js?language=${lang}`).catch(() => {}));
}
