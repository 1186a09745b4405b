import { useEffect, useState, type ReactElement } from "react";
import { slice } from "../store";
import { StartPage } from "./starts";

// The playground has no server: a worker answers, with the studio as WebAssembly. See ../host.tsx.

interface Answer {
    id: number;
    status: number;
    type: string;
    headers: Record<string, string>;
    body: ArrayBuffer;
}

/** From the worker: an answer, an event, the end of a stream, or what people should know. */
type Said = { answer: Answer } | { stream: number; event: string; data: string } | { over: number }
    | { note: string } | { broken: string };

const notice = slice<{ text: string }>("playground", { text: "" });

// The smallest module that uses a vector: (func (result v128) i32.const 0 i8x16.splat).
const withVectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0,
    65, 0, 253, 15, 11]);
const tooOld = "This browser has no WebAssembly with SIMD, which the playground is made of. Firefox 100, Chromium 95, "
    + "Safari 16.4 and everything newer have.";

let worker: Worker | null = null;
let newest = 0;
let ends = 0; // of workers; the page asks for a new one by itself
const mostEnds = 3;
const waiting = new Map<number, { done: (answer: Answer) => void; failed: (error: Error) => void }>();
const streams = new Map<number, WorkerEvents>();

function fail(why: string): void {
    ends += 1;
    const text = `The playground has stopped: ${why}. ${ends > mostEnds ? "Reload the page"
        : "It begins again"} with what was kept.`;
    notice.put({ text });
    for (const { failed } of waiting.values()) failed(new TypeError(text));
    waiting.clear();
    for (const stream of [...streams.values()]) stream.end();
    worker?.terminate();
    worker = null;
}

function hear(said: Said): void {
    if ("answer" in said) {
        waiting.get(said.answer.id)?.done(said.answer);
        waiting.delete(said.answer.id);
    } else if ("event" in said) streams.get(said.stream)?.take(said.event, said.data);
    else if ("over" in said) streams.get(said.over)?.end();
    else if ("note" in said) notice.put({ text: said.note });
    else fail(said.broken);
}

/** A worker, begun when it is first needed, and again when it has ended; not for ever, as that may be why. */
function theWorker(): Worker {
    if (worker) return worker;
    if (ends > mostEnds) throw new TypeError(notice.get().text);
    worker = new Worker(new URL("worker.js", document.baseURI));
    worker.onmessage = (event: MessageEvent<Said>) => hear(event.data);
    worker.onerror = (event) => fail(event.message || "its worker can't be loaded");
    return worker;
}

export async function askApi(path: string, init: RequestInit = {}): Promise<Response> {
    if (!WebAssembly.validate(withVectors)) {
        notice.put({ text: tooOld });
        throw new TypeError(tooOld);
    }
    const body = init.body == null ? undefined : await new Response(init.body).arrayBuffer();
    const type = new Headers(init.headers).get("Content-Type") ?? "";
    const id = ++newest;
    const answer = await new Promise<Answer>((done, failed) => {
        waiting.set(id, { done, failed });
        theWorker().postMessage({ id, method: init.method ?? "GET", path, type, body }, body ? [body] : []);
    });
    const hasBody = answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? answer.body : null, {
        status: answer.status,
        headers: answer.type ? { ...answer.headers, "Content-Type": answer.type } : answer.headers,
    });
}

/** As an EventSource is, as far as the page needs it. */
class WorkerEvents extends EventTarget {
    onerror: (() => void) | null = null;
    private readonly id = ++newest;

    constructor(path: string) {
        super();
        streams.set(this.id, this);
        try {
            theWorker().postMessage({ id: this.id, listen: path });
        } catch {
            setTimeout(() => this.end());
        }
    }

    take(event: string, data: string): void {
        this.dispatchEvent(new MessageEvent(event, { data }));
    }

    end(): void {
        if (streams.delete(this.id)) this.onerror?.();
    }

    close(): void {
        if (streams.delete(this.id)) worker?.postMessage({ close: this.id });
    }
}

export const eventsFrom = (path: string): EventSource => new WorkerEvents(path) as unknown as EventSource;

const broken = "data:,"; // what no picture can be

export function useAddress(path: string | undefined): string | undefined {
    const [address, setAddress] = useState<string>();
    const isAsked = path?.startsWith("/api/") ?? false;
    useEffect(() => {
        if (!path || !isAsked) {
            setAddress(undefined);
            return;
        }
        let isOver = false;
        let made = "";
        askApi(path).then((response) => (response.ok ? response.blob() : Promise.reject(new Error()))).then((blob) => {
            if (!isOver) setAddress(made = URL.createObjectURL(blob));
        }).catch(() => { if (!isOver) setAddress(broken); });
        return () => {
            isOver = true;
            // Not at once: the picture that has it may still be loading.
            if (made) setTimeout(() => URL.revokeObjectURL(made), 10_000);
        };
    }, [path]);
    return isAsked ? address : path;
}

export async function loaded(path: string): Promise<string> {
    const address = URL.createObjectURL(await (await askApi(path)).blob());
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return address;
}

export function show(path: string, target?: string): void {
    // At once, or the browser takes it for a window that nobody asked for.
    const shown = target === "_self" ? null : window.open("", target ?? "_blank");
    void askApi(path).then(async (response) => {
        const address = URL.createObjectURL(await response.blob());
        const name = /filename="([^"]*)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
        if (shown) {
            shown.location.href = address;
        } else {
            const link = document.createElement("a");
            link.href = address;
            link.download = name ?? "knossos.txt";
            link.click();
        }
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
    }).catch(() => shown?.close());
}

/** The worker says itself when it has stopped. */
export const answers = async (): Promise<boolean> => true;

export const hasStudies = false;

export const more = () => import("./more");

export const first = { page: "start", title: "Start", Show: StartPage };

export function Notice(): ReactElement | null {
    const text = notice.use((one) => one.text);
    return text ? <p className="away" role="alert" id="notice">{text}</p> : null;
}

// What the browser keeps for when there is no network. Only where pages are safe from being changed on their way.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("offline.js").catch(() => undefined);
