import { more } from "host";
import { lazy, Suspense, useEffect, useState, type ReactElement } from "react";
import { api } from "./api";
import { Button, isDark, useTheme } from "./dom";
import { short } from "./format";
import { ApiImage } from "./image";
import { watch } from "./player";
import { slice } from "./store";
import type { Registry, Run, Sample } from "./types";

/** Which individual is looked at closely, and of which generation: it stays what it is while the run goes on. */
export const opened = slice<{ which: string; generation: number; plays: boolean }>("individual", {
    which: "", generation: 0, plays: false,
});

const Closely = lazy(async () => ({ default: (await more()).Closely }));

const nameOf = (one: Sample, index: number): string => (one.name ? `The ${one.name}` : `Individual ${index + 1}`);

/** Some of the population, from the best to the worst, each to be opened large, whatever it is. */
export function Individuals({ registry, thumb }: {
    registry: Registry; thumb?: (one: Sample) => ReactElement | null;
}): ReactElement | null {
    const { run, frame } = watch.useAll();
    const { which } = opened.useAll();
    const stages = useStages(run);
    useEffect(() => () => opened.put({ which: "" }), [run?.id]);
    const isPictured = registry.domains.some((one) => one.name === run?.problem && one.pictured);
    const generation = useSettled(frame?.generation ?? 0, run?.state === "running");
    if (!run || !frame) return null;
    const open = (name: string, plays = false) =>
        opened.put({ which: name, generation: frame.generation, plays });
    return (
        <section className="individuals" aria-label="Individuals">
            {frame.population.length > 0 && <h2>Population</h2>}
            <div className="population">
                {frame.population.map((one, i) => {
                    const label = `${nameOf(one, i)}, fitness ${short(one.fitness)}`;
                    return (
                        <figure key={i} title={label}>
                            <button type="button" className="open-one" data-individual={i + 1}
                                aria-label={`${label}: show it large`} onClick={() => open(String(i + 1))}>
                                {thumb?.(one) ?? (isPictured
                                    ? <Picture run={run} which={String(i + 1)} generation={generation} />
                                    : <span className="no-picture">{i + 1}</span>)}
                            </button>
                            <figcaption>{[one.name, short(one.fitness)].filter(Boolean).join(" · ")}</figcaption>
                        </figure>
                    );
                })}
            </div>
            <div className="buttons centred">
                <Button id="open-best" onClick={() => open("best")}>Look at the best closely</Button>
                {stages > 0 && <Button id="open-stages" title="What its rules make of it, step by step"
                    onClick={() => open("best", true)}>Watch it grow</Button>}
            </div>
            {which !== "" && <Suspense fallback={null}><Closely registry={registry} /></Suspense>}
        </section>
    );
}

// Whether what a run finds comes about step by step; its first generation says.
function useStages(run: Run | null): number {
    const [known, setKnown] = useState({ id: "", stages: 0 });
    const id = run?.id ?? "";
    const isThere = useHasFrame();
    useEffect(() => {
        if (!id || !isThere || known.id === id) return;
        void api.individual(id, "best", 0).then(({ stages }) => setKnown({ id, stages }), () => undefined);
    }, [id, isThere]);
    return known.id === id ? known.stages : 0;
}

const useHasFrame = (): boolean => watch.use((one) => one.frame !== null);

// Of a run that goes on, a moment of each second will do for small pictures.
function useSettled(generation: number, isGoing: boolean): number {
    const [shown, setShown] = useState(generation);
    useEffect(() => {
        if (shown === generation) return;
        const timer = setTimeout(() => setShown(watch.get().frame?.generation ?? generation), isGoing ? 900 : 0);
        return () => clearTimeout(timer);
    }, [generation === shown, isGoing]);
    return shown;
}

function Picture({ run, which, generation }: { run: Run; which: string; generation: number }): ReactElement {
    useTheme();
    const theme = isDark() ? "dark" : "light";
    return <ApiImage alt="" width={72} height={72}
        src={api.fileOf(run.id, which, "svg", { generation, theme, keep_pockets: 1, v: run.created })} />;
}
