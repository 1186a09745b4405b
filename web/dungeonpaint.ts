import { colour } from "./dom";
import { disc, paintCursor, paintGrid, paintPath, prepare, type View } from "./level";
import type { Cell } from "./shapes";

export interface DungeonScene {
    rows: string[];
    path?: Cell[]; // a way, with its direction
    walk?: Cell[]; // the way walked, the walker at its end
    taken?: Set<string>; // cells whose key, treasure or door is gone
    cursor?: Cell | null;
    grid?: boolean;
}

// Keys and doors of a colour have its letter, too: colour alone says nothing to some.
const hues: Record<string, string> = { k: "ochre", r: "terracotta", g: "olive", b: "aegean", y: "ochre-fill" };
const isKey = (tile: string): boolean => "krgby".includes(tile);
const isDoor = (tile: string): boolean => "+RGBY".includes(tile);
const turns: Record<string, number> = { ">": 0, v: 1, "<": 2, "^": 3 };

/** Draws a dungeon into a canvas; a tile that is too small for its sign is a dot of its colour. */
export function paintDungeon(canvas: HTMLCanvasElement, scene: DungeonScene, view: View): void {
    const context = prepare(canvas, view);
    const { rows } = scene;
    const { cell } = view;
    if (scene.grid && cell >= 8) paintGrid(context, rows[0]!.length, rows.length, cell);
    context.fillStyle = colour("rock");
    context.beginPath();
    rows.forEach((row, y) => [...row].forEach((tile, x) => {
        if (tile === "#") context.rect(x * cell, y * cell, cell + 0.4, cell + 0.4);
    }));
    context.fill();
    if (scene.path && scene.path.length > 1) paintPath(context, scene.path, cell, colour("aegean"), null);
    if (scene.walk && scene.walk.length > 1) paintPath(context, scene.walk, cell, colour("olive"), null, false);
    rows.forEach((row, y) => [...row].forEach((tile, x) => {
        if (tile === "#" || tile === "." || scene.taken?.has(`${x},${y}`)) return;
        context.save();
        context.translate(x * cell, y * cell);
        context.scale(cell, cell);
        paintTile(context, tile, cell);
        context.restore();
    }));
    const here = scene.walk?.[scene.walk.length - 1];
    if (here) disc(context, ...here, cell, 0.3, colour("olive"), colour("ground"));
    if (scene.cursor) paintCursor(context, scene.cursor, cell);
}

/** One tile, one unit wide. */
export function paintTile(context: CanvasRenderingContext2D, tile: string, size: number): void {
    const fill = (role: string, ...points: number[]) => {
        context.fillStyle = colour(role);
        context.beginPath();
        for (let i = 0; i < points.length; i += 2) context.lineTo(points[i]!, points[i + 1]!);
        context.closePath();
        context.fill();
    };
    const round = (role: string, x: number, y: number, r: number) => {
        context.fillStyle = colour(role);
        context.beginPath();
        context.arc(x, y, r, 0, 7);
        context.fill();
    };
    const letter = (text: string, role: string, x = 0.5, y = 0.54) => {
        if (size < 14) return;
        context.fillStyle = colour(role);
        context.font = "600 0.36px system-ui, sans-serif";
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(text, x, y);
    };
    const box = (role: string, x: number, y: number, w: number, h: number) => fill(role, x, y, x + w, y, x + w, y + h,
        x, y + h);
    if (tile === "#") box("rock", 0, 0, 1, 1);
    else if (tile === "E") {
        context.strokeStyle = colour("olive");
        context.lineWidth = 0.13;
        context.beginPath();
        context.moveTo(0.22, 0.9);
        context.lineTo(0.22, 0.48);
        context.arc(0.5, 0.48, 0.28, Math.PI, 0);
        context.lineTo(0.78, 0.9);
        context.stroke();
    } else if (tile === "X")
        fill("terracotta", 0.14, 0.86, 0.14, 0.64, 0.38, 0.64, 0.38, 0.42, 0.62, 0.42, 0.62, 0.2, 0.86, 0.2, 0.86,
            0.86);
    else if (tile === "C") {
        round("ochre-fill", 0.5, 0.5, 0.36);
        letter("C", "rock");
    } else if (tile === "$") fill("ochre-fill", 0.5, 0.16, 0.84, 0.5, 0.5, 0.84, 0.16, 0.5);
    else if (tile === "m") {
        fill("terracotta", 0.2, 0.84, 0.2, 0.3, 0.36, 0.44, 0.5, 0.2, 0.64, 0.44, 0.8, 0.3, 0.8, 0.84);
        round("floor", 0.38, 0.6, 0.07);
        round("floor", 0.62, 0.6, 0.07);
    } else if (isKey(tile)) {
        const hue = hues[tile]!;
        round(hue, 0.34, 0.36, 0.2);
        round("floor", 0.34, 0.36, 0.08);
        fill(hue, 0.44, 0.42, 0.52, 0.36, 0.86, 0.76, 0.7, 0.88, 0.64, 0.8, 0.7, 0.74);
        if (tile !== "k") letter(tile, "ink", 0.72, 0.3);
    } else if (isDoor(tile)) {
        const hue = hues[tile === "+" ? "k" : tile.toLowerCase()]!;
        box(hue, 0.1, 0.08, 0.8, 0.84);
        round("floor", 0.5, 0.42, 0.12);
        fill("floor", 0.44, 0.46, 0.56, 0.46, 0.62, 0.76, 0.38, 0.76);
        if (tile !== "+") letter(tile, "ground", 0.24, 0.26);
    } else if (tile in turns) {
        context.translate(0.5, 0.5);
        context.rotate((turns[tile]! * Math.PI) / 2);
        fill("quiet", 0.36, 0, 0, -0.34, 0, -0.14, -0.36, -0.14, -0.36, 0.14, 0, 0.14, 0, 0.34);
    }
}
