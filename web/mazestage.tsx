import { useEffect, useRef, type KeyboardEvent, type ReactElement } from "react";
import { Grid } from "./canvas";
import { Button, say, useKeys, useTheme } from "./dom";
import { apply, blank, describe, heldAt, isSingle, moveHeld, tools, type Drawing, type Held, type Tool }
    from "./drawing";
import { short } from "./format";
import { paintMaze, smallMaze } from "./level";
import { marksAt } from "./levelmarks";
import { levels, type Found, type Level, type LevelFrame } from "./levels";
import type { Desk, Mode } from "./mazestate";
import { watch } from "./player";
import { isSame, rectangleOf, sizeOf, type Cell } from "./shapes";
import { arrows, Pad, ShapeButtons, shapes, strokeKey, Tools, undoKey, UndoButtons, useStrokes, type Drawer,
    type Strokes } from "./strokes";

const labels: Record<Mode, string> = {
    draw: "Maze drawing. Arrow keys move, Space draws, keys 1 to 7 choose a tool, + and - zoom.",
    watch: "Best maze of the run", walk: "Walk the maze with the arrow keys",
};

export function Modes({ desk }: { desk: Desk }): ReactElement {
    const mode = desk.state.use((one) => one.mode);
    const run = watch.use((one) => one.run);
    const names: Record<Mode, string> = { draw: "Draw", watch: "Watch", walk: "Walk it" };
    return (
        <div className="modes" role="group" aria-label="Mode">
            {(Object.keys(names) as Mode[]).map((one) => (
                <Button key={one} data={{ mode: one }} pressed={one === mode} disabled={one === "watch" && !run}
                    onClick={() => desk.setMode(one)}>{names[one]}</Button>
            ))}
        </div>
    );
}

export function Toolbar({ desk }: { desk: Desk }): ReactElement {
    const { tool, shape, keepsDrawn } = desk.state.useAll();
    const { now } = desk.sketch.state.useAll();
    const all = (what: Tool) => {
        const [width, height] = sizeOf(now.cells);
        desk.sketch.put(apply(now, what, rectangleOf([0, 0], [width - 1, height - 1]), false));
    };
    return (
        <>
            <Tools label="Drawing">
                {tools.map((one) => (
                    <Button key={one.tool} data={{ tool: one.tool }} title={`${one.meaning} (${one.key})`}
                        pressed={one.tool === tool} onClick={() =>
                            desk.state.put({ tool: one.tool })}>{one.label}</Button>
                ))}
            </Tools>
            <Tools label="How it is drawn">
                <ShapeButtons shape={shape} onChoose={(one) => desk.state.put({ shape: one })} />
                <span className="gap" />
                <UndoButtons sketch={desk.sketch} />
                <Button title="An empty drawing" onClick={() =>
                    desk.sketch.put(blank(...sizeOf(now.cells)))}>Clear</Button>
                <Button title="Locks every cell; free those that may change" onClick={() =>
                    all("lock")}>Lock all</Button>
                <Button title="Evolution may change every cell" onClick={() => all("free")}>Free all</Button>
                <div className="field" title="Cells that you draw are locked: evolution respects them">
                    <label htmlFor="keep-drawn">Keep what I draw</label>
                    <input type="checkbox" id="keep-drawn" checked={keepsDrawn}
                        onChange={(event) => desk.state.put({ keepsDrawn: event.target.checked })} />
                </div>
            </Tools>
        </>
    );
}

/** Mazes are drawn with rock and open floor, and their places are dragged. */
function drawerOf(desk: Desk): Drawer<Drawing, Tool, Held> {
    return {
        sketch: desk.sketch, rows: (drawing) => drawing.cells, chosen: desk.state.get,
        choose: (tool, shape) => desk.state.put({ tool, shape }),
        apply: (drawing, tool, cells) => apply(drawing, tool, cells, desk.state.get().keepsDrawn),
        isSingle, eraser: (tool) => (tool === "lock" || tool === "free" ? "free" : "open"),
        pick: (_, cell) => toolAt(desk, cell),
        held: (drawing, cell, tool) => (tool === "lock" || tool === "free" ? null : heldAt(drawing, cell)),
        move: moveHeld, moved: (cursor) => desk.state.put({ cursor }),
    };
}

function toolAt(desk: Desk, cell: Cell): Tool {
    const { now } = desk.sketch.state.get();
    const held = heldAt(now, cell);
    if (held !== null) return typeof held === "string" ? held : "checkpoint";
    return now.cells[cell[1]]?.[cell[0]] === "." ? "open" : "rock";
}

export function Stage({ desk }: { desk: Desk }): ReactElement {
    const state = desk.state.useAll();
    const { now } = desk.sketch.state.useAll();
    watch.useAll();
    desk.recipes.form.useAll();
    const { mode, overlays, survey, cursor, shape } = state;
    const level = desk.shown();
    const strokes = useStrokes(drawerOf(desk));
    useEffect(() => void desk.ask());
    useKeys((event) => keyAnywhere(desk, event));
    const isSurveyed = level !== null && survey !== null && state.surveyed === desk.keyOf(level);
    const about = (cell: Cell): string => {
        if (!level) return "";
        const distance = isSurveyed ? survey.distance[cell[1] * level.cells[0]!.length + cell[0]] ?? -1 : -1;
        const what = describe(mode === "draw" ? now : { ...level, locks: now.locks.length === level.cells.length
            ? now.locks
            : level.cells.map((row) => "?".repeat(row.length)) }, cell);
        const told = what && distance >= 0 ? `${what}, ${distance} steps from the entrance` : what;
        const marks = marksAt(level, isSurveyed ? survey : null, cell, desk.registry.maze_colours);
        return told && marks ? `${told}; ${marks}` : told;
    };
    const farthest = survey?.distance.reduce((a, b) => Math.max(a, b), 0) ?? 0;
    if (!level) return <p className="quiet-text waiting" id="caption">No maze yet: the run has not begun</p>;
    return (
        <>
            <Grid id="maze" rows={level.cells} label={labels[mode]} role={mode === "watch" ? "img" : "application"}
                describedBy="caption" pans={shape === "hand" || mode !== "draw"} cursor={mode === "draw"
                    ? cursor : null}
                paint={(canvas, view, hasFocus) => paintMaze(canvas, {
                    level, survey: isSurveyed ? survey : null,
                    overlays: mode === "walk" ? { solution: overlays.solution && desk.isOut, pockets: true } : overlays,
                    grid: mode === "draw", locks: mode === "draw" ? now.locks : mode === "watch"
                        ? desk.runLocks() : null,
                    cursor: mode === "draw" && hasFocus ? cursor : null, walk: mode === "walk" ? state.walk : undefined,
                    scale: desk.registry.scale, colours: desk.registry.maze_colours,
                    pointed: mode === "walk" ? null : state.hovered ?? (hasFocus ? cursor : null),
                }, view)}
                onDown={mode === "draw" ? strokes.down : undefined} onUp={strokes.up} onCancel={strokes.cancel}
                onMove={(cell, isDown) => {
                    if (isDown) strokes.move(cell);
                    const { hovered } = desk.state.get();
                    const isNews = level.checkpoints.length > 0 && !(hovered && isSame(hovered, cell));
                    if (mode !== "walk") desk.state.put({ told: about(cell), hovered: isNews ? cell : hovered });
                }}
                onLeave={() => mode !== "walk" && desk.state.put({ told: "", hovered: null })}
                onKey={(event) => keyOnMaze(desk, event, about, strokes)} />
            {overlays.distances && <Legend scale={desk.registry.scale} most={`${farthest} steps`} />}
            <p className="caption" id="caption" aria-busy={!isSurveyed && !state.trouble}>{state.trouble || survey?.caption}</p>
            <p className="readout">{state.told}</p>
            {mode === "walk" && <Pad onStep={(move) => desk.step(move)} onBack={() => desk.startWalk()} />}
        </>
    );
}

/** A scale of colours and what its ends are worth. */
export function Legend({ scale, most }: { scale: string[]; most: string }): ReactElement {
    const ramp = useRef<HTMLCanvasElement>(null);
    useEffect(() => {
        const context = ramp.current!.getContext("2d")!;
        for (let x = 0; x < 160; ++x) {
            context.fillStyle = scale[Math.floor((x / 160) * scale.length)]!;
            context.fillRect(x, 0, 1.5, 10);
        }
    }, [scale]);
    return <div className="legend"><span>0</span><canvas ref={ramp} width={160} height={10}
        className="ramp" /><span>{most}</span></div>;
}

function keyAnywhere(desk: Desk, event: globalThis.KeyboardEvent): boolean {
    const { mode } = desk.state.get();
    if (event.ctrlKey || event.metaKey) return mode === "draw" && undoKey(desk.sketch, event);
    const move = arrows[event.key];
    if (mode === "walk" && move) desk.step(move);
    else return mode === "draw" && chooseByKey(desk, event.key) !== null;
    return true;
}

function chooseByKey(desk: Desk, key: string): string | null {
    const tool = tools.find((one) => one.key === key);
    const shape = shapes.find((one) => one.key === key);
    if (tool) desk.state.put({ tool: tool.tool });
    if (shape) desk.state.put({ shape: shape.shape });
    return tool?.label ?? shape?.label ?? null;
}

function keyOnMaze(desk: Desk, event: KeyboardEvent, about: (cell: Cell) => string,
    strokes: Strokes): boolean {
    const { mode, cursor } = desk.state.get();
    const move = arrows[event.key];
    if (mode === "walk" && move) desk.step(move);
    if (mode !== "draw") return mode === "walk" && !!move;
    const { now } = desk.sketch.state.get();
    const [width, height] = sizeOf(now.cells);
    const kept = (at: number, size: number) => Math.max(0, Math.min(size - 1, at));
    const next: Cell = move ? [kept(cursor[0] + move[0], width), kept(cursor[1] + move[1], height)] : cursor;
    const chosen = chooseByKey(desk, event.key);
    if (move) desk.state.put({ cursor: next });
    if (!strokeKey(strokes, event, next) && chosen === null) return false;
    desk.state.put({ told: about(next) });
    say(`${describe(desk.sketch.state.get().now, next)}${chosen === null ? "" : `; tool ${chosen}`}`);
    return true;
}

/** One of the population, small. */
export function Small({ desk, one }: { desk: Desk; one: LevelFrame["population"][number] }): ReactElement | null {
    const canvas = useRef<HTMLCanvasElement>(null);
    useTheme();
    useEffect(() => one.level && smallMaze(canvas.current!, one.level, 72, desk.registry.maze_colours));
    return one.level ? <canvas ref={canvas} /> : null;
}

function Thumb(props: {
    desk: Desk; found: Found; index: number; isPicked: boolean; onClick: () => void;
}): ReactElement {
    const canvas = useRef<HTMLCanvasElement>(null);
    useTheme();
    useEffect(() => smallMaze(canvas.current!, props.found.level, 96, props.desk.registry.maze_colours));
    const score = short(props.found.fitness);
    return (
        <button type="button" className="thumb" aria-pressed={props.isPicked} onClick={props.onClick}
            aria-label={`Maze ${props.index + 1} of the gallery, score ${score}`}>
            <canvas ref={canvas} />
            <span>{score}</span>
        </button>
    );
}

const sameLevel = (a: Level, b: Level): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Different good mazes of the run, asked for every two seconds at most. */
export function Gallery({ desk }: { desk: Desk }): ReactElement | null {
    const { gallery, picked } = desk.state.useAll();
    const { run, frame } = watch.useAll();
    const asked = useRef({ at: 0, state: "" });
    useEffect(() => {
        if (!run || (Date.now() - asked.current.at < 2000 && run.state === asked.current.state)) return;
        asked.current = { at: Date.now(), state: run.state };
        void levels.gallery(run.id).then((found) => {
            if (watch.get().run?.id === run.id) desk.state.put({ gallery: found });
        }, () => undefined);
    }, [run?.id, run?.state, frame?.generation]);
    if (!run || gallery.length === 0) return null;
    return (
        <>
            <h2>Different good mazes of this run</h2>
            <div className="gallery">
                {gallery.map((one, i) => (
                    <Thumb key={i} desk={desk} found={one} index={i}
                        isPicked={picked !== null && sameLevel(picked.level, one.level)}
                        onClick={() => desk.state.put({ picked: picked && sameLevel(picked.level, one.level)
                            ? null : one })} />
                ))}
            </div>
        </>
    );
}
