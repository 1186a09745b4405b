import { useEffect, useState, type ReactElement } from "react";
import { Labelled } from "./dom";
import { short, words } from "./format";
import type { Form, Recipes } from "./form";
import type { Field, Section, Value } from "./types";

const titles: Record<string, string> = {
    problem: "Problem",
    algorithm: "Algorithm",
    "stages.select": "Selection of parents",
    "stages.recombine": "Crossover",
    "stages.mutate": "Mutation",
    "stages.operations": "Mix of operations",
    "stages.improve": "Local search",
    "stages.replace": "Who stays",
    islands: "Islands",
    restart: "Fresh starts",
};

/** A whole or other number, as text while it is typed. `late` ones are taken when the field is left. */
export function NumberInput(props: {
    id?: string; value: number | string | undefined; onChange: (value: number) => void; low?: number | null;
    high?: number | null; isWhole?: boolean; described?: string; late?: boolean; label?: string; placeholder?: string;
    onEmpty?: () => void;
}): ReactElement {
    const shown = props.value === undefined ? "" : String(props.value);
    const [text, setText] = useState(shown);
    const [isTyping, setTyping] = useState(false);
    useEffect(() => {
        if (!isTyping) setText(shown);
    }, [shown, isTyping]);
    const take = (typed: string) => {
        const value = Number(typed);
        if (typed.trim() === "") props.onEmpty?.();
        else if (Number.isFinite(value)) props.onChange(value);
    };
    return (
        <input type="number" id={props.id} value={isTyping ? text : shown} inputMode={props.isWhole
            ? "numeric" : "decimal"}
            min={props.low ?? undefined} max={props.high ?? undefined} step={props.isWhole ? 1 : "any"}
            aria-label={props.label} aria-describedby={props.described} aria-invalid={props.described
                ? true : undefined}
            placeholder={props.placeholder}
            onFocus={() => { setText(shown); setTyping(true); }}
            onBlur={() => { setTyping(false); if (props.late && text !== shown) take(text); }}
            onKeyDown={(event) => { if (event.key === "Enter" && props.late) take(text); }}
            onChange={(event) => {
                setText(event.target.value);
                // The arrows of the field say no kind of input; they are done with at once.
                const isArrow = !(event.nativeEvent as InputEvent).inputType;
                if (!props.late || isArrow) take(event.target.value);
            }} />
    );
}

/** A built-in recipe to begin with, unless somebody brought one along. */
export function RecipeField({ recipes, isFor, onChoose, meaning = "A built-in recipe to begin with" }: {
    recipes: Recipes; isFor: (problem: string) => boolean; onChoose: (name: string) => void; meaning?: string;
}): ReactElement {
    const { order } = recipes.form.useAll();
    const { domains, recipes: all } = recipes.registry;
    const groups = domains.map(({ name, title }) => ({ title, names: all.filter((one) => one.problem === name
        && isFor(name)).map((one) => one.name) })).filter((one) => one.names.length > 0);
    const isKnown = order.toml || groups.some((one) => one.names.includes(order.recipe));
    const options = (names: string[]) => names.map((one) => <option key={one} value={one}>{words(one)}</option>);
    return (
        <>
            <Labelled label="Recipe" id="recipe" meaning={meaning}>
                {(id) => (
                    <select id={id} value={order.toml ? "" : order.recipe}
                        onChange={(event) => onChoose(event.target.value)}>
                        {order.toml && <option value="">From a link or file</option>}
                        {!isKnown && options([order.recipe])}
                        {groups.length === 1 ? options(groups[0]!.names) : groups.map((one) =>
                            <optgroup key={one.title} label={one.title}>{options(one.names)}</optgroup>)}
                    </select>
                )}
            </Labelled>
            <p className="quiet-text">{recipes.base()?.description}</p>
        </>
    );
}

const largestSeed = (1n << 63n) - 1n;

/** A seed: a whole number of up to twenty digits. */
export function SeedField({ recipes, form }: { recipes: Recipes; form: Form }): ReactElement {
    const { order } = form;
    const put = (seed: string) => recipes.change({ ...order, seed });
    const isRight = /^\d+$/.test(order.seed);
    const isLarge = isRight && BigInt(order.seed) > largestSeed;
    return (
        <Labelled label="Seed" id="seed" meaning="The same recipe and seed always give the same run"
            wrong={isLarge ? `A seed is ${largestSeed} at most` : isRight
                ? recipes.wrong(form, "seed") : "A seed is a whole number"}
            extra={<button type="button" className="quiet" title="Another seed"
                onClick={() => put(String(Math.floor(Math.random() * 1e6)))}>New</button>}>
            {(id, wrong) => <input type="text" inputMode="numeric" pattern="[0-9]*" id={id} value={order.seed}
                aria-describedby={wrong} onChange={(event) => put(event.target.value.trim())} />}
        </Labelled>
    );
}

/** A control for one field, whatever it is: the registry says all that is needed. */
export function FieldControl(props: {
    field: Field; name: string; value: Value; wrong?: string; onChange: (value: Value) => void; id?: string;
    label?: string; late?: boolean;
}): ReactElement {
    const { field, value, onChange } = props;
    const { minimum: low, maximum: high } = field;
    const isShare = field.type === "real" && low !== null && high !== null && high - low <= 2;
    return (
        <Labelled label={props.label ?? words(field.name)} meaning={`${field.meaning} (${props.name})`}
            wrong={props.wrong}
            id={props.id} extra={isShare ? <NumberInput label={`${words(field.name)}, exactly`} value={Number(value)}
                low={low} high={high} onChange={onChange} /> : undefined} className={isShare
                    ? "with-number" : undefined}>
            {(id, wrong) => {
                if (field.type === "boolean")
                    return <input type="checkbox" id={id} checked={value === true} aria-describedby={wrong}
                        onChange={(event) => onChange(event.target.checked)} />;
                if (field.type === "choice")
                    return (
                        <select id={id} value={String(value)} aria-describedby={wrong}
                            onChange={(event) => onChange(event.target.value)}>
                            {field.choices.map((one) => <option key={one} value={one}>{words(one)}</option>)}
                        </select>
                    );
                if (field.type === "text")
                    return <input type="text" id={id} value={String(value)} spellCheck={false} aria-describedby={wrong}
                        onChange={(event) => onChange(event.target.value)} />;
                if (isShare)
                    return <input type="range" id={id} min={low!} max={high!} step={0.005} value={Number(value)}
                        aria-describedby={wrong} onChange={(event) => onChange(Number(event.target.value))} />;
                return <NumberInput id={id} value={Number(value)} low={low} high={high}
                    isWhole={field.type === "integer"}
                    described={wrong} onChange={onChange} late={props.late} />;
            }}
        </Labelled>
    );
}

/** Edits a recipe: which part stands in each place, and its values. `hidden` ones have controls elsewhere. */
export function Parts({ recipes, hidden }: { recipes: Recipes; hidden: Set<string> }): ReactElement {
    const form = recipes.form.useAll();
    return (
        <div className="parts">
            {recipes.sections().map((one) => <Place key={one.path} recipes={recipes} form={form} section={one}
                hidden={hidden} />)}
            <Stop recipes={recipes} form={form} />
        </div>
    );
}

function Place(props: { recipes: Recipes; form: Form; section: Section; hidden: Set<string> }): ReactElement | null {
    const { recipes, form, section } = props;
    const { path } = section;
    const choice = recipes.choice(form, path);
    const part = recipes.part(form, path);
    const fields = (part?.fields ?? []).filter((field) => !props.hidden.has(`${path}.${field.name}`));
    const canChoose = section.parts[0]!.name !== "" && path !== "problem";
    if (!canChoose && !section.removable && fields.length === 0) return null;
    const options = canChoose ? section.parts.map((one) => one.name) : ["on"];
    const current = choice === undefined ? "none" : canChoose ? choice.kind : "on";
    const isWrong = form.wrong.some((one) => one.where.startsWith(`--set ${path}.`)
        || one.message.startsWith(`${path}.`));
    return (
        <details data-path={path}>
            <summary>
                <span>{titles[path] ?? words(path.replace("stages.", ""))}</span>
                <span className={isWrong ? "now bad" : "now"}>
                    {isWrong ? "can’t be used so" : part?.name ? words(part.name) : choice ? "" : "None"}
                </span>
            </summary>
            <div className="fields">
                {(canChoose || section.removable) && (
                    <Labelled label="Kind" meaning={`${path}.kind`} wrong={recipes.wrong(form, `${path}.kind`)}>
                        {(id, wrong) => (
                            <select id={id} value={current} aria-describedby={wrong}
                                onChange={(event) => void recipes.choose(path, event.target.value)}>
                                {(section.removable || current === "none") && <option value="none">None</option>}
                                {options.map((one) => (
                                    <option key={one} value={one}
                                        title={section.parts.find((other) =>
                                            other.name === one)?.summary}>{words(one)}</option>
                                ))}
                            </select>
                        )}
                    </Labelled>
                )}
                {part?.summary && <p className="quiet-text">{part.summary}</p>}
                {fields.map((field) => {
                    const key = `${path}.${field.name}`;
                    return <FieldControl key={key} field={field} name={key} value={recipes.value(form,
                        key) ?? field.default}
                        wrong={recipes.wrong(form, key)} onChange={(value) => recipes.put(key, value)} />;
                })}
            </div>
        </details>
    );
}

function Stop({ recipes, form }: { recipes: Recipes; form: Form }): ReactElement {
    const values = recipes.stop(form);
    const limits = Object.entries(values).filter(([, value]) => typeof value === "number");
    return (
        <details data-path="stop">
            <summary>
                <span>Ends after</span>
                <span className="now">{limits.map(([name, value]) =>
                    `${short(Number(value))} ${name}`).join(", ")}</span>
            </summary>
            <div className="fields">
                {["evaluations", "generations"].map((name) => (
                    <Labelled key={name} label={words(name)} meaning={`stop.${name}`} wrong={recipes.wrong(form,
                        `stop.${name}`)}>
                        {(id, wrong) => <NumberInput id={id} value={values[name] as number | undefined} low={1} isWhole
                            described={wrong} placeholder="no limit" onChange={(value) => recipes.put(`stop.${name}`,
                                value)}
                            onEmpty={() => recipes.put(`stop.${name}`, undefined)} />}
                    </Labelled>
                ))}
            </div>
        </details>
    );
}
