// Answers the page: the studio as WebAssembly, in a worker. Its workspace is in memory, and is written to the browser's
// storage (IndexedDB) every few seconds, where there is any and no other tab has it.

interface Knossos {
    FS: {
        mkdir(path: string): void;
        mount(type: unknown, options: object, path: string): void;
        unmount(path: string): void;
        syncfs(fromStorage: boolean, done: (error: unknown) => void): void;
        writeFile(path: string, content: string | Uint8Array): void;
        readFile(path: string, options: { encoding: "utf8" }): string;
        analyzePath(path: string): { exists: boolean };
    };
    IDBFS: unknown;
    HEAPU8: Uint8Array;
    stringToNewUTF8(text: string): number;
    UTF8ToString(place: number): string;
    _malloc(size: number): number;
    _free(place: number): void;
    _playground_trouble(): number;
    _playground_open(workspace: number): number; // 0: no
    _playground_answer(method: number, target: number, type: number, body: number, size: number): number;
    _playground_body(): number;
    _playground_body_size(): number;
    _playground_event(stream: number): number;
    _playground_end_stream(stream: number): void;
    _playground_pump(): number;
}

interface Answered {
    status: number;
    type: string;
    headers: Record<string, string>;
    stream?: number;
    body: Uint8Array;
}

type Wish = { id: number; method: string; path: string; type: string; body?: ArrayBuffer }
    | { id: number; listen: string } | { close: number };

declare function importScripts(...names: string[]): void;
declare function makeKnossos(settings?: object): Promise<Knossos>;
declare function postMessage(said: unknown, transfer?: Transferable[]): void;

const workspace = "/workspace";
const runningFile = `${workspace}/.running.json`; // what was going when it was last written
const writeEvery = 3000; // milliseconds
const slice = 30; // milliseconds of work before the page is heard
const lockWait = 1000; // milliseconds

let knossos: Knossos;
let isKept = false;
let isChanged = false;
let isWriting = false;
let written = 0;
const streams = new Map<number, number>(); // the page's numbers to those of the API

// What is null or below was not done.
function done(result: number): number {
    if (result > 0) return result;
    throw new Error(knossos.UTF8ToString(knossos._playground_trouble()));
}

function call(method: string, path: string, type = "", body = new Uint8Array()): Answered {
    const texts = [method, path, type].map((text) => knossos.stringToNewUTF8(text));
    const place = knossos._malloc(Math.max(1, body.length));
    if (place === 0 || texts.includes(0)) throw new Error("there is not enough memory");
    knossos.HEAPU8.set(body, place);
    const said = done(knossos._playground_answer(texts[0]!, texts[1]!, texts[2]!, place, body.length));
    const head = JSON.parse(knossos.UTF8ToString(said)) as Omit<Answered, "body">;
    for (const one of [...texts, place]) knossos._free(one);
    const from = knossos._playground_body();
    if (method !== "GET") isChanged = true;
    return { ...head, body: knossos.HEAPU8.slice(from, from + knossos._playground_body_size()) };
}

function hear(wish: Wish): void {
    if ("close" in wish) {
        const stream = streams.get(wish.close);
        streams.delete(wish.close);
        if (stream !== undefined) knossos._playground_end_stream(stream);
        return;
    }
    if ("listen" in wish) {
        const { stream } = call("GET", wish.listen);
        if (stream === undefined) postMessage({ over: wish.id });
        else streams.set(wish.id, stream);
        return;
    }
    const body = new Uint8Array(wish.body ?? new ArrayBuffer(0));
    const { stream, ...answer } = call(wish.method, wish.path, wish.type, body);
    postMessage({ answer: { ...answer, id: wish.id, body: answer.body.buffer } }, [answer.body.buffer]);
}

function deliver(): void {
    for (const [id, stream] of streams) {
        const text = knossos.UTF8ToString(done(knossos._playground_event(stream)));
        if (text === "over") {
            streams.delete(id);
            postMessage({ over: id });
            continue;
        }
        const event: Record<string, string> = {};
        for (const line of text.split("\n")) {
            const colon = line.indexOf(": ");
            if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
        }
        if (event["data"] !== undefined) postMessage({ stream: id, event: event["event"], data: event["data"] });
    }
}

function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

// Written as a whole or not at all: it is one transaction of the storage.
function write(): void {
    if (!isKept || isWriting || !isChanged || performance.now() - written < writeEvery) return;
    isWriting = true;
    isChanged = false;
    const { runs } = JSON.parse(new TextDecoder().decode(call("GET", "/api/runs").body)) as { runs: { id: string;
        state: string }[] };
    knossos.FS.writeFile(runningFile, JSON.stringify(runs.filter((run) => run.state === "running" || run.state
        === "waiting").map((run) => run.id)));
    knossos.FS.syncfs(false, (error) => {
        isWriting = false;
        written = performance.now();
        if (!error) return;
        isKept = false;
        postMessage({ note: `This browser's storage takes no more (${reason(error)}). All goes on, but what you make `
            + "from now on is gone when the page is closed: save what you want to keep as files." });
    });
}

// Work in slices, so that the page is heard in between; a port is quicker than a timer.
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => turn();

function turn(): void {
    try {
        const until = performance.now() + slice;
        let isBusy = false;
        for (let more = 1; more > 0 && performance.now() < until;) {
            more = knossos._playground_pump();
            if (more !== 0) isBusy = done(more) > 0;
        }
        isChanged ||= isBusy;
        deliver();
        write();
        if (isBusy) port2.postMessage(null);
        else setTimeout(turn, 40);
    } catch (error) {
        postMessage({ broken: reason(error) });
    }
}

const keepsNothing = (why: unknown): string =>
    `This browser keeps nothing (${reason(why)}): what you make is gone when the page is closed.`;

/** The browser's storage as the workspace, for one tab at a time. */
async function mount(): Promise<string> {
    if (!("locks" in navigator))
        return "Over plain HTTP this browser keeps nothing: what you make is gone when the page is closed.";
    // A page that was reloaded, or a worker that has ended, gives it back a moment later.
    const waiting = new AbortController();
    const end = setTimeout(() => waiting.abort(), lockWait);
    const refusal = await new Promise<unknown>((done) => {
        navigator.locks.request("knossos-playground", { signal: waiting.signal }, () => {
            clearTimeout(end);
            done(null);
            return new Promise(() => undefined); // as long as this tab is open
        }).catch(done);
    });
    if (refusal instanceof DOMException && refusal.name === "AbortError")
        return "Another tab has what this browser keeps. Here all works, but is gone when the page is closed.";
    if (refusal) return keepsNothing(refusal);
    knossos.FS.mount(knossos.IDBFS, {}, workspace);
    const trouble = await new Promise<unknown>((done) => knossos.FS.syncfs(true, done))
        .catch((error: unknown) => error);
    if (!trouble) {
        isKept = true;
        return "";
    }
    knossos.FS.unmount(workspace);
    return keepsNothing(trouble);
}

async function begin(): Promise<void> {
    const files = ["shared.js", "shared.css"].map(async (name): Promise<[string, string]> => [name,
        await (await fetch(name)).text()]);
    importScripts("knossos.js");
    knossos = await makeKnossos();
    knossos.FS.mkdir("/page");
    for (const [name, text] of await Promise.all(files)) knossos.FS.writeFile(`/page/${name}`, text);
    knossos.FS.mkdir(workspace);
    const note = await mount().catch(keepsNothing);
    if (note) postMessage({ note });
    done(knossos._playground_open(knossos.stringToNewUTF8(workspace)));
    if (!knossos.FS.analyzePath(runningFile).exists) return;
    const play = new TextEncoder().encode('{"action": "play"}');
    for (const id of JSON.parse(knossos.FS.readFile(runningFile, { encoding: "utf8" })) as string[])
        call("POST", `/api/runs/${id}/control`, "application/json", play);
}

const early: Wish[] = [];
let take: (wish: Wish) => void = (wish) => early.push(wish);
addEventListener("message", (event: MessageEvent<Wish>) => take(event.data));
begin().then(() => {
    take = hear;
    for (const wish of early) hear(wish);
    turn();
}).catch((error: unknown) => postMessage({ broken: `it can't begin, ${reason(error)}` }));

export {};
