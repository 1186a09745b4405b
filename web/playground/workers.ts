// The workers of the page, and who of them answers what: home has all that is no run, and the runs that rest; each run that
// goes on has a worker of its own. When more are to go on than there are places, they wait at home.

import { parse } from "../api";
import { slice } from "../store";
import type { Run } from "../types";
import type { Answer, Handed, Said, Wish } from "./messages";

export const notice = slice<{ text: string }>("playground", { text: "" });

// The smallest module that uses a vector: (func (result v128) i32.const 0 i8x16.splat).
const withVectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0,
    65, 0, 253, 15, 11]);
const tooOld = "This browser has no WebAssembly with SIMD, which the playground is made of. Firefox 100, Chromium 95, "
    + "Safari 16.4 and everything newer have.";

const processors = Math.max(1, navigator.hardwareConcurrency || 1);
/** How many runs go on at once as fast as they go: one processor is left to the page. */
const places = Math.max(1, processors - 1);
const mostGoing = Math.max(8, places); // with those that somebody has slowed down to look at
const mostEnds = 3; // of home, or of the worker of one run: what fails that often will fail again
const lockWait = 1000; // milliseconds

// --- what workers begin with -------------------------------------------------------------------------------------

interface Parts {
    module: WebAssembly.Module;
    script: string;
    glue: string;
    page: [string, string][];
}
let parts: Promise<Parts> | null = null;

async function loaded(name: string): Promise<Response> {
    const response = await fetch(new URL(name, document.baseURI));
    if (!response.ok) throw new Error(`${name} can't be loaded`);
    return response;
}

async function compiled(name: string): Promise<WebAssembly.Module> {
    const response = await loaded(name);
    // Not every server knows what it is.
    return response.headers.get("Content-Type") === "application/wasm" ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

// Loaded once, and all at once: workers that begin later need nobody who serves files.
function theParts(): Promise<Parts> {
    const text = async (name: string) => (await loaded(name)).text();
    const address = (...texts: string[]) => URL.createObjectURL(new Blob(texts, { type: "text/javascript" }));
    const kind = self.crossOriginIsolated ? "knossos-threads" : "knossos";
    parts ??= Promise.all([compiled(`${kind}.wasm`), text(`${kind}.js`), text("worker.js"), text("shared.js"),
        text("shared.css")]).then(([module, glue, worker, script, style]): Parts => ({ module,
        script: address(glue, "\n", worker), glue: address(glue), page: [["shared.js", script], ["shared.css", style]] }));
    parts.catch(() => { parts = null; });
    return parts;
}

let keeping: Promise<string> | null = null;

/** The browser's storage is for one tab at a time. Returns why this one has it not, or nothing. */
async function askForStorage(): Promise<string> {
    if (!("locks" in navigator))
        return "Over plain HTTP this browser keeps nothing: what you make is gone when the page is closed.";
    // A page that was reloaded gives it back a moment later.
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
    return refusal ? `This browser keeps nothing (${refusal instanceof Error ? refusal.message : String(refusal)}): `
        + "what you make is gone when the page is closed." : "";
}

// --- one worker --------------------------------------------------------------------------------------------------

interface Asked {
    done: (result: unknown) => void;
    failed: (error: Error) => void;
}

let newest = 0;
const listId = 0; // of the stream of a worker's own list of runs

/** What is left out of a message: its number. */
type Numbered<T> = T extends { id: number } ? Omit<T, "id"> : never;

class Desk {
    run: Handed | null = null; // as it was handed over; null: this is home, or nobody's yet
    state = "";
    since = 0; // it is in that state, or was asked for anything
    isLeaving = false;
    isOver = false;
    private readonly asked = new Map<number, Asked>();

    constructor(private readonly worker: Worker, readonly threads: number) {
        worker.onmessage = (event: MessageEvent<Said>) => { if (!this.isOver) this.hear(event.data); };
        worker.onerror = (event) => fail(this, event.message || "its script can't be loaded");
    }

    post(wish: Wish, transfer: Transferable[] = []): void {
        this.worker.postMessage(wish, transfer);
    }

    ask<T>(wish: Numbered<Wish>, transfer: Transferable[] = []): Promise<T> {
        if (this.isOver) return Promise.reject(new TypeError("this worker has ended"));
        this.since = performance.now();
        const id = ++newest;
        return new Promise<T>((done, failed) => {
            this.asked.set(id, { done: done as (result: unknown) => void, failed });
            this.post({ ...wish, id } as Wish, transfer);
        });
    }

    end(why = "it has ended"): void {
        if (this.isOver) return;
        this.isOver = true;
        this.worker.terminate();
        for (const { failed } of this.asked.values()) failed(new TypeError(why));
        this.asked.clear();
    }

    private hear(said: Said): void {
        if ("answer" in said) this.settle(said.answer.id, (one) => one.done(said.answer));
        else if ("done" in said) this.settle(said.id, (one) => one.done(said.done));
        else if ("failed" in said) this.settle(said.id, (one) => one.failed(new Error(said.failed)));
        else if ("event" in said && said.stream === listId) takeList(this, parse<{ runs: Run[] }>(said.data).runs);
        else if ("event" in said) streams.get(said.stream)?.take(said.event, said.data);
        else if ("over" in said) streams.get(said.over)?.end();
        else if ("state" in said) takeState(this, said.state);
        else if ("note" in said) notice.put({ text: said.note });
        else fail(this, said.broken);
    }

    private settle(id: number, how: (one: Asked) => void): void {
        const one = this.asked.get(id);
        this.asked.delete(id);
        if (one) how(one);
    }
}

let home: Promise<Desk> | null = null;
let homeDesk: Desk | null = null;
let homeEnds = 0;
let isKept = false;
let spare: Promise<Desk> | null = null; // begun ahead, so that a run need not wait for it
const desks = new Map<string, Desk>(); // of the runs that have one
const moving = new Map<string, Promise<void>>(); // the runs that are on their way
const carried = new Set<string>(); // those of them that no worker has
const endsOf = new Map<string, number>();
const known = new Map<string, Run>(); // as each was last seen, wherever it is
let hasList = false;
let queue: string[] = []; // who waits for a place

const isGoing = (state: string): boolean => state === "running" || state === "waiting";
const busy = (): number => [...desks.values()].filter((desk) => isGoing(desk.state)).length;

/** How many threads a run may have besides its worker: what processors the others leave. */
const freeThreads = (): number => (self.crossOriginIsolated ? Math.max(0, processors - 1 - busy()) : 0);

async function begun(threads: number): Promise<Desk> {
    const { module, script, glue, page } = await theParts();
    const desk = new Desk(new Worker(script), threads);
    desk.post({ begin: { module, glue, page, threads } });
    return desk;
}

function theHome(): Promise<Desk> {
    if (home) return home;
    if (typeof WebAssembly === "undefined" || !WebAssembly.validate(withVectors)) {
        notice.put({ text: tooOld });
        return Promise.reject(new TypeError(tooOld));
    }
    if (homeEnds > mostEnds) return Promise.reject(new TypeError(notice.get().text));
    const mine = (async () => {
        keeping ??= askForStorage();
        const [desk, why] = await Promise.all([begun(0), keeping]);
        homeDesk = desk;
        if (why) notice.put({ text: why });
        isKept = await desk.ask<boolean>({ open: { isKept: why === "", run: null, elsewhere: [...desks.keys(), ...carried] } });
        desk.post({ id: listId, listen: listPath });
        setTimeout(prepare, 0);
        return desk;
    })();
    home = mine;
    mine.catch((error: Error) => {
        if (home !== mine) return; // it was said by the worker itself
        homeEnds += 1;
        home = homeDesk = null;
        notice.put({ text: `The playground can't begin: ${error.message}.` });
    });
    return home;
}

function prepare(): void {
    if (spare || desks.size > places) return;
    spare = begun(freeThreads());
    spare.catch(() => { spare = null; });
}

// --- runs and their workers --------------------------------------------------------------------------------------

async function prepared(): Promise<Desk> {
    const ready = spare;
    spare = null;
    const desk = await ready;
    if (desk && !desk.isOver && desk.threads === freeThreads()) return desk;
    desk?.end();
    return begun(freeThreads());
}

/** Gives a run a worker. Should that end, it is seen to elsewhere. */
async function seat(run: Handed): Promise<void> {
    const { id, state } = run.about;
    carried.add(id);
    makeRoom();
    const desk = await prepared();
    desk.run = run;
    desk.state = state;
    desks.set(id, desk);
    carried.delete(id);
    try {
        await desk.ask({ open: { isKept, run, elsewhere: [] } });
    } catch (error) {
        if (desk.isOver) return;
        desk.end();
        desks.delete(id);
        throw error;
    }
    desk.post({ id: listId, listen: listPath });
    listenAgain(id);
    prepare();
}

/** Notes that a run is on its way: until it has come, nobody asks for it. */
function onItsWay(id: string, work: Promise<void>): Promise<void> {
    const noted = work.finally(() => {
        if (moving.get(id) === noted) moving.delete(id);
        schedule();
    });
    moving.set(id, noted);
    noted.catch(() => undefined); // whoever waits for it is told
    return noted;
}

const fromHome = (id: string, state?: string): Promise<void> => onItsWay(id, (async () => {
    const run = await (await theHome()).ask<Handed>({ give: id });
    if (state) run.about.state = state;
    await seat(run).catch((error: Error) => takeHome(failed(run, error.message)));
})());

const failed = (run: Handed, message: string): Handed => ({ ...run, about: { ...run.about, state: "failed", message } });

const toHome = (desk: Desk, id: string): Promise<void> => onItsWay(id, (async () => {
    desk.isLeaving = true;
    try {
        const run = await desk.ask<Handed>({ give: id });
        desk.end();
        desks.delete(id);
        await takeHome(run);
    } finally {
        desk.isLeaving = false;
    }
})());

async function takeHome(run: Handed): Promise<void> {
    const { id } = run.about;
    carried.add(id);
    for (let isThere = false; !isThere;) {
        const at = await theHome();
        try {
            await at.ask({ take: run });
            isThere = true;
        } catch (error) {
            if (!at.isOver) throw error;
        } finally {
            if (isThere || !at.isOver) carried.delete(id);
        }
    }
    listenAgain(id);
}

// There is room for one more than go on, so that there is always one that rests. Whoever has rested longest goes home.
function makeRoom(): void {
    const staying = [...desks].filter(([, desk]) => !desk.isLeaving);
    const here = staying.filter(([id, desk]) => !moving.has(id) && !isGoing(desk.state));
    here.sort(([, a], [, b]) => a.since - b.since);
    for (let left = staying.length - places; left > 0 && here.length > 0; --left) {
        const [id, desk] = here.shift()!;
        void toHome(desk, id);
    }
}

const speedOf = (id: string): number => known.get(id)?.speed ?? 0; // 0: as fast as it goes

function hasPlace(speed: number): boolean {
    const going = [...new Set([...desks.keys(), ...moving.keys()])].filter((id) => {
        const desk = desks.get(id);
        return !desk || isGoing(desk.state);
    });
    return going.length < mostGoing && (speed > 0 || going.filter((id) => speedOf(id) === 0).length < places);
}

/** Gives places to those who wait, in their order. */
function schedule(): void {
    queue = queue.filter((id) => known.get(id)?.state === "waiting" && !desks.has(id) && !moving.has(id));
    for (const id of queue) if (hasPlace(speedOf(id))) void fromHome(id);
}

function fail(desk: Desk, why: string): void {
    if (desk.isOver) return;
    const id = desk.run?.about.id;
    const text = id === undefined ? `The playground has stopped: ${why}.` : `The worker of ${id} has stopped: ${why}.`;
    desk.end(text);
    if (desk === homeDesk) {
        homeEnds += 1;
        notice.put({ text: `${text} ${homeEnds > mostEnds ? "Reload the page" : "It begins again"} with what was kept.` });
        home = homeDesk = null;
        hasList = false;
        queue = [];
        for (const stream of [...streams.values()]) if (!desks.has(runIn(stream.path) ?? "")) stream.end();
    } else if (id !== undefined && desks.get(id) === desk) {
        desks.delete(id);
        notice.put({ text: recovered(desk.run!, desk.state, why) });
    } // Else it was nobody's yet: whoever was to have it sees that it is over.
}

/** Lets a run whose worker has ended go on from its last checkpoint, and says so. */
function recovered({ about, files }: Handed, state: string, why: string): string {
    const { id, version } = about;
    const ends = (endsOf.get(id) ?? 0) + 1;
    endsOf.set(id, ends);
    const seen = known.get(id);
    const again: Handed = { files, isStored: isKept, about: { ...about, state: isGoing(state) ? "waiting" : state,
        speed: seen?.speed ?? about.speed, version: Math.max(version, seen?.version ?? 0) } };
    const gone = () => {
        known.delete(id);
        notice.put({ text: `The worker of ${id} has stopped: ${why}. Nothing is left of that run.` });
        tellList();
    };
    if (ends > mostEnds) {
        onItsWay(id, takeHome(failed(again, `its worker has stopped ${ends} times: ${why}`))).catch(gone);
        return `The worker of ${id} has stopped ${ends} times: ${why}. It can go on from its last checkpoint.`;
    }
    onItsWay(id, seat(again)).catch(() => { if (!desks.has(id) && !moving.has(id)) gone(); });
    return `The worker of ${id} has stopped: ${why}. It goes on from its last checkpoint.`;
}

// --- lists of runs -----------------------------------------------------------------------------------------------

function takeList(desk: Desk, runs: Run[]): void {
    const isHome = desk === homeDesk;
    for (const run of runs) {
        const owner = desks.get(run.id);
        if (moving.has(run.id) && known.has(run.id)) continue;
        if (isHome ? !owner : owner === desk) known.set(run.id, run);
        if (isHome && !owner && run.state === "waiting" && !queue.includes(run.id)) queue.push(run.id);
    }
    if (isHome) {
        const there = new Set(runs.map((run) => run.id));
        for (const id of [...known.keys()])
            if (!there.has(id) && !desks.has(id) && !moving.has(id)) known.delete(id);
        if (!hasList) queue.sort((a, b) => known.get(a)!.created - known.get(b)!.created);
        hasList = true;
    } else if (runs[0]) takeState(desk, runs[0].state);
    schedule();
    tellList();
}

function takeState(desk: Desk, state: string): void {
    if (state === "" || state === desk.state) return;
    desk.state = state;
    desk.since = performance.now();
    schedule();
}

/** What an answer says of a run. */
function learn(run: Run): void {
    known.set(run.id, run);
    const desk = desks.get(run.id);
    if (desk) takeState(desk, run.state);
    queue = queue.filter((id) => id !== run.id);
    if (!desk && run.state === "waiting") queue.push(run.id);
    schedule();
    tellList();
}

function listText(): string {
    const all = [...known.values()].sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
    return JSON.stringify({ runs: all });
}

const listPath = "/api/events";

function tellList(): void {
    if (!hasList) return;
    const text = listText();
    for (const stream of streams.values()) if (stream.path === listPath) stream.take("runs", text);
}

// --- requests ----------------------------------------------------------------------------------------------------

const runsPath = "/api/runs";

function runIn(path: string): string | null {
    const found = /^\/api\/runs\/([^/?]+)/.exec(path);
    return found && decodeURIComponent(found[1]!);
}

/** Who has a run, once it is where it is going. */
async function deskOf(id: string | null): Promise<Desk> {
    while (id !== null && moving.has(id)) await moving.get(id)!.catch(() => undefined);
    return (id !== null && desks.get(id)) || theHome();
}

const plain = (status: number, text = ""): Answer => ({ id: 0, status, type: "application/json", headers: {},
    body: new TextEncoder().encode(text).buffer as ArrayBuffer });

const asText = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

export async function answer(method: string, path: string, type: string, body?: ArrayBuffer): Promise<Answer> {
    if (path === runsPath && method === "GET" && hasList) return plain(200, listText());
    const id = runIn(path);
    let desk = await deskOf(id);
    const isOrder = (path === runsPath || path.startsWith("/api/galleries?")) && method === "POST";
    const isControl = id !== null && path.endsWith("/control") && method === "POST";
    if (id !== null && method === "DELETE" && desks.get(id) === desk) return removed(id, desk);
    const { action, speed } = isControl ? wishIn(body) : { action: "", speed: undefined };
    if (action === "step" && desk === homeDesk && isOpen(id!)) {
        await fromHome(id!, known.get(id!)!.state === "waiting" ? "paused" : undefined);
        desk = await deskOf(id);
    } else if (action === "play" && desk !== homeDesk && !isGoing(desk.state)
        && !hasPlace(typeof speed === "number" ? speed : speedOf(id!))) {
        await toHome(desk, id!); // where those wait who have no place
        desk = await deskOf(id);
    }
    const said = await desk.ask<Answer>({ method, path, type, body }, body ? [body] : []);
    if (id !== null && method === "DELETE" && said.status === 204) forget(id);
    if ((isOrder && said.status === 201) || (isControl && said.status === 200)) {
        const run = parse<Run>(asText(said.body));
        learn(run);
        // Its first generation is made at once, also if it is to wait then.
        if (isOrder && run.state === "paused") void fromHome(run.id);
    }
    return said;
}

const isOpen = (id: string): boolean => ["waiting", "paused", "failed"].includes(known.get(id)?.state ?? "");

function wishIn(body?: ArrayBuffer): { action?: unknown; speed?: unknown } {
    try {
        return (JSON.parse(asText(body!)) ?? {}) as { action?: unknown; speed?: unknown };
    } catch {
        return {}; // the API says what is wrong with it
    }
}

// The worker may be in a long generation: nobody waits for it.
async function removed(id: string, desk: Desk): Promise<Answer> {
    desk.end();
    desks.delete(id);
    for (const stream of [...streams.values()]) if (runIn(stream.path) === id) stream.end();
    forget(id);
    await (await theHome()).ask({ erase: id });
    schedule();
    return plain(204);
}

function forget(id: string): void {
    known.delete(id);
    endsOf.delete(id);
    queue = queue.filter((one) => one !== id);
    tellList();
}

// --- events ------------------------------------------------------------------------------------------------------

const streams = new Map<number, WorkerEvents>();

/** As an EventSource is, as far as the page needs it. */
export class WorkerEvents extends EventTarget {
    onerror: (() => void) | null = null;
    desk: Desk | null = null;
    readonly id = ++newest;
    private turn = 0;

    constructor(readonly path: string) {
        super();
        streams.set(this.id, this);
        void this.listen();
    }

    /** Asks again, too, where a run has moved: of several that wait until it is there only the last one asks. */
    async listen(): Promise<void> {
        const mine = ++this.turn;
        this.desk?.post({ close: this.id });
        this.desk = null;
        try {
            const desk = await deskOf(runIn(this.path));
            if (mine !== this.turn || !streams.has(this.id)) return;
            if (this.path !== listPath) {
                this.desk = desk;
                desk.post({ id: this.id, listen: this.path });
            } else if (hasList) this.take("runs", listText());
        } catch {
            if (mine === this.turn) this.end();
        }
    }

    take(event: string, data: string): void {
        this.dispatchEvent(new MessageEvent(event, { data }));
    }

    end(): void {
        if (streams.delete(this.id)) this.onerror?.();
    }

    close(): void {
        if (streams.delete(this.id) && this.desk && !this.desk.isOver) this.desk.post({ close: this.id });
    }
}

/** Those who watch a run go on watching it where it is now. */
function listenAgain(id: string): void {
    for (const stream of streams.values()) if (runIn(stream.path) === id) void stream.listen();
}
