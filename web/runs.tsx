import { hasStudies, show } from "host";
import { useEffect, useRef, type ReactElement } from "react";
import { api } from "./api";
import { Chart, type Point, type Series } from "./chart";
import { Button, copy, isDark, SureButton, toast, useTheme } from "./dom";
import { ago, counted, short, words } from "./format";
import { ApiImage } from "./image";
import { linkToRun } from "./link";
import { editors, pageOf } from "./pages";
import { server, useAway } from "./player";
import { linkOf, stateOf } from "./runbox";
import { slice } from "./store";
import type { Registry, Row, Run } from "./types";

const roles = ["aegean", "terracotta", "olive", "ochre", "ink", "quiet"];
const dashes = ["", "7 4", "2 3", "9 3 2 3", "12 4", "1 5"];

interface Compared {
    ids: string[]; // those that are ticked
    rows: Record<string, { version: number; rows: Row[] }>;
    isLinear: boolean;
    isTime: boolean;
    domain: string; // of those that are listed
}
const compared = slice<Compared>("runs", { ids: [], rows: {}, isLinear: false, isTime: false, domain: "" });

/** Runs that differ in their seed alone are repeats of each other, and one series. */
export interface Repeats {
    key: string;
    name: string;
    runs: Run[];
}

export function repeatsOf(runs: Run[], ids: string[]): Repeats[] {
    const found = new Map<string, Repeats>();
    for (const id of ids) {
        const run = runs.find((one) => one.id === id);
        if (!run) continue;
        const set = run.set.filter((one) => !one.startsWith("seed=")).sort().join("\n");
        const key = run.recipe ? `${run.problem}\n${run.recipe}\n${set}` : run.id;
        const before = found.get(key);
        if (before) before.runs.push(run);
        else found.set(key, { key, name: run.id, runs: [run] });
    }
    for (const one of found.values())
        if (one.runs.length > 1) one.name = `${one.runs[0]!.recipe} × ${one.runs.length}`;
    return [...found.values()];
}

const colourOf = (groups: Repeats[], id: string): number => groups.findIndex((one) =>
    one.runs.some((run) => run.id === id));

async function act(what: () => Promise<unknown>): Promise<void> {
    try {
        await what();
    } catch (error) {
        toast((error as Error).message);
    }
}

export function RunsPage({ registry }: { registry: Registry }): ReactElement {
    const runs = server.use((one) => one.runs);
    const { domain, ids } = compared.useAll();
    const listed = (runs ?? []).filter((run) => domain === "" || run.problem === domain);
    const here = ids.filter((id) => runs?.some((run) => run.id === id));
    const groups = repeatsOf(runs ?? [], here);
    useHistories(runs ?? [], groups.slice(0, roles.length).flatMap((one) => one.runs.map((run) => run.id)));
    return (
        <div className="page runs-page">
            <section className="stage" aria-label="History">
                <div className="stage-head">
                    <h1>Runs</h1>
                    <select id="filter" aria-label="Which runs are listed" value={domain}
                        onChange={(event) => compared.put({ domain: event.target.value })}>
                        <option value="">All problems</option>
                        {registry.domains.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
                    </select>
                </div>
                <Ticked ids={here} listed={listed.map((run) => run.id)} />
                {runs !== null && listed.length === 0 && <p className="quiet-text">
                    No runs yet. Start one under {editors.map((one) => one.title).join(" or ")}.</p>}
                <ul className="runs">
                    {listed.map((run) => <Card key={run.id} run={run} place={colourOf(groups, run.id)}
                        isPictured={registry.domains.some((one) => one.name === run.problem && one.pictured)} />)}
                </ul>
            </section>
            <div className="side">
                {groups.length > 0 && <Comparison groups={groups} registry={registry} />}
                {hasStudies && <p className="quiet-text">
                    One run says little: <a href="#/studies">Studies</a> make many, and compare them.</p>}
            </div>
        </div>
    );
}

/** Fetches the histories of compared runs, again while they go on: once a second at most. */
function useHistories(runs: Run[], ids: string[]): void {
    const isAsking = useRef(false);
    const last = useRef(0);
    const wanted = ids.filter((id) => {
        const run = runs.find((one) => one.id === id);
        return run && compared.get().rows[id]?.version !== run.version;
    });
    useEffect(() => {
        if (isAsking.current || wanted.length === 0) return;
        isAsking.current = true;
        const ask = async () => {
            last.current = Date.now();
            for (const id of wanted) {
                if (!compared.get().ids.includes(id)) continue; // no longer
                const version = runs.find((run) => run.id === id)?.version ?? 0;
                const rows = await api.history(id).catch(() => compared.get().rows[id]?.rows ?? []);
                compared.put({ rows: { ...compared.get().rows, [id]: { version, rows } } });
            }
            isAsking.current = false;
        };
        setTimeout(() => void ask(), Math.max(0, last.current + 1000 - Date.now()));
    });
}

/** What can be done with all that are ticked. */
function Ticked({ ids, listed }: { ids: string[]; listed: string[] }): ReactElement | null {
    if (listed.length === 0 && ids.length === 0) return null;
    const remove = async () => {
        compared.put({ ids: [] }); // nobody asks for the histories of those that are going
        // One after the other: the studio may hold hundreds.
        for (const id of ids) await act(() => api.remove(id));
    };
    return (
        <div className="buttons ticked">
            {ids.length === 0 && <p className="quiet-text">Tick runs to compare their curves.</p>}
            {listed.some((id) => !ids.includes(id)) && <Button kind="quiet" id="tick-all"
                onClick={() => compared.put({ ids: [...new Set([...ids, ...listed])] })}>
                {`Tick all ${listed.length} listed`}</Button>}
            {ids.length > 0 && <>
                <Button kind="quiet" onClick={() => compared.put({ ids: [] })}>Tick none</Button>
                <SureButton text={`Delete ${ids.length === 1 ? "the ticked run" : `${ids.length} ticked runs`}`}
                    kind="quiet all-danger" onClick={() => void remove()} />
            </>}
        </div>
    );
}

function Swatch({ place }: { place: number }): ReactElement | null {
    if (place < 0 || place >= roles.length) return null;
    return (
        <svg className="swatch" viewBox="0 0 30 8" width={30} height={8} aria-hidden="true">
            <path className={`curve ${roles[place]}`} d="M0 4h30" strokeDasharray={dashes[place] || undefined}
                strokeWidth={3} />
        </svg>
    );
}

function Card({ run, place, isPictured }: { run: Run; place: number; isPictured: boolean }): ReactElement {
    useTheme();
    const { statistics: numbers, command } = run;
    const isAway = useAway();
    const isOver = run.state === "ended" || run.state === "failed";
    const { text, kind } = isAway && !isOver ? { text: "The studio does not answer", kind: "bad" } : stateOf(run);
    // A picture every other second at most while it runs.
    const stamp = run.state === "running" ? Math.floor(Date.now() / 2000) : run.version;
    const changes = run.set.filter((one) => !one.startsWith("seed="));
    const toggle = (isTicked: boolean) => {
        const { ids } = compared.get();
        const here = ids.filter((id) => server.get().runs?.some((one) => one.id === id));
        compared.put({ ids: isTicked ? [...here, run.id] : here.filter((id) => id !== run.id) });
    };
    return (
        <li data-run={run.id}>
            <input type="checkbox" aria-label={`Compare ${run.id}`} checked={place >= 0}
                onChange={(event) => toggle(event.target.checked)} />
            {isPictured && <ApiImage className="thumbnail" alt="" loading="lazy" width={104} height={104}
                src={numbers.evaluations > 0 || run.imported ? api.pictureOf(run.id, isDark() ? "dark" : "light",
                    stamp) : undefined} />}
            <div className="about">
                <div className="run-head">
                    <a href={linkToRun(pageOf(run.problem), run.id)}>{words(run.name || run.id)}</a>
                    <span className={`status ${kind}`}>{text}</span>
                </div>
                <p className="quiet-text facts"><Swatch place={place} /> {run.id} · seed {run.seed}</p>
                {changes.length > 0 && <p className="quiet-text changes" title={changes.join("\n")}>
                    {changes.map((one) => one.replace(/^problem\./, "")).join(" · ")}</p>}
                <p className="quiet-text facts">
                    {run.imported ? "A gallery" : `Best ${short(numbers.best_ever)} · ${counted(numbers.generation,
                        "generation", "generations")} · ${short(numbers.evaluations)} evaluations`}
                    {" "}· {ago(run.created)}</p>
                <div className="actions">
                    {(run.state === "paused" || run.state === "failed") &&
                        <Button kind="quiet" onClick={() => void act(() => api.control(run.id, "play"))}>Go on</Button>}
                    {(run.state === "running" || run.state === "waiting") &&
                        <Button kind="quiet" onClick={() => void act(() => api.control(run.id,
                            "pause"))}>Pause</Button>}
                    {command && <>
                        <Button kind="quiet" onClick={() => void copy(command, "Command")}>Copy command</Button>
                        <Button kind="quiet" data={{ action: "copy-link" }} onClick={() => void act(async () =>
                            copy(await linkOf(pageOf(run.problem), run), "Link"))}>Copy link</Button>
                    </>}
                    <a href={api.sharedOf(run.id, isDark() ? "dark" : "light")} data-action="share-run"
                        title="One HTML file: data, pictures and replay, no server" onClick={(event) => {
                            event.preventDefault();
                            show(api.sharedOf(run.id, isDark() ? "dark" : "light"), "_self");
                        }}>Share as a page</a>
                    <SureButton text="Delete" kind="quiet danger" onClick={() => void act(() => api.remove(run.id))} />
                </div>
            </div>
        </li>
    );
}

/** Median and quartiles of repeats, at every place where one of them has a value. */
export function middle(curves: Point[][]): { points: Point[]; band: [number, number, number][] } {
    const places = [...new Set(curves.flatMap((one) => one.map(([x]) => x)))].sort((a, b) => a - b);
    const few = places.filter((_, i) => i % Math.ceil(places.length / 400) === 0 || i === places.length - 1);
    const next = curves.map(() => 0);
    const points: Point[] = [];
    const band: [number, number, number][] = [];
    for (const x of few) {
        // What each is worth by then: a curve that has ended stays where it ended.
        const values = curves.flatMap((one, i) => {
            while (next[i]! < one.length && one[next[i]!]![0] <= x) next[i] = next[i]! + 1;
            return next[i]! > 0 ? [one[next[i]! - 1]![1]] : [];
        }).filter(Number.isFinite).sort((a, b) => a - b);
        if (values.length < curves.length) continue; // until all of them have begun
        points.push([x, quantile(values, 0.5)]);
        band.push([x, quantile(values, 0.25), quantile(values, 0.75)]);
    }
    return { points, band };
}

function quantile(sorted: number[], share: number): number {
    const place = (sorted.length - 1) * share;
    const low = sorted[Math.floor(place)]!;
    return low + (sorted[Math.ceil(place)]! - low) * (place - Math.floor(place));
}

/** The curves of the ticked runs, one chart for each problem: their values have nothing to do with each other. */
function Comparison({ groups, registry }: { groups: Repeats[]; registry: Registry }): ReactElement {
    const { rows, isLinear, isTime } = compared.useAll();
    const drawn = groups.slice(0, roles.length);
    const problems = [...new Set(drawn.map((one) => one.runs[0]!.problem))];
    const curveOf = (id: string): Point[] => (rows[id]?.rows ?? []).map((row): Point =>
        [isTime ? row.seconds : row.evaluations, row.bestEver]);
    const seriesOf = (one: Repeats): Series => {
        const place = groups.indexOf(one);
        const curves = one.runs.map((run) => curveOf(run.id)).filter((curve) => curve.length > 0);
        const style = { name: one.name, role: roles[place]!, dash: dashes[place], steps: true };
        return curves.length > 1 ? { ...style, ...middle(curves) } : { ...style, points: curves[0] ?? [] };
    };
    const hasRepeats = drawn.some((one) => one.runs.length > 1);
    return (
        <section className="panel" aria-label="Comparison">
            <div className="buttons axes" role="group" aria-label="Axis">
                <Button pressed={!isTime} onClick={() => compared.put({ isTime: false })}>Evaluations</Button>
                <Button pressed={isTime} onClick={() => compared.put({ isTime: true })}>Time</Button>
                <Button pressed={!isLinear} onClick={() => compared.put({ isLinear: false })}>Logarithmic</Button>
                <Button pressed={isLinear} onClick={() => compared.put({ isLinear: true })}>Linear</Button>
            </div>
            {problems.map((problem) => {
                const mine = drawn.filter((one) => one.runs[0]!.problem === problem);
                const title = registry.domains.find((one) => one.name === problem)?.title ?? problem;
                return (
                    <div key={problem}>
                        <h2>{title}: best so far</h2>
                        <Chart label={`Best so far of ${mine.map((one) => one.name).join(", ")}`}
                            x={isTime ? "seconds" : "evaluations"} height={280}
                            isLinear={isLinear} series={mine.map(seriesOf)} right={190} />
                    </div>
                );
            })}
            {hasRepeats && <p className="quiet-text">Runs that differ in their seed alone are one curve: their
                median, and between its quartiles a band.</p>}
            {groups.length > drawn.length && <p className="quiet-text">
                {`Six curves at a time: ${groups.length - drawn.length} more are ticked.`}</p>}
        </section>
    );
}
