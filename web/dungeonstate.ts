import { json, post } from "./api";
import { Table } from "./drawings";
import { say, toast } from "./dom";
import type { Recipes } from "./form";
import type * as Api from "./openapi";
import type { Judged, Judgement, Walked } from "./openapi";
import { control, watch } from "./player";
import { isInside, sizeOf, withMarks, type Cell } from "./shapes";
import { sketch } from "./sketch";
import { kept, slice } from "./store";
import type { Shape } from "./strokes";
import type { Frame, Registry, Run } from "./types";

export type DungeonRegistry = Registry & Api.DungeonRegistry;
export type DungeonFrame = Frame & Api.DungeonFrame;

export type Mode = "draw" | "watch" | "walk";

interface DungeonState {
    mode: Mode;
    tile: string;
    shape: Shape;
    cursor: Cell;
    showsWay: boolean;
    judged: Judgement | null;
    judgedKey: string;
    trouble: string;
    told: string;
    walked: string[] | null; // the level that is walked
    walk: Cell[];
    outcome: Walked | null;
    guide: number; // steps of the walkthrough that are shown
}

const draftKey = "knossos-drawing-dungeons";

function firstRows(): string[] {
    try {
        const found = JSON.parse(kept.get(draftKey) ?? "null") as { rows: string[] } | null;
        if (found) return found.rows;
    } catch {
        // then an empty one
    }
    return blankRows(16, 12);
}

export function blankRows(width: number, height: number): string[] {
    const inside = (y: number) => (y === 1 ? `E${".".repeat(width - 3)}` : y === height - 2
        ? `${".".repeat(width - 3)}X`
        : ".".repeat(width - 2));
    return Array.from({ length: height }, (_, y) =>
        (y === 0 || y === height - 1 ? "#".repeat(width) : `#${inside(y)}#`));
}

/** Tiles in some cells. There is one entrance and one exit: a new one takes the place of the old one. */
export function withTiles(rows: string[], tile: string, cells: Cell[]): string[] {
    const isPlace = tile === "E" || tile === "X";
    const free = cells.filter(([x, y]) => isInside(rows, [x, y]) && !"EX".includes(rows[y]![x]!));
    if (!isPlace) return withMarks(rows, free, () => tile);
    const to = free[free.length - 1];
    return to ? withMarks(rows.map((row) => row.replace(tile, ".")), [to], () => tile) : rows;
}

export const entranceOf = (rows: string[]): Cell => {
    const y = Math.max(0, rows.findIndex((row) => row.includes("E")));
    return [Math.max(0, rows[y]!.indexOf("E")), y];
};

/** What is on the table of somebody who makes dungeons. */
export class DungeonDesk {
    readonly registry: DungeonRegistry;
    readonly state = slice<DungeonState>("dungeons", {
        mode: "draw", tile: "#", shape: "brush", cursor: [1, 1], showsWay: true, judged: null, judgedKey: "",
            trouble: "",
        told: "", walked: null, walk: [], outcome: null, guide: 0,
    });
    readonly sketch;
    readonly table: Table;
    private isAsking = false;
    private isWalking = false;

    constructor(readonly recipes: Recipes) {
        this.registry = recipes.registry as DungeonRegistry;
        const remember = (rows: string[]) => kept.put(draftKey, JSON.stringify({ rows }));
        this.sketch = sketch("dungeons", firstRows(), (rows) => {
            this.table.keep({ rows });
            remember(rows);
        });
        const show = (rows: string[]) => {
            this.state.put({ mode: "draw" });
            this.sketch.open(rows);
            remember(rows);
        };
        this.table = new Table("dungeon", "Dungeon", {
            level: () => ({ rows: this.sketch.state.get().now }),
            load: (level) => show((level as { rows: string[] }).rows),
            clear: () => show(blankRows(...sizeOf(this.sketch.state.get().now))),
        });
    }

    goal(): string {
        const values = this.state.get().mode === "watch" ? watch.get().run?.sections?.["problem"]?.values : undefined;
        return String(values?.["goal"] ?? this.recipes.value(this.recipes.form.get(), "problem.goal") ?? "");
    }

    /** Nothing while a run has nothing to show as yet. */
    shown(): string[] | null {
        const { mode, walked } = this.state.get();
        const { now } = this.sketch.state.get();
        if (mode === "walk") return walked ?? now;
        if (mode === "draw" || !watch.get().run) return now;
        return (watch.get().frame as DungeonFrame | null)?.dungeon?.rows ?? null;
    }

    keyOf = (rows: string[]): string => JSON.stringify([rows, this.goal()]);

    // The engine says what is true of a dungeon; the page only draws it. One question at a time.
    async ask(): Promise<void> {
        const rows = this.shown();
        if (this.isAsking || !rows) return;
        const key = this.keyOf(rows);
        if (key === this.state.get().judgedKey) return;
        this.isAsking = true;
        try {
            const body = { level: { rows }, goal: this.goal() };
            const { dungeon } = await json<Judged>(post("/api/dungeons/judge", body));
            this.state.put({ judged: dungeon, judgedKey: key, trouble: "" });
        } catch (error) {
            this.state.put({ judged: null, judgedKey: key, trouble: (error as Error).message });
        }
        this.isAsking = false;
        void this.ask();
    }

    opened = (_run: Run): void => this.state.put({ mode: "watch", told: "" });
    taken = (_order: unknown, run: string | null): void => {
        if (run === null) this.state.put({ mode: "draw" });
    };

    take(): void {
        const rows = this.shown();
        if (!rows) return;
        if (watch.get().run?.state === "running") void control("pause");
        this.state.put({ mode: "draw" });
        this.sketch.put(rows);
        toast("The dungeon is yours: draw, walk it, save it");
    }

    // --- walking

    setMode(mode: Mode): void {
        const rows = this.shown();
        this.state.put({ mode, told: "" });
        if (mode === "walk" && rows) this.startWalk(rows);
    }

    startWalk(rows = this.state.get().walked): void {
        if (!rows) return;
        this.state.put({ walked: rows, walk: [entranceOf(rows)], outcome: null, guide: 0,
            told: "Walk to the stair with the arrow keys" });
        void this.ask();
    }

    /** One step; the engine says what it brings, and whether the exit can still be reached. */
    async step([dx, dy]: Cell): Promise<void> {
        const { walked, walk, outcome } = this.state.get();
        if (!walked || outcome?.won || this.isWalking) return;
        const [x, y] = walk[walk.length - 1]!;
        const next: Cell = [x + dx, y + dy];
        if (!isInside(walked, next) || walked[next[1]]![next[0]] === "#") return this.tell("There is a wall");
        this.isWalking = true;
        try {
            const cells = [...walk, next];
            const now = await json<Walked>(post("/api/dungeons/walk", { level: { rows: walked }, cells }));
            const isNewlyLost = !now.winnable && outcome?.winnable !== false;
            this.state.put({ walk: cells, outcome: now });
            const last = now.events[now.events.length - 1];
            const what = last && last.step === now.steps ? `: ${last.what}` : "";
            if (now.won) this.tell(`Out in ${now.steps} steps; the shortest way has ${this.shortest()}`);
            else this.tell(isNewlyLost ? `You have lost: ${now.why ?? ""}` : `${now.steps} steps${what}`);
        } catch (error) {
            this.tell((error as Error).message);
        }
        this.isWalking = false;
    }

    private shortest = (): number | string => this.state.get().judged?.walkthrough?.steps ?? "no end";

    private tell(told: string): void {
        this.state.put({ told });
        say(told);
    }

    /** A step back: what was picked up and opened is as it was. */
    async back(): Promise<void> {
        const { walk, walked } = this.state.get();
        if (!walked || walk.length < 2 || this.isWalking) return;
        const cells = walk.slice(0, -1);
        const outcome = await json<Walked>(post("/api/dungeons/walk", { level: { rows: walked }, cells })).catch(() =>
            null);
        this.state.put({ walk: cells, outcome, told: `${cells.length - 1} steps` });
    }

    guideTo(step: number): void {
        const way = this.state.get().judged?.walkthrough;
        if (!way) return;
        const guide = Math.max(0, Math.min(way.steps, step));
        const event = way.events.find((one) => one.step === guide);
        this.state.put({ guide });
        this.tell(`Step ${guide} of ${way.steps}${event ? `: ${event.does} ${event.what}` : ""}`);
    }

    resize(width: number, height: number): void {
        const { now } = this.sketch.state.get();
        const [before, below] = sizeOf(now);
        const fit = (side: number) => Math.max(4, Math.min(this.registry.largest_dungeon, Math.round(side) || 16));
        const [w, h] = [fit(width), fit(height)];
        if (w === before && h === below) return;
        const made = Array.from({ length: h }, (_, y) => Array.from({ length: w }, (__, x) => {
            const isEdge = x === 0 || y === 0 || x === w - 1 || y === h - 1;
            const old = now[y]?.[x];
            const wasEdge = x === before - 1 || y === below - 1;
            return isEdge ? "#" : old === undefined || (wasEdge && old === "#") ? "." : old;
        }).join(""));
        const has = (tile: string) => made.some((row) => row.includes(tile));
        const entered = has("E") ? made : withMarks(made, [[1, 1]], () => "E");
        this.state.put({ mode: "draw" });
        this.sketch.put(has("X") ? entered : withMarks(entered, [[w - 2, h - 2]], () => "X"));
    }
}
