import { useEffect, useState, type ReactElement } from "react";
import { StartPage } from "./starts";
import { answer, notice, WorkerEvents } from "./workers";

// The playground has no server: workers answer, with the studio as WebAssembly. See ../host.tsx.

// As the server's (apps/studio/server.cpp): a worker has to hold what it is handed, and all that it has besides.
const mostBytes = (path: string): number => (path.startsWith("/api/galleries") ? 32 : 1) * 1024 * 1024;

export async function askApi(path: string, init: RequestInit = {}): Promise<Response> {
    const body = init.body == null ? null : new Blob([init.body as BlobPart]);
    const most = mostBytes(path);
    if (body && body.size > most)
        return new Response(JSON.stringify({ error: `a body has at most ${most} bytes` }), { status: 413 });
    const type = new Headers(init.headers).get("Content-Type") ?? "";
    const said = await answer(init.method ?? "GET", path, type, await body?.arrayBuffer());
    const hasBody = said.status !== 204 && said.status !== 304;
    return new Response(hasBody ? said.body : null, {
        status: said.status,
        headers: said.type ? { ...said.headers, "Content-Type": said.type } : said.headers,
    });
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

export const whyAway = (error?: unknown): string => (error instanceof Error ? error.message : notice.get().text);

export const hasServer = false;

export const hasStudies = false;

export const more = () => import("./more");

export const first = { page: "start", title: "Start", Show: StartPage };

export function Notice(): ReactElement | null {
    const text = notice.use((one) => one.text);
    return text ? <p className="away" role="alert" id="notice">{text}</p> : null;
}

// What the browser keeps for when there is no network. Only where pages are safe from being changed on their way.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("offline.js").catch(() => undefined);
