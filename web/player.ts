import { answers, eventsFrom, hasServer } from "host";
import { api, ApiError, parse } from "./api";
import { say, toast } from "./dom";
import { kept, slice } from "./store";
import type { Frame, Row, Run } from "./types";

const mostRows = 1500;

/** The run that the page follows: what it looks like now, how it got there, and any moment in between. */
export interface Watch {
    run: Run | null;
    frame: Frame | null; // what is shown
    newest: Frame | null;
    rows: Row[];
    isLive: boolean;
    rate: number; // evaluations per second
    isGone: boolean; // deleted elsewhere
    trouble: string;
}

const nothing: Watch = {
    run: null, frame: null, newest: null, rows: [], isLive: true, rate: 0, isGone: false, trouble: "",
};
export const watch = slice<Watch>("watch", nothing);

/** What the studio is doing, for every page: its runs, and whether it answers. */
export const server = slice<{ runs: Run[] | null; isAway: boolean }>("server", { runs: null, isAway: false });

/** Whether it is to be said that the studio does not answer. */
export const useAway = (): boolean => server.use((one) => hasServer && one.isAway);

let source: EventSource | null = null;
let wanted = 0; // the last scrub, for answers that come too late

export async function openRun(id: string): Promise<Run | null> {
    closeRun();
    const ticket = (wanted += 1);
    try {
        const run = await api.run(id);
        const rows = await api.history(id);
        if (ticket !== wanted) return null;
        watch.put({ ...nothing, run, rows });
        listen();
        return run;
    } catch (error) {
        if (ticket === wanted) watch.put({ trouble: (error as Error).message });
        return null;
    }
}

export function closeRun(): void {
    source?.close();
    source = null;
    wanted += 1;
    watch.put(nothing);
}

const isOver = (run: Run): boolean => run.state === "ended" || run.state === "failed";

// A hidden page gives its connection back: browsers open only six to one host.
function listen(): void {
    source?.close();
    source = null;
    const { run } = watch.get();
    if (!run || document.hidden) return;
    const mine = eventsFrom(api.eventsOf(run.id));
    source = mine;
    // Only the newest counts: a page that can't draw as fast as events come skips some.
    let newest = "";
    mine.addEventListener("state", (event) => {
        if (newest === "") requestAnimationFrame(take);
        newest = (event as MessageEvent<string>).data;
    });
    const take = () => {
        if (source !== mine) return;
        const event = parse<{ run: Run; frame: Frame | null }>(newest);
        newest = "";
        const before = watch.get().run;
        watch.put({ ...withFrame(watch.get(), event.frame), run: { ...before, ...event.run } });
        if (!isOver(event.run)) return;
        mine.close();
        source = null;
        void end(event.run, before?.state !== event.run.state);
    };
    mine.onerror = () => {
        if (newest !== "" || source !== mine) return; // it ended, as it should
        mine.close();
        source = null;
        void ask(run.id);
    };
}

// The stream broke off: either the run is gone, or the studio is.
async function ask(id: string): Promise<void> {
    try {
        const run = await api.run(id);
        if (watch.get().run?.id !== id) return;
        watch.put({ run });
        if (!source) listen();
    } catch (error) {
        if (watch.get().run?.id !== id) return;
        if (error instanceof ApiError && error.status === 404) watch.put({ isGone: true });
    }
}

async function end(run: Run, isNews: boolean): Promise<void> {
    if (isNews) say(run.state === "failed" ? `The run failed: ${run.message ?? ""}` : run.solved
        ? "Solved" : "The run has ended");
    const rows = await api.history(run.id).catch((): Row[] => []); // the curves as they were seen will do
    if (watch.get().run?.id === run.id && rows.length > 0) watch.put({ rows });
}

function withFrame(before: Watch, frame: Frame | null): Partial<Watch> {
    if (!frame) return {};
    const last = before.rows[before.rows.length - 1];
    let { rate, rows } = before;
    if (last && frame.generation > last.generation && frame.seconds > last.seconds) {
        const now = (frame.evaluations - last.evaluations) / (frame.seconds - last.seconds);
        rate = rate > 0 ? 0.7 * rate + 0.3 * now : now;
    }
    if (!last || frame.generation > last.generation) rows = [...rows, rowOf(frame)];
    if (rows.length > mostRows) rows = rows.filter((_, i) => i % 2 === 0 || i === rows.length - 1);
    return { newest: frame, frame: before.isLive ? frame : before.frame, rows, rate };
}

export async function control(action: "play" | "pause" | "step" | "speed", extra: Record<string,
    number> = {}): Promise<void> {
    const { run } = watch.get();
    if (!run) return;
    if (action !== "speed") goLive();
    try {
        const answer = await api.control(run.id, action, extra);
        const now = watch.get().run;
        if (now?.id === run.id && answer.version >= now.version) watch.put({ run: { ...now, ...answer } });
        if (!source) listen();
    } catch (error) {
        toast((error as Error).message);
    }
}

/** Shows the moment of a row of the history. */
export async function scrub(index: number): Promise<void> {
    const { run, rows } = watch.get();
    const row = rows[index];
    if (!row || !run) return;
    if (index === rows.length - 1) return goLive();
    watch.put({ isLive: false });
    const ticket = (wanted += 1);
    const frame = await api.frame(run.id, row.generation).catch(() => null);
    if (frame && !watch.get().isLive && wanted === ticket) watch.put({ frame });
}

export function goLive(): void {
    if (!watch.get().isLive) watch.put({ isLive: true, frame: watch.get().newest });
}

/** Where the shown moment is in the history. */
export function positionIn({ isLive, frame, rows }: Watch): number {
    if (isLive || !frame) return Math.max(0, rows.length - 1);
    let found = 0;
    rows.forEach((row, i) => {
        if (row.generation <= frame.generation) found = i;
    });
    return found;
}

function rowOf(frame: Frame): Row {
    const number = (value: number | null) => value ?? NaN;
    return {
        generation: frame.generation, evaluations: frame.evaluations, bestEver: number(frame.best_ever),
        best: number(frame.best), mean: number(frame.mean), worst: number(frame.worst),
        diversity: number(frame.diversity), seconds: frame.seconds, intensity: frame.intensity,
        violation: number(frame.violation),
    };
}

/** Two runs of one page at once would only take time from each other: the earlier one is paused, and says so. */
export async function pauseEarlier(): Promise<void> {
    const { run, isGone } = watch.get();
    if (!run || isGone || (run.state !== "running" && run.state !== "waiting")) return;
    const answer = await api.control(run.id, "pause").catch(() => null);
    if (answer) toast(`The run before, ${run.id}, is paused: see Runs`);
}

// --- the studio itself

let list: EventSource | null = null;
let again: ReturnType<typeof setTimeout> | null = null;

function followServer(): void {
    list?.close();
    list = null;
    if (again !== null) clearTimeout(again);
    again = null;
    if (document.hidden) return;
    const mine = eventsFrom("/api/events");
    list = mine;
    mine.addEventListener("runs", (event) => {
        const wasAway = server.get().isAway;
        server.put({ runs: parse<{ runs: Run[] }>((event as MessageEvent<string>).data).runs, isAway: false });
        const { run, isGone } = watch.get();
        if (run && !isGone && !server.get().runs!.some((one) => one.id === run.id)) watch.put({ isGone: true });
        if (run && wasAway) void ask(run.id);
    });
    mine.onerror = () => {
        mine.close();
        if (list === mine) away();
    };
}

function away(): void {
    list?.close();
    list = null;
    server.put({ isAway: true });
    again = setTimeout(followServer, 700);
}

async function watchOver(): Promise<void> {
    const asked = server.get().isAway || document.hidden ? null : list;
    if (asked && !(await answers()) && list === asked && !document.hidden) away();
    setTimeout(() => void watchOver(), 800);
}

document.addEventListener("visibilitychange", () => {
    followServer();
    const { run } = watch.get();
    if (run && !isOver(run)) listen();
});
followServer();
void watchOver();

export const speeds = [1, 2, 5, 10, 25, 50, 100, 500, 2000, 10000, 50000, 0];
export const pace = slice("pace", { speed: Number(kept.get("knossos-speed") ?? 10) });
