import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from "react";
import type { Pointed } from "./canvas";
import { Button } from "./dom";
import { isSame, lineOf, rectangleOf, regionOf, type Cell } from "./shapes";
import type { Sketching } from "./sketch";

export type Shape = "brush" | "line" | "rectangle" | "fill" | "pick" | "hand";

export const shapes: { shape: Shape; label: string; key: string; meaning: string }[] = [
    { shape: "brush", label: "Brush", key: "b", meaning: "Draw freely; the right button takes away" },
    { shape: "line", label: "Line", key: "i", meaning: "A straight line" },
    { shape: "rectangle", label: "Rectangle", key: "r", meaning: "All cells of a rectangle" },
    { shape: "fill", label: "Fill", key: "g", meaning: "All cells of one kind that hang together" },
    { shape: "pick", label: "Pick", key: "p", meaning: "Go on with what lies there" },
    { shape: "hand", label: "Hand", key: "h", meaning: "Move the view; so does the middle button" },
];

/** What tools do to a drawing, whatever is drawn. */
export interface Drawer<T, Tool, Held> {
    sketch: Sketching<T>;
    rows: (drawing: T) => string[];
    chosen: () => { tool: Tool; shape: Shape };
    choose: (tool: Tool, shape: Shape) => void;
    apply: (drawing: T, tool: Tool, cells: Cell[]) => T;
    isSingle: (tool: Tool) => boolean; // one cell, not many
    eraser: (tool: Tool) => Tool; // of the right button
    pick: (drawing: T, cell: Cell) => Tool;
    held: (drawing: T, cell: Cell, tool: Tool) => Held | null; // what can be dragged elsewhere
    move: (drawing: T, held: Held, to: Cell) => T;
    moved: (cell: Cell) => void;
}

interface Stroke<Tool, Held> {
    tool: Tool;
    from: Cell;
    last: Cell;
    held: Held | null;
    hasMoved: boolean;
}

export interface Strokes {
    down(pointed: Pointed): void;
    move(cell: Cell): void;
    up(): void;
    cancel(): void;
    press(cell: Cell, isRight?: boolean): void;
    isOpen(): boolean;
}

/** What the pointer and keys do to a drawing. */
export function useStrokes<T, Tool, Held>(drawer: Drawer<T, Tool, Held>): Strokes {
    const { sketch } = drawer;
    const stroke = useRef<Stroke<Tool, Held> | null>(null);
    const now = () => sketch.state.get().now;
    const draw = (cells: Cell[], from = now()) => sketch.preview(drawer.apply(from, stroke.current!.tool, cells));
    const made: Strokes = {
        down({ cell, isRight }: Pointed): void {
            const { tool: chosen, shape } = drawer.chosen();
            if (shape === "pick") return drawer.choose(drawer.pick(now(), cell), "brush");
            const tool = isRight ? drawer.eraser(chosen) : chosen;
            const held = isRight ? null : drawer.held(now(), cell, tool);
            stroke.current = { tool, from: cell, last: cell, held, hasMoved: false };
            drawer.moved(cell);
            sketch.begin();
            if (held === null) draw(shape === "fill" && !drawer.isSingle(tool) ? regionOf(drawer.rows(now()),
                cell) : [cell]);
        },
        move(cell: Cell): void {
            const one = stroke.current;
            if (!one || isSame(cell, one.last)) return;
            const { shape } = drawer.chosen();
            const before = sketch.state.get().before ?? now();
            if (one.held !== null) sketch.preview(drawer.move(before, one.held, cell));
            else if (drawer.isSingle(one.tool)) draw([cell], before);
            else if (shape === "line") draw(lineOf(one.from, cell), before);
            else if (shape === "rectangle") draw(rectangleOf(one.from, cell), before);
            else if (shape === "brush") draw(lineOf(one.last, cell));
            one.last = cell;
            one.hasMoved = true;
            drawer.moved(cell);
        },
        up(): void {
            // A place that was not moved is as any other cell.
            if (stroke.current && stroke.current.held !== null && !stroke.current.hasMoved) draw([stroke.current.from]);
            stroke.current = null;
            sketch.end();
        },
        cancel(): void {
            stroke.current = null;
            sketch.cancel();
        },
        /** By keys as by the pointer: lines and rectangles begin at one press and end at the next. */
        press(cell: Cell, isRight = false): void {
            if (stroke.current) return made.up();
            const { shape, tool } = drawer.chosen();
            made.down({ cell, isRight });
            if ((shape !== "line" && shape !== "rectangle") || drawer.isSingle(tool)) made.up();
        },
        isOpen: (): boolean => stroke.current !== null,
    };
    return made;
}

/** What keys do to a drawing whose cursor lies at `cell`, or is going to: false if they do nothing. */
export function strokeKey(strokes: Strokes, event: { key: string; shiftKey: boolean }, cell: Cell): boolean {
    if (arrows[event.key]) {
        if (strokes.isOpen()) strokes.move(cell);
        else if (event.shiftKey) strokes.press(cell);
    } else if (event.key === " " || event.key === "Enter") strokes.press(cell);
    else if (event.key === "Delete") strokes.press(cell, true);
    else if (event.key === "Escape" && strokes.isOpen()) strokes.cancel();
    else return false;
    return true;
}

/** Buttons of which one is a stop of the Tab key: arrows go from one to the next. */
export function Tools({ label, kind = "tools", children }: {
    label: string; kind?: string; children: ReactNode;
}): ReactElement {
    const bar = useRef<HTMLDivElement>(null);
    const stops = () => [...bar.current!.querySelectorAll<HTMLElement>("button:enabled, input:enabled")];
    const keepOne = (wanted?: HTMLElement) => {
        const all = stops();
        const one = wanted ?? all.find((stop) => stop.tabIndex === 0 && stop.dataset["stop"] !== undefined)
            ?? all.find((stop) => stop.getAttribute("aria-pressed") === "true") ?? all[0];
        for (const stop of bar.current!.querySelectorAll<HTMLElement>("button, input")) {
            stop.tabIndex = stop === one ? 0 : -1;
            if (stop === one) stop.dataset["stop"] = "";
            else delete stop.dataset["stop"];
        }
    };
    useLayoutEffect(() => keepOne());
    return (
        <div className={kind} role="toolbar" aria-label={label} ref={bar} onFocus={(event) =>
            keepOne(event.target as HTMLElement)} onKeyDown={(event) => {
            const all = stops();
            const at = all.indexOf(event.target as HTMLElement);
            const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
            if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
            all[(to + all.length) % all.length]!.focus();
            event.preventDefault();
        }}>{children}</div>
    );
}

export function ShapeButtons({ shape, onChoose }: { shape: Shape; onChoose: (shape: Shape) => void }): ReactElement {
    return (
        <>
            {shapes.map((one) => (
                <Button key={one.shape} data={{ shape: one.shape }} title={`${one.meaning} (${one.key})`}
                    pressed={one.shape === shape} onClick={() => onChoose(one.shape)}>{one.label}</Button>
            ))}
        </>
    );
}

export function UndoButtons<T>({ sketch }: { sketch: Sketching<T> }): ReactElement {
    const { past, future } = sketch.state.useAll();
    return (
        <>
            <Button id="undo" title="Undo (Ctrl+Z)" disabled={past.length === 0} onClick={sketch.undo}>Undo</Button>
            <Button id="redo" title="Redo (Ctrl+Y)" disabled={future.length === 0} onClick={sketch.redo}>Redo</Button>
        </>
    );
}

/** Ctrl Z and Ctrl Y. */
export function undoKey<T>(sketch: Sketching<T>, event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return false;
    if (key === "y" || event.shiftKey) sketch.redo();
    else sketch.undo();
    return true;
}

export const arrows: Record<string, Cell> = {
    ArrowUp: [0, -1], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowRight: [1, 0],
};
const signs: Record<string, string> = { ArrowUp: "↑", ArrowLeft: "←", ArrowDown: "↓", ArrowRight: "→" };

/** Steps for those without keys. */
export function Pad({ onStep, onBack }: { onStep: (move: Cell) => void; onBack: () => void }): ReactElement {
    return (
        <div className="pad" role="group" aria-label="Steps">
            {Object.entries(arrows).map(([key, move]) => (
                <Button key={key} kind="round" label={key.slice(5)} data={{ key }} onClick={() =>
                    onStep(move)}>{signs[key]}</Button>
            ))}
            <Button onClick={onBack}>Back to the entrance</Button>
        </div>
    );
}
