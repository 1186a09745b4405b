import { useEffect, useState, type ReactElement } from "react";
import { post } from "./api";
import { Button, Labelled } from "./dom";
import { NumberInput } from "./fields";
import { words } from "./format";
import type * as Api from "./openapi";
import type { Measure } from "./types";

/** What its controls show of one. */
type Wish = Omit<Api.Wish, "text">;
type Aim = "range" | "maximise" | "minimise";

/** One that the engine can't read stands as text, and stays as it is. */
interface Unread {
    text: string;
    message: string;
}
type Line = Wish | Unread;

/** Nobody but the engine reads the grammar of wishes. */
async function linesOf(domain: string, text: string): Promise<Line[]> {
    if (text.trim() === "") return [];
    const { wishes, errors } = (await (await post("/api/wishes", { domain, text })).json()) as Api.ReadWishes;
    const rest = [...wishes];
    const lines: Line[] = [];
    for (const { index, wish, message } of errors) {
        if (index === null) continue; // holds of all together; the form says it
        while (lines.length < index && rest.length > 0) lines.push(rest.shift()!);
        lines.push({ text: wish.trim(), message });
    }
    return [...lines, ...rest];
}

function textOf(line: Line): string {
    if ("message" in line) return line.text;
    const { measure, aim, low, high, near, weight } = line;
    const goal = aim === "range" ? `${measure} ${low ?? ""}..${high ?? ""}` : `${aim} ${measure}`;
    const aimed = near === null || aim !== "range" ? "" : ` near ${near}`;
    return `${goal}${aimed}${weight === 1 ? "" : ` weight ${weight}`}`;
}

const joined = (lines: Line[]): string => lines.map(textOf).join(", ");

/** Whether there is something to be reached, rather than only more of it. */
const canBeMet = (lines: Line[]): boolean =>
    lines.length > 0 && lines.every((line) => !("message" in line) && line.aim === "range");

const isShare = (measure: Measure): boolean => measure.kind === "share";

function most(measure: Measure, area: number): number {
    if (isShare(measure)) return 1;
    if (/length|reconvergence/.test(measure.name)) return area * 5;
    if (/cells|farthest/.test(measure.name)) return area;
    return Math.max(20, Math.round(area / 2));
}

function usual(measure: Measure, area: number): { low: number; high: number } {
    if (isShare(measure)) return { low: 0.3, high: 0.5 };
    const all = most(measure, area);
    return { low: Math.round(all * 0.3), high: Math.round(all * 0.4) };
}

const firstWished = ["exit_path", "culs_de_sac", "pockets", "loops"];

/** A designer's wishes, as sliders and numbers; together they are the goal of a recipe. */
export function Wishes(props: {
    domain: string; text: string; measures: Measure[]; area: number; onChange: (text: string, canBeMet: boolean) =>
        void;
}): ReactElement {
    const { measures, area, domain, text } = props;
    const [{ of, lines }, setLines] = useState<{ of: string; lines: Line[] }>({ of: "", lines: [] });
    useEffect(() => {
        if (text === of) return;
        let isWanted = true;
        void linesOf(domain, text).then((read) => isWanted && setLines({ of: text, lines: read }), () => undefined);
        return () => { isWanted = false; };
    }, [text, of]);
    const put = (next: Line[]) => {
        setLines({ of: joined(next), lines: next });
        props.onChange(joined(next), canBeMet(next));
    };
    const add = () => {
        const taken = new Set(lines.map((one) => ("message" in one ? "" : one.measure)));
        const names = [...firstWished, ...measures.map((one) => one.name)];
        const name = names.find((one) => !taken.has(one) && measures.some((row) => row.name === one));
        const measure = measures.find((one) => one.name === name) ?? measures[0]!;
        const aim: Aim = measure.name === "pockets" ? "minimise" : "range";
        put([...lines, { measure: measure.name, aim, ...usual(measure, area), near: null, weight: 1 }]);
    };
    return (
        <div className="wishes">
            {lines.map((line, i) => (
                <WishBox key={i} wish={line} measures={measures} area={area}
                    onChange={(next) => put(lines.map((one, j) => (i === j ? next : one)))}
                    onRemove={() => put(lines.filter((_, j) => i !== j))} />
            ))}
            <Button id="add-wish" onClick={add}>Add a wish</Button>
        </div>
    );
}

function WishBox(props: {
    wish: Line; measures: Measure[]; area: number; onChange: (wish: Line) => void; onRemove: () => void;
}): ReactElement {
    const { wish, measures, area, onChange } = props;
    const remove = <Button kind="quiet" title="Remove this wish" onClick={props.onRemove}>Remove</Button>;
    if ("message" in wish)
        return (
            <fieldset className="wish">
                <legend>In words</legend>
                <input type="text" aria-label="A wish in words" value={wish.text} spellCheck={false}
                    onChange={(event) => onChange({ ...wish, text: event.target.value })} />
                <p className="wrong">{wish.message}</p>
                {remove}
            </fieldset>
        );
    const { aim, low, high } = wish;
    const measure = measures.find((one) => one.name === wish.measure) ?? measures[0]!;
    const largest = Math.max(most(measure, area), high ?? 0, low ?? 0);
    const step = isShare(measure) ? 0.01 : 1;
    return (
        <fieldset className="wish">
            <legend>{words(measure.name)}</legend>
            <div className="wish-head">
                <select aria-label="What is wished for" value={measure.name} title={measure.meaning}
                    onChange={(event) => {
                        const next = measures.find((one) => one.name === event.target.value)!;
                        onChange({ ...wish, measure: next.name, near: null, ...usual(next, area) });
                    }}>
                    {measures.map((one) => <option key={one.name} value={one.name}
                        title={one.meaning}>{words(one.name)}</option>)}
                </select>
                <select aria-label="How it should be" value={aim}
                    onChange={(event) => onChange({ ...wish, aim: event.target.value as Aim,
                        ...(low === null && high === null ? usual(measure, area) : {}) })}>
                    <option value="range">between</option>
                    <option value="maximise">as large as possible</option>
                    <option value="minimise">as small as possible</option>
                </select>
            </div>
            {aim === "range" && <>
                <Bound label="At least" value={low} otherwise={0} high={largest} step={step} measure={measure.name}
                    onChange={(value) => onChange({ ...wish, low: value,
                        high: high !== null && value !== null && value > high ? value : high })} />
                <Bound label="At most" value={high} otherwise={largest} high={largest} step={step}
                    measure={measure.name}
                    onChange={(value) => onChange({ ...wish, high: value,
                        low: low !== null && value !== null && value < low ? value : low })} />
                {wish.near !== null && <Labelled label="Aim for" meaning="Where in the range the search aims">
                    {(id) => <NumberInput id={id} value={wish.near ?? undefined} late
                        onChange={(value) => onChange({ ...wish, near: value })}
                        onEmpty={() => onChange({ ...wish, near: null })} />}
                </Labelled>}
            </>}
            <Labelled label="How much it matters" meaning="Weight of this wish in the score"
                extra={<output>{wish.weight}</output>}>
                {(id) => <input type="range" id={id} min={0.1} max={Math.max(5, wish.weight)} step={0.1}
                    value={wish.weight}
                    onChange={(event) => onChange({ ...wish, weight: Number(event.target.value) })} />}
            </Labelled>
            {remove}
        </fieldset>
    );
}

function Bound(props: {
    label: string; value: number | null; otherwise: number; high: number; step: number; measure: string;
    onChange: (value: number | null) => void;
}): ReactElement {
    const { label, value, onChange } = props;
    return (
        <Labelled label={label} meaning={`${label} ${words(props.measure)}`} className="with-number"
            extra={<NumberInput label={`${label}, exactly`} value={value ?? undefined} low={0}
                isWhole={props.step === 1}
                placeholder="any" onChange={onChange} onEmpty={() => onChange(null)} late />}>
            {(id) => <input type="range" id={id} min={0} max={props.high} step={props.step}
                value={value ?? props.otherwise}
                onChange={(event) => onChange(Number(event.target.value))} />}
        </Labelled>
    );
}
