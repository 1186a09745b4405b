import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactElement } from "react";
import { Course } from "./breedcourse";
import { BreedDesk, keysOf, orderFor, sizes, stepsIn, type Individual } from "./breedstate";
import { Button, copy, Labelled, useKeys, useTheme } from "./dom";
import { RecipeField, SeedField } from "./fields";
import { Recipes } from "./form";
import { short } from "./format";
import { here, orderIn, place } from "./link";
import { edit, editorOf, formatsOf, Look, saveFrom } from "./look";
import { SettingsForm } from "./settings";
import { kept } from "./store";
import type { Registry } from "./types";

const hidden = new Set(["algorithm.choices", "algorithm.population", "algorithm.offspring"]);

/** Somebody chooses: those that please them have children, again and again. */
export function makeBreed(registry: Registry): () => ReactElement {
    const bred = registry.recipes.filter((one) => isSeen(registry, one.problem));
    const first = orderFor(registry, bred[0]?.name ?? "", "1", sizes[0]!);
    const desk = new BreedDesk(new Recipes(registry, "breed", first));
    return () => <BreedPage desk={desk} />;
}

const isSeen = (registry: Registry, problem: string): boolean =>
    registry.domains.some((one) => one.name === problem && one.pictured);

function BreedPage({ desk }: { desk: BreedDesk }): ReactElement {
    const { recipes } = desk;
    const { query } = place.useAll();
    const order = recipes.form.use((one) => one.order);
    const theme = useTheme();
    const state = desk.state.useAll();
    useLayoutEffect(() => {
        const before = kept.get("knossos-breed-link");
        if (orderIn(query)) desk.takeLink(query);
        else if (before) desk.takeLink(new URLSearchParams(before.slice(before.indexOf("?") + 1)));
    }, [query]);
    useEffect(() => desk.follow(recipes.form.get().order), [order, theme]);
    useKeys((event) => {
        if (event.ctrlKey || event.metaKey || state.open !== null) return false;
        const number = keysOf.indexOf(event.key.toLowerCase()) + 1;
        if (event.key === "m" || event.key === "Enter") desk.more();
        else if (event.key === "Backspace") desk.back();
        else if (number > 0 && event.key.length === 1) desk.pick(number);
        else return false;
        return true;
    });
    const generation = stepsIn(state.here).length;
    const picked = desk.picked();
    return (
        <div className="page breed-page">
            <section className="stage" aria-label="Individuals">
                <div className="stage-head">
                    <h1>Breed</h1>
                    <p className={state.trouble ? "status bad" : "status"} role="status">
                        {state.trouble ? "Can’t be bred so" : `Generation ${generation}`}</p>
                </div>
                {state.trouble && <p className="trouble" role="alert">{state.trouble}</p>}
                <p className="quiet-text">Pick those that please you, by a click or their keys; their children come
                    next.</p>
                <Individuals desk={desk} />
                <div className="breed-actions">
                    <Button id="back" title="Backspace" disabled={state.here === ""}
                        onClick={() => desk.back()}>Step back</Button>
                    <Button id="more" kind="primary" title="m" disabled={picked.length === 0}
                        onClick={() => desk.more()}>More like {picked.length === 1 ? "this one" : "these"}</Button>
                </div>
                <h2>Course of choices</h2>
                <Course desk={desk} />
            </section>
            <SettingsForm label="What is bred" recipes={recipes} hidden={hidden} startId="anew" startText="Begin anew"
                onStart={() => desk.goTo("")}>
                <Settings desk={desk} />
            </SettingsForm>
            <section className="panel results" aria-label="Repeat and share">
                <Repeat desk={desk} />
            </section>
            {state.open !== null && state.shown && <Closely desk={desk} number={state.open} />}
        </div>
    );
}

function Settings({ desk }: { desk: BreedDesk }): ReactElement {
    const { recipes } = desk;
    const form = recipes.form.useAll();
    const { order } = form;
    const size = Number(recipes.value(form, "algorithm.population") ?? sizes[0]);
    return (
        <>
            <RecipeField recipes={recipes} isFor={(problem) => isSeen(recipes.registry, problem)}
                meaning="What is bred, and how children are made" onChoose={(recipe) =>
                    recipes.take(orderFor(recipes.registry, recipe, order.seed, size))} />
            <Labelled label="Individuals at a time" id="size" meaning="algorithm.population">
                {(id) => (
                    <select id={id} value={size} onChange={(event) => recipes.put("algorithm.population",
                        Number(event.target.value))}>
                        {[...new Set([...sizes, size])].map((one) => <option key={one} value={one}>{one}</option>)}
                    </select>
                )}
            </Labelled>
            <SeedField recipes={recipes} form={form} />
        </>
    );
}

function Individuals({ desk }: { desk: BreedDesk }): ReactElement {
    const { shown, isBusy } = desk.state.useAll();
    const list = useRef<HTMLUListElement>(null);
    const all = shown?.bred.individuals ?? [];
    const picked = desk.picked();
    const isNarrow = all.length <= 9;
    // Arrows go from one to the next, as they lie.
    const onKeyDown = (event: KeyboardEvent) => {
        const picks = [...list.current!.querySelectorAll<HTMLButtonElement>(".breed-pick")];
        const now = picks.indexOf(document.activeElement as HTMLButtonElement);
        if (now < 0) return;
        const columns = getComputedStyle(list.current!).gridTemplateColumns.split(" ").length;
        const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
        if (!by) return;
        picks[now + by]?.focus();
        event.preventDefault();
    };
    return (
        <ul className={isNarrow ? "breed-grid" : "breed-grid four"} ref={list} onKeyDown={onKeyDown} aria-busy={isBusy}
            data-course={shown?.course} data-digest={shown?.bred.digest} aria-label="Individuals">
            {all.map((one) => {
                const key = keysOf[one.number - 1];
                return (
                    <li key={one.number} className="breed-one">
                        <button type="button" className="breed-pick" data-number={one.number}
                            aria-pressed={picked.includes(one.number)} onClick={() => desk.pick(one.number)}>
                            <img src={one.source} alt={`Individual ${one.number}`} />
                            <span className="breed-facts">
                                <span>{key && <kbd>{key}</kbd>} {picked.includes(one.number) ? "✓" : ""}</span>
                                <span title="Fitness">{short(one.fitness)}</span></span>
                        </button>
                        <Button kind="breed-open" label={`Look at ${one.number} closely`}
                            onClick={() => desk.state.put({ open: one.number })}>Open</Button>
                    </li>
                );
            })}
        </ul>
    );
}

/** The recipe that repeats it all, to the bit. */
function Repeat({ desk }: { desk: BreedDesk }): ReactElement {
    const { shown } = desk.state.useAll();
    const link = () => here(desk.link(true));
    const verdict = desk.verdict();
    return (
        <>
            <h2>Repeat and share</h2>
            <p className="quiet-text">The whole course of choices is one recipe. It gives these individuals again,
                to the bit.</p>
            {verdict && <p className="why" data-same={verdict.isSame}>{verdict.text}</p>}
            <code className="command">{shown?.bred.command}</code>
            <div className="buttons">
                <Button data={{ action: "copy-command" }} onClick={() => void copy(shown?.bred.command ?? "",
                    "Command")}>Copy command</Button>
                <Button data={{ action: "copy-link" }} onClick={() => void copy(link(), "Link")}>Copy link</Button>
                <Button data={{ action: "copy-recipe" }} onClick={() => void copy(shown?.bred.toml ?? "",
                    "Recipe")}>Copy recipe</Button>
            </div>
            <details className="more">
                <summary>Recipe</summary>
                <code className="command toml">{shown?.bred.toml}</code>
            </details>
            <details className="more">
                <summary>Keys</summary>
                <dl className="keys">
                    <dt><kbd>1</kbd> to <kbd>9</kbd>, <kbd>a</kbd> to <kbd>g</kbd></dt><dd>pick, or leave</dd>
                    <dt><kbd>m</kbd></dt><dd>more like these</dd>
                    <dt><kbd>Backspace</kbd></dt><dd>step back</dd>
                    <dt><kbd>Arrows</kbd></dt><dd>go from one to the next, or along the course</dd>
                    <dt><kbd>Space</kbd></dt><dd>pick the one in focus</dd>
                </dl>
            </details>
        </>
    );
}

function Closely({ desk, number }: { desk: BreedDesk; number: number }): ReactElement | null {
    const { recipes } = desk;
    const { bred, course } = desk.state.useAll().shown!;
    const problem = recipes.choice(recipes.form.useAll(), "problem")?.kind ?? "";
    const one: Individual | undefined = bred.individuals[number - 1];
    if (!one) return null;
    const page = editorOf(recipes.registry, problem);
    const name = `${recipes.form.get().order.recipe || "bred"} ${stepsIn(course).length}-${number}`;
    const count = bred.individuals.length;
    const measures = recipes.registry.domains.find((other) => other.name === problem)?.wishes?.measures;
    const meanings = new Map(measures?.map((other) => [other.name, other.meaning]));
    const isPicked = desk.picked().includes(number);
    return (
        <Look title={`${number} of generation ${stepsIn(course).length}`} picture={one.source}
            alt={`Individual ${number}`}
            measures={[["fitness", one.fitness], ...Object.entries(one.measures).map(
                ([key, value]): [string, number | null, string?] => [key, value, meanings.get(key)])]}
            formats={formatsOf(recipes.registry, problem)} onClose={() => desk.state.put({ open: null })}
            onSave={(format) => void saveFrom(desk.file(number, format.name), `${name}.${format.extension}`)}
            onEdit={page === null ? null : (() => void desk.file(number, "json").then(async (answer) =>
                edit(page, problem, await answer.blob(), name)))}
            onMove={(by) => desk.state.put({ open: ((number - 1 + by + count) % count) + 1 })}>
            <Button id="look-pick" pressed={isPicked} onClick={() => desk.pick(number)}>
                {isPicked ? "Picked" : "Pick"}</Button>
        </Look>
    );
}
