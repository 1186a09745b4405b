import { colour, h, s } from "./dom";
import { squareName, thousands } from "./format";
import type { Frame, Registry } from "./types";

export interface Board {
    size: number;
    columns?: number[];
    squares?: [number, number][];
    density?: { side: number; counts: number[] };
    conflicts?: number;
    attacks?: [number, number][];
    /** How many queens each queen meets, in the order of the queens. */
    collisions?: number[];
}

export interface BoardFrame extends Frame {
    board?: Board;
    population: { fitness: number | null; name?: string; scaled?: number | null; board?: Board }[];
}

/** What the API's registry holds for boards. */
export interface BoardRegistry extends Registry {
    queen: string;
}

/** Queens as [row, column]; row 0 is at the bottom. */
export function squaresOf(board: Board): [number, number][] {
    return board.columns ? board.columns.map((column, row) => [row, column]) : (board.squares ?? []);
}

const largestDrawn = 64; // larger boards show dots, and beyond what the server lists a density

/** A board small enough for a row of them: squares and dots, nothing else. */
export function smallBoard(board: Board, label: string): SVGSVGElement {
    const n = board.size;
    const dots = squaresOf(board).map(([row, column]) => s("circle", { cx: column + 0.5, cy: n - row - 0.5, r: n > 20 ? 0.5 : 0.36 }));
    return s("svg", { viewBox: `0 0 ${n} ${n}`, class: "small-board", role: "img", "aria-label": label }, s("rect", { class: "floor", width: n, height: n }), s("path", { class: "shade", d: shadeOf(n) }), ...dots);
}

function shadeOf(n: number): string {
    if (n > 40) return "";
    let path = "";
    for (let row = 0; row < n; ++row) for (let column = (row + n - 1) % 2 === 0 ? 0 : 1; column < n; column += 2) path += `M${column} ${row}h1v1h-1z`;
    return path;
}

export class BoardView {
    readonly element: HTMLElement;
    private readonly svg = s("svg", { class: "board" });
    private readonly canvas = h("canvas", { class: "board", width: 640, height: 640 });
    private readonly caption = h("figcaption", { class: "caption" });
    private readonly listed = h("p", { class: "hidden-text" });
    private shown: Board | null = null;
    private text = "";

    constructor(private readonly registry: BoardRegistry) {
        this.element = h("figure", { class: "board-figure" }, this.svg as unknown as HTMLElement, this.canvas, this.caption, this.listed);
        this.canvas.addEventListener("pointermove", (event) => this.point(event));
        this.empty(8);
    }

    empty(n: number): void {
        this.show({ size: n, squares: [], attacks: [] }, `An empty board of ${n} × ${n}`);
    }

    redraw(): void {
        if (this.shown) this.show(this.shown, this.text);
    }

    show(board: Board, caption: string): void {
        this.shown = board;
        this.text = caption;
        const attacked = new Set((board.attacks ?? []).flat());
        const queens = squaresOf(board);
        const solved = board.conflicts === 0 && queens.length > 0;
        this.element.dataset["attacked"] = String(attacked.size);
        this.element.dataset["conflicts"] = String(board.conflicts ?? "");
        this.caption.textContent = caption;
        this.caption.classList.toggle("solved", solved || (board.conflicts === 0 && !!board.density));
        const drawn = board.size <= largestDrawn && !board.density;
        this.svg.toggleAttribute("hidden", !drawn);
        this.canvas.hidden = drawn;
        if (drawn) this.draw(board, queens, attacked, solved);
        else this.paint(board, queens, attacked);
        this.describe(board, queens, attacked);
    }

    private draw(board: Board, queens: [number, number][], attacked: Set<number>, solved: boolean): void {
        const n = board.size;
        const edge = n <= 26 ? 0.62 : 0.1;
        const centre = ([row, column]: [number, number]) => [column + 0.5, n - row - 0.5] as const;
        this.svg.setAttribute("viewBox", `${-edge} -0.1 ${n + edge + 0.1} ${n + edge + 0.1}`);
        this.svg.setAttribute("role", "img");
        this.svg.setAttribute("aria-label", this.text);
        const parts: Node[] = [s("rect", { class: "floor", width: n, height: n }), s("path", { class: "shade", d: shadeOf(n) })];
        if (n <= 26) {
            for (let i = 0; i < n; ++i) {
                parts.push(s("text", { class: "coordinate", x: i + 0.5, y: n + 0.44, "text-anchor": "middle" }, squareName(0, i).slice(0, 1)));
                parts.push(s("text", { class: "coordinate", x: -0.14, y: n - i - 0.37, "text-anchor": "end" }, String(i + 1)));
            }
        }
        for (const [a, b] of board.attacks ?? []) {
            const [x1, y1] = centre(queens[a]!);
            const [x2, y2] = centre(queens[b]!);
            parts.push(s("line", { class: "attack", x1, y1, x2, y2 }));
        }
        queens.forEach((square, i) => {
            const [x, y] = centre(square);
            if (attacked.has(i)) parts.push(s("circle", { class: "ring", cx: x, cy: y, r: 0.43 }));
            // Wherever on its square it is pointed at.
            const place = s("rect", { class: "touch", x: x - 0.5, y: y - 0.5, width: 1, height: 1 }, s("title", {}, this.told(board, queens, i)));
            const kind = attacked.has(i) ? "queen attacked" : "queen";
            parts.push(s("path", { class: kind, d: this.registry.queen, transform: `translate(${x - 0.5} ${y - 0.5})` }), place);
        });
        if (solved) parts.push(s("rect", { class: "solved-line", width: n, height: n }));
        this.svg.replaceChildren(...parts);
    }

    /** What is to be said of one queen. */
    private told(board: Board, queens: [number, number][], i: number): string {
        const met = board.collisions?.[i];
        const name = squareName(...queens[i]!);
        return met === undefined ? name : met === 0 ? `${name}: no collisions` : `${name}: ${met} ${met === 1 ? "collision" : "collisions"}`;
    }

    /** The queen under the pointer, on a board too large for elements of its own. */
    private point(event: PointerEvent): void {
        const board = this.shown;
        if (!board || board.density) return;
        const box = this.canvas.getBoundingClientRect();
        const column = Math.floor(((event.clientX - box.left) / box.width) * board.size);
        const row = board.size - 1 - Math.floor(((event.clientY - box.top) / box.height) * board.size);
        const queens = squaresOf(board);
        const found = queens.findIndex(([r, c]) => r === row && c === column);
        this.canvas.title = found < 0 ? "" : this.told(board, queens, found);
    }

    private paint(board: Board, queens: [number, number][], attacked: Set<number>): void {
        const context = this.canvas.getContext("2d")!;
        const side = this.canvas.width;
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", this.text);
        context.fillStyle = colour("floor");
        context.fillRect(0, 0, side, side);
        if (!board.density) {
            const cell = side / board.size;
            queens.forEach(([row, column], i) => {
                context.fillStyle = colour(attacked.has(i) ? "terracotta" : "ink");
                const x = (column + 0.5) * cell;
                const y = (board.size - row - 0.5) * cell;
                if (attacked.has(i)) context.fillRect(x - cell * 0.6, y - cell * 0.6, cell * 1.2, cell * 1.2);
                else context.fillRect(x - cell * 0.4, y - cell * 0.4, cell * 0.8, cell * 0.8);
            });
            return;
        }
        const { side: parts, counts } = board.density;
        const most = Math.max(...counts, 1);
        const scale = this.registry.scale;
        const legend = 34;
        const inner = side - legend;
        const small = h("canvas", { width: parts, height: parts });
        const pixels = small.getContext("2d")!;
        counts.forEach((count, i) => {
            pixels.fillStyle = scale[Math.round((count / most) * (scale.length - 1))]!;
            pixels.fillRect(i % parts, Math.floor(i / parts), 1, 1);
        });
        context.clearRect(0, 0, side, side);
        context.imageSmoothingEnabled = false;
        context.drawImage(small, legend / 2, 0, inner, inner);
        for (let i = 0; i < 200; ++i) {
            context.fillStyle = scale[Math.floor((i / 200) * scale.length)]!;
            context.fillRect(side / 2 - 100 + i, side - 22, 1.5, 10);
        }
        context.fillStyle = colour("quiet");
        context.font = "14px system-ui, sans-serif";
        context.textAlign = "right";
        context.fillText("0", side / 2 - 108, side - 12);
        context.textAlign = "left";
        context.fillText(`${most} queens in a part`, side / 2 + 108, side - 12);
    }

    private describe(board: Board, queens: [number, number][], attacked: Set<number>): void {
        if (board.density || queens.length > 64) {
            this.listed.textContent = `${thousands(board.size)} queens; ${thousands(board.conflicts ?? 0)} pairs attack each other.`;
            return;
        }
        const names = queens.map(([row, column]) => squareName(row, column));
        const under = names.filter((_, i) => attacked.has(i));
        this.listed.textContent = names.length === 0 ? "No queens yet." : `Queens on ${names.join(", ")}. ${under.length > 0 ? `Attacked: ${under.join(", ")}.` : "None is attacked."}`;
    }
}
