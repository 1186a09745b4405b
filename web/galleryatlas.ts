// The elites of a gallery, laid out on two axes: what the map is painted from. Nothing here is drawn.

import type { ArchiveView, Axis } from "./openapi";

/** An elite is named by its cell in the archive, wherever the map shows it. */
export interface Entry {
    elite: number;
    fitness: number;
}

const mostPlaces = 2_000_000;
const line: Axis = { name: "", low: 0, high: 1, step: 1, cells: 1 };

/** Whether an archive's own cells are those of a map. Others are laid out by the studio. */
export const isFlat = (part: { grid: boolean; axes: Axis[] }): boolean =>
    part.grid && part.axes.length <= 2 && part.axes.reduce((cells, axis) => cells * axis.cells, 1) <= mostPlaces;

export class Atlas {
    readonly x: Axis;
    readonly y: Axis;
    readonly places = new Map<number, Entry[]>(); // best first
    private readonly where = new Map<number, number>(); // of each elite
    low = Infinity;
    high = -Infinity;

    constructor(axes: Axis[]) {
        this.x = axes[0] ?? line;
        this.y = axes[1] ?? line;
    }

    get columns(): number { return this.x.cells; }
    get rows(): number { return this.y.cells; }
    get size(): number { return this.where.size; }

    static of(answer: ArchiveView): Atlas {
        const atlas = new Atlas(answer.axes);
        for (const { elite, cell, fitness } of answer.elites)
            atlas.add(cell[0]! * atlas.rows + (cell[1] ?? 0), { elite, fitness: fitness ?? NaN });
        return atlas;
    }

    private add(place: number, entry: Entry): void {
        const there = this.places.get(place);
        if (there) there.push(entry);
        else this.places.set(place, [entry]);
        this.where.set(entry.elite, place);
        this.widen(entry.fitness);
    }

    private widen(fitness: number): boolean {
        if (!(fitness < this.low || fitness > this.high)) return false;
        this.low = Math.min(this.low, fitness);
        this.high = Math.max(this.high, fitness);
        return true;
    }

    /** Puts elites into their own cells of a flat archive. Returns the places that look different: null for all. */
    take(elites: [number, number | null][]): number[] | null {
        let isWider = false;
        for (const [elite, value] of elites) {
            const fitness = value ?? NaN;
            this.places.set(elite, [{ elite, fitness }]);
            this.where.set(elite, elite);
            isWider = this.widen(fitness) || isWider;
        }
        return isWider ? null : elites.map(([elite]) => elite);
    }

    at(place: number): Entry | undefined {
        return this.places.get(place)?.[0];
    }

    /** Where keys begin. */
    brightest(): number | undefined {
        let found: number | undefined;
        for (const [place, [entry]] of this.places)
            if (found === undefined || entry!.fitness > this.at(found)!.fitness) found = place;
        return found;
    }

    placeOf(elite: number): number | undefined {
        return this.where.get(elite);
    }

    entryOf(elite: number): Entry | undefined {
        const place = this.where.get(elite);
        return place === undefined ? undefined : this.places.get(place)!.find((one) => one.elite === elite);
    }

    columnOf(place: number): number { return Math.floor(place / this.rows); }
    rowOf(place: number): number { return place % this.rows; }
    place(column: number, row: number): number { return column * this.rows + row; }
    isInside(column: number, row: number): boolean {
        return column >= 0 && column < this.columns && row >= 0 && row < this.rows;
    }

    /** The nearest place in a direction that holds something. */
    next(from: number, dx: number, dy: number): number {
        let [column, row] = [this.columnOf(from) + dx, this.rowOf(from) + dy];
        while (this.isInside(column, row)) {
            if (this.places.has(this.place(column, row))) return this.place(column, row);
            column += dx;
            row += dy;
        }
        return from;
    }

    /** What a cell stands for on an axis: 4 to 6. */
    span(axis: Axis, index: number): [number, number] {
        const step = axis.step > 0 ? axis.step : (axis.high - axis.low) / axis.cells;
        return [axis.low + index * step, Math.min(axis.high, axis.low + (index + 1) * step)];
    }
}
