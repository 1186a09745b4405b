import { useState, type ReactElement } from "react";
import { api, download, post, request } from "./api";
import {
    attacksAmong, BoardView, collisionsAmong, SmallBoard, squaresOf, type Board, type BoardFrame, type BoardRegistry,
} from "./board";
import { Button, Labelled, toast, useKeys } from "./dom";
import { FieldControl, RecipeField, SeedField } from "./fields";
import type { Recipes } from "./form";
import { inUnits, short, words } from "./format";
import { SettingsForm, useRun } from "./settings";
import { watch, type Watch } from "./player";
import { Curves, Keys, Numbers, Share, Speed, Status, Transport } from "./runbox";
import { slice } from "./store";
import type { Format, Value } from "./types";

const hidden = new Set(["problem.n", "problem.place"]);
/** Which individual is shown large, if not the best. */
const opened = slice<{ index: number | null; isPresenting: boolean }>("queens", { index: null, isPresenting: false });

/** 1 − c/Σc: all of them lie so close to 1 that a few digits would not tell them apart. */
const wheelFitness = (scaled: number): string => scaled.toFixed(4);

export function QueensPage({ recipes }: { recipes: Recipes }): ReactElement {
    const registry = recipes.registry as BoardRegistry;
    const form = recipes.form.useAll();
    const { isPresenting } = opened.useAll();
    const start = useRun(recipes, "queens", { opened: () => opened.put({ index: null }) });
    useKeys(presentKey);
    const n = registry.sections.find((one) => one.path === "problem")!.parts.find((one) => one.name === "queens")!
        .fields.find((one) => one.name === "n")!;
    // Some sizes have no solution, which the studio says of the whole problem.
    const hopeless = form.wrong.find((one) => one.message.includes("has no solution"))?.message;
    return (
        <div className={isPresenting ? "page queens presenting" : "page queens"}>
            <section className="stage" aria-label="Board">
                <div className="stage-head"><h1>Queens</h1><Status idle="Choose a recipe and start" /></div>
                <Stage recipes={recipes} />
                <Transport back={() => opened.put({ index: null })} />
                <Population />
            </section>
            <SettingsForm label="Recipe" recipes={recipes} hidden={hidden}
                onStart={() => void start(false)} startId="start" startText="Start"
                more={<Button id="start-paused" title="Shows the first generation and waits"
                    onClick={() => void start(true)}>Start paused</Button>}>
                <RecipeField recipes={recipes} isFor={(problem) => problem === "queens"} onChoose={(recipe) =>
                    recipes.take({ recipe, seed: form.order.seed, set: keepSize(recipes) })} />
                <div className="pair">
                    <FieldControl field={n} name="problem.n" label="Queens" id="n" value={recipes.value(form,
                        "problem.n") ?? 8}
                        wrong={recipes.wrong(form, "problem.n") ?? hopeless}
                        onChange={(value) => recipes.put("problem.n", value)} late />
                    <SeedField recipes={recipes} form={form} />
                </div>
                <Placed recipes={recipes} />
                <Speed />
            </SettingsForm>
            <section className="panel results" aria-label="Progress">
                <Numbers />
                <Curves what="Attacks" />
                <Downloads recipes={recipes} />
                <Share page="queens" />
                <Keys more={[["f", "full screen, for a class"]]} />
            </section>
        </div>
    );
}

/** Another recipe keeps what a teacher has chosen: the size, and queens that are placed already. */
function keepSize(recipes: Recipes): Record<string, Value> {
    const form = recipes.form.get();
    const { set, toml } = form.order;
    const chosen = (key: string) => (toml ? recipes.value(form, key) : set[key]);
    return Object.fromEntries(["problem.n", "problem.place"].flatMap((key) => {
        const value = chosen(key);
        return value === undefined || value === "" ? [] : [[key, value]];
    }));
}

const placedIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** What is seen is the run, as long as there is one; otherwise the board that is about to be filled. */
function Stage({ recipes }: { recipes: Recipes }): ReactElement {
    const registry = recipes.registry as BoardRegistry;
    const { run } = watch.useAll();
    const frame = watch.use((one) => one.frame) as BoardFrame | null;
    recipes.form.useAll();
    const { index, isPresenting } = opened.useAll();
    const { size: n, squares: set, names: placed } = placedBoard(recipes);
    const one = index === null ? undefined : frame?.population[index];
    const shown: Board | undefined = one?.board ? withAttacks(one.board) : frame?.board;
    if (run && !shown) return <p className="quiet-text waiting">No board yet</p>;
    if (frame && index === null && isDuel(frame)) return <Duel frame={frame} registry={registry} />;
    const wheel = frame && typeof frame.scaled === "number" ? `${wheelFitness(frame.scaled)} on the wheel` : "";
    const told = one ? `${one.name ? `The ${one.name}` : `Individual ${index! + 1}`} · fitness ${short(one.fitness)}`
        : [frame?.caption, wheel, frame?.remark].filter(Boolean).join(" · ");
    const runSize = Number(run?.sections?.["problem"]?.values["n"] ?? n);
    const isOther = run && runSize !== n;
    const fixed = new Set(placedIn(String(run?.sections?.["problem"]?.values["place"] ?? "")));
    return (
        <>
            {shown ? <BoardView board={shown} caption={told} registry={registry} fixed={fixed} />
                : <BoardView board={withAttacks({ size: n, squares: set })} registry={registry}
                    fixed={new Set(placed)} onSquare={(name) => place(recipes, name)}
                    caption={placed.length > 0
                        ? `${placed.length} queens placed on ${n} × ${n}` : `An empty board of ${n} × ${n}`} />}
            {isOther && <p className="quiet-text notice">
                The form now says {n} queens; this run has {runSize}. Start makes a new one.</p>}
            <div className="buttons">
                {one && <Button onClick={() => opened.put({ index: null })}>Back to the best</Button>}
                <PresentButton isPresenting={isPresenting} />
            </div>
        </>
    );
}

function PresentButton({ isPresenting }: { isPresenting: boolean }): ReactElement {
    return (
        <Button id="present" pressed={isPresenting} title="Large type, no controls (f)"
            onClick={() => present(!isPresenting)}>{isPresenting ? "End presentation" : "Present"}</Button>
    );
}

/** Of individuals the studio sends the queens alone. */
function withAttacks(board: Board): Board {
    const queens = squaresOf(board);
    if (board.attacks || queens.length > 64) return board;
    return { ...board, attacks: attacksAmong(queens), collisions: collisionsAmong(queens) };
}

const isDuel = (frame: BoardFrame): boolean => frame.population.length === 2
    && frame.population.every((one) => one.name && one.board);

/** Both boards of a duel, who wins, and how many rounds there were, this one included. */
function Duel({ frame, registry }: { frame: BoardFrame; registry: BoardRegistry }): ReactElement {
    const { run } = watch.useAll();
    const { isPresenting } = opened.useAll();
    const fixed = new Set(placedIn(String(run?.sections?.["problem"]?.values["place"] ?? "")));
    const [a, b] = frame.population.map((one) => one.fitness ?? NaN) as [number, number];
    const isBetter = (mine: number, other: number) => (run?.maximise ? mine > other : mine < other);
    const verdict = (mine: number, other: number) => {
        if (mine === other) return "tie";
        return isBetter(mine, other) ? "wins" : "loses";
    };
    return (
        <>
            <p className="rounds">{inUnits(frame.steps, run?.unit || "rounds")}</p>
            <div className="duel">
                {frame.population.map((one, i) => (
                    <div key={i} className={verdict(i === 0 ? a : b, i === 0 ? b : a)}>
                        <h2>{words(one.name!)}: {verdict(i === 0 ? a : b, i === 0 ? b : a)}</h2>
                        <BoardView board={withAttacks(one.board!)} caption={`${short(one.fitness)} ${one.fitness === 1
                            ? "attack" : "attacks"}`} registry={registry} fixed={fixed} />
                    </div>
                ))}
            </div>
            {frame.remark && <p className="caption">{frame.remark}</p>}
            <div className="buttons"><PresentButton isPresenting={isPresenting} /></div>
        </>
    );
}

/** A board that is on the page, and how to get it as a file. */
interface Downloadable {
    title: string;
    stem: string;
    file: (format: string) => Promise<Response>;
}

function boardsOf(recipes: Recipes, { run, frame }: Watch, index: number | null): Downloadable[] {
    if (!run) {
        const { size, squares } = placedBoard(recipes);
        const file = (format: string) => post(`/api/levels/export?format=${format}`, { domain: "queens",
            level: { size, squares } });
        return squares.length > 0 ? [{ title: "Queens placed by hand", stem: `queens-${size}`, file }] : [];
    }
    if (!frame) return [];
    const { generation } = frame;
    const one = (i: number): Downloadable => {
        const name = frame.population[i]?.name;
        return { title: name ? `The ${name}` : `Individual ${i + 1}`, stem: `${run.id}-${name ?? i + 1}`,
            file: (format) => request(api.fileOf(run.id, String(i + 1), format, { generation })) };
    };
    if (index !== null) return [one(index)];
    if (isDuel(frame as BoardFrame)) return [one(0), one(1)];
    return [{ title: "The best", stem: run.id, file: (format) => request(api.exportOf(run.id, format, generation)) }];
}

/** The boards that are shown, as files. */
function Downloads({ recipes }: { recipes: Recipes }): ReactElement | null {
    const { index } = opened.useAll();
    const now = watch.useAll();
    recipes.form.useAll();
    const shown = boardsOf(recipes, now, index);
    if (shown.length === 0) return null;
    const formats = recipes.registry.formats.filter((one) =>
        (one as unknown as Record<string, unknown>)["boards"] === true);
    const save = async (one: Downloadable, { name, extension }: Format) => {
        try {
            download(await (await one.file(name)).blob(), `${one.stem}.${extension}`);
        } catch (error) {
            toast((error as Error).message);
        }
    };
    return (
        <details className="more">
            <summary>Download the board</summary>
            {shown.map((one) => (
                <div key={one.stem} className="buttons downloads" role="group" aria-label={one.title}>
                    {shown.length > 1 && <span className="quiet-text">{one.title}</span>}
                    {formats.map((format) => (
                        <Button key={format.name} title={format.meaning} data={{ format: format.name, board: one.stem }}
                            onClick={() => void save(one, format)}>{format.name}</Button>
                    ))}
                </div>
            ))}
        </details>
    );
}

/** The board that is about to be filled. */
function placedBoard(recipes: Recipes): { size: number; squares: [number, number][]; names: string[] } {
    const form = recipes.form.get();
    const size = Math.max(1, Math.min(200, Number(recipes.value(form, "problem.n")) || 8));
    const names = placedIn(String(recipes.value(form, "problem.place") ?? ""));
    return { size, squares: squaresNamed(names, size), names };
}

function present(isPresenting: boolean): void {
    opened.put({ isPresenting });
    if (isPresenting) void document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) void document.exitFullscreen();
}

function squaresNamed(names: string[], n: number): [number, number][] {
    return names.flatMap((name): [number, number][] => {
        const found = /^([a-z]+)(\d+)$/.exec(name);
        if (!found) return [];
        const column = [...found[1]!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
        const row = Number(found[2]) - 1;
        return column < n && row < n && row >= 0 ? [[row, column]] : [];
    });
}

function place(recipes: Recipes, name: string): void {
    const names = placedIn(String(recipes.value(recipes.form.get(), "problem.place") ?? ""));
    const rest = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    recipes.put("problem.place", rest.join(","));
}

/** Queens that stay where they are, as text: they are placed by clicking on the empty board, too. */
function Placed({ recipes }: { recipes: Recipes }): ReactElement {
    const form = recipes.form.useAll();
    const text = String(recipes.value(form, "problem.place") ?? "");
    const run = watch.use((one) => one.run);
    const [isOpen, setOpen] = useState(false);
    return (
        <details className="more" open={isOpen || text !== ""} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>Queens placed already</summary>
            <Labelled label="Squares" id="place" meaning="problem.place" wrong={recipes.wrong(form, "problem.place")}>
                {(id, wrong) => <input type="text" id={id} value={text} placeholder="a1, c5" spellCheck={false}
                    aria-describedby={wrong} onChange={(event) => recipes.put("problem.place", event.target.value)} />}
            </Labelled>
            <p className="quiet-text">{run
                ? "These stay where they are in the next run." : "Or click squares of the board."}</p>
        </details>
    );
}

function Population(): ReactElement | null {
    const frame = watch.use((one) => one.frame) as BoardFrame | null;
    const { index } = opened.useAll();
    if (!frame || frame.population.length === 0 || !frame.population[0]!.board) return null;
    return (
        <>
            <h2>Population</h2>
            <div className="population">
                {frame.population.map((one, i) => {
                    const wheel = typeof one.scaled === "number" ? wheelFitness(one.scaled) : "";
                    const who = one.name ? `The ${one.name}` : `Individual ${i + 1}`;
                    const label = `${who}, fitness ${short(one.fitness)}${wheel ? `, ${wheel} on the wheel` : ""}`;
                    const title = wheel ? `${short(one.fitness)} collisions c; 1 − c/Σc = ${wheel}` : label;
                    return (
                        <figure key={i} title={title}>
                            <button type="button" className="open-one" aria-pressed={index === i}
                                aria-label={`${label}: show it large`}
                                onClick={() => opened.put({ index: index === i ? null : i })}>
                                <SmallBoard board={one.board!} label={label} />
                            </button>
                            <figcaption>
                                {[one.name, short(one.fitness), wheel].filter(Boolean).join(" · ")}</figcaption>
                        </figure>
                    );
                })}
            </div>
        </>
    );
}

const presentKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key !== "f" && !(event.key === "Escape" && opened.get().isPresenting)) return false;
    present(event.key === "f" && !opened.get().isPresenting);
    return true;
};
