import { colour, isDark } from "./dom";
import { paintColours, paintMembers, paintPair } from "./levelmarks";
import type { Level, Survey } from "./levels";
import type { LevelColour } from "./openapi";
import type { Cell } from "./shapes";

declare global {
    // Newer than the types that Debian 12 has.
    interface CanvasRenderingContext2D {
        roundRect(x: number, y: number, width: number, height: number, radii: number[]): void;
    }
}

export interface Overlays {
    solution: boolean;
    distances: boolean;
    culsDeSac: boolean;
    witnesses: boolean;
    pockets: boolean;
    colours: boolean; // of the cells, where they have some
}

export interface Scene {
    level: Level;
    survey?: Survey | null;
    overlays?: Partial<Overlays>;
    locks?: string[] | null; // # stays rock, . stays open, ? is free
    cursor?: Cell | null;
    grid?: boolean; // lines between cells, for drawing
    walk?: Cell[]; // the way walked, the walker at its end
    scale?: string[];
    colours?: LevelColour[]; // what the letters of the level's mean
    pointed?: Cell | null; // whose members, or pair, is shown
}

export const isRock = (level: Level, x: number, y: number): boolean => level.cells[y]?.[x] !== ".";

/** Whether one may go from a cell to a neighbour. */
export function canStep(level: Level, [x, y]: Cell, [tx, ty]: Cell): boolean {
    if (ty < 0 || ty >= level.cells.length || tx < 0 || tx >= level.cells[0]!.length) return false;
    if (isRock(level, tx, ty) || isRock(level, x, y)) return false;
    if (tx > x) return level.walls_east?.[y]?.[x] !== "|";
    if (tx < x) return level.walls_east?.[y]?.[tx] !== "|";
    if (ty > y) return level.walls_south?.[y]?.[x] !== "_";
    return level.walls_south?.[ty]?.[x] !== "_";
}

/** Which part of a level a canvas shows, and how large. */
export interface View {
    cell: number; // pixels
    x: number; // where the level's corner is
    y: number;
    width: number; // of the canvas
    height: number;
}

export const edgeOf = (cell: number): number => (cell >= 8 ? 2 : 1);

/** All of a level, `cell` pixels a cell. */
export function wholeView(cells: string[], cell: number): View {
    const edge = edgeOf(cell);
    const width = (cells[0]?.length ?? 1) * cell + 2 * edge;
    return { cell, x: edge, y: edge, width, height: cells.length * cell + 2 * edge };
}

/** Makes a canvas ready for a view: its size in the screen's own pixels, and the floor. */
export function prepare(canvas: HTMLCanvasElement, view: View): CanvasRenderingContext2D {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
        canvas.style.width = `${view.width}px`;
        canvas.style.height = `${view.height}px`;
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colour("floor");
    context.fillRect(0, 0, view.width, view.height);
    context.translate(view.x, view.y);
    return context;
}

/** The cells that can be seen: from, and up to. */
function seen(view: View, rows: string[]): { x0: number; y0: number; x1: number; y1: number } {
    const { cell } = view;
    return {
        x0: Math.max(0, Math.floor(-view.x / cell)), x1: Math.min(rows[0]?.length ?? 0,
            Math.ceil((view.width - view.x) / cell)),
        y0: Math.max(0, Math.floor(-view.y / cell)), y1: Math.min(rows.length,
            Math.ceil((view.height - view.y) / cell)),
    };
}

/** Draws a maze into a canvas. */
export function paintMaze(canvas: HTMLCanvasElement, scene: Scene, view: View): void {
    const { level } = scene;
    const { cell } = view;
    const width = level.cells[0]?.length ?? 1;
    const height = level.cells.length;
    const context = prepare(canvas, view);
    if (scene.grid && cell >= 8) paintGrid(context, width, height, cell);
    const overlays = scene.overlays ?? {};
    const survey = scene.survey ?? null;
    const isHeat = !!overlays.distances;
    const isPainted = !isHeat && overlays.colours !== false && !!level.colours && !!scene.colours;
    const [bright, rim] = isHeat ? ["#FFFFFF", "#1F2430"] : [null, isPainted ? colour("floor") : null];
    if (isPainted) paintColours(context, level.colours!, scene.colours!, cell);
    if (isHeat && survey && scene.scale) paintDistances(context, survey, width, cell, scene.scale);
    if (overlays.pockets !== false && survey) paintPockets(context, survey, width, cell);
    if (scene.pointed && survey) paintMembers(context, level, survey, scene.pointed, cell);
    paintRock(context, level, view, !isHeat);
    if (!isPainted) paintThresholds(context, level, cell);
    paintWalls(context, level, cell);
    if (scene.locks) paintLocks(context, scene.locks, level, cell);
    if (overlays.culsDeSac && survey)
        for (const [x, y] of survey.culs_de_sac) disc(context, x, y, cell, 0.17, bright ?? colour("terracotta"), rim);
    if (overlays.witnesses && survey) paintWitnesses(context, survey, cell);
    if (overlays.solution && survey && survey.path.length > 1)
        paintPath(context, survey.path, cell, bright ?? colour("aegean"), rim);
    if (scene.walk) paintPath(context, scene.walk, cell, colour("olive"), null, false);
    paintPlaces(context, level, cell);
    if (scene.pointed && survey) paintPair(context, level, survey, scene.pointed, cell);
    if (scene.walk) disc(context, ...scene.walk[scene.walk.length - 1]!, cell, 0.34, colour("olive"), colour("ground"));
    if (scene.cursor) paintCursor(context, scene.cursor, cell);
    const edge = edgeOf(cell);
    context.strokeStyle = colour(isDark() ? "quiet" : "rock");
    context.lineWidth = edge;
    context.strokeRect(-edge / 2, -edge / 2, width * cell + edge, height * cell + edge);
}

export function paintCursor(context: CanvasRenderingContext2D, [x, y]: Cell, cell: number): void {
    context.lineWidth = Math.max(2, cell * 0.1);
    context.strokeStyle = colour("ground");
    context.strokeRect(x * cell + 1, y * cell + 1, cell - 2, cell - 2);
    context.strokeStyle = colour("aegean");
    context.setLineDash([cell * 0.3, cell * 0.2]);
    context.strokeRect(x * cell + 1, y * cell + 1, cell - 2, cell - 2);
    context.setLineDash([]);
}

export function paintGrid(context: CanvasRenderingContext2D, width: number, height: number, cell: number): void {
    context.strokeStyle = colour("floor-shade");
    context.lineWidth = 1;
    context.beginPath();
    for (let x = 1; x < width; ++x) {
        context.moveTo(x * cell, 0);
        context.lineTo(x * cell, height * cell);
    }
    for (let y = 1; y < height; ++y) {
        context.moveTo(0, y * cell);
        context.lineTo(width * cell, y * cell);
    }
    context.stroke();
}

// Rock is one shape: cells overlap by a hair, and corners towards the open are round.
function paintRock(context: CanvasRenderingContext2D, level: Level, view: View, rounded: boolean): void {
    context.fillStyle = colour("rock");
    const { cell } = view;
    const radius = cell > 12 && rounded ? cell * 0.28 : 0;
    const { x0, y0, x1, y1 } = seen(view, level.cells);
    const rock = (x: number, y: number) => level.cells[y]?.[x] !== ".";
    context.beginPath();
    for (let y = y0; y < y1; ++y) {
        for (let x = x0; x < x1; ++x) {
            if (!rock(x, y)) continue;
            const round = (dx: number, dy: number) => (rock(x + dx, y) || rock(x, y + dy) ? 0 : radius);
            const right = rock(x + 1, y) ? 0.4 : 0;
            const below = rock(x, y + 1) ? 0.4 : 0;
            if (radius === 0) context.rect(x * cell, y * cell, cell + right, cell + below);
            else
                context.roundRect(x * cell, y * cell, cell + right, cell + below,
                    [round(-1, -1), round(1, -1), round(1, 1), round(-1, 1)]);
        }
    }
    context.fill();
}

// One comes in and goes out over floor, whatever is drawn there; walls beside it stay whole.
function paintThresholds(context: CanvasRenderingContext2D, level: Level, cell: number): void {
    context.fillStyle = colour("floor");
    for (const [x, y] of [level.entrance, level.exit]) context.fillRect(x * cell, y * cell, cell, cell);
}

function paintWalls(context: CanvasRenderingContext2D, level: Level, cell: number): void {
    if (!level.walls_east || !level.walls_south) return;
    context.strokeStyle = colour(isDark() ? "quiet" : "rock");
    context.lineWidth = Math.max(1, cell * 0.12);
    context.lineCap = "round";
    context.beginPath();
    level.walls_east.forEach((row, y) => [...row].forEach((mark, x) => {
        if (mark !== "|") return;
        context.moveTo((x + 1) * cell, y * cell);
        context.lineTo((x + 1) * cell, (y + 1) * cell);
    }));
    level.walls_south.forEach((row, y) => [...row].forEach((mark, x) => {
        if (mark !== "_") return;
        context.moveTo(x * cell, (y + 1) * cell);
        context.lineTo((x + 1) * cell, (y + 1) * cell);
    }));
    context.stroke();
}

type Heat = [context: CanvasRenderingContext2D, survey: Survey, width: number, cell: number, scale: string[]];
function paintDistances(...[context, survey, width, cell, scale]: Heat): void {
    const farthest = survey.distance.reduce((a, b) => Math.max(a, b), 1);
    survey.distance.forEach((distance, i) => {
        if (distance < 0) return;
        context.fillStyle = scale[Math.round((distance / farthest) * (scale.length - 1))]!;
        context.fillRect((i % width) * cell, Math.floor(i / width) * cell, cell + 0.4, cell + 0.4);
    });
}

function paintPockets(context: CanvasRenderingContext2D, survey: Survey, width: number, cell: number): void {
    context.strokeStyle = colour("quiet");
    context.lineWidth = Math.max(1, cell * 0.06);
    survey.pocket.forEach((pocket, i) => {
        if (pocket === 0) return;
        const x = (i % width) * cell;
        const y = Math.floor(i / width) * cell;
        context.save();
        context.beginPath();
        context.rect(x, y, cell, cell);
        context.clip();
        context.beginPath();
        for (let k = -cell; k < cell; k += Math.max(3, cell / 4)) {
            context.moveTo(x + k, y + cell);
            context.lineTo(x + k + cell, y);
        }
        context.stroke();
        context.restore();
    });
}

// A pin: a small ring on what is locked, light on rock and dark on the open.
function paintLocks(context: CanvasRenderingContext2D, locks: string[], level: Level, cell: number): void {
    context.lineWidth = Math.max(1, cell * 0.07);
    locks.forEach((row, y) => {
        for (let x = 0; x < row.length; ++x) {
            if (row[x] === "?") continue;
            context.strokeStyle = colour(isRock(level, x, y) ? "ochre-fill" : "ochre");
            context.beginPath();
            context.arc((x + 0.5) * cell, (y + 0.5) * cell, cell * 0.16, 0, 7);
            context.stroke();
        }
    });
}

type Disc = [context: CanvasRenderingContext2D, x: number, y: number, cell: number, radius: number, fill: string,
    rim: string | null];
export function disc(...[context, x, y, cell, radius, fill, rim]: Disc): void {
    context.beginPath();
    context.arc((x + 0.5) * cell, (y + 0.5) * cell, Math.max(1.5, cell * radius), 0, 7);
    context.fillStyle = fill;
    context.fill();
    if (!rim) return;
    context.lineWidth = Math.max(1, cell * 0.06);
    context.strokeStyle = rim;
    context.stroke();
}

function paintWitnesses(context: CanvasRenderingContext2D, survey: Survey, cell: number): void {
    for (const witness of survey.witnesses) {
        for (const [x, y] of witness.cells) {
            const r = cell * 0.3;
            const cx = (x + 0.5) * cell;
            const cy = (y + 0.5) * cell;
            context.beginPath();
            context.moveTo(cx, cy - r);
            context.lineTo(cx + r, cy);
            context.lineTo(cx, cy + r);
            context.lineTo(cx - r, cy);
            context.closePath();
            context.lineWidth = Math.max(1.5, cell * 0.09);
            context.strokeStyle = colour("terracotta");
            if (witness.isolated) {
                context.fillStyle = colour("terracotta");
                context.fill();
            }
            context.stroke();
        }
    }
}

// A smooth line with arrowheads along it.
type Path = [context: CanvasRenderingContext2D, path: Cell[], cell: number, ink: string, rim: string | null,
    arrows?: boolean];
export function paintPath(...[context, path, cell, ink, rim, arrows = true]: Path): void {
    const at = (i: number) => [(path[i]![0] + 0.5) * cell, (path[i]![1] + 0.5) * cell] as const;
    const trace = () => {
        context.beginPath();
        context.moveTo(...at(0));
        for (let i = 1; i + 1 < path.length; ++i) {
            const [x, y] = at(i);
            const [nx, ny] = at(i + 1);
            context.quadraticCurveTo(x, y, (x + nx) / 2, (y + ny) / 2);
        }
        context.lineTo(...at(path.length - 1));
        context.stroke();
    };
    context.lineCap = context.lineJoin = "round";
    if (rim) {
        context.strokeStyle = rim;
        context.lineWidth = Math.max(3, cell * 0.24);
        trace();
    }
    context.strokeStyle = ink;
    context.lineWidth = Math.max(1.5, cell * 0.14);
    trace();
    if (!arrows || cell < 10) return;
    context.fillStyle = ink;
    const stride = Math.max(6, Math.round(path.length / 12));
    for (let i = Math.floor(stride / 2); i + 1 < path.length; i += stride) {
        const [x, y] = at(i);
        const [nx, ny] = at(i + 1);
        const angle = Math.atan2(ny - y, nx - x);
        context.save();
        context.translate((x + nx) / 2, (y + ny) / 2);
        context.rotate(angle);
        context.beginPath();
        context.moveTo(cell * 0.27, 0);
        context.lineTo(-cell * 0.17, cell * 0.23);
        context.lineTo(-cell * 0.17, -cell * 0.23);
        context.closePath();
        context.fill();
        context.restore();
    }
}

// The entrance is an arch, the exit a stair, checkpoints are numbered medallions.
function paintPlaces(context: CanvasRenderingContext2D, level: Level, cell: number): void {
    const base = ([x, y]: Cell) => [x * cell, y * cell] as const;
    const [ex, ey] = base(level.entrance);
    context.strokeStyle = context.fillStyle = colour("olive");
    if (cell < 9) context.fillRect(ex + 1, ey + 1, cell - 2, cell - 2);
    else {
        context.lineWidth = Math.max(2, cell * 0.13);
        context.lineCap = "butt";
        context.beginPath();
        context.moveTo(ex + cell * 0.22, ey + cell * 0.9);
        context.lineTo(ex + cell * 0.22, ey + cell * 0.48);
        context.arc(ex + cell * 0.5, ey + cell * 0.48, cell * 0.28, Math.PI, 0);
        context.lineTo(ex + cell * 0.78, ey + cell * 0.9);
        context.stroke();
    }
    const [xx, xy] = base(level.exit);
    context.fillStyle = colour("terracotta");
    if (cell < 9) context.fillRect(xx + 1, xy + 1, cell - 2, cell - 2);
    else {
        context.beginPath();
        context.moveTo(xx + cell * 0.14, xy + cell * 0.86);
        for (let i = 0; i < 3; ++i) {
            context.lineTo(xx + cell * (0.14 + i * 0.24), xy + cell * (0.64 - i * 0.22));
            context.lineTo(xx + cell * (0.38 + i * 0.24), xy + cell * (0.64 - i * 0.22));
        }
        context.lineTo(xx + cell * 0.86, xy + cell * 0.86);
        context.closePath();
        context.fill();
    }
    level.checkpoints.forEach(([x, y], i) => {
        disc(context, x, y, cell, 0.38, colour("ochre-fill"), colour("ink"));
        if (cell < 12) return;
        context.fillStyle = "#1F2430";
        context.font = `600 ${Math.round(cell * 0.46)}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(String(i + 1), (x + 0.5) * cell, (y + 0.53) * cell);
    });
}

/** A maze in a few pixels, for a gallery. */
export function smallMaze(canvas: HTMLCanvasElement, level: Level, side: number, colours?: LevelColour[]): void {
    const cell = Math.max(1, Math.floor(side / Math.max(level.cells.length, level.cells[0]?.length ?? 1)));
    paintMaze(canvas, { level, colours }, wholeView(level.cells, cell));
}
