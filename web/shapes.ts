// Cells that a stroke covers, on any grid.

export type Cell = [number, number];

export const isSame = (a: Cell, b: Cell): boolean => a[0] === b[0] && a[1] === b[1];

/** The cells between two, without gaps between corners. */
export function lineOf([x0, y0]: Cell, [x1, y1]: Cell): Cell[] {
    const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) || 1;
    return Array.from({ length: steps + 1 }, (_, i): Cell =>
        [Math.round(x0 + ((x1 - x0) * i) / steps), Math.round(y0 + ((y1 - y0) * i) / steps)]);
}

export function rectangleOf([x0, y0]: Cell, [x1, y1]: Cell): Cell[] {
    const cells: Cell[] = [];
    for (let y = Math.min(y0, y1); y <= Math.max(y0, y1); ++y)
        for (let x = Math.min(x0, x1); x <= Math.max(x0, x1); ++x) cells.push([x, y]);
    return cells;
}

/** The cells of one kind that hang together with this one. */
export function regionOf(rows: string[], from: Cell): Cell[] {
    const kind = rows[from[1]]?.[from[0]];
    if (kind === undefined) return [];
    const width = rows[0]!.length;
    const seen = new Set([from[1] * width + from[0]]);
    const found: Cell[] = [from];
    for (let i = 0; i < found.length; ++i) {
        const [x, y] = found[i]!;
        for (const [nx, ny] of [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] as Cell[]) {
            const index = ny * width + nx;
            if (nx < 0 || nx >= width || rows[ny]?.[nx] !== kind || seen.has(index)) continue;
            seen.add(index);
            found.push([nx, ny]);
        }
    }
    return found;
}

/** Rows with other marks in some cells; rows without such a cell are the same ones as before. */
export function withMarks(rows: string[], cells: Cell[], mark: (cell: Cell, before: string) => string): string[] {
    const changed = new Map<number, string[]>();
    for (const [x, y] of cells) {
        const before = rows[y]?.[x];
        if (before === undefined) continue;
        const row = changed.get(y) ?? [...rows[y]!];
        row[x] = mark([x, y], row[x]!);
        changed.set(y, row);
    }
    return rows.map((row, y) => changed.get(y)?.join("") ?? row);
}

export const sizeOf = (rows: string[]): Cell => [rows[0]?.length ?? 0, rows.length];

export const isInside = (rows: string[], [x, y]: Cell): boolean =>
    y >= 0 && y < rows.length && x >= 0 && x < rows[0]!.length;
