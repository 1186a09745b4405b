import { useEffect, useRef, type ReactElement } from "react";
import { colour, useTheme } from "./dom";
import { squareName, thousands } from "./format";
import type * as Api from "./openapi";
import type { Board } from "./openapi";
import type { Frame, Registry, Sample } from "./types";

export type { Board };
type Square = [number, number];
export type BoardFrame = Omit<Frame, "population"> & Api.BoardFrame & { population: (Sample & Api.BoardFrame)[] };
export type BoardRegistry = Registry & Api.BoardRegistry;

/** Queens as [row, column]; row 0 is at the bottom. */
export function squaresOf(board: Board): Square[] {
    return board.columns ? board.columns.map((column, row) => [row, column]) : (board.squares ?? []);
}

const largestDrawn = 64; // larger boards show dots, and beyond what the server lists a density

function shadeOf(n: number): string {
    if (n > 40) return "";
    let path = "";
    for (let row = 0; row < n; ++row)
        for (let column = (row + n - 1) % 2 === 0 ? 0 : 1; column < n; column += 2) path += `M${column} ${row}h1v1h-1z`;
    return path;
}

/** Pairs of queens that see each other, with none between them. */
export function attacksAmong(queens: Square[]): [number, number][] {
    const found: [number, number][] = [];
    for (let a = 0; a < queens.length; ++a)
        for (let b = a + 1; b < queens.length; ++b)
            if (isInLine(queens[a]!, queens[b]!) && !queens.some((one, i) => i !== a && i !== b
                && isBetween(one, queens[a]!, queens[b]!))) found.push([a, b]);
    return found;
}

/** How many each queen meets on her lines, whether or not one stands between. */
export function collisionsAmong(queens: Square[]): number[] {
    return queens.map((one) => queens.filter((other) => other !== one && isInLine(one, other)).length);
}

function isInLine([r, c]: Square, [row, column]: Square): boolean {
    return r === row || c === column || Math.abs(r - row) === Math.abs(c - column);
}

function isBetween([r, c]: Square, [r1, c1]: Square, [r2, c2]: Square): boolean {
    const cross = (r - r1) * (c2 - c1) - (c - c1) * (r2 - r1);
    const along = (r - r1) * (r - r2) + (c - c1) * (c - c2);
    return cross === 0 && along < 0;
}

/** A board small enough for a row of them: squares and dots, nothing else. */
export function SmallBoard({ board, label }: { board: Board; label: string }): ReactElement {
    const n = board.size;
    return (
        <svg viewBox={`0 0 ${n} ${n}`} className="small-board" role="img" aria-label={label}>
            <rect className="floor" width={n} height={n} />
            <path className="shade" d={shadeOf(n)} />
            {squaresOf(board).map(([row, column], i) =>
                <circle key={i} cx={column + 0.5} cy={n - row - 0.5} r={n > 20 ? 0.5 : 0.36} />)}
        </svg>
    );
}

/** What is to be said of one queen. */
function told(board: Board, queens: Square[], i: number): string {
    const met = board.collisions?.[i];
    const name = squareName(...queens[i]!);
    if (met === undefined) return name;
    return met === 0 ? `${name}: no collisions` : `${name}: ${met} ${met === 1 ? "collision" : "collisions"}`;
}

function describe(board: Board, queens: Square[], attacked: Set<number>): string {
    if (board.density || queens.length > 64)
        return `${thousands(board.size)} queens; ${thousands(board.conflicts ?? 0)} pairs attack each other.`;
    const names = queens.map(([row, column]) => squareName(row, column));
    const under = names.filter((_, i) => attacked.has(i));
    if (names.length === 0) return "No queens yet.";
    const told = under.length > 0 ? `Attacked: ${under.join(", ")}.` : "None is attacked.";
    return `Queens on ${names.join(", ")}. ${told}`;
}

export interface BoardProps {
    board: Board;
    caption: string;
    registry: BoardRegistry;
    fixed?: Set<string>; // squares of queens that were placed by hand
    onSquare?: (name: string) => void;
}

export function BoardView(props: BoardProps): ReactElement {
    const { board, caption } = props;
    const queens = squaresOf(board);
    const attacked = new Set((board.attacks ?? []).flat());
    const isSolved = board.conflicts === 0 && (queens.length > 0 || !!board.density);
    const isDrawn = board.size <= largestDrawn && !board.density;
    return (
        <figure className="board-figure" data-attacked={attacked.size} data-conflicts={board.conflicts ?? ""}>
            {isDrawn ? <DrawnBoard {...props} queens={queens} attacked={attacked} isSolved={isSolved} />
                : <PaintedBoard {...props} queens={queens} attacked={attacked} />}
            <figcaption className={isSolved ? "caption solved" : "caption"}>{caption}</figcaption>
            <p className="hidden-text">{describe(board, queens, attacked)}</p>
        </figure>
    );
}

type Drawn = BoardProps & { queens: Square[]; attacked: Set<number> };

function DrawnBoard(props: Drawn & { isSolved: boolean }): ReactElement {
    const { board, queens, attacked, fixed } = props;
    const n = board.size;
    const edge = n <= 26 ? 0.62 : 0.1;
    const centre = ([row, column]: Square) => [column + 0.5, n - row - 0.5] as const;
    const squareAt = (svg: SVGSVGElement, x: number, y: number): string | null => {
        const box = svg.querySelector(".floor")!.getBoundingClientRect();
        const column = Math.floor(((x - box.left) / box.width) * n);
        const row = n - 1 - Math.floor(((y - box.top) / box.height) * n);
        return row < 0 || column < 0 || row >= n || column >= n ? null : squareName(row, column);
    };
    return (
        <svg className={props.onSquare ? "board placing" : "board"} role="img" aria-label={props.caption}
            viewBox={`${-edge} -0.1 ${n + edge + 0.1} ${n + edge + 0.1}`}
            onClick={(event) => {
                const name = props.onSquare && squareAt(event.currentTarget, event.clientX, event.clientY);
                if (name) props.onSquare!(name);
            }}>
            <rect className="floor" width={n} height={n} />
            <path className="shade" d={shadeOf(n)} />
            {n <= 26 && Array.from({ length: n }, (_, i) => (
                <g key={i}>
                    <text className="coordinate" x={i + 0.5} y={n + 0.44} textAnchor="middle">{squareName(0,
                        i).slice(0, -1)}</text>
                    <text className="coordinate" x={-0.14} y={n - i - 0.37} textAnchor="end">{i + 1}</text>
                </g>
            ))}
            {(board.attacks ?? []).map(([a, b]) => {
                const [x1, y1] = centre(queens[a]!);
                const [x2, y2] = centre(queens[b]!);
                return <line key={`${a} ${b}`} className="attack" x1={x1} y1={y1} x2={x2} y2={y2} />;
            })}
            {queens.map((square, i) => {
                const [x, y] = centre(square);
                const isFixed = fixed?.has(squareName(...square));
                return (
                    <g key={i}>
                        {attacked.has(i) && <circle className="ring" cx={x} cy={y} r={0.43} />}
                        {isFixed && <rect className="fixed" x={x - 0.46} y={y - 0.46} width={0.92} height={0.92}
                            rx={0.1} />}
                        <path className={attacked.has(i) ? "queen attacked" : "queen"} d={props.registry.queen}
                            transform={`translate(${x - 0.5} ${y - 0.5})`} />
                        {n <= 20 && (board.collisions?.[i] ?? 0) > 0 && <text className="collisions" x={x + 0.44}
                            y={y - 0.24} textAnchor="end">{board.collisions![i]}</text>}
                        <rect className="touch" x={x - 0.5} y={y - 0.5} width={1} height={1}>
                            <title>{told(board, queens, i)}</title>
                        </rect>
                    </g>
                );
            })}
            {props.isSolved && <rect className="solved-line" width={n} height={n} />}
        </svg>
    );
}

function PaintedBoard(props: Drawn): ReactElement {
    const { board, queens, attacked, registry } = props;
    const canvas = useRef<HTMLCanvasElement>(null);
    const theme = useTheme();
    useEffect(() => {
        const context = canvas.current!.getContext("2d")!;
        if (board.density) paintDensity(context, board.density, registry.scale);
        else paintDots(context, board, queens, attacked);
    }, [board, theme]);
    return (
        <canvas ref={canvas} className="board" width={640} height={640} role="img" aria-label={props.caption}
            onPointerMove={(event) => {
                if (board.density) return;
                const box = event.currentTarget.getBoundingClientRect();
                const column = Math.floor(((event.clientX - box.left) / box.width) * board.size);
                const row = board.size - 1 - Math.floor(((event.clientY - box.top) / box.height) * board.size);
                const found = queens.findIndex(([r, c]) => r === row && c === column);
                event.currentTarget.title = found < 0 ? "" : told(board, queens, found);
            }} />
    );
}

function paintDots(context: CanvasRenderingContext2D, board: Board, queens: Square[], attacked: Set<number>): void {
    const side = context.canvas.width;
    const cell = side / board.size;
    context.fillStyle = colour("floor");
    context.fillRect(0, 0, side, side);
    queens.forEach(([row, column], i) => {
        context.fillStyle = colour(attacked.has(i) ? "terracotta" : "ink");
        const size = cell * (attacked.has(i) ? 1.2 : 0.8);
        context.fillRect((column + 0.5) * cell - size / 2, (board.size - row - 0.5) * cell - size / 2, size, size);
    });
}

function paintDensity(context: CanvasRenderingContext2D, density: { side: number; counts: number[] },
    scale: string[]): void {
    const side = context.canvas.width;
    const { side: parts, counts } = density;
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const legend = 34;
    const small = document.createElement("canvas");
    small.width = small.height = parts;
    const pixels = small.getContext("2d")!;
    counts.forEach((count, i) => {
        pixels.fillStyle = scale[Math.round((count / most) * (scale.length - 1))]!;
        pixels.fillRect(i % parts, Math.floor(i / parts), 1, 1);
    });
    context.clearRect(0, 0, side, side);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, legend / 2, 0, side - legend, side - legend);
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
