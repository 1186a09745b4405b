import { api } from "./api";
import { say, toast } from "./dom";
import type { Frame, Row, Run } from "./types";

const mostRows = 1500;

/** Follows one run: what it looks like now, how it got there, and any moment in between. */
export class Player {
    run: Run | null = null;
    frame: Frame | null = null; // what is shown
    newest: Frame | null = null;
    rows: Row[] = [];
    isLive = true;
    rate = 0; // evaluations per second
    isLost = false; // the connection is, and is tried again
    private source: EventSource | null = null;
    private wanted = 0; // the last scrub, for answers that come too late
    private readonly visibility = () => this.listen();

    constructor(private readonly changed: () => void) {
        document.addEventListener("visibilitychange", this.visibility);
    }

    async open(id: string): Promise<void> {
        this.close();
        document.addEventListener("visibilitychange", this.visibility);
        this.run = await api.run(id);
        this.isLive = true;
        this.frame = this.newest = null;
        this.rate = 0;
        this.rows = await api.history(id);
        this.listen();
        this.changed();
    }

    close(): void {
        document.removeEventListener("visibilitychange", this.visibility);
        this.source?.close();
        this.source = null;
    }

    // A hidden page gives its connection back: browsers open only six to one host.
    private listen(): void {
        this.source?.close();
        this.source = null;
        if (!this.run || document.hidden) return;
        const source = new EventSource(api.eventsOf(this.run.id));
        this.source = source;
        // Only the newest counts: a page that can't draw as fast as events come skips some.
        let newest = "";
        source.addEventListener("state", (event) => {
            if (newest === "") requestAnimationFrame(take);
            newest = (event as MessageEvent<string>).data;
        });
        const take = () => {
            if (this.source !== source) return;
            const { run, frame } = JSON.parse(newest) as { run: Run; frame: Frame | null };
            newest = "";
            const before = this.run;
            this.isLost = false;
            this.run = run;
            if (frame) this.take(frame);
            if (run.state === "ended" || run.state === "failed") {
                source.close();
                if (this.source === source) this.source = null;
                void this.end(before?.state !== run.state);
            }
            this.changed();
        };
        source.onerror = () => {
            if (newest !== "" || this.source !== source) return; // it ended, as it should
            this.isLost = true;
            this.changed();
        };
    }

    private async end(news: boolean): Promise<void> {
        const run = this.run;
        if (!run) return;
        if (news) say(run.state === "failed" ? `The run failed: ${run.message ?? ""}` : run.solved ? "Solved" : "The run has ended");
        try {
            const rows = await api.history(run.id);
            if (this.run?.id === run.id && rows.length > 0) this.rows = rows;
            this.changed();
        } catch {
            // the curves as they were seen will do
        }
    }

    private take(frame: Frame): void {
        const last = this.rows[this.rows.length - 1];
        if (last && frame.generation > last.generation && frame.seconds > last.seconds) {
            const now = (frame.evaluations - last.evaluations) / (frame.seconds - last.seconds);
            this.rate = this.rate > 0 ? 0.7 * this.rate + 0.3 * now : now;
        }
        this.newest = frame;
        if (this.isLive) this.frame = frame;
        if (!last || frame.generation > last.generation) this.rows.push(rowOf(frame));
        if (this.rows.length > mostRows) this.rows = this.rows.filter((_, i) => i % 2 === 0 || i === this.rows.length - 1);
    }

    async control(action: "play" | "pause" | "step" | "speed", extra: Record<string, number> = {}): Promise<void> {
        if (!this.run) return;
        if (action !== "speed") this.goLive();
        try {
            const run = await api.control(this.run.id, action, extra);
            if (run.version >= this.run.version) this.run = run;
            if (!this.source) this.listen();
        } catch (error) {
            toast((error as Error).message);
        }
        this.changed();
    }

    /** Shows the moment of a row of the history. */
    async scrub(index: number): Promise<void> {
        const row = this.rows[index];
        if (!row || !this.run) return;
        if (index === this.rows.length - 1) return this.goLive();
        this.isLive = false;
        this.wanted = row.generation;
        const frame = await api.frame(this.run.id, row.generation).catch(() => null);
        if (!frame || this.isLive || this.wanted !== row.generation) return;
        this.frame = frame;
        this.changed();
    }

    goLive(): void {
        if (this.isLive) return;
        this.isLive = true;
        this.frame = this.newest;
        this.changed();
    }

    /** Where the shown moment is in the history. */
    get position(): number {
        if (this.isLive || !this.frame) return this.rows.length - 1;
        const generation = this.frame.generation;
        let found = 0;
        this.rows.forEach((row, i) => {
            if (row.generation <= generation) found = i;
        });
        return found;
    }
}

function rowOf(frame: Frame): Row {
    const number = (value: number | null) => value ?? NaN;
    return {
        generation: frame.generation,
        evaluations: frame.evaluations,
        bestEver: number(frame.best_ever),
        best: number(frame.best),
        mean: number(frame.mean),
        worst: number(frame.worst),
        diversity: number(frame.diversity),
        seconds: frame.seconds,
        intensity: frame.intensity,
    };
}
