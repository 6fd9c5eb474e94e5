// The worker of the home-screen app. It keeps static files and one page without a word about any game. No other
// page, no stream and no form is ever kept, or even looked at: those hold secrets.

const KEPT = "house-1";
const language = new URL(location.href).searchParams.get("language") ?? "en";
const asleep = `/asleep?language=${language}`;

async function begin() {
  const cache = await caches.open(KEPT);
  await cache.addAll([asleep, "/static/house.css", "/static/icon.svg"]);
  await self.skipWaiting();
}

/** The house first, so that nothing is ever old; what was kept only where the house does not answer. */
async function file(request) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(asleep)) ?? Response.error();
  }
}

addEventListener("install", (event) => event.waitUntil(begin()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});
