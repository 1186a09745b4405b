import { useEffect, useRef, useState, type ReactElement } from "react";
import { api } from "./api";
import { Chart, type Point, type Series } from "./chart";
import { Button, copy, isDark, SureButton, toast, useTheme } from "./dom";
import { ago, counted, short, words } from "./format";
import { linkTo, linkToRun, orderOf } from "./link";
import { editors, pageOf } from "./pages";
import { server } from "./player";
import { stateOf } from "./runbox";
import { slice } from "./store";
import type { Registry, Row, Run } from "./types";

const roles = ["aegean", "terracotta", "olive", "ochre", "ink", "quiet"];
const dashes = ["", "7 4", "2 3", "9 3 2 3", "12 4", "1 5"];

interface Compared {
    ids: string[]; // up to six; each keeps its colour
    rows: Record<string, { version: number; rows: Row[] }>;
    isLinear: boolean;
    isTime: boolean;
    domain: string; // of those that are listed
}
const compared = slice<Compared>("runs", { ids: [], rows: {}, isLinear: false, isTime: false, domain: "" });

const colourOf = (ids: string[], id: string): number => ids.indexOf(id);

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
    useHistories(runs ?? [], here);
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
                {here.length === 0 ? <p className="quiet-text">Tick runs to compare their curves.</p> : <Ticked
                    ids={here} />}
                {runs !== null && listed.length === 0 && <p className="quiet-text">
                    No runs yet. Start one under {editors.map((one) => one.title).join(" or ")}.</p>}
                <ul className="runs">
                    {listed.map((run) => <Card key={run.id} run={run} place={colourOf(here, run.id)}
                        isPictured={registry.domains.some((one) => one.name === run.problem && one.pictured)} />)}
                </ul>
            </section>
            <div className="side">
                {here.length > 0 && <Comparison runs={runs ?? []} ids={here} registry={registry} />}
                <Studies />
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
function Ticked({ ids }: { ids: string[] }): ReactElement {
    return (
        <div className="buttons ticked">
            <SureButton text={`Delete ${ids.length === 1 ? "the ticked run" : `${ids.length} ticked runs`}`}
                kind="quiet all-danger"
                onClick={() => void Promise.all(ids.map((id) => act(() => api.remove(id)))).then(() =>
                    compared.put({ ids: [] }))} />
            <Button kind="quiet" onClick={() => compared.put({ ids: [] })}>Tick none</Button>
        </div>
    );
}

function Swatch({ place }: { place: number }): ReactElement | null {
    if (place < 0) return null;
    return (
        <svg className="swatch" viewBox="0 0 30 8" width={30} height={8} aria-hidden="true">
            <path className={`curve ${roles[place]}`} d="M0 4h30" strokeDasharray={dashes[place] || undefined}
                strokeWidth={3} />
        </svg>
    );
}

function Card({ run, place, isPictured }: { run: Run; place: number; isPictured: boolean }): ReactElement {
    useTheme();
    const { statistics: numbers } = run;
    const isAway = server.use((one) => one.isAway);
    const isOver = run.state === "ended" || run.state === "failed";
    const { text, kind } = isAway && !isOver ? { text: "The studio does not answer", kind: "bad" } : stateOf(run);
    // A picture every other second at most while it runs.
    const stamp = run.state === "running" ? Math.floor(Date.now() / 2000) : run.version;
    const changes = run.set.filter((one) => !one.startsWith("seed="));
    const toggle = (isTicked: boolean) => {
        const { ids } = compared.get();
        const here = ids.filter((id) => server.get().runs?.some((one) => one.id === id));
        if (!isTicked) compared.put({ ids: here.filter((id) => id !== run.id) });
        else if (here.length >= roles.length) toast("Six runs at a time");
        else compared.put({ ids: [...here, run.id] });
    };
    return (
        <li data-run={run.id}>
            <input type="checkbox" aria-label={`Compare ${run.id}`} checked={place >= 0}
                onChange={(event) => toggle(event.target.checked)} />
            {isPictured && <img className="thumbnail" alt="" loading="lazy" width={104} height={104}
                src={numbers.evaluations > 0 ? api.pictureOf(run.id, isDark() ? "dark" : "light",
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
                    Best {short(numbers.best_ever)} · {counted(numbers.generation, "generation", "generations")}
                    {" "}· {short(numbers.evaluations)} evaluations · {ago(run.created)}</p>
                <div className="actions">
                    {(run.state === "paused" || run.state === "failed") &&
                        <Button kind="quiet" onClick={() => void act(() => api.control(run.id, "play"))}>Go on</Button>}
                    {(run.state === "running" || run.state === "waiting") &&
                        <Button kind="quiet" onClick={() => void act(() => api.control(run.id,
                            "pause"))}>Pause</Button>}
                    <Button kind="quiet" onClick={() => void copy(run.command, "Command")}>Copy command</Button>
                    {run.recipe !== "" && pageOf(run.problem) !== "run" && <Button kind="quiet"
                        onClick={() => void copy(linkTo(pageOf(run.problem), orderOf(run)), "Link")}>Copy link</Button>}
                    <SureButton text="Delete" kind="quiet danger" onClick={() => void act(() => api.remove(run.id))} />
                </div>
            </div>
        </li>
    );
}

/** The curves of the ticked runs, one chart for each problem: their values have nothing to do with each other. */
function Comparison({ runs, ids, registry }: { runs: Run[]; ids: string[]; registry: Registry }): ReactElement {
    const { rows, isLinear, isTime } = compared.useAll();
    const problems = [...new Set(ids.map((id) => runs.find((run) => run.id === id)!.problem))];
    const seriesOf = (id: string): Series => ({
        name: id, role: roles[colourOf(ids, id)]!, dash: dashes[colourOf(ids, id)], steps: true,
        points: (rows[id]?.rows ?? []).map((row): Point => [isTime ? row.seconds : row.evaluations, row.bestEver]),
    });
    return (
        <section className="panel" aria-label="Comparison">
            <div className="buttons axes" role="group" aria-label="Axis">
                <Button pressed={!isTime} onClick={() => compared.put({ isTime: false })}>Evaluations</Button>
                <Button pressed={isTime} onClick={() => compared.put({ isTime: true })}>Time</Button>
                <Button pressed={!isLinear} onClick={() => compared.put({ isLinear: false })}>Logarithmic</Button>
                <Button pressed={isLinear} onClick={() => compared.put({ isLinear: true })}>Linear</Button>
            </div>
            {problems.map((problem) => {
                const mine = ids.filter((id) => runs.find((run) => run.id === id)!.problem === problem);
                const title = registry.domains.find((one) => one.name === problem)?.title ?? problem;
                return (
                    <div key={problem}>
                        <h2>{title}: best so far</h2>
                        <Chart label={`Best so far of ${mine.join(", ")}`} x={isTime ? "seconds" : "evaluations"}
                            height={280}
                            isLinear={isLinear} series={mine.map(seriesOf)} right={190} />
                    </div>
                );
            })}
            <p className="quiet-text">Up to six runs; each keeps its own colour and kind of line.</p>
        </section>
    );
}

function Studies(): ReactElement {
    const [names, setNames] = useState<string[]>([]);
    useEffect(() => void api.studies().then(setNames, () => undefined), []);
    return (
        <section className="panel" aria-label="Studies">
            <h2>Studies</h2>
            {names.length === 0 ? <p
                className="quiet-text">Reports of studies that lie in the workspace are listed here.</p>
                : <ul>{names.map((name) => (
                    <li key={name}>
                        <a href={`/studies/${encodeURIComponent(name)}`} target="_blank" rel="noopener">{name}</a>
                    </li>
                ))}</ul>}
        </section>
    );
}
