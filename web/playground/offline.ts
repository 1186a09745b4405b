// Keeps the files of the playground in the browser, so that it works without a network after the first visit.
// `files` and `version` are put in when the site is made.

declare const files: string[];
declare const version: string;

interface Life extends Event {
    waitUntil(work: Promise<unknown>): void;
}
interface Fetch extends Life {
    request: Request;
    respondWith(answer: Promise<Response>): void;
}
interface Offline {
    skipWaiting(): Promise<void>;
    clients: { claim(): Promise<void> };
    addEventListener(kind: "install" | "activate", take: (event: Life) => void): void;
    addEventListener(kind: "fetch", take: (event: Fetch) => void): void;
}
const offline = self as unknown as Offline;

// A page loads one of the two modules, and says which.
const isOther = (file: string): boolean => (new URL(location.href).search === "?threads" ? /^knossos\./
    : /^knossos-threads\./).test(file);

const cacheName = `knossos-${version}${location.search}`;

offline.addEventListener("install", (event) => event.waitUntil((async () => {
    // Asked for anew: what the browser has may be of the version before.
    await (await caches.open(cacheName)).addAll(files.filter((file) => !isOther(file)).map((file) => new Request(file, { cache: "no-cache" })));
    await offline.skipWaiting();
})()));

offline.addEventListener("activate", (event) => event.waitUntil((async () => {
    for (const one of await caches.keys())
        if (one.startsWith("knossos-") && one !== cacheName) await caches.delete(one);
    await offline.clients.claim();
})()));

// What was kept is one version, so that page, worker and WebAssembly fit together; all else comes from the network.
offline.addEventListener("fetch", (event) => {
    if (event.request.method !== "GET") return;
    event.respondWith((async () => {
        const kept = await (await caches.open(cacheName)).match(event.request, { ignoreSearch: true });
        return kept ?? fetch(event.request);
    })());
});

export {};
