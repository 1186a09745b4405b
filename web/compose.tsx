import { useId, type ReactElement } from "react";
import { Button, Labelled } from "./dom";
import { NumberInput } from "./fields";
import { counted, thousands, words } from "./format";
import { changeDraft, keysOf, studies, type Draft } from "./studystate";
import type { Diagnostic, Registry } from "./types";

const aboutRow = (wrong: Diagnostic[], key: string): string | undefined =>
    wrong.find((one) => key !== "" && (one.where === key || one.message.startsWith(`${key}:`)
        || one.message.startsWith(`${key} `) || one.message.startsWith(`grid: ${key} `)
        || one.message.startsWith(`grid.${key} `)))?.message;

/** Composes a study: recipes × values × seeds. What is wrong stands beside its field, and what it comes to below. */
export function Composer({ registry, onStart }: { registry: Registry; onStart: () => void }): ReactElement {
    const { draft, checked, wrong } = studies.useAll();
    const about = (key: string) => aboutRow(wrong, key);
    const told = new Set(["name", "runs", "seed", "budget", ...draft.values.map((one) => one.key)]
        .map(about).filter(Boolean));
    const rest = wrong.filter((one) => !told.has(one.message));
    return (
        <form className="panel settings compose" aria-label="New study" noValidate
            onSubmit={(event) => { event.preventDefault(); onStart(); }}>
            <h2>New study</h2>
            <Labelled label="Name" id="study-name" wrong={about("name")}>
                {(id, described) => <input type="text" id={id} value={draft.name} aria-describedby={described}
                    maxLength={80} onChange={(event) => changeDraft({ name: event.target.value })} />}
            </Labelled>
            <Recipes registry={registry} draft={draft} />
            <Values registry={registry} draft={draft} about={about} />
            <div className="pair even">
                <Labelled label="Runs of each" id="study-runs" meaning="Each with a seed of its own (runs)"
                    wrong={about("runs")}>
                    {(id, described) => <NumberInput id={id} value={draft.runs} low={1} isWhole described={described}
                        onChange={(runs) => changeDraft({ runs })} />}
                </Labelled>
                <Labelled label="Seed" id="study-seed" meaning="What the seeds of all runs come from (seed)"
                    wrong={/^\d{1,16}$/.test(draft.seed) ? about("seed") : "A seed is a whole number"}>
                    {(id, described) => <input type="text" inputMode="numeric" id={id} value={draft.seed}
                        aria-describedby={described}
                        onChange={(event) => changeDraft({ seed: event.target.value.trim() })} />}
                </Labelled>
            </div>
            <Labelled label="Evaluations a run may make" id="study-budget" meaning="budget" wrong={about("budget")}>
                {(id, described) => <NumberInput id={id} value={draft.budget ?? undefined} low={1} isWhole
                    described={described} placeholder="as its recipe says"
                    onChange={(budget) => changeDraft({ budget })} onEmpty={() => changeDraft({ budget: null })} />}
            </Labelled>
            <Labelled label="Compare runs in pairs" id="study-paired"
                meaning="Run i of every configuration has the same seed (paired)">
                {(id) => <input type="checkbox" id={id} checked={draft.paired}
                    onChange={(event) => changeDraft({ paired: event.target.checked })} />}
            </Labelled>
            <div className="buttons start-buttons">
                <button type="submit" className="primary" id="start-study">Start the study</button>
            </div>
            <p className="quiet-text" id="comes-to" role="status">{checked
                ? `${counted(checked.configurations.length, "configuration", "configurations")} × ${
                    counted(draft.runs, "run", "runs")} = ${counted(checked.runs, "run", "runs")}` : ""}</p>
            <div className="trouble" role="alert">{rest.map((one) => <p key={one.message}>{one.message}</p>)}</div>
            {checked && <details className="more">
                <summary>{`What is run: ${thousands(checked.configurations.length)}`}</summary>
                <ol className="labels">{checked.configurations.slice(0, 60).map((one) => <li key={one}>{one}</li>)}</ol>
                {checked.configurations.length > 60 && <p className="quiet-text">… and more of them</p>}
            </details>}
        </form>
    );
}

function Recipes({ registry, draft }: { registry: Registry; draft: Draft }): ReactElement {
    const rest = registry.recipes.filter((one) => !draft.recipes.includes(one.name));
    const problems = [...new Set(rest.map((one) => one.problem))];
    const titleOf = (problem: string) => registry.domains.find((one) => one.name === problem)?.title ?? problem;
    return (
        <fieldset>
            <legend>Recipes</legend>
            <ul className="chips">
                {draft.recipes.map((name) => (
                    <li key={name} title={registry.recipes.find((one) => one.name === name)?.description}>
                        {words(name)}
                        <Button kind="quiet" label={`Leave out ${words(name)}`} onClick={() => changeDraft({
                            recipes: draft.recipes.filter((one) => one !== name) })}>×</Button>
                    </li>
                ))}
            </ul>
            <select id="add-recipe" aria-label="Add a recipe" value=""
                onChange={(event) => changeDraft({ recipes: [...draft.recipes, event.target.value] })}>
                <option value="">Add a recipe …</option>
                {problems.map((problem) => (
                    <optgroup key={problem} label={titleOf(problem)}>
                        {rest.filter((one) => one.problem === problem).map((one) => <option key={one.name}
                            value={one.name} title={one.description}>{words(one.name)}</option>)}
                    </optgroup>
                ))}
            </select>
        </fieldset>
    );
}

function Values(props: {
    registry: Registry; draft: Draft; about: (key: string) => string | undefined;
}): ReactElement {
    const { draft } = props;
    const list = useId();
    const keys = keysOf(props.registry, draft.recipes);
    const put = (index: number, part: Partial<Draft["values"][number]>) => changeDraft({
        values: draft.values.map((one, i) => (i === index ? { ...one, ...part } : one)),
    });
    return (
        <fieldset className="values">
            <legend>Values</legend>
            <datalist id={list}>
                {keys.map((one) => <option key={one.key} value={one.key}>{one.meaning}</option>)}
            </datalist>
            {draft.values.map((one, i) => {
                const wrong = props.about(one.key);
                return (
                    <div key={i} className="value-row" title={keys.find((known) => known.key === one.key)?.meaning}>
                        <input type="text" list={list} value={one.key} aria-label={`Key ${i + 1}`} spellCheck={false}
                            placeholder="problem.n" onChange={(event) => put(i, { key: event.target.value.trim() })} />
                        <input type="text" value={one.text} aria-label={`Values of ${one.key || `key ${i + 1}`}`}
                            spellCheck={false} placeholder="8, 16, 32" aria-invalid={wrong ? true : undefined}
                            onChange={(event) => put(i, { text: event.target.value })} />
                        <Button kind="quiet" label={`Leave out ${one.key || `key ${i + 1}`}`} onClick={() =>
                            changeDraft({ values: draft.values.filter((_, j) => j !== i) })}>×</Button>
                        {wrong && <p className="wrong">{wrong}</p>}
                    </div>
                );
            })}
            <Button id="add-value" kind="quiet"
                onClick={() => changeDraft({ values: [...draft.values, { key: "", text: "" }] })}>Add a key</Button>
            <p className="quiet-text">Several values: each is run. One value: the same for all.</p>
        </fieldset>
    );
}
