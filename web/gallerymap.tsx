import { select } from "d3-selection";
import * as d3 from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type Zoom } from "d3-zoom";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent,
    type ReactElement } from "react";
import { say, useTheme } from "./dom";
import { short, words } from "./format";
import type { Atlas } from "./galleryatlas";
import { boxOf, CellImage, frameOf, margin, paintMap, placeAt, shades, type Frame } from "./gallerypaint";
import type { GalleryDesk } from "./gallerystate";

const steps: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};
const closest = 40; // times

/** What a place of the map stands for, in words. */
export function toldOf(desk: GalleryDesk, place: number): string {
    const { atlas } = desk;
    const range = (axis: Atlas["x"], index: number) => {
        const [low, high] = atlas.span(axis, index);
        return `${words(desk.titleOf(axis.name))} ${short(low)} to ${short(high)}`;
    };
    const where = [range(atlas.x, atlas.columnOf(place))];
    if (atlas.y.name) where.push(range(atlas.y, atlas.rowOf(place)));
    const there = atlas.places.get(place);
    if (!there) return `${where.join(", ")}: empty`;
    const count = there.length > 1 ? `, the best of ${there.length}` : "";
    const mark = String(there[0]!.elite) in desk.state.get().favourites ? ", a favourite" : "";
    return `${where.join(", ")}: fitness ${short(there[0]!.fitness)}${count}${mark}`;
}

/** The heat map. It is painted beside React: moving over it or shifting it renders nothing else. */
export function GalleryMap({ desk }: { desk: GalleryDesk }): ReactElement {
    const holder = useRef<HTMLDivElement>(null);
    const canvas = useRef<HTMLCanvasElement>(null);
    const [width, setWidth] = useState(0);
    const [k, setK] = useState(1);
    const state = desk.state.useAll();
    const theme = useTheme();
    const image = useMemo(() => new CellImage(), []);
    const table = useMemo(() => shades(desk.registry.scale), [desk]);
    const zooming = useRef<Zoom>();
    const asked = useRef<number | null>(null);
    const hasFocus = useRef(false);
    const pressed = useRef<{ x: number; y: number } | null>(null);
    const height = Math.round(Math.max(260, Math.min(window.innerHeight - 250, width * 0.8)));
    const size = useRef({ width: 0, height: 0 });
    size.current = { width, height };

    const frame = (): Frame => frameOf(size.current.width, size.current.height, desk.atlas,
        zoomTransform(canvas.current!));
    const paint = () => {
        asked.current = null;
        if (!canvas.current || size.current.width === 0) return;
        const now = desk.state.get();
        const title = (name: string) => words(desk.titleOf(name));
        paintMap(canvas.current, image, desk.atlas, frame(), {
            favourites: Object.keys(now.favourites).map(Number), spread: now.spread, hovered: now.hovered,
            cursor: hasFocus.current ? now.cursor : null, titles: [title(desk.atlas.x.name), title(desk.atlas.y.name)],
        });
    };
    // Painted once a frame, however much happens.
    const ask = () => { asked.current ??= requestAnimationFrame(paint); };
    const put = (places: number[] | null) => {
        const { favouritesOnly, favourites } = desk.state.get();
        image.paint(desk.atlas, places, table, (elite) => favouritesOnly && !(elite in favourites));
        ask();
    };

    // A holder that is not laid out has no width; the map keeps the last one.
    const measure = () => setWidth((before) => holder.current?.clientWidth || before);
    useLayoutEffect(measure);
    useEffect(() => {
        desk.painted = put;
        const watcher = new ResizeObserver(measure);
        watcher.observe(holder.current!);
        return () => {
            desk.painted = () => undefined;
            watcher.disconnect();
        };
    }, [desk]);
    useEffect(() => {
        const element = canvas.current!;
        zooming.current = zoom().filter((given?: Event) => {
            const event = given instanceof Event ? given : (d3 as { event?: Event }).event!;
            if (event.type === "touchstart")
                return (event as TouchEvent).touches.length > 1 || zoomTransform(element).k > 1;
            return event.type === "wheel" || (event as MouseEvent).button < 2;
        }).on("zoom", () => {
            setK(zoomTransform(element).k);
            ask();
        });
        select(element).call(zooming.current).on("dblclick.zoom", null);
    }, []);
    useEffect(() => {
        if (width === 0) return;
        const corners: [[number, number], [number, number]] = [[margin.left, margin.top],
            [width - margin.right, height - margin.bottom]];
        zooming.current!.extent(corners).translateExtent(corners).scaleExtent([1, closest]);
    }, [width, height]);
    // Another map is seen whole.
    useEffect(() => void select(canvas.current!).call(zooming.current!.transform, zoomIdentity), [state.layout]);
    useEffect(() => put(null), [state.layout, state.favouritesOnly, state.favourites, theme, table]);
    useEffect(ask, [width, height, state.spread, state.cursor, state.hovered]);

    const pointed = (event: PointerEvent): number | null => {
        const box = canvas.current!.getBoundingClientRect();
        return placeAt(frame(), desk.atlas, event.clientX - box.left, event.clientY - box.top);
    };
    const open = (place: number) => desk.look((desk.atlas.places.get(place) ?? []).map((one) => one.elite));
    const goTo = (place: number) => {
        desk.state.put({ cursor: place, hovered: null });
        const { x, y, w, h } = boxOf(frame(), desk.atlas, place);
        const out = (at: number, extent: number, low: number, high: number) =>
            Math.max(0, low - at) - Math.max(0, at + extent - high);
        const dx = out(x, w, margin.left, width - margin.right);
        const dy = out(y, h, margin.top, height - margin.bottom);
        const { k: now } = zoomTransform(canvas.current!);
        if (dx || dy) zooming.current!.translateBy(select(canvas.current!), dx / now, dy / now);
        say(toldOf(desk, place));
    };
    const zoomBy = (factor: number) => zooming.current!.scaleBy(select(canvas.current!), factor);
    const first = () => desk.state.get().cursor ?? desk.atlas.brightest() ?? 0;
    const onKeyDown = (event: KeyboardEvent) => {
        if (event.altKey || event.metaKey) return;
        hasFocus.current = true;
        const move = steps[event.key];
        const { atlas } = desk;
        const from = first();
        if (move && event.shiftKey) {
            const { k: now } = zoomTransform(canvas.current!);
            zooming.current!.translateBy(select(canvas.current!), (-move[0] * 60) / now, (move[1] * 60) / now);
        } else if (move && event.ctrlKey) goTo(atlas.next(from, ...move));
        else if (event.ctrlKey) return;
        else if (move) {
            const [column, row] = [atlas.columnOf(from) + move[0], atlas.rowOf(from) + move[1]];
            const isFirst = desk.state.get().cursor === null;
            goTo(isFirst || !atlas.isInside(column, row) ? from : atlas.place(column, row));
        } else if (event.key === "Enter" || event.key === " ") open(from);
        else if (event.key === "f" && atlas.at(from))
            say(desk.favour(atlas.at(from)!.elite) ? "A favourite" : "No favourite any more");
        else if (event.key === "+" || event.key === "=") zoomBy(1.5);
        else if (event.key === "-") zoomBy(1 / 1.5);
        else if (event.key === "0") select(canvas.current!).call(zooming.current!.transform, zoomIdentity);
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
    const label = `Map of the gallery, ${state.shown} elites. Arrow keys move over its cells, with Ctrl to the next `
        + "one that is filled, with Shift they shift the map; Enter opens, f marks a favourite, + and - zoom.";
    return (
        <div className="gallery-holder" ref={holder}>
            <canvas ref={canvas} id="map" className={k > 1 ? "map close" : "map"} style={{ width, height }} tabIndex={0}
                role="application" aria-label={label} data-zoom={k} data-columns={desk.atlas.columns}
                data-rows={desk.atlas.rows} data-shown={state.shown}
                onPointerMove={(event) => {
                    if (event.pointerType === "touch") return;
                    desk.state.put({ hovered: event.buttons > 0 ? null : pointed(event) });
                }}
                onPointerLeave={() => desk.state.put({ hovered: null })}
                onPointerDown={(event) => { pressed.current = { x: event.clientX, y: event.clientY }; }}
                onClick={(event) => {
                    const from = pressed.current;
                    const isShifted = from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 5;
                    if (isShifted) return;
                    const place = pointed(event as unknown as PointerEvent);
                    if (place === null || !desk.atlas.at(place)) return;
                    // A finger has no hover: the first touch shows, the second one opens.
                    const isFinger = (event.nativeEvent as globalThis.PointerEvent).pointerType === "touch";
                    const isKnown = desk.state.get().cursor === place;
                    desk.state.put({ cursor: place });
                    if (!isFinger || isKnown) open(place);
                }}
                onFocus={(event) => {
                    hasFocus.current = event.currentTarget.matches(":focus-visible");
                    if (hasFocus.current && desk.state.get().cursor === null && desk.atlas.size > 0)
                        desk.state.put({ cursor: first() });
                    ask();
                }}
                onBlur={() => { hasFocus.current = false; ask(); }} onKeyDown={onKeyDown} />
            <div className="zoom" role="group" aria-label="Zoom">
                <button type="button" className="round small" title="Closer (+)" aria-label="Closer"
                    onClick={() => zoomBy(1.5)}>+</button>
                <button type="button" className="round small" title="Farther (-)" aria-label="Farther"
                    disabled={k === 1} onClick={() => zoomBy(1 / 1.5)}>−</button>
                {k > 1 && <span>× {k.toFixed(1)}</span>}
            </div>
        </div>
    );
}
