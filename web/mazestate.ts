import type { Overlays } from "./level";
import { canStep } from "./level";
import { levels, type Found, type Level, type LevelFrame, type LevelRegistry, type Survey } from "./levels";
import { blank, drawingIn, drawingOf, levelOf, locksIn, valuesOf, type Drawing, type Tool } from "./drawing";
import { Table } from "./drawings";
import { say, toast } from "./dom";
import type { Recipes } from "./form";
import { control, watch } from "./player";
import { isSame, sizeOf, type Cell } from "./shapes";
import { sketch } from "./sketch";
import type { Shape } from "./strokes";
import { kept, slice } from "./store";
import type { Order, Run, Value } from "./types";

export type Mode = "draw" | "watch" | "walk";

export interface MazeState {
    mode: Mode;
    tool: Tool;
    shape: Shape;
    keepsDrawn: boolean;
    cursor: Cell;
    overlays: Overlays;
    picked: Found | null; // from the gallery
    gallery: Found[];
    walked: Level | null;
    walk: Cell[];
    told: string; // under the maze
    hovered: Cell | null; // what the pointer is over
    survey: Survey | null;
    surveyed: string; // of what
    trouble: string;
}

const draftKey = "knossos-drawing-mazes";
interface Draft {
    run: string | null; // the run that was shown beside it
    drawing: Drawing;
}

function keptDraft(): Draft | null {
    try {
        return JSON.parse(kept.get(draftKey) ?? "null") as Draft | null;
    } catch {
        return null;
    }
}

/** What is on the table of somebody who makes mazes: the drawing, the run, the walk,
    and what the engine says of them. */
export class Desk {
    readonly registry: LevelRegistry;
    readonly state = slice<MazeState>("mazes", {
        mode: "draw", tool: "rock", shape: "brush", keepsDrawn: true, cursor: [0, 0],
        overlays: { solution: true, distances: false, culsDeSac: false, witnesses: false, pockets: true,
            colours: true },
        picked: null, gallery: [], walked: null, walk: [], told: "", hovered: null,
        survey: null, surveyed: "", trouble: "",
    });
    private readonly draft = keptDraft();
    private run: string | null = this.draft?.run ?? null;
    private isAsking = false;
    readonly sketch;
    readonly table: Table;

    constructor(readonly recipes: Recipes) {
        this.registry = recipes.registry as LevelRegistry;
        this.sketch = sketch("mazes", this.draft?.drawing ?? drawingIn(this.value), (now) => this.settled(now));
        this.table = new Table("maze", "Maze", {
            level: () => this.withLocks(this.sketch.state.get().now),
            load: (level) => {
                const { locks } = level as { locks?: string[] };
                this.show(drawingOf(level as Level, locks ?? null));
                if (this.value("representation") === "direct") this.sync(true);
            },
            clear: () => this.show(blank(...sizeOf(this.sketch.state.get().now.cells))),
        });
        if (this.draft) this.sync();
    }

    /** Another drawing, as it is kept. */
    private show(drawing: Drawing): void {
        this.state.put({ mode: "draw" });
        this.sketch.open(drawing);
        this.remember(drawing);
        this.sync();
    }

    /** What is kept: as evolution should find it again. */
    private withLocks = (drawing: Drawing) => ({ ...levelOf(drawing), locks: drawing.locks });

    private remember(drawing = this.sketch.state.get().now): void {
        kept.put(draftKey, JSON.stringify({ run: this.run, drawing }));
    }

    value = (name: string): Value | undefined => this.recipes.value(this.recipes.form.get(), `problem.${name}`);

    get fromDrawing(): boolean {
        return String(this.value("start") ?? "") !== "";
    }

    // --- the drawing and the order say the same

    private settled(drawing: Drawing): void {
        this.table.keep(this.withLocks(drawing));
        this.remember(drawing);
        this.sync();
    }

    sync(fromDrawing = this.fromDrawing): void {
        const { now } = this.sketch.state.get();
        const changes = Object.entries(valuesOf(now, this.value, fromDrawing));
        if (changes.length > 0) this.put(Object.fromEntries(changes));
    }

    put(values: Record<string, Value | undefined>): void {
        const { order } = this.recipes.form.get();
        const changes = Object.fromEntries(Object.entries(values).map(([key, value]) =>
            [key.includes(".") ? key : `problem.${key}`, value]));
        this.recipes.change({ ...order, set: this.recipes.with(order, changes) });
    }

    /** The order was taken from a link, or from a run: the drawing follows, unless it was made beside that run. */
    taken = (_order: Order, run: string | null): void => {
        if (run !== null && run === this.run) return this.sync();
        this.run = run;
        const drawing = drawingIn(this.value);
        if (JSON.stringify(drawing) !== JSON.stringify(this.sketch.state.get().now)) {
            this.table.leave(); // its drawing stays as it is
            this.sketch.open(drawing);
            this.remember(drawing);
        }
        if (run === null) this.state.put({ mode: "draw" });
    };

    opened = (run: Run, isNew: boolean): void => {
        if (isNew) this.run = run.id;
        this.remember();
        this.state.put({ mode: "watch", picked: null, gallery: [], told: "" });
    };

    // --- what is shown

    /** Nothing while a run has nothing to show as yet. */
    shown(): Level | null {
        const { mode, walked, picked } = this.state.get();
        const drawn = levelOf(this.sketch.state.get().now);
        if (mode === "walk") return walked ?? drawn;
        if (mode === "draw" || !watch.get().run) return drawn;
        return picked?.level ?? (watch.get().frame as LevelFrame | null)?.level ?? null;
    }

    runLocks(): string[] | null {
        const values = watch.get().run?.sections?.["problem"]?.values;
        return values ? locksIn(String(values["locks"] ?? ""), Number(values["width"]),
            Number(values["height"])) : null;
    }

    private wanted(level: Level): Record<string, Value> {
        const values = this.state.get().mode === "watch" ? watch.get().run?.sections?.["problem"]?.values : undefined;
        const of = (name: string): Value => values?.[name] ?? this.value(name) ?? "";
        return { fitness: of("fitness"), goal: of("goal"), k: Math.min(Number(of("k")), level.checkpoints.length) };
    }

    keyOf(level: Level): string {
        return JSON.stringify([level, this.wanted(level)]);
    }

    // The engine says what is true of a maze; the page only draws it. One question at a time.
    async ask(): Promise<void> {
        const level = this.shown();
        if (this.isAsking || !level) return;
        const key = this.keyOf(level);
        if (key === this.state.get().surveyed) return;
        this.isAsking = true;
        try {
            this.state.put({ survey: await levels.survey(level, this.wanted(level)), surveyed: key, trouble: "" });
        } catch (error) {
            this.state.put({ survey: null, surveyed: key, trouble: (error as Error).message });
        }
        this.isAsking = false;
        void this.ask();
    }

    // --- modes

    setMode(mode: Mode): void {
        const level = this.shown();
        this.state.put({ mode, told: "" });
        if (mode === "walk" && level) this.startWalk(level);
    }

    startWalk(level = this.state.get().walked): void {
        if (!level) return;
        this.state.put({ walked: level, walk: [level.entrance], told: "Walk to the stair with the arrow keys" });
    }

    get isOut(): boolean {
        const { walk, walked } = this.state.get();
        return !!walked && walk.length > 0 && isSame(walk[walk.length - 1]!, walked.exit);
    }

    step([dx, dy]: Cell): void {
        const { walked, walk, survey } = this.state.get();
        if (!walked || this.isOut) return;
        const here = walk[walk.length - 1]!;
        const there: Cell = [here[0] + dx, here[1] + dy];
        if (!canStep(walked, here, there)) {
            this.state.put({ told: "There is a wall" });
            return say("Wall");
        }
        this.state.put({ walk: [...walk, there] });
        const shortest = survey ? survey.path.length - 1 : -1;
        const out = walk.length === shortest ? `Out in ${walk.length} steps: there is no shorter way`
            : `Out in ${walk.length} steps; the shortest way has ${shortest}`;
        this.state.put({ told: this.isOut ? out : `${walk.length} steps` });
        say(this.isOut ? out : `Column ${there[0] + 1}, row ${there[1] + 1}`);
    }

    /** The maze that is shown becomes the drawing. */
    take(): void {
        const level = this.shown();
        if (!level) return;
        if (watch.get().run?.state === "running") void control("pause");
        const hasWalls = !!level.walls_east;
        const drawing = drawingOf(level, hasWalls ? null : this.runLocks());
        if (hasWalls) this.represent("direct");
        this.state.put({ mode: "draw" });
        this.sketch.put(drawing);
        this.sync(this.value("representation") === "direct");
        const [width, height] = sizeOf(drawing.cells);
        const [before, below] = sizeOf(level.cells);
        toast(hasWalls
            ? `Its walls became rock: ${before} × ${below} cells are ${width} × ${height} now, drawn directly`
            : "The maze is yours: draw, lock what should stay, and evolve on");
    }

    /** Another representation has a recipe of its own; what was drawn and wished for stays. */
    represent(representation: string): void {
        const { order } = this.recipes.form.get();
        const name = representation === "direct" ? "maze" : `maze-${representation}`;
        const base = this.registry.recipes.find((one) => one.name === name);
        const isKept = (key: string) => key.startsWith("problem.") && key !== "problem.representation" &&
            (representation === "direct" || key !== "problem.start");
        const set = Object.fromEntries(Object.entries(order.set).filter(([key]) => isKept(key)));
        this.recipes.take({ recipe: base?.name ?? "maze", seed: order.seed, set });
        this.put({ representation });
        this.sync();
    }
}
