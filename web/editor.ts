import type { Cell, Level } from "./levels";

export type Tool = "rock" | "open" | "lock" | "free" | "entrance" | "exit" | "checkpoint";

export const tools: { tool: Tool; label: string; key: string; meaning: string }[] = [
    { tool: "rock", label: "Rock", key: "1", meaning: "Draw walls" },
    { tool: "open", label: "Open", key: "2", meaning: "Draw floor" },
    { tool: "lock", label: "Lock", key: "3", meaning: "Evolution keeps these cells as they are" },
    { tool: "free", label: "Free", key: "4", meaning: "Evolution may change these cells" },
    { tool: "entrance", label: "Entrance", key: "5", meaning: "Where one comes in" },
    { tool: "exit", label: "Exit", key: "6", meaning: "Where one goes out" },
    { tool: "checkpoint", label: "Checkpoint", key: "7", meaning: "Cells that a way may pass; again to take one away" },
];

interface Drawing {
    width: number;
    height: number;
    rock: Uint8Array;
    locks: Int8Array;
    entrance: Cell;
    exit: Cell;
    checkpoints: Cell[];
}

const mostUndone = 300;
const mostCheckpoints = 64;

function clone(drawing: Drawing): Drawing {
    return { ...drawing, rock: drawing.rock.slice(), locks: drawing.locks.slice(), checkpoints: [...drawing.checkpoints] };
}

/** A maze being drawn: cells, what is locked, places, and a way back. */
export class Editor {
    private now: Drawing;
    private past: Drawing[] = [];
    private future: Drawing[] = [];
    keepsDrawn = true; // what is drawn is locked as well

    constructor(width: number, height: number) {
        this.now = this.blank(width, height);
    }

    private blank(width: number, height: number): Drawing {
        return { width, height, rock: new Uint8Array(width * height), locks: new Int8Array(width * height), entrance: [0, 0], exit: [width - 1, height - 1], checkpoints: [] };
    }

    get width(): number { return this.now.width; }
    get height(): number { return this.now.height; }
    get locks(): Int8Array { return this.now.locks; }
    get canUndo(): boolean { return this.past.length > 0; }
    get canRedo(): boolean { return this.future.length > 0; }

    /** What follows can be undone as one. */
    begin(): void {
        this.past.push(clone(this.now));
        if (this.past.length > mostUndone) this.past.shift();
        this.future = [];
    }

    undo(): void {
        const before = this.past.pop();
        if (!before) return;
        this.future.push(this.now);
        this.now = before;
    }

    redo(): void {
        const after = this.future.pop();
        if (!after) return;
        this.past.push(this.now);
        this.now = after;
    }

    private same(a: Cell, b: Cell): boolean {
        return a[0] === b[0] && a[1] === b[1];
    }

    apply(tool: Tool, cell: Cell): void {
        const [x, y] = cell;
        if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
        const index = y * this.width + x;
        const drawing = this.now;
        const isPlace = this.same(cell, drawing.entrance) || this.same(cell, drawing.exit);
        if (tool === "rock" || tool === "open") {
            if (tool === "rock" && isPlace) return;
            drawing.rock[index] = tool === "rock" ? 1 : 0;
            if (tool === "rock") drawing.checkpoints = drawing.checkpoints.filter((one) => !this.same(one, cell));
            if (this.keepsDrawn || drawing.locks[index] !== 0) drawing.locks[index] = tool === "rock" ? 1 : 2;
        } else if (tool === "lock") drawing.locks[index] = drawing.rock[index] ? 1 : 2;
        else if (tool === "free") drawing.locks[index] = 0;
        else if (tool === "checkpoint") {
            const rest = drawing.checkpoints.filter((one) => !this.same(one, cell));
            if (rest.length < drawing.checkpoints.length) drawing.checkpoints = rest;
            else if (!isPlace && rest.length < mostCheckpoints) {
                drawing.checkpoints = [...rest, cell];
                drawing.rock[index] = 0;
                drawing.locks[index] = 2;
            }
        } else if (!isPlace) {
            drawing[tool] = cell;
            drawing.rock[index] = 0;
            if (drawing.locks[index] === 1) drawing.locks[index] = 0;
            drawing.checkpoints = drawing.checkpoints.filter((one) => !this.same(one, cell));
        }
    }

    resize(width: number, height: number): void {
        this.begin();
        const old = this.now;
        const made = this.blank(width, height);
        for (let y = 0; y < Math.min(height, old.height); ++y) {
            for (let x = 0; x < Math.min(width, old.width); ++x) {
                made.rock[y * width + x] = old.rock[y * old.width + x]!;
                made.locks[y * width + x] = old.locks[y * old.width + x]!;
            }
        }
        const fits = ([x, y]: Cell) => x < width && y < height;
        if (fits(old.entrance)) made.entrance = old.entrance;
        made.exit = fits(old.exit) && !this.same(old.exit, [old.width - 1, old.height - 1]) ? old.exit : [width - 1, height - 1];
        made.checkpoints = old.checkpoints.filter(fits);
        for (const [x, y] of [made.entrance, made.exit]) made.rock[y * width + x] = 0;
        this.now = made;
    }

    clear(): void {
        this.begin();
        this.now = this.blank(this.width, this.height);
    }

    /** Takes over a maze; walls between cells become rock, so such a maze doubles in size. */
    take(level: Level, locks: Int8Array | null): void {
        this.begin();
        const thick = withWallsAsRock(level);
        const height = thick.cells.length;
        const width = thick.cells[0]!.length;
        const made = this.blank(width, height);
        thick.cells.forEach((row, y) => [...row].forEach((mark, x) => { made.rock[y * width + x] = mark === "." ? 0 : 1; }));
        if (locks && locks.length === made.locks.length) made.locks.set(locks);
        made.entrance = thick.entrance;
        made.exit = thick.exit;
        made.checkpoints = [...thick.checkpoints];
        this.now = made;
    }

    level(): Level {
        const { width, height, rock, entrance, exit, checkpoints } = this.now;
        const cells: string[] = [];
        for (let y = 0; y < height; ++y) {
            let row = "";
            for (let x = 0; x < width; ++x) row += rock[y * width + x] ? "#" : ".";
            cells.push(row);
        }
        return { cells, entrance, exit, checkpoints };
    }

    /** The locks as recipes write them, or nothing. */
    locksText(): string {
        if (this.now.locks.every((lock) => lock === 0)) return "";
        const rows: string[] = [];
        for (let y = 0; y < this.height; ++y) {
            let row = "";
            for (let x = 0; x < this.width; ++x) row += "?#."[this.now.locks[y * this.width + x]!];
            rows.push(row);
        }
        return rows.join("\n");
    }

    describe([x, y]: Cell): string {
        const index = y * this.width + x;
        const places = [this.same([x, y], this.now.entrance) && "entrance", this.same([x, y], this.now.exit) && "exit"];
        const checkpoint = this.now.checkpoints.findIndex((one) => this.same(one, [x, y]));
        const parts = [`Column ${x + 1}, row ${y + 1}`, this.now.rock[index] ? "rock" : "open", this.now.locks[index] ? "locked" : "", ...places, checkpoint >= 0 && `checkpoint ${checkpoint + 1}`];
        return parts.filter(Boolean).join(", ");
    }
}

export function withWallsAsRock(level: Level): Level {
    const { walls_east: east, walls_south: south } = level;
    if (!east || !south) return level;
    const width = level.cells[0]!.length;
    const height = level.cells.length;
    const rows: string[] = [];
    const rock = (x: number, y: number) => level.cells[y]![x] !== ".";
    for (let y = 0; y < 2 * height - 1; ++y) {
        let row = "";
        for (let x = 0; x < 2 * width - 1; ++x) {
            const [cx, cy] = [x >> 1, y >> 1];
            const oddX = x % 2 === 1;
            const oddY = y % 2 === 1;
            let closed: boolean;
            if (!oddX && !oddY) closed = rock(cx, cy);
            else if (oddX && !oddY) closed = east[cy]![cx] === "|" || rock(cx, cy) || rock(cx + 1, cy);
            else if (!oddX) closed = south[cy]![cx] === "_" || rock(cx, cy) || rock(cx, cy + 1);
            else closed = true;
            row += closed ? "#" : ".";
        }
        rows.push(row);
    }
    const twice = ([x, y]: Cell): Cell => [2 * x, 2 * y];
    return { cells: rows, entrance: twice(level.entrance), exit: twice(level.exit), checkpoints: level.checkpoints.map(twice) };
}

/** Reads locks from the text of a recipe. */
export function locksFrom(text: string, width: number, height: number): Int8Array | null {
    if (!text) return null;
    const locks = new Int8Array(width * height);
    text.split("\n").forEach((row, y) => [...row].forEach((mark, x) => {
        if (x < width && y < height) locks[y * width + x] = mark === "#" ? 1 : mark === "." ? 2 : 0;
    }));
    return locks;
}
