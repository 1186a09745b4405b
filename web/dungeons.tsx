import { useEffect, useRef, type KeyboardEvent, type ReactElement } from "react";
import { download, post } from "./api";
import { Grid } from "./canvas";
import { Levels } from "./drawings";
import { Button, Labelled, say, toast, useKeys, useTheme } from "./dom";
import { paintDungeon, paintTile } from "./dungeonpaint";
import { blankRows, withTiles, type DungeonDesk, type Mode } from "./dungeonstate";
import { NumberInput, RecipeField, SeedField } from "./fields";
import { short, words } from "./format";
import { Individuals } from "./individuals";
import { watch } from "./player";
import { Curves, Keys, Numbers, Share, Speed, Status, Transport } from "./runbox";
import { SettingsForm, useRun } from "./settings";
import { ShareLevel } from "./sharing";
import { isInside, sizeOf, type Cell } from "./shapes";
import { arrows, Pad, ShapeButtons, shapes, strokeKey, Tools, undoKey, UndoButtons, useStrokes, type Strokes }
    from "./strokes";
import { Wishes } from "./wishes";

const hidden = new Set(["problem.goal"]);
const modes: Record<Mode, string> = { draw: "Draw", watch: "Watch", walk: "Walk it" };
const labels: Record<Mode, string> = {
    draw: "Dungeon drawing. Arrow keys move, Space draws, letters of the tiles choose one, + and - zoom.",
    watch: "Best dungeon of the run", walk: "Walk the dungeon with the arrow keys",
};

export function DungeonsPage({ desk }: { desk: DungeonDesk }): ReactElement {
    const start = useRun(desk.recipes, "dungeons", { opened: desk.opened, taken: desk.taken });
    const { mode } = desk.state.useAll();
    const run = watch.use((one) => one.run);
    return (
        <div className="page dungeons">
            <section className="stage" aria-label="Dungeon">
                <div className="stage-head"><h1>Dungeons</h1><Status idle="Draw, walk, evolve" /></div>
                <div className="modes" role="group" aria-label="Mode">
                    {(Object.keys(modes) as Mode[]).map((one) => (
                        <Button key={one} data={{ mode: one }} pressed={one === mode} disabled={one === "watch" && !run}
                            onClick={() => desk.setMode(one)}>{modes[one]}</Button>
                    ))}
                </div>
                {mode === "draw" && <Toolbar desk={desk} />}
                <Stage desk={desk} />
                {mode === "watch" && <>
                    <div className="buttons">
                        <Button id="take" onClick={() => desk.take()}>Edit this dungeon</Button>
                    </div>
                    <Transport />
                    <Individuals registry={desk.registry} />
                </>}
            </section>
            <SettingsForm label="Dungeon" recipes={desk.recipes} hidden={hidden} startId="evolve" startText="Evolve"
                onStart={() => void start(false)}>
                <Settings desk={desk} />
                <Speed />
            </SettingsForm>
            <section className="panel results" aria-label="Progress">
                <Verdicts desk={desk} />
                {run && <><Numbers /><Curves what="Score" all={false} /></>}
                <Levels table={desk.table} />
                <h2>Download</h2>
                <Downloads desk={desk} />
                <details className="more"><summary>All measures</summary><Measures desk={desk} /></details>
                <Share page="dungeons" />
                <Keys more={[
                    ["Letters", "choose a tile, with the dungeon in focus"], ["Arrows", "move; with Shift, draw; walk"],
                    ["Space ", "draw, with the dungeon in focus"], ["Backspace", "walking, a step back"],
                    ["+ - 0", "zoom, with the dungeon in focus"], ["Ctrl Z, Ctrl Y", "undo, redo"],
                ]} />
            </section>
        </div>
    );
}

function TileSign({ letter }: { letter: string }): ReactElement {
    const canvas = useRef<HTMLCanvasElement>(null);
    const theme = useTheme();
    useEffect(() => {
        const context = canvas.current!.getContext("2d")!;
        context.setTransform(44, 0, 0, 44, 0, 0);
        context.clearRect(0, 0, 1, 1);
        paintTile(context, letter, 22);
    }, [letter, theme]);
    return <canvas ref={canvas} width={44} height={44} className="tile-sign" aria-hidden="true" />;
}

function Toolbar({ desk }: { desk: DungeonDesk }): ReactElement {
    const { tile, shape } = desk.state.useAll();
    const { now } = desk.sketch.state.useAll();
    return (
        <>
            <Tools kind="tools tiles" label="Tiles">
                {desk.registry.dungeon_tiles.map(({ letter, name }) => (
                    <Button key={letter} data={{ tile: letter }} title={`${words(name)} (${letter})`}
                        label={words(name)}
                        pressed={tile === letter} onClick={() => desk.state.put({ tile: letter })}>
                        <TileSign letter={letter} /></Button>
                ))}
            </Tools>
            <Tools label="How it is drawn">
                <ShapeButtons shape={shape} onChoose={(one) => desk.state.put({ shape: one })} />
                <span className="gap" />
                <UndoButtons sketch={desk.sketch} />
                <Button title="An empty hall" onClick={() => desk.sketch.put(blankRows(...sizeOf(now)))}>Clear</Button>
            </Tools>
        </>
    );
}

const tileAt = (rows: string[], [x, y]: Cell): string => rows[y]?.[x] ?? "";

function Stage({ desk }: { desk: DungeonDesk }): ReactElement {
    const state = desk.state.useAll();
    const { mode, judged, cursor, shape, guide } = state;
    desk.sketch.state.useAll();
    watch.useAll();
    desk.recipes.form.useAll();
    const rows = desk.shown();
    const strokes = useStrokes<string[], string, string>({
        sketch: desk.sketch, rows: (now) => now, chosen: () => ({ tool: desk.state.get().tile,
            shape: desk.state.get().shape }),
        choose: (tool, next) => desk.state.put({ tile: tool, shape: next }),
        apply: (now, tool, cells) => withTiles(now, tool, cells), isSingle: (tool) => tool === "E" || tool === "X",
        eraser: () => ".", pick: tileAt,
        held: (now, cell) => ("EX".includes(tileAt(now, cell)) ? tileAt(now, cell) : null),
        move: (now, held, to) => withTiles(now, held, [to]), moved: (to) => desk.state.put({ cursor: to }),
    });
    useEffect(() => void desk.ask());
    useKeys((event) => {
        if (event.ctrlKey || event.metaKey) return mode === "draw" && undoKey(desk.sketch, event);
        const move = arrows[event.key];
        if (mode !== "walk" || (!move && event.key !== "Backspace")) return false;
        void (move ? desk.step(move) : desk.back());
        return true;
    });
    if (!rows) return <p className="quiet-text waiting" id="caption">No dungeon yet: the run has not begun</p>;
    const isJudged = judged !== null && state.judgedKey === desk.keyOf(rows);
    const name = (cell: Cell): string => {
        const found = desk.registry.dungeon_tiles.find((one) => one.letter === tileAt(rows, cell));
        return found ? `Column ${cell[0] + 1}, row ${cell[1] + 1}, ${found.name}` : "";
    };
    const way = isJudged ? judged.walkthrough?.cells : undefined;
    const path = mode === "walk" ? way?.slice(0, guide > 0 ? guide + 1 : 0) : state.showsWay ? way : undefined;
    const taken = mode === "walk" ? new Set(state.outcome?.events.map((one) => String(one.cell))) : undefined;
    return (
        <>
            <Grid id="dungeon" rows={rows} steps={mode === "walk" ? state.walk.length - 1 : undefined}
                label={labels[mode]} role={mode === "watch" ? "img" : "application"}
                describedBy="caption" pans={shape === "hand" || mode !== "draw"} cursor={mode === "draw"
                    ? cursor : null}
                paint={(canvas, view, hasFocus) => paintDungeon(canvas, {
                    rows, path, taken, walk: mode === "walk" ? state.walk : undefined, grid: mode === "draw",
                    cursor: mode === "draw" && hasFocus ? cursor : null,
                }, view)}
                onDown={mode === "draw" ? strokes.down : undefined} onUp={strokes.up} onCancel={strokes.cancel}
                onMove={(cell, isDown) => {
                    if (isDown) strokes.move(cell);
                    if (mode !== "walk") desk.state.put({ told: name(cell) });
                }}
                onLeave={() => mode !== "walk" && desk.state.put({ told: "" })}
                onKey={(event) => mode === "draw" && keyOnDungeon(desk, event, strokes)} />
            <p className="caption" id="caption">{state.trouble || captionOf(rows, desk)}</p>
            <p className="readout" role={mode === "walk" ? "status" : undefined}>{state.told}</p>
            {mode === "walk" && <Walk desk={desk} />}
        </>
    );
}

function captionOf(rows: string[], desk: DungeonDesk): string {
    const { judged } = desk.state.get();
    const [width, height] = sizeOf(rows);
    if (!judged) return `${width} × ${height}`;
    const way = judged.walkthrough ? `solved in ${judged.walkthrough.steps} steps` : "can’t be solved";
    const risk = !judged.solvable ? "" : judged.unlosable ? ", can’t be lost" : ", can be lost";
    return `${width} × ${height}, ${way}${risk}`;
}

function Walk({ desk }: { desk: DungeonDesk }): ReactElement {
    const { outcome, guide, judged, walk } = desk.state.useAll();
    const held = [...(outcome?.keys ?? []), ...(outcome?.small_keys ? [`${outcome.small_keys} × small key`] : [])];
    return (
        <>
            {outcome && !outcome.winnable && <p className="trouble lost" role="alert">
                The exit is out of reach since step {outcome.lost_after}: {outcome.why}</p>}
            <p className="readout held">{held.length > 0 ? `You hold: ${held.join(", ")}` : "You hold nothing"}</p>
            <Pad onStep={(move) => void desk.step(move)} onBack={() => desk.startWalk()} />
            <div className="buttons">
                <Button id="walk-back" disabled={walk.length < 2} title="Backspace" onClick={() =>
                    void desk.back()}>A step back</Button>
                <Button id="show-step" disabled={!judged?.walkthrough || guide >= judged.walkthrough.steps}
                    title="The walkthrough, a step at a time" onClick={() =>
                        desk.guideTo(guide + 1)}>Show the next step</Button>
                <Button disabled={!judged?.walkthrough} onClick={() =>
                    desk.guideTo(judged!.walkthrough!.steps)}>Show the way</Button>
                <Button disabled={guide === 0} onClick={() => desk.guideTo(0)}>Hide it</Button>
            </div>
        </>
    );
}

function keyOnDungeon(desk: DungeonDesk, event: KeyboardEvent, strokes: Strokes): boolean {
    const { cursor } = desk.state.get();
    const { now } = desk.sketch.state.get();
    const move = arrows[event.key];
    const next: Cell = move ? [cursor[0] + move[0], cursor[1] + move[1]] : cursor;
    const to = isInside(now, next) ? next : cursor;
    // Letters that name a tile choose it; those of shapes only where there is no such tile.
    const chosen = desk.registry.dungeon_tiles.find((one) => one.letter === event.key);
    const shape = shapes.find((one) => one.key === event.key && !chosen);
    if (chosen) desk.state.put({ tile: chosen.letter });
    else if (shape) desk.state.put({ shape: shape.shape });
    else {
        if (move) desk.state.put({ cursor: to });
        if (!strokeKey(strokes, event, to)) return false;
    }
    const lies = desk.registry.dungeon_tiles.find((one) => one.letter === tileAt(desk.sketch.state.get().now, to));
    const told = chosen ? `Tile ${chosen.name}` : shape
        ? shape.label : `Column ${to[0] + 1}, row ${to[1] + 1}, ${lies?.name}`;
    desk.state.put({ told });
    say(told);
    return true;
}

function Settings({ desk }: { desk: DungeonDesk }): ReactElement {
    const { recipes, registry } = desk;
    const form = recipes.form.useAll();
    const { now } = desk.sketch.state.useAll();
    const [width, height] = sizeOf(now);
    const side = Number(recipes.value(form, "problem.width")) * Number(recipes.value(form, "problem.height"));
    const wishes = registry.domains.find((one) => one.name === "dungeon")!.wishes!;
    return (
        <>
            <div className="pair even">
                <Labelled label="Width drawn" id="width" meaning="Of the dungeon that you draw">
                    {(id) => <NumberInput id={id} value={width} low={4} high={registry.largest_dungeon} isWhole late
                        onChange={(value) => desk.resize(value, height)} />}
                </Labelled>
                <Labelled label="Height drawn" id="height" meaning="Of the dungeon that you draw">
                    {(id) => <NumberInput id={id} value={height} low={4} high={registry.largest_dungeon} isWhole late
                        onChange={(value) => desk.resize(width, value)} />}
                </Labelled>
            </div>
            <RecipeField recipes={recipes} isFor={(problem) => problem === "dungeon"} onChoose={(recipe) =>
                recipes.take({ recipe, seed: form.order.seed, set: {} })} />
            <h2>Wishes</h2>
            <Wishes domain="dungeon" text={String(recipes.value(form, "problem.goal") ?? "")} measures={wishes.measures}
                area={side || 200} onChange={(text) => recipes.put("problem.goal", text)} />
            {recipes.wrong(form, "problem.goal") && <p className="wrong">{recipes.wrong(form, "problem.goal")}</p>}
            <SeedField recipes={recipes} form={form} />
        </>
    );
}

/** What is true of the level, as it is drawn: solvable, unlosable, and how it does by the wishes. */
function Verdicts({ desk }: { desk: DungeonDesk }): ReactElement {
    const { judged, showsWay } = desk.state.useAll();
    const mark = (isTrue: boolean | undefined) => <td className={isTrue ? "met" : "unmet"}>{isTrue
        ? "✓ yes" : "✗ no"}</td>;
    return (
        <>
            <h2>Verdict</h2>
            <table className="score verdicts">
                <tbody>
                    <tr data-verdict="solvable"><th scope="row">Can be solved</th>{mark(judged?.solvable)}</tr>
                    <tr data-verdict="unlosable"><th scope="row">Can’t be lost</th>{mark(judged?.unlosable)}</tr>
                    <tr data-verdict="steps"><th scope="row">Shortest solution</th>
                        <td>{judged?.walkthrough ? `${judged.walkthrough.steps} steps` : "–"}</td></tr>
                    {judged?.score?.wishes.map((one) => (
                        <tr key={one.wish}><th scope="row">{one.wish}</th>
                            <td className={one.missed > 0 ? "unmet" : "met"}>{one.missed > 0
                                ? "✗" : "✓"} {short(one.value)}</td></tr>
                    ))}
                </tbody>
            </table>
            <div className="field">
                <label htmlFor="shows-way">Show the solution</label>
                <input type="checkbox" id="shows-way" checked={showsWay}
                    onChange={(event) => desk.state.put({ showsWay: event.target.checked })} />
            </div>
        </>
    );
}

function Measures({ desk }: { desk: DungeonDesk }): ReactElement {
    const judged = desk.state.use((one) => one.judged);
    const known = desk.registry.domains.find((one) => one.name === "dungeon")!.wishes!.measures;
    return (
        <table className="measures">
            <tbody>
                {known.map((one) => (
                    <tr key={one.name} title={one.meaning}>
                        <th scope="row">{words(one.name)}</th><td>{short(judged?.measures[one.name])}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function Downloads({ desk }: { desk: DungeonDesk }): ReactElement {
    const save = async (format: string, extension: string) => {
        try {
            const level = { rows: desk.shown() };
            const way = desk.state.get().showsWay ? 1 : 0;
            const answer = await post(`/api/levels/export?format=${format}&solution=${way}`,
                { domain: "dungeon", level });
            download(await answer.blob(), `dungeon.${extension}`);
        } catch (error) {
            toast((error as Error).message);
        }
    };
    const formats = ["tmj", "ldtk", "json", "svg", "png"]
        .flatMap((name) => desk.registry.formats.filter((one) => one.name === name));
    return (
        <div className="buttons downloads">
            {formats.map((one) => (
                <Button key={one.name} title={one.meaning} data={{ format: one.name }}
                    onClick={() => void save(one.name, one.extension)}>{one.name.toUpperCase()}</Button>
            ))}
            <ShareLevel domain="dungeon" name="dungeon" level={() => ({ rows: desk.shown() })} />
        </div>
    );
}
