import type { ReactElement } from "react";

// What is not the same in the studio and in the playground: how the page reaches the API, and what stands beside its
// pages. This is the studio's, over HTTP; the playground's is in playground/host.tsx.

export const askApi = (path: string, init: RequestInit = {}): Promise<Response> => fetch(path, init);

export const eventsFrom = (path: string): EventSource => new EventSource(path);

/** Whether the studio still answers. One that was stopped keeps its connections, and says nothing on them. */
export async function answers(): Promise<boolean> {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), 2000);
    const isThere = await fetch("icon.svg", { cache: "no-store", signal: control.signal })
        .then(() => true, () => false);
    clearTimeout(timer);
    return isThere;
}

/** What a picture can have as its source. */
export const useAddress = (path: string | undefined): string | undefined => path;

/** The same, as soon as the picture can be shown at once. */
export async function loaded(path: string): Promise<string> {
    const image = new Image();
    image.src = path;
    await image.decode();
    return path;
}

/** Shows an answer in a window, or hands it over as a file where it comes as one. */
export const show = (path: string, target?: string): void => void window.open(path, target);

/** What there is to be said when nothing answers. */
export const whyAway = (_?: unknown): string => "The studio does not answer. Is it still running?";

/** Whether there is one that can be away, and come back. */
export const hasServer = true;

export const hasStudies = true;

export const more = () => import("./more");

/** A page in front of the others, if there is one. */
export const first: { page: string; title: string; Show: () => ReactElement } | null = null;

/** Above every page. */
export const Notice = (): ReactElement | null => null;
