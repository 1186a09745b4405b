import type { ReactElement } from "react";
import { download } from "./api";
import { Levels } from "./drawings";
import { Button, Labelled, toast } from "./dom";
import { resized } from "./drawing";
import { FieldControl, NumberInput, RecipeField, SeedField } from "./fields";
import { short, words } from "./format";
import { Individuals } from "./individuals";
import type { Overlays } from "./level";
import { levels, type Score } from "./levels";
import { Gallery, Modes, Small, Stage, Toolbar } from "./mazestage";
import type { Desk } from "./mazestate";
import { watch } from "./player";
import { Curves, Keys, Numbers, Share, Speed, Status, Transport } from "./runbox";
import { SettingsForm, useRun } from "./settings";
import { ShareLevel } from "./sharing";
import { sizeOf } from "./shapes";
import type { Field } from "./types";
import { Wishes } from "./wishes";

const ownFields = ["width", "height", "representation", "fitness", "goal", "k", "entrance", "exit", "checkpoints",
    "locks",
    "start", "symmetry"];
const hidden = new Set(ownFields.map((one) => `problem.${one}`));

export function MazesPage({ desk }: { desk: Desk }): ReactElement {
    const start = useRun(desk.recipes, "mazes", { opened: desk.opened, taken: desk.taken });
    const { mode, picked } = desk.state.useAll();
    const run = watch.use((one) => one.run);
    const besides = picked ? `From generation ${picked.generation}; the run goes on beside it` : undefined;
    return (
        <div className="page mazes">
            <section className="stage" aria-label="Maze">
                <div className="stage-head"><h1>Mazes</h1><Status idle="Draw, then evolve" /></div>
                <Modes desk={desk} />
                {mode === "draw" && <Toolbar desk={desk} />}
                <Stage desk={desk} />
                {mode === "watch" && <>
                    <div className="buttons">
                        <Button id="take" title="Edit this maze, lock parts of it, and evolve on from there"
                            onClick={() => desk.take()}>Edit this maze</Button>
                        {picked && <Button onClick={() => desk.state.put({ picked: null })}>Back to the run</Button>}
                    </div>
                    <Transport besides={besides} back={() => desk.state.put({ picked: null })} />
                    <Individuals registry={desk.registry} thumb={(one) => <Small desk={desk} one={one} />} />
                    <Gallery desk={desk} />
                </>}
            </section>
            <SettingsForm label="Maze" recipes={desk.recipes} hidden={hidden} startId="evolve" startText="Evolve"
                onStart={() => { desk.sync(); void start(false); }}>
                <Settings desk={desk} />
                <Speed />
            </SettingsForm>
            <section className="panel results" aria-label="Progress">
                <Shown desk={desk} />
                <h2>Score</h2>
                <ScoreTable score={desk.state.use((one) => one.survey)?.score ?? null} />
                {run && <><Numbers /><Curves what="Score" all={false} /></>}
                <Levels table={desk.table} />
                <h2>Download</h2>
                <Downloads desk={desk} />
                <details className="more"><summary>All measures</summary><Measures desk={desk} /></details>
                <Share page="mazes" />
                <Keys more={[
                    ["1 … 7", "choose a tool"], ["b i r g p h", "brush, line, rectangle, fill, pick, hand"],
                    ["Arrows", "move on the maze; with Shift, draw"], ["Space ", "draw, with the maze in focus"],
                    ["+ - 0", "zoom, with the maze in focus"], ["Ctrl Z, Ctrl Y", "undo, redo"],
                ]} />
            </section>
        </div>
    );
}

function Settings({ desk }: { desk: Desk }): ReactElement {
    const { recipes, registry } = desk;
    const form = recipes.form.useAll();
    const { now } = desk.sketch.state.useAll();
    const [width, height] = sizeOf(now.cells);
    const fields = registry.sections.find((one) => one.path === "problem")!.parts.find((one) =>
        one.name === "maze")!.fields;
    const field = (name: string): Field => fields.find((one) => one.name === name)!;
    const control = (name: string, label: string) => (
        <FieldControl field={field(name)} name={`problem.${name}`} id={name} label={label}
            value={desk.value(name) ?? field(name).default} wrong={recipes.wrong(form, `problem.${name}`)}
            onChange={(value) => recipes.put(`problem.${name}`, value)} />
    );
    const resize = (w: number, h: number) => {
        const fit = (one: number) => Math.max(2, Math.min(registry.largest_maze, Math.round(one) || 20));
        desk.setMode("draw");
        desk.sketch.put(resized(now, fit(w), fit(h)));
    };
    const wishable = registry.domains.find((one) => one.name === "maze")!.wishes!.measures;
    const goal = String(desk.value("goal") ?? "");
    const isDirect = desk.value("representation") === "direct";
    return (
        <>
            <RecipeField recipes={recipes} isFor={(problem) => problem === "maze"} onChoose={(recipe) => {
                const set = Object.fromEntries(Object.entries(form.order.set)
                    .filter(([key]) => hidden.has(key) && key !== "problem.representation"));
                recipes.take({ recipe, seed: form.order.seed, set });
                desk.sync();
            }} />
            <div className="pair even">
                <Labelled label="Width" id="width" meaning={field("width").meaning} wrong={recipes.wrong(form,
                    "problem.width")}>
                    {(id) => <NumberInput id={id} value={width} low={2} high={registry.largest_maze} isWhole late
                        onChange={(value) => resize(value, height)} />}
                </Labelled>
                <Labelled label="Height" id="height" meaning={field("height").meaning} wrong={recipes.wrong(form,
                    "problem.height")}>
                    {(id) => <NumberInput id={id} value={height} low={2} high={registry.largest_maze} isWhole late
                        onChange={(value) => resize(width, value)} />}
                </Labelled>
            </div>
            <FieldControl field={field("representation")} name="problem.representation" id="representation"
                value={desk.value("representation") ?? "direct"} wrong={recipes.wrong(form, "problem.representation")}
                onChange={(value) => desk.represent(String(value))} />
            {goal === "" && control("fitness", "What is wanted")}
            <div className="pair even">{control("symmetry", "Symmetry")}{control("k",
                "Checkpoints on shortest ways")}</div>
            <h2>Wishes</h2>
            <Wishes domain="maze" text={goal} measures={wishable} area={width * height} onChange={(text, canBeMet) =>
                desk.put({ goal: text, "stop.solved": canBeMet ? true : undefined })} />
            {recipes.wrong(form, "problem.goal") && <p className="wrong">{recipes.wrong(form, "problem.goal")}</p>}
            <SeedField recipes={recipes} form={form} />
            <div className="field" title="Evolution goes on from what is drawn (direct representation)">
                <label htmlFor="from-drawing">Begin with the drawing</label>
                <input type="checkbox" id="from-drawing" checked={desk.fromDrawing} disabled={!isDirect}
                    onChange={(event) => desk.sync(event.target.checked)} />
            </div>
        </>
    );
}

const overlayNames: [keyof Overlays, string][] = [
    ["solution", "Solution"], ["distances", "Distance from the entrance"], ["culsDeSac", "Culs-de-sac"],
    ["witnesses", "Where ways meet again"], ["pockets", "Sealed pockets"], ["colours", "Colours of the cells"],
];

function Shown({ desk }: { desk: Desk }): ReactElement {
    const overlays = desk.state.use((one) => one.overlays);
    watch.useAll(); // levels with colours have one more
    return (
        <fieldset className="overlays">
            <legend>Show</legend>
            {overlayNames.filter(([key]) => key !== "colours" || desk.shown()?.colours).map(([key, label]) => (
                <div className="field" key={key}>
                    <label htmlFor={`overlay-${key}`}>{label}</label>
                    <input type="checkbox" id={`overlay-${key}`} data-overlay={key} checked={overlays[key]}
                        onChange={(event) => desk.state.put({ overlays: { ...overlays,
                            [key]: event.target.checked } })} />
                </div>
            ))}
        </fieldset>
    );
}

function verdict(score: Score): string {
    if (!score.usable) return "No way through, or too few checkpoints on shortest ways";
    const total = score.total === null ? "" : `Score ${short(score.total)}`;
    if (score.violation > 0) return `${total}${total ? ", wishes" : "Wishes"} missed by ${short(score.violation)}`;
    return total || "All wishes hold";
}

export function ScoreTable({ score }: { score: Score | null }): ReactElement | null {
    if (!score) return null;
    const largest = Math.max(1e-9, ...score.terms.map((term) => Math.abs(term.contribution)));
    return (
        <table className="score">
            <caption>{verdict(score)}</caption>
            <tbody>
                {score.terms.map((term) => (
                    <tr key={term.term}>
                        <th scope="row">{words(term.term)}</th>
                        <td>{short(term.value)}</td>
                        <td className={term.met ? "met" : "unmet"}>{term.met ? "✓" : "✗ not met"}</td>
                        <td>
                            <svg viewBox="0 0 60 8" className="term-bar" aria-hidden="true">
                                <rect className={term.contribution < 0 ? "minus" : "plus"} height={8} rx={2}
                                    width={(60 * Math.abs(term.contribution)) / largest} />
                            </svg>
                        </td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function Measures({ desk }: { desk: Desk }): ReactElement {
    const survey = desk.state.use((one) => one.survey);
    return (
        <table className="measures">
            <tbody>
                {desk.registry.measures.map((one) => (
                    <tr key={one.name} title={one.meaning}>
                        <th scope="row">{words(one.name)}</th><td>{short(survey?.measures[one.name])}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function Downloads({ desk }: { desk: Desk }): ReactElement {
    const save = async (format: string, extension: string, extra = "", stem = "maze") => {
        const level = desk.shown();
        if (!level) return;
        const { overlays } = desk.state.get();
        const flag = (name: string, isOn: boolean) => `&${name}=${isOn ? 1 : 0}`;
        const flags = flag("solution", overlays.solution) + flag("distances", overlays.distances) +
            flag("culs_de_sac", overlays.culsDeSac) + flag("keep_pockets", true) + flag("colours", overlays.colours);
        try {
            download(await levels.export(level, format, flags + extra), `${stem}.${extension}`);
        } catch (error) {
            toast((error as Error).message);
        }
    };
    const formats = ["tmj", "tmx", "ldtk", "csv", "json", "svg", "png"]
        .flatMap((name) => desk.registry.formats.filter((one) => one.name === name));
    return (
        <div className="buttons downloads">
            {formats.map((one) => (
                <Button key={one.name} title={one.meaning} data={{ format: one.name }}
                    onClick={() => void save(one.name, one.extension)}>{one.name.toUpperCase()}</Button>
            ))}
            <Button title="The picture of tiles that TMJ and TMX maps use; keep it beside them"
                onClick={() => void save("tmj", "png", "&part=1", "maze-tiles")}>Tiles</Button>
            <ShareLevel domain="maze" name="maze" level={() => desk.shown()} />
        </div>
    );
}
