import { select } from "d3-selection";
import * as d3 from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type Zoom } from "d3-zoom";
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent,
    type ReactElement } from "react";
import { useResize, useTheme } from "./dom";
import { wholeView, type View } from "./level";
import { isInside, type Cell } from "./shapes";

export interface Pointed {
    cell: Cell;
    isRight: boolean;
}

/** A grid of cells that can be looked at closely: wheel, pinch, middle button and keys zoom and move it. */
export interface GridProps {
    id: string;
    rows: string[];
    label: string;
    role: string;
    describedBy?: string;
    pans: boolean; // the left button moves the view, too
    cursor: Cell | null; // is kept in view
    steps?: number; // of somebody who walks there
    paint: (canvas: HTMLCanvasElement, view: View, hasFocus: boolean) => void;
    onDown?: (pointed: Pointed) => void;
    onMove?: (cell: Cell, isDown: boolean) => void;
    onUp?: () => void;
    onCancel?: () => void;
    onLeave?: () => void;
    onKey?: (event: KeyboardEvent) => boolean;
}

const largestCell = 48;

function fittingCell(frame: HTMLElement | null, rows: string[]): number {
    const wide = Math.max(200, (frame?.clientWidth ?? 500) - 6);
    const high = Math.max(260, window.innerHeight - 330);
    const fit = Math.min(wide / (rows[0]?.length || 1), high / (rows.length || 1));
    // Whole pixels where there are some to spare.
    return Math.max(1, Math.min(40, fit < 8 ? Math.floor(fit * 4) / 4 : Math.floor(fit)));
}

export function Grid(props: GridProps): ReactElement {
    const frame = useRef<HTMLDivElement>(null);
    const canvas = useRef<HTMLCanvasElement>(null);
    const [hasFocus, setFocus] = useState(false);
    const [{ k, x, y }, setTransform] = useState({ k: 1, x: 0, y: 0 });
    const [, setWidth] = useState(0);
    const pointers = useRef(new Set<number>());
    const isDown = useRef(false);
    const pans = useRef(props.pans);
    pans.current = props.pans;
    const zooming = useRef<Zoom>();
    const before = useRef({ size: "", width: 1 });
    useTheme();
    useResize();
    const cell = fittingCell(frame.current, props.rows);
    const whole = wholeView(props.rows, cell);
    const view: View = { ...whole, cell: cell * k, x: x + whole.x * k, y: y + whole.y * k };

    useEffect(() => {
        const watcher = new ResizeObserver(() => setWidth(frame.current?.clientWidth ?? 0));
        watcher.observe(frame.current!);
        return () => watcher.disconnect();
    }, []);
    useEffect(() => {
        const element = canvas.current!;
        zooming.current = zoom().filter((given?: Event) => {
            const event = given instanceof Event ? given : (d3 as { event?: Event }).event!;
            if (event.type === "wheel") return true;
            if (event.type === "touchstart") return (event as TouchEvent).touches.length > 1;
            return event.type === "mousedown" && ((event as MouseEvent).button === 1 || pans.current);
        }).on("zoom", () => {
            const now = zoomTransform(element);
            setTransform({ k: now.k, x: now.x, y: now.y });
        });
        select(element).call(zooming.current).on("dblclick.zoom", null);
    }, []);
    useEffect(() => {
        const corners: [[number, number], [number, number]] = [[0, 0], [whole.width, whole.height]];
        zooming.current!.extent(corners).translateExtent(corners).scaleExtent([1, Math.max(1, largestCell / cell)]);
        // Another window shows the same part; another level all of it.
        const size = String([props.rows[0]?.length, props.rows.length]);
        const ratio = size === before.current.size ? whole.width / before.current.width : 0;
        const same = zoomIdentity.translate(x * ratio, y * ratio).scale(k);
        select(canvas.current!).call(zooming.current!.transform, ratio > 0 ? same : zoomIdentity);
        before.current = { size, width: whole.width };
    }, [whole.width, whole.height, props.rows[0]?.length, props.rows.length]);
    useLayoutEffect(() => props.paint(canvas.current!, view, hasFocus));

    // A cell that keys go to is never out of sight.
    const moved = props.cursor && hasFocus ? String(props.cursor) : "";
    useEffect(() => {
        if (!moved || k === 1) return;
        const outside = (at: number, from: number, size: number) =>
            Math.max(0, -(from + at * view.cell)) - Math.max(0, from + (at + 1) * view.cell - size);
        const [dx, dy] = [outside(props.cursor![0], view.x, view.width), outside(props.cursor![1], view.y,
            view.height)];
        if (dx || dy) zooming.current!.translateBy(select(canvas.current!), dx / k, dy / k);
    }, [moved]);

    const cellAt = (event: PointerEvent): Cell => {
        const box = canvas.current!.getBoundingClientRect();
        const scale = view.width / box.width;
        const place = (at: number, from: number) => Math.floor((at * scale - from) / view.cell);
        return [place(event.clientX - box.left, view.x), place(event.clientY - box.top, view.y)];
    };
    const zoomBy = (factor: number) => zooming.current!.scaleBy(select(canvas.current!), factor);
    const end = (event: PointerEvent, isKept: boolean) => {
        pointers.current.delete(event.pointerId);
        if (isDown.current) (isKept ? props.onUp : props.onCancel)?.();
        isDown.current = false;
    };
    const onKeyDown = (event: KeyboardEvent) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (!canvas.current!.matches(":focus-visible")) setFocus(true);
        if (event.key === "+" || event.key === "=") zoomBy(1.5);
        else if (event.key === "-") zoomBy(1 / 1.5);
        else if (event.key === "0") select(canvas.current!).call(zooming.current!.transform, zoomIdentity);
        else if (!props.onKey?.(event)) return;
        event.preventDefault();
    };
    return (
        <div className="grid-frame" ref={frame}>
            <canvas ref={canvas} id={props.id} className={props.pans ? "cells pans" : "cells"} tabIndex={0}
                role={props.role}
                aria-label={props.label} aria-describedby={props.describedBy} data-cell={view.cell} data-zoom={k}
                data-columns={props.rows[0]?.length} data-steps={props.steps}
                onContextMenu={(event) => props.onDown && event.preventDefault()}
                onPointerDown={(event) => {
                    pointers.current.add(event.pointerId);
                    if (pointers.current.size > 1) { // two fingers pinch; what the first one drew was not meant
                        if (isDown.current) props.onCancel?.();
                        isDown.current = false;
                        return;
                    }
                    const at = cellAt(event);
                    if (props.pans || event.button === 1 || !props.onDown || !isInside(props.rows, at)) return;
                    event.currentTarget.setPointerCapture(event.pointerId);
                    isDown.current = true;
                    props.onDown({ cell: at, isRight: event.button === 2 });
                }}
                onPointerMove={(event) => props.onMove?.(cellAt(event), isDown.current)}
                onPointerUp={(event) => end(event, true)} onPointerCancel={(event) => end(event, false)}
                onPointerLeave={() => props.onLeave?.()}
                onFocus={(event) => setFocus(event.currentTarget.matches(":focus-visible"))} onBlur={() =>
                    setFocus(false)}
                onKeyDown={onKeyDown} />
            <div className="zoom" role="group" aria-label="Zoom">
                <button type="button" className="round small" title="Closer (+)" aria-label="Closer" onClick={() =>
                    zoomBy(1.5)}>+</button>
                <button type="button" className="round small" title="Farther (-)" aria-label="Farther"
                    disabled={k === 1}
                    onClick={() => zoomBy(1 / 1.5)}>−</button>
                {k > 1 && <span>× {k.toFixed(1)}</span>}
            </div>
        </div>
    );
}

