import { useEffect, type ReactElement } from "react";
import { Composer } from "./compose";
import { Button, copy, SureButton, toast } from "./dom";
import { diagnosticsOf } from "./form";
import { ago, counted, duration, short, thousands } from "./format";
import { place } from "./link";
import type { Study, StudyOrder, StudyRow, StudySummary } from "./openapi";
import { server } from "./player";
import {
    changeDraft, checkDraft, draftOf, followStudies, orderOfDraft, studies, studyApi,
} from "./studystate";
import type { Registry } from "./types";

const linkTo = (id: string): string => `#/studies?study=${encodeURIComponent(id)}`;

async function act(what: () => Promise<unknown>): Promise<void> {
    try {
        await what();
    } catch (error) {
        toast((error as Error).message);
    }
}

async function start(): Promise<void> {
    try {
        const study = await studyApi.start(orderOfDraft(studies.get().draft));
        studies.put({ wrong: [], open: study });
        location.hash = linkTo(study.id);
    } catch (error) {
        studies.put({ wrong: diagnosticsOf(error) });
    }
}

/** A link may carry a whole study, as it would be sent. */
function composedIn(query: URLSearchParams): StudyOrder | null {
    try {
        const order = JSON.parse(query.get("order") ?? "null") as StudyOrder | null;
        return order && typeof order === "object" && typeof order.name === "string" ? order : null;
    } catch {
        return null;
    }
}

export const makeStudies = (registry: Registry) => (): ReactElement => <StudiesPage registry={registry} />;

function StudiesPage({ registry }: { registry: Registry }): ReactElement {
    const { query } = place.useAll();
    const id = query.get("study");
    const { list, reports, open } = studies.useAll();
    useEffect(() => {
        const order = composedIn(query);
        if (order) changeDraft(draftOf(order));
        else void checkDraft();
    }, [query]);
    useEffect(() => {
        if (studies.get().open?.id !== id) studies.put({ open: null, isGone: false });
        return followStudies(id);
    }, [id]);
    return (
        <div className="page studies-page">
            <section className="stage" aria-label="Studies">
                <div className="stage-head"><h1>Studies</h1></div>
                {id !== null && <Opened />}
                {list !== null && list.length === 0 && <p className="quiet-text">
                    No studies yet. One run says little: evolution is luck as well. A study runs recipes × values
                    × seeds and says what came out.</p>}
                <ul className="runs study-list">
                    {(list ?? []).map((one) => <Listed key={one.id} isOpen={one.id === id}
                        one={open?.id === one.id && open.version > one.version ? open : one} />)}
                </ul>
                {reports.length > 0 && <>
                    <h2>Reports of the command line</h2>
                    <ul>{reports.map((name) => <li key={name}><ReportLink id={name}>{name}</ReportLink></li>)}</ul>
                </>}
            </section>
            <Composer registry={registry} onStart={() => void start()} />
        </div>
    );
}

function ReportLink({ id, children }: { id: string; children: string }): ReactElement {
    return <a href={`/studies/${encodeURIComponent(id)}`} target="_blank" rel="noopener">{children}</a>;
}

function stateOf(one: StudySummary, isAway: boolean): { text: string; kind: string } {
    if (one.state === "ended") return { text: "Done", kind: "good" };
    if (isAway) return { text: "The studio does not answer", kind: "bad" };
    if (one.state === "failed") return { text: `Failed: ${one.message ?? ""}`, kind: "bad" };
    if (one.state === "paused") return { text: "Paused", kind: "warn" };
    if (one.state === "waiting") return { text: "Waiting for the study before", kind: "" };
    return { text: one.done === one.runs ? "Writing the report" : "Running", kind: "go" };
}

function Progress({ one }: { one: StudySummary }): ReactElement {
    const left = one.left !== null && one.done < one.runs ? ` · about ${duration(one.left)} left` : "";
    const runs = counted(one.runs, "run", "runs");
    const text = `${thousands(one.done)} of ${runs}, ${thousands(one.solved)} solved${left}`;
    return (
        <div className="study-progress">
            <progress max={one.runs} value={one.done} aria-label={`Runs of ${one.name}`} />
            <span className="quiet-text facts">{text}</span>
        </div>
    );
}

function Listed({ one, isOpen }: { one: StudySummary; isOpen: boolean }): ReactElement {
    const isAway = server.use((it) => it.isAway);
    const { text, kind } = stateOf(one, isAway);
    return (
        <li data-study={one.id} aria-current={isOpen ? "true" : undefined}>
            <div className="about">
                <div className="run-head">
                    <a href={linkTo(one.id)}>{one.name}</a>
                    <span className={`status ${kind}`}>{text}</span>
                </div>
                <p className="quiet-text facts">{one.id} · {counted(one.configurations, "configuration",
                    "configurations")} · {ago(one.created)}</p>
                <Progress one={one} />
                <div className="actions"><Actions one={one} /></div>
            </div>
        </li>
    );
}

function Actions({ one }: { one: StudySummary }): ReactElement {
    const again = async () => {
        const { order } = await studyApi.one(one.id);
        changeDraft(draftOf(order));
        toast(`${one.name} is in the form`);
    };
    const link = async () => {
        const { order } = await studyApi.one(one.id);
        await copy(`${location.origin}/#/studies?${new URLSearchParams({ order: JSON.stringify(order) })}`, "Link");
    };
    return (
        <>
            {(one.state === "paused" || one.state === "failed") && <Button kind="quiet" data={{ action: "play-study" }}
                onClick={() => void act(() => studyApi.control(one.id, "play"))}>Go on</Button>}
            {(one.state === "running" || one.state === "waiting") && <Button kind="quiet"
                data={{ action: "pause-study" }}
                onClick={() => void act(() => studyApi.control(one.id, "pause"))}>Pause</Button>}
            {one.report && <ReportLink id={one.id}>Report</ReportLink>}
            <Button kind="quiet" onClick={() => void act(again)}>Compose from this</Button>
            <Button kind="quiet" onClick={() => void act(link)}>Copy link</Button>
            <a href={studyApi.fileOf(one.id)} download={`${one.id}.toml`}>File</a>
            <SureButton text="Delete" kind="quiet danger" onClick={() => void act(async () => {
                await studyApi.remove(one.id);
                if (place.get().query.get("study") === one.id) location.hash = "#/studies";
            })} />
        </>
    );
}

/** The figures of every configuration, as far as they are known: they fill while it goes on. */
function Opened(): ReactElement | null {
    const { open, isGone } = studies.useAll();
    const isAway = server.use((it) => it.isAway);
    if (isGone) return <p className="status bad" role="status">There is no such study: it was deleted</p>;
    if (!open) return <p className="quiet-text">Loading …</p>;
    const { text, kind } = stateOf(open, isAway);
    return (
        <section className="panel opened" aria-label="Figures" data-state={open.state}>
            <div className="stage-head">
                <h2>{open.name}</h2>
                <p className={`status ${kind}`} role="status">{text}</p>
            </div>
            <Progress one={open} />
            <Figures open={open} />
            {open.report && <p><ReportLink id={open.id}>The report</ReportLink>: plots, tables, tests and recipes.</p>}
        </section>
    );
}

// Runs may take less than a thousandth of a second.
const brief = (seconds: number): string => (seconds >= 1 ? duration(seconds) : seconds >= 1e-3
    ? `${short(seconds * 1e3)} ms` : `${short(seconds * 1e6)} µs`);

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

function Figures({ open }: { open: Study }): ReactElement {
    const hasTarget = open.rows.some((row) => row.target !== null);
    const hasFailed = open.rows.some((row) => row.failed > 0);
    const fastest = Math.min(...open.rows.map((row) => row.expected ?? Infinity));
    return (
        <div className="wide">
            <table className="figures">
                <thead>
                    <tr>
                        <th scope="col">Configuration</th><th scope="col">Runs</th>
                        {hasTarget && <>
                            <th scope="col" title="Share of runs that reached the target, with its 95 % interval">
                                Solved</th>
                            <th scope="col" title="Expected running time: all evaluations, divided by successes">
                                ERT</th>
                            <th scope="col" title="Evaluations to success: median">Median</th>
                        </>}
                        <th scope="col" title="Final values: median and quartiles">Best</th>
                        {hasFailed && <th scope="col">Failed</th>}
                        <th scope="col" title="Median">Time a run</th>
                    </tr>
                </thead>
                <tbody>
                    {open.rows.map((row) => <FigureRow key={row.label} row={row} hasTarget={hasTarget}
                        hasFailed={hasFailed} isFastest={row.expected !== null && row.expected === fastest} />)}
                </tbody>
            </table>
        </div>
    );
}

function FigureRow(props: {
    row: StudyRow; hasTarget: boolean; hasFailed: boolean; isFastest: boolean;
}): ReactElement {
    const { row } = props;
    const share = row.done > 0 ? row.solved / row.done : 0;
    const [low, high] = [row.success[0] ?? 0, row.success[1] ?? 1];
    return (
        <tr data-done={row.done}>
            <th scope="row">{row.label}</th>
            <td>{row.done === row.runs ? thousands(row.done) : `${thousands(row.done)} / ${thousands(row.runs)}`}</td>
            {props.hasTarget && <>
                <td className="solved-cell" title={row.done > 0
                    ? `${thousands(row.solved)} of ${thousands(row.done)}; 95 %: ${percent(low)} to ${
                        percent(high)}` : undefined}>
                    {row.done > 0 ? percent(share) : "–"}
                    <svg className="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                        <rect className="share-range" x={low * 100} y={3}
                            width={Math.max(0, high - low) * 100} height={4} />
                        <rect className="share-mark" x={Math.min(98, share * 100)} width={2} height={10} />
                    </svg>
                </td>
                <td className={props.isFastest ? "fastest" : undefined}>{short(row.expected)}</td>
                <td>{short(row.evaluations)}</td>
            </>}
            <td title={row.done > 0 ? `Quartiles ${short(row.best_quartiles[0])} to ${short(row.best_quartiles[1])}`
                : undefined}>{short(row.best)}</td>
            {props.hasFailed && <td>{thousands(row.failed)}</td>}
            <td>{row.seconds === null ? "–" : brief(row.seconds)}</td>
        </tr>
    );
}
