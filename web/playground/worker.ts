// The studio as WebAssembly, in a worker: home, or the one of a run. See messages.ts. Its workspace is in memory, and is
// written to the browser's storage every few seconds, where that is to be had.

import type { About, Asking, Beginning, Files, Handed, Opening, Said, Wish } from "./messages";
import { type Present, Shelf } from "./storage";

interface Knossos {
    FS: {
        mkdirTree(path: string): void;
        readdir(path: string): string[];
        writeFile(path: string, content: string | Uint8Array): void;
        readFile(path: string): Uint8Array;
        unlink(path: string): void;
        rmdir(path: string): void;
        stat(path: string): { mode: number; mtime: Date; size: number };
        isDir(mode: number): boolean;
        analyzePath(path: string): { exists: boolean };
    };
    HEAPU8: Uint8Array;
    stringToNewUTF8(text: string): number;
    UTF8ToString(place: number): string;
    _malloc(size: number): number;
    _free(place: number): void;
    _playground_trouble(): number;
    _playground_open(workspace: number, onlyKeeps: number): number; // 0: no
    _playground_give(id: number): number; // 0: no
    _playground_take(about: number): number; // 0: no
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

type Take = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
declare function makeKnossos(settings: object): Promise<Knossos>;
declare function postMessage(said: unknown, transfer?: Transferable[]): void;

const workspace = "/workspace";
const writeEvery = 3000; // milliseconds; what has ended, and what is new, at once
const slice = 30; // milliseconds of work before the page is heard

const folderOf = (id: string): string => `${workspace}/${id}`;
const lockOf = (id: string): string => `knossos-folder-${id}`;

let knossos: Knossos;
let shelf: Shelf | null = null; // null: nothing is kept
let own = ""; // the run that this worker is for; none at home
const elsewhere = new Set<string>(); // at home: the runs that have workers
let isChanged = false;
let writing: Promise<void> | null = null;
let isNextUrgent = false; // to be written as soon as that is done
let written = -Infinity;
let state = "";
let isTurning = false;
let letGo: () => void = () => undefined; // of the folder
const streams = new Map<number, number>(); // the page's numbers to those of the API

const say = (said: Said, transfer: Transferable[] = []): void => postMessage(said, transfer);

function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

// --- the module --------------------------------------------------------------------------------------------------

// What is null or below was not done.
function done(result: number): number {
    if (result > 0) return result;
    throw new Error(knossos.UTF8ToString(knossos._playground_trouble()));
}

function withText(text: string, call: (place: number) => number): number {
    const place = done(knossos.stringToNewUTF8(text));
    const result = call(place);
    knossos._free(place);
    return done(result);
}

function call(method: string, path: string, type = "", body = new Uint8Array()): Answered {
    const places = [method, path, type].map((text) => knossos.stringToNewUTF8(text));
    places.push(knossos._malloc(Math.max(1, body.length)));
    let head: Omit<Answered, "body">;
    try {
        if (places.includes(0)) throw new Error("there is not enough memory");
        knossos.HEAPU8.set(body, places[3]!);
        const said = done(knossos._playground_answer(places[0]!, places[1]!, places[2]!, places[3]!, body.length));
        head = JSON.parse(knossos.UTF8ToString(said)) as Omit<Answered, "body">;
    } finally {
        for (const one of places) knossos._free(one);
    }
    const from = knossos._playground_body();
    if (method !== "GET") isChanged = true;
    return { ...head, body: knossos.HEAPU8.slice(from, from + knossos._playground_body_size()) };
}

function runs(): { id: string; state: string; speed: number }[] {
    return (JSON.parse(new TextDecoder().decode(call("GET", "/api/runs").body)) as { runs: [] }).runs;
}

// --- files -------------------------------------------------------------------------------------------------------

function put(path: string, content: Uint8Array): string {
    knossos.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    knossos.FS.writeFile(path, content);
    return stampOf(path);
}

function stampOf(path: string): string {
    const { mtime, size } = knossos.FS.stat(path);
    return `${mtime.getTime()} ${size}`;
}

/** The files in a folder and in those below, by their paths. */
function filesIn(folder: string, found = new Map<string, Present>()): Map<string, Present> {
    const { FS } = knossos;
    if (!FS.analyzePath(folder).exists) return found;
    for (const name of FS.readdir(folder)) {
        if (name === "." || name === "..") continue;
        const path = `${folder}/${name}`;
        if (FS.isDir(FS.stat(path).mode)) filesIn(path, found);
        else found.set(path, { stamp: stampOf(path), read: () => FS.readFile(path) });
    }
    return found;
}

function remove(folder: string): void {
    const { FS } = knossos;
    if (!FS.analyzePath(folder).exists) return;
    for (const name of FS.readdir(folder)) {
        if (name === "." || name === "..") continue;
        const path = `${folder}/${name}`;
        if (FS.isDir(FS.stat(path).mode)) remove(path);
        else FS.unlink(path);
    }
    FS.rmdir(folder);
}

// Written as a whole or not at all: it is one transaction of the storage.
function write(isUrgent = false): void {
    if (writing && isUrgent) isNextUrgent = true;
    if (!shelf || writing || !isChanged || (!isUrgent && performance.now() - written < writeEvery)) return;
    isChanged = false;
    const going = new Map(runs().filter((run) => run.state === "running" || run.state === "waiting").map((run) =>
        [run.id, run.speed]));
    writing = shelf.write(filesIn(workspace), going).then(() => undefined, (error: unknown) => {
        shelf = null;
        say({ note: `This browser's storage takes no more (${reason(error)}). All goes on, but what you make `
            + "from now on is gone when the page is closed: save what you want to keep as files." });
    }).finally(() => {
        writing = null;
        written = performance.now();
        const isNext = isNextUrgent;
        isNextUrgent = false;
        if (isNext) write(true);
    });
}

const keepsNothing = (why: unknown): string =>
    `This browser keeps nothing (${reason(why)}): what you make is gone when the page is closed.`;

// --- runs that come and go ---------------------------------------------------------------------------------------

/** Somebody else may just have ended who wrote there. */
const inPeace = <T>(id: string, work: () => Promise<T>): Promise<T> =>
    shelf ? navigator.locks.request(lockOf(id), work) : work();

/** Puts a run's folder into the workspace. Returns whether there is one. */
async function putFolder({ about: { id }, files, isStored }: Handed): Promise<boolean> {
    await shelf?.read(folderOf(id), () => true, isStored ? put : undefined);
    if (!isRun(id)) for (const [path, content] of files) put(`${folderOf(id)}/${path}`, content);
    isChanged = true;
    return isRun(id);
}

const isRun = (id: string): boolean => knossos.FS.analyzePath(`${folderOf(id)}/recipe.toml`).exists;

/** Somebody else has this run: nobody here is to be called so. */
function reserve(id: string): void {
    elsewhere.add(id);
    knossos.FS.mkdirTree(folderOf(id));
}

async function open({ isKept, run, elsewhere: others }: Opening): Promise<unknown> {
    own = run?.about.id ?? "";
    knossos.FS.mkdirTree(workspace);
    for (const id of others) reserve(id);
    let going = new Map<string, number>();
    try {
        if (isKept) {
            shelf = await Shelf.open();
            await new Promise<void>((has) => void navigator.locks.request(lockOf(own), () => {
                has();
                return new Promise<void>((end) => { letGo = end; });
            }));
        }
        // At home it is all that nobody else has.
        if (!run) going = await shelf?.read(workspace, (path) => !elsewhere.has(path.split("/")[2]!), put) ?? going;
    } catch (error) {
        shelf = null;
        say({ note: keepsNothing(error) });
    }
    const isThere = !run || await putFolder(run);
    withText(workspace, (place) => knossos._playground_open(place, run ? 0 : 1));
    if (!isThere) throw new Error(`there is nothing left of ${own}`);
    if (run) takeRun(run.about);
    for (const [id, speed] of going)
        if (isRun(id)) takeRun({ id, state: "waiting", speed, message: "", version: 0, archive: 0 });
    isTurning = true;
    turn();
    return shelf !== null;
}

function takeRun(about: About): void {
    withText(JSON.stringify(about), (place) => knossos._playground_take(place));
    isChanged = true;
}

/** Lets go of a run, which somebody else will have. */
async function give(id: string): Promise<Handed> {
    while (writing) await writing;
    const about = JSON.parse(knossos.UTF8ToString(withText(id, (place) => knossos._playground_give(place)))) as About;
    const files: Files = [...filesIn(folderOf(id))].map(([path, { read }]) => [path.slice(folderOf(id).length + 1), read()]);
    remove(folderOf(id));
    shelf?.forget(folderOf(id));
    if (own) isTurning = false;
    else reserve(id);
    letGo();
    return { about, files };
}

async function take(run: Handed): Promise<void> {
    const { id } = run.about;
    const isThere = await inPeace(id, () => putFolder(run));
    elsewhere.delete(id);
    if (!isThere) throw new Error(`there is nothing left of ${id}`);
    takeRun(run.about);
}

/** Of a run whose worker is no more. */
async function erase(id: string): Promise<void> {
    call("DELETE", `/api/runs/${id}`); // this home may have begun after its worker ended
    await inPeace(id, async () => shelf?.erase(folderOf(id)));
    elsewhere.delete(id);
    remove(folderOf(id));
}

// --- the page ----------------------------------------------------------------------------------------------------

function tell(id: number, work: Promise<unknown>): void {
    work.then((result) => say({ id, done: result }), (error: unknown) => say({ id, failed: reason(error) }));
}

function hear(wish: Wish): void {
    if ("begin" in wish) return;
    if ("close" in wish) {
        const stream = streams.get(wish.close);
        streams.delete(wish.close);
        if (stream !== undefined) knossos._playground_end_stream(stream);
    } else if ("listen" in wish) {
        const { stream } = answerTo({ id: wish.id, method: "GET", path: wish.listen, type: "" });
        if (stream === undefined) say({ over: wish.id });
        else streams.set(wish.id, stream);
    } else if ("open" in wish) tell(wish.id, open(wish.open));
    else if ("give" in wish) tell(wish.id, give(wish.give));
    else if ("take" in wish) tell(wish.id, take(wish.take));
    else if ("erase" in wish) tell(wish.id, erase(wish.erase));
    else {
        const { stream, ...answer } = answerTo(wish);
        const bytes = answer.body.buffer as ArrayBuffer;
        say({ answer: { ...answer, id: wish.id, body: bytes } }, [bytes]);
        if (answer.status === 201) write(true);
    }
}

/** Where there is no room for one request there may be for others; only what breaks the module ends the worker. */
function answerTo({ method, path, type, body }: Asking): Answered {
    try {
        return call(method, path, type, new Uint8Array(body ?? new ArrayBuffer(0)));
    } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw error;
        const text = JSON.stringify({ error: reason(error) });
        return { status: 503, type: "application/json", headers: {}, body: new TextEncoder().encode(text) };
    }
}

function deliver(): void {
    for (const [id, stream] of streams) {
        const text = knossos.UTF8ToString(done(knossos._playground_event(stream)));
        if (text === "over") {
            streams.delete(id);
            say({ over: id });
            continue;
        }
        const event: Record<string, string> = {};
        for (const line of text.split("\n")) {
            const colon = line.indexOf(": ");
            if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
        }
        if (event["data"] !== undefined) say({ stream: id, event: event["event"]!, data: event["data"] });
    }
}

// Whoever waits for a place is to have it at once.
function tellState(): void {
    const now = runs()[0]?.state ?? "";
    if (now === state) return;
    state = now;
    say({ state });
    write(true);
}

// Work in slices, so that the page is heard in between; a port is quicker than a timer.
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => turn();

function turn(): void {
    if (!isTurning) return;
    try {
        const until = performance.now() + slice;
        let isBusy = false;
        for (let more = 1; more > 0 && performance.now() < until;) {
            more = knossos._playground_pump();
            if (more !== 0) isBusy = done(more) > 0;
        }
        isChanged ||= isBusy;
        if (own && !isBusy) tellState();
        deliver();
        write();
        if (isBusy) port2.postMessage(null);
        else setTimeout(turn, 40);
    } catch (error) {
        isTurning = false;
        say({ broken: reason(error) });
    }
}

async function begin({ module, glue, page, threads }: Beginning): Promise<void> {
    knossos = await makeKnossos({
        knossosThreads: threads,
        mainScriptUrlOrBlob: glue,
        instantiateWasm(imports: WebAssembly.Imports, take: Take) {
            WebAssembly.instantiate(module, imports).then((made) => take(made, module), (error: unknown) =>
                say({ broken: `it can't begin, ${reason(error)}` }));
            return {};
        },
    });
    knossos.FS.mkdirTree("/page");
    for (const [name, text] of page) knossos.FS.writeFile(`/page/${name}`, text);
}

const early: Wish[] = [];
let heard: (wish: Wish) => void = (wish) => {
    if (!("begin" in wish)) {
        early.push(wish);
        return;
    }
    begin(wish.begin).then(() => {
        heard = hear;
        for (const one of early) hear(one);
    }).catch((error: unknown) => say({ broken: `it can't begin, ${reason(error)}` }));
};
addEventListener("message", (event: MessageEvent<Wish>) => heard(event.data));
