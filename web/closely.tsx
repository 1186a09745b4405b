import { useEffect, useState, type ReactElement } from "react";
import { api, request } from "./api";
import { Button, isDark, useTheme } from "./dom";
import { opened } from "./individuals";
import { edit, editorOf, formatsOf, Look, saveFrom } from "./look";
import { watch } from "./player";
import type { Individual, Registry, Run } from "./types";

const pace = 150; // milliseconds a step, at least

/** One individual of a run, large, with all that is known of it, and how it came about. */
export function Closely({ registry }: { registry: Registry }): ReactElement | null {
    const run = watch.use((one) => one.run);
    return run && <Opened registry={registry} run={run} />;
}

function Opened({ registry, run }: { registry: Registry; run: Run }): ReactElement | null {
    const { which, generation, plays } = opened.useAll();
    const count = watch.use((one) => one.frame)?.population.length ?? 0;
    const [facts, setFacts] = useState<Individual | null>(null);
    const [stage, setStage] = useState<number | null>(plays ? 0 : null);
    useTheme();
    useEffect(() => {
        let isWanted = true;
        void api.individual(run.id, which, generation).then((found) => isWanted && setFacts(found), () => undefined);
        return () => { isWanted = false; };
    }, [run.id, which, generation]);
    const domain = registry.domains.find((one) => one.name === run.problem);
    const stages = facts?.stages ?? 0;
    const at = stage === null || stages === 0 ? null : Math.min(stage, stages);
    const query = { generation, theme: isDark() ? "dark" : "light", keep_pockets: 1,
        ...(at === null ? {} : { stage: at }) };
    const { source, isThere } = useLoaded(domain?.pictured ? api.fileOf(run.id, which, "svg",
        { ...query, v: run.created }) : "");
    const page = editorOf(registry, run.problem);
    const name = `${run.id} ${which === "best" ? "" : `${which} `}of ${generation}${at === null || at === stages
        ? "" : ` step ${at}`}`;
    const file = (format: string) => request(api.fileOf(run.id, which, format, query));
    const isPart = at !== null && at < stages;
    const move = (by: number) => {
        setStage(null);
        opened.put({ which: String(((Number(which) - 1 + by + count) % count) + 1), plays: false });
    };
    return (
        <Look title={which === "best" ? `Best of generation ${generation}`
            : `${facts?.name ? `The ${facts.name}` : `Individual ${which}`} of generation ${generation}`}
            picture={source} alt={isPart ? stepText(at, stages) : facts?.caption ?? ""}
            measured={isPart ? "Measures in the end" : undefined}
            measures={[["fitness", facts?.fitness ?? null], ...(facts?.measures ?? []).map((one):
                [string, number | null, string?] => [one.name, one.value, one.meaning])]}
            formats={formatsOf(registry, run.problem)} onClose={() => opened.put({ which: "" })}
            onSave={(format) => void saveFrom(file(format.name), `${name.replace(/ /g, "-")}.${format.extension}`)}
            onEdit={page === null ? null : () => void file("json").then(async (answer) => {
                opened.put({ which: "" });
                await edit(page, run.problem, await answer.blob(), name);
            })}
            onMove={which !== "best" && count > 1 ? move : undefined}
            under={facts && <>
                {stages > 0 && <Steps stages={stages} at={at ?? stages} plays={plays} isThere={isThere}
                    onStep={setStage} />}
                {!domain?.pictured && <code className="command genome">
                    {facts.genome}{facts.whole ? "" : " …"}</code>}
            </>} />
    );
}

// The last of its steps is followed by what is done to all: entrance and exit are opened, and the like.
const stepText = (at: number, stages: number): string => (at === stages ? "As it is in the end"
    : at === 0 ? "As its genome has it" : `After step ${at} of ${stages - 1}`);

// What was there is shown until the next one is.
function useLoaded(wanted: string): { source: string; isThere: boolean } {
    const [source, setSource] = useState("");
    useEffect(() => {
        let isWanted = true;
        const image = new Image();
        image.src = wanted;
        const show = () => isWanted && setSource(wanted);
        if (wanted) void image.decode().then(show, show);
        return () => { isWanted = false; };
    }, [wanted]);
    return { source, isThere: source === wanted };
}

/** Forth and back through the steps by which something came about. */
function Steps(props: {
    stages: number; at: number; plays: boolean; isThere: boolean; onStep: (stage: number) => void;
}): ReactElement {
    const { stages, at, isThere, onStep } = props;
    const [isGoing, setGoing] = useState(props.plays);
    useEffect(() => {
        if (!isGoing || !isThere) return;
        if (at >= stages) return setGoing(false);
        const timer = setTimeout(() => onStep(at + 1), pace);
        return () => clearTimeout(timer);
    }, [isGoing, isThere, at, stages]);
    const go = (to: number) => { setGoing(false); onStep(Math.max(0, Math.min(stages, to))); };
    const text = stepText(at, stages);
    return (
        <div className="steps" role="group" aria-label="Step by step">
            <Button id="steps-play" kind="primary" onClick={() => {
                if (!isGoing && at >= stages) onStep(0);
                setGoing(!isGoing);
            }}>{isGoing ? "Pause" : "Play"}</Button>
            <Button label="A step back" onClick={() => go(at - 1)} disabled={at === 0}>‹</Button>
            <input type="range" min={0} max={stages} step={1} value={at} aria-label="Step" aria-valuetext={text}
                onChange={(event) => go(Number(event.target.value))} />
            <Button label="A step on" onClick={() => go(at + 1)} disabled={at === stages}>›</Button>
            <output className="step-at hidden-text">{text}</output>
        </div>
    );
}
