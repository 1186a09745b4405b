import scaleLinear from "d3-scale/src/linear";
import { colour } from "./dom";
import { short } from "./format";
import type { Atlas } from "./galleryatlas";
import type { Axis } from "./openapi";

/** Where the map is on its canvas: the cells in a box, which zooming shifts and enlarges. */
export interface Frame {
    width: number; // of the canvas
    height: number;
    left: number; // of the box, before zooming
    top: number;
    cellWidth: number;
    cellHeight: number;
    k: number;
    x: number;
    y: number;
}

export const margin = { left: 56, right: 10, top: 10, bottom: 46 };

export function frameOf(width: number, height: number, atlas: Atlas, zoom: { k: number; x: number; y: number }): Frame {
    const boxWidth = width - margin.left - margin.right;
    const boxHeight = height - margin.top - margin.bottom;
    return {
        width, height, left: margin.left, top: margin.top, cellWidth: boxWidth / atlas.columns,
        cellHeight: boxHeight / atlas.rows, ...zoom,
    };
}

/** The corner of a cell nearest to the origin of the canvas; rows go upwards. */
function cornerOf(frame: Frame, atlas: Atlas, column: number, row: number): [number, number] {
    return [
        frame.k * (frame.left + column * frame.cellWidth) + frame.x,
        frame.k * (frame.top + (atlas.rows - 1 - row) * frame.cellHeight) + frame.y,
    ];
}

/** The place under a point of the canvas, if there is one. */
export function placeAt(frame: Frame, atlas: Atlas, px: number, py: number): number | null {
    const isOutside = px < margin.left || px > frame.width - margin.right || py < margin.top
        || py > frame.height - margin.bottom;
    if (isOutside) return null;
    const column = Math.floor(((px - frame.x) / frame.k - frame.left) / frame.cellWidth);
    const row = atlas.rows - 1 - Math.floor(((py - frame.y) / frame.k - frame.top) / frame.cellHeight);
    return atlas.isInside(column, row) ? atlas.place(column, row) : null;
}

export function boxOf(frame: Frame, atlas: Atlas, place: number): { x: number; y: number; w: number; h: number } {
    const [x, y] = cornerOf(frame, atlas, atlas.columnOf(place), atlas.rowOf(place));
    return { x, y, w: frame.cellWidth * frame.k, h: frame.cellHeight * frame.k };
}

type Rgb = [number, number, number];

/** 256 steps between the colours of a scale. */
export function shades(scale: string[]): Rgb[] {
    const given = scale.map((one): Rgb => [1, 3, 5].map((i) => parseInt(one.slice(i, i + 2), 16)) as Rgb);
    return Array.from({ length: 256 }, (_, i) => {
        const at = (i / 255) * (given.length - 1);
        const [a, b] = [given[Math.floor(at)]!, given[Math.ceil(at)]!];
        return a.map((part, c) => Math.round(part + (b[c]! - part) * (at % 1))) as Rgb;
    });
}

export const shadeOf = (table: Rgb[], atlas: Atlas, fitness: number): Rgb =>
    table[Math.round(255 * Math.min(1, Math.max(0, (fitness - atlas.low) / (atlas.high - atlas.low || 1)))) || 0]!;

/** One pixel a cell: the map as it is before it is enlarged. Only what looks different is put into it. */
export class CellImage {
    readonly canvas = document.createElement("canvas");
    private pixels: ImageData | null = null;

    paint(atlas: Atlas, places: number[] | null, table: Rgb[], isDim: (elite: number) => boolean): void {
        const context = this.canvas.getContext("2d")!;
        const { columns, rows } = atlas;
        if (!this.pixels || this.pixels.width !== columns || this.pixels.height !== rows) {
            this.canvas.width = columns;
            this.canvas.height = rows;
            this.pixels = context.createImageData(columns, rows);
            places = null;
        }
        if (!places) this.pixels.data.fill(0);
        const box = { x0: columns, y0: rows, x1: -1, y1: -1 };
        for (const place of places ?? atlas.places.keys()) {
            const entry = atlas.at(place);
            if (!entry) continue;
            const [x, y] = [atlas.columnOf(place), rows - 1 - atlas.rowOf(place)];
            const at = 4 * (y * columns + x);
            const shade = shadeOf(table, atlas, entry.fitness);
            this.pixels.data.set([...shade, isDim(entry.elite) ? 36 : 255], at);
            box.x0 = Math.min(box.x0, x);
            box.x1 = Math.max(box.x1, x);
            box.y0 = Math.min(box.y0, y);
            box.y1 = Math.max(box.y1, y);
        }
        if (!places) context.putImageData(this.pixels, 0, 0);
        else if (box.x1 >= 0)
            context.putImageData(this.pixels, 0, 0, box.x0, box.y0, box.x1 - box.x0 + 1, box.y1 - box.y0 + 1);
    }
}

export interface Marks {
    favourites: number[]; // elites
    spread: number[];
    cursor: number | null; // places
    hovered: number | null;
    titles: [string, string];
}

export function paintMap(canvas: HTMLCanvasElement, image: CellImage, atlas: Atlas, frame: Frame, marks: Marks): void {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const [width, height] = [Math.round(frame.width * ratio), Math.round(frame.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, frame.width, frame.height);
    const box = {
        x: margin.left, y: margin.top, w: frame.width - margin.left - margin.right,
        h: frame.height - margin.top - margin.bottom,
    };
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.w, box.h);
    context.clip();
    context.fillStyle = colour("floor");
    context.fillRect(box.x, box.y, box.w, box.h);
    context.imageSmoothingEnabled = false;
    if (atlas.size > 0)
        context.drawImage(image.canvas, frame.k * frame.left + frame.x, frame.k * frame.top + frame.y,
            frame.k * frame.cellWidth * atlas.columns, frame.k * frame.cellHeight * atlas.rows);
    paintMarks(context, atlas, frame, marks);
    context.restore();
    context.strokeStyle = colour("quiet");
    context.lineWidth = 1;
    context.strokeRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
    paintAxis(context, atlas.x, frame, marks.titles[0], true);
    paintAxis(context, atlas.y, frame, marks.titles[1], false);
}

// Those far apart have a ring, favourites a heart's worth of paint: a filled diamond with a rim.
function paintMarks(context: CanvasRenderingContext2D, atlas: Atlas, frame: Frame, marks: Marks): void {
    const centre = (elite: number): [number, number] | null => {
        const place = atlas.placeOf(elite);
        if (place === undefined) return null;
        const { x, y, w, h } = boxOf(frame, atlas, place);
        return [x + w / 2, y + h / 2];
    };
    const size = Math.max(5, Math.min(9, (Math.min(frame.cellWidth, frame.cellHeight) * frame.k) / 3));
    for (const elite of marks.spread) {
        const at = centre(elite);
        if (!at) continue;
        for (const [role, lineWidth] of [["ground", 5], ["terracotta", 2.5]] as const) {
            context.beginPath();
            context.arc(at[0], at[1], size + 2, 0, 7);
            context.strokeStyle = colour(role);
            context.lineWidth = lineWidth;
            context.stroke();
        }
    }
    for (const elite of marks.favourites) {
        const at = centre(elite);
        if (!at) continue;
        context.beginPath();
        context.moveTo(at[0], at[1] - size);
        context.lineTo(at[0] + size, at[1]);
        context.lineTo(at[0], at[1] + size);
        context.lineTo(at[0] - size, at[1]);
        context.closePath();
        context.fillStyle = colour("terracotta");
        context.fill();
        context.strokeStyle = colour("ground");
        context.lineWidth = 2;
        context.stroke();
    }
    for (const [place, dash] of [[marks.hovered, false], [marks.cursor, true]] as const) {
        if (place === null) continue;
        const { x, y, w, h } = boxOf(frame, atlas, place);
        const [px, py, pw, ph] = [x - 1.5, y - 1.5, Math.max(4, w) + 3, Math.max(4, h) + 3];
        context.lineWidth = 4;
        context.strokeStyle = colour("ground");
        context.strokeRect(px, py, pw, ph);
        context.lineWidth = 2;
        context.strokeStyle = colour(dash ? "aegean" : "ink");
        context.strokeRect(px, py, pw, ph);
    }
}

// The numbers of the part of the axis that is to be seen.
function paintAxis(context: CanvasRenderingContext2D, axis: Axis, frame: Frame, title: string, isX: boolean): void {
    if (!axis.name) return;
    const length = isX ? frame.width - margin.left - margin.right : frame.height - margin.top - margin.bottom;
    const from = isX ? margin.left : margin.top;
    const top = axis.low + axis.cells * (axis.step > 0 ? axis.step : (axis.high - axis.low) / axis.cells);
    const zoom = isX ? frame.x : frame.y;
    const whole = scaleLinear().domain(isX ? [axis.low, top] : [top, axis.low])
        .range([frame.k * from + zoom, frame.k * (from + length) + zoom]);
    const seen = [whole.invert(from), whole.invert(from + length)].sort((a, b) => a - b);
    const ticks = scaleLinear().domain(seen).ticks(Math.max(2, Math.round(length / (isX ? 70 : 48))));
    context.fillStyle = context.strokeStyle = colour("quiet");
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = isX ? "top" : "middle";
    context.textAlign = isX ? "center" : "right";
    const edge = frame.height - margin.bottom;
    for (const tick of ticks) {
        const at = whole(tick);
        if (at < from - 0.5 || at > from + length + 0.5) continue;
        context.beginPath();
        context.moveTo(isX ? at : margin.left, isX ? edge : at);
        context.lineTo(isX ? at : margin.left - 5, isX ? edge + 5 : at);
        context.stroke();
        context.fillText(short(tick), isX ? at : margin.left - 8, isX ? edge + 8 : at);
    }
    context.fillStyle = colour("ink");
    context.font = "600 13px system-ui, sans-serif";
    context.textAlign = "center";
    if (isX) context.fillText(title, margin.left + length / 2, edge + 26);
    else {
        context.save();
        context.translate(13, margin.top + length / 2);
        context.rotate(-Math.PI / 2);
        context.fillText(title, 0, 0);
        context.restore();
    }
}
