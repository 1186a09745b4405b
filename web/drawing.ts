import type { Level } from "./levels";
import { isInside, isSame, sizeOf, withMarks, type Cell } from "./shapes";
import type { Value } from "./types";

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

/** A maze that is drawn. It never changes: every stroke makes another one, which shares the rows it left alone. */
export interface Drawing {
    cells: string[];
    locks: string[]; // # stays rock, . stays open, ? is free
    entrance: Cell;
    exit: Cell;
    checkpoints: Cell[];
}

const mostCheckpoints = 64;

export function blank(width: number, height: number): Drawing {
    const rows = (mark: string) => Array.from({ length: height }, () => mark.repeat(width));
    return { cells: rows("."), locks: rows("?"), entrance: [0, 0], exit: [width - 1, height - 1], checkpoints: [] };
}

export const isSingle = (tool: Tool): boolean => tool === "entrance" || tool === "exit" || tool === "checkpoint";
const without = (places: Cell[], cell: Cell): Cell[] => places.filter((one) => !isSame(one, cell));
const isPlace = (drawing: Drawing, cell: Cell): boolean => isSame(cell, drawing.entrance) || isSame(cell, drawing.exit);

/** What a tool makes of some cells. What is drawn is locked as well if it is to be kept. */
export function apply(drawing: Drawing, tool: Tool, cells: Cell[], keepsDrawn: boolean): Drawing {
    const inside = cells.filter((cell) => isInside(drawing.cells, cell));
    if (isSingle(tool)) return inside.reduce((made, cell) => place(made, tool, cell), drawing);
    if (tool === "free") return { ...drawing, locks: withMarks(drawing.locks, inside, () => "?") };
    if (tool === "lock")
        return { ...drawing, locks: withMarks(drawing.locks, inside, ([x, y]) => drawing.cells[y]![x]!) };
    const mark = tool === "rock" ? "#" : ".";
    const drawn = tool === "rock" ? inside.filter((cell) => !isPlace(drawing, cell)) : inside;
    const covered = new Set(drawn.map(String));
    return {
        ...drawing,
        cells: withMarks(drawing.cells, drawn, () => mark),
        locks: withMarks(drawing.locks, drawn, (_, before) => (keepsDrawn || before !== "?" ? mark : "?")),
        checkpoints: tool === "rock" ? drawing.checkpoints.filter((one) =>
            !covered.has(String(one))) : drawing.checkpoints,
    };
}

function place(drawing: Drawing, tool: Tool, cell: Cell): Drawing {
    const cells = withMarks(drawing.cells, [cell], () => ".");
    const rest = without(drawing.checkpoints, cell);
    if (tool === "checkpoint") {
        if (rest.length < drawing.checkpoints.length) return { ...drawing, checkpoints: rest };
        if (isPlace(drawing, cell) || rest.length >= mostCheckpoints) return drawing;
        return { ...drawing, cells, locks: withMarks(drawing.locks, [cell], () => "."), checkpoints: [...rest, cell] };
    }
    if (isPlace(drawing, cell)) return drawing;
    const locks = withMarks(drawing.locks, [cell], (_, before) => (before === "#" ? "?" : before));
    return { ...drawing, cells, locks, checkpoints: rest, [tool]: cell };
}

/** A place that can be taken elsewhere. */
export type Held = "entrance" | "exit" | number;

export function heldAt(drawing: Drawing, cell: Cell): Held | null {
    if (isSame(cell, drawing.entrance)) return "entrance";
    if (isSame(cell, drawing.exit)) return "exit";
    const index = drawing.checkpoints.findIndex((one) => isSame(one, cell));
    return index < 0 ? null : index;
}

export function moveHeld(drawing: Drawing, held: Held, to: Cell): Drawing {
    if (!isInside(drawing.cells, to) || heldAt(drawing, to) !== null) return drawing;
    const open = apply(drawing, "open", [to], false);
    if (typeof held === "string") return { ...open, [held]: to };
    return { ...open, checkpoints: open.checkpoints.map((one, i) => (i === held ? to : one)) };
}

export function resized(old: Drawing, width: number, height: number): Drawing {
    const [oldWidth, oldHeight] = sizeOf(old.cells);
    const fitted = (rows: string[], mark: string) => Array.from({ length: height }, (_, y) =>
        (rows[y] ?? "").slice(0, width).padEnd(width, mark));
    const fits = ([x, y]: Cell) => x < width && y < height;
    const isCorner = isSame(old.exit, [oldWidth - 1, oldHeight - 1]);
    const entrance: Cell = fits(old.entrance) ? old.entrance : [0, 0];
    const exit: Cell = fits(old.exit) && !isCorner ? old.exit : [width - 1, height - 1];
    const made = { cells: fitted(old.cells, "."), locks: fitted(old.locks, "?"), entrance, exit,
        checkpoints: old.checkpoints.filter(fits) };
    return { ...made, cells: withMarks(made.cells, [entrance, exit], () => ".") };
}

export const levelOf = ({ cells, entrance, exit, checkpoints }: Drawing): Level => ({ cells, entrance, exit,
    checkpoints });

/** Walls between cells become rock, so a maze that has such doubles in size. */
export function drawingOf(level: Level, locks: string[] | null): Drawing {
    const thick = withWallsAsRock(level);
    const [width, height] = sizeOf(thick.cells);
    const isFitting = locks && locks.length === height && locks[0]!.length === width;
    return {
        cells: thick.cells.map((row) => row.replace(/[^.]/g, "#")),
        locks: isFitting ? locks : blank(width, height).locks,
        entrance: thick.entrance, exit: thick.exit, checkpoints: thick.checkpoints,
    };
}

function withWallsAsRock(level: Level): Level {
    const { walls_east: east, walls_south: south } = level;
    if (!east || !south) return level;
    const [width, height] = sizeOf(level.cells);
    const isRock = (x: number, y: number) => level.cells[y]![x] !== ".";
    const isClosed = (x: number, y: number): boolean => {
        const [cx, cy] = [x >> 1, y >> 1];
        if (x % 2 === 1 && y % 2 === 1) return true;
        if (x % 2 === 1) return east[cy]![cx] === "|" || isRock(cx, cy) || isRock(cx + 1, cy);
        if (y % 2 === 1) return south[cy]![cx] === "_" || isRock(cx, cy) || isRock(cx, cy + 1);
        return isRock(cx, cy);
    };
    const cells = Array.from({ length: 2 * height - 1 }, (_, y) =>
        Array.from({ length: 2 * width - 1 }, (__, x) => (isClosed(x, y) ? "#" : ".")).join(""));
    const twice = ([x, y]: Cell): Cell => [2 * x, 2 * y];
    return { cells, entrance: twice(level.entrance), exit: twice(level.exit),
        checkpoints: level.checkpoints.map(twice) };
}

export function describe(drawing: Drawing, [x, y]: Cell): string {
    if (!isInside(drawing.cells, [x, y])) return "";
    const checkpoint = drawing.checkpoints.findIndex((one) => isSame(one, [x, y]));
    return [
        `Column ${x + 1}, row ${y + 1}`, drawing.cells[y]![x] === "." ? "open" : "rock",
        drawing.locks[y]![x] !== "?" && "locked", isSame([x, y], drawing.entrance) && "entrance",
        isSame([x, y], drawing.exit) && "exit", checkpoint >= 0 && `checkpoint ${checkpoint + 1}`,
    ].filter(Boolean).join(", ");
}

// --- a drawing as the values of a recipe

type Values = (name: string) => Value | undefined;

const cellsIn = (text: string): Cell[] => text.split(/[ ;]+/).filter((one) => /^\d+,\d+$/.test(one))
    .map((one) => one.split(",").map(Number) as Cell);

export function locksIn(text: string, width: number, height: number): string[] | null {
    if (!text) return null;
    const rows = text.split("\n");
    return Array.from({ length: height }, (_, y) =>
        (rows[y] ?? "").replace(/[^#.]/g, "?").slice(0, width).padEnd(width, "?"));
}

/** What a recipe says of a maze before it is evolved. */
export function drawingIn(value: Values): Drawing {
    const text = (name: string) => String(value(name) ?? "");
    const [width, height] = [Number(value("width")) || 20, Number(value("height")) || 20];
    const made = blank(width, height);
    const locks = locksIn(text("locks"), width, height) ?? made.locks;
    const start = text("start");
    const cells = start ? resized({ ...made, cells: start.split("\n") }, width, height).cells
        : locks.map((row) => row.replace(/[^#]/g, "."));
    return {
        cells, locks, entrance: cellsIn(text("entrance"))[0] ?? made.entrance,
        exit: cellsIn(text("exit"))[0] ?? made.exit, checkpoints: cellsIn(text("checkpoints")),
    };
}

/** The values that a recipe needs for this drawing, as far as what it says already means something else. */
export function valuesOf(drawing: Drawing, value: Values, fromDrawing: boolean): Record<string, Value> {
    const said = drawingIn(value);
    const [width, height] = sizeOf(drawing.cells);
    const changes: Record<string, Value> = {};
    const put = (name: string, now: Value, isSaid: boolean) => {
        if (!isSaid) changes[name] = now;
    };
    put("width", width, Number(value("width")) === width);
    put("height", height, Number(value("height")) === height);
    put("entrance", drawing.entrance.join(","), isSame(said.entrance, drawing.entrance));
    const isCorner = isSame(drawing.exit, [width - 1, height - 1]);
    put("exit", isCorner ? "" : drawing.exit.join(","), isSame(said.exit, drawing.exit));
    const places = (one: Drawing) => one.checkpoints.map((cell) => cell.join(",")).join(" ");
    put("checkpoints", places(drawing), places(said) === places(drawing));
    const locks = drawing.locks.join("\n");
    put("locks", /[#.]/.test(locks) ? locks : "", said.locks.join("\n") === locks);
    const start = fromDrawing ? drawing.cells.join("\n") : "";
    put("start", start, String(value("start") ?? "") === start);
    return changes;
}
