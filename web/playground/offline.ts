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
    clients: { claim(): Promise<void> };
    addEventListener(kind: "install" | "activate", take: (event: Life) => void): void;
    addEventListener(kind: "fetch", take: (event: Fetch) => void): void;
}
const offline = self as unknown as Offline;

const cacheName = `knossos-${version}`;

// Asked for anew: what the browser has may be of the version before.
const anew = (file: string): Request => new Request(file, { cache: "no-cache" });

/** Whether a page that comes so has threads: it is the server that lets it. */
const isIsolated = ({ headers }: Response): boolean =>
    headers.has("Cross-Origin-Opener-Policy") && headers.has("Cross-Origin-Embedder-Policy");

/** Keeps all but the one of the two modules that such a page does not load. */
async function keep(page: Response): Promise<void> {
    const other = isIsolated(page) ? /^knossos\./ : /^knossos-threads\./;
    await (await caches.open(cacheName)).addAll(files.filter((file) => !other.test(file)).map(anew));
}

/** Whether a page has threads was decided when it was kept: should its server have changed its mind, it is so from the next
    visit on. A page of another version says so, and is left to the worker that comes with it. */
async function follow(): Promise<void> {
    const kept = await (await caches.open(cacheName)).match("./");
    const page = await fetch(anew("./"));
    if (kept && isIsolated(page) !== isIsolated(kept) && (await page.text()).includes(version)) await keep(page);
}

// It then waits for the pages of the version before, which would no longer find what they load later.
offline.addEventListener("install", (event) => event.waitUntil(fetch(anew("./")).then(keep)));

offline.addEventListener("activate", (event) => event.waitUntil((async () => {
    for (const one of await caches.keys())
        if (one.startsWith("knossos-") && one !== cacheName) await caches.delete(one);
    await offline.clients.claim();
})()));

// What was kept is one version, so that page, worker and WebAssembly fit together; all else comes from the network.
offline.addEventListener("fetch", (event) => {
    if (event.request.method !== "GET") return;
    if (event.request.mode === "navigate") event.waitUntil(follow().catch(() => undefined));
    event.respondWith((async () => {
        const kept = await (await caches.open(cacheName)).match(event.request, { ignoreSearch: true });
        return kept ?? fetch(event.request);
    })());
});

export {};
