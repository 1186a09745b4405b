import { show } from "host";
import type { ReactElement } from "react";
import { api, download, request } from "./api";
import { Chart, type Series } from "./chart";
import { Button, copy, isDark, Labelled, useKeys } from "./dom";
import { counted, duration, inUnits, short, thousands, words } from "./format";
import { Front } from "./front";
import { linkTo, linkToRun, orderOf, verdictOn, wholeOrderOf } from "./link";
import { control, goLive, pace, positionIn, scrub, server, speeds, useAway, watch } from "./player";
import { kept } from "./store";
import type { Row, Run } from "./types";

const shapes = {
    play: "M7 4.500v15l12-7.500z",
    pause: "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z",
    step: "M6 5v14l9-7zM16.500 5H19v14h-2.500z",
    end: "M4 5v14l7.500-7zM11.500 5v14l7-7zM18.500 5H21v14h-2.500z",
    live: "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",
};

function RoundButton(props: {
    shape: keyof typeof shapes; text: string; keyName: string; disabled: boolean; onClick: () =>
        void; primary?: boolean;
}): ReactElement {
    return (
        <button type="button" className={props.primary ? "round primary" : "round"}
            title={`${props.text} (${props.keyName})`}
            data-action={props.shape} disabled={props.disabled} onClick={props.onClick}>
            <svg viewBox="0 0 24 24" className="icon" aria-hidden="true"><path d={shapes[props.shape]} /></svg>
            <span className="hidden-text">{props.text}</span>
        </button>
    );
}

function playOrPause(): void {
    const state = watch.get().run?.state;
    if (state === "running" || state === "waiting") void control("pause");
    else if (state === "paused" || state === "failed") void control("play", { speed: pace.get().speed });
}

/** Play, pause, one step, run to the end, and the slider that goes back. `besides` is shown in place of the run. */
export function Transport({ besides, back }: { besides?: string; back?: () => void }): ReactElement | null {
    const now = watch.useAll();
    const { run, rows, frame, isLive } = now;
    const isOver = !run || run.state === "ended" || now.isGone;
    const isGoing = run?.state === "running" || run?.state === "waiting";
    const live = () => { back?.(); goLive(); };
    const toEnd = () => { if (!isOver) void control("play", { speed: 0 }); };
    const step = () => { if (!isOver) void control("step"); };
    useKeys((event) => {
        if (!run || event.ctrlKey || event.metaKey) return false;
        if (event.key === " ") playOrPause();
        else if (event.key === ".") step();
        else if (event.key === "e") toEnd();
        else if (event.key === "l") live();
        else return false;
        return true;
    });
    if (!run || run.imported) return null;
    const last = rows[rows.length - 1]?.generation ?? 0;
    const moment = besides ??
        `Generation ${thousands(frame?.generation ?? 0)}${isLive ? "" : ` of ${thousands(last)}`}`;
    const steps = run.unit && frame && !besides ? ` · ${inUnits(frame.steps, run.unit)}` : "";
    return (
        <div className="transport" role="group" aria-label="Run">
            <RoundButton primary shape={isGoing ? "pause" : "play"} text={isGoing ? "Pause" : "Play"} keyName="Space"
                disabled={isOver} onClick={playOrPause} />
            <RoundButton shape="step" text="One step" keyName="." disabled={isOver} onClick={step} />
            <RoundButton shape="end" text="Run to the end" keyName="e" disabled={isOver} onClick={toEnd} />
            <input type="range" className="scrub" min={0} max={Math.max(0, rows.length - 1)} step={1}
                value={positionIn(now)}
                disabled={rows.length < 2} aria-label="Go back through the run" aria-valuetext={moment}
                onChange={(event) => { back?.(); void scrub(Number(event.target.value)); }} />
            <RoundButton shape="live" text="Back to now" keyName="l" disabled={isLive && !besides} onClick={live} />
            <output className="moment">{moment + steps}</output>
        </div>
    );
}

export function Speed(): ReactElement {
    const { speed } = pace.useAll();
    const text = speed === 0 ? "as fast as it goes" : `${thousands(speed)} gen/s`;
    const put = (value: number) => {
        pace.put({ speed: value });
        kept.put("knossos-speed", String(value));
        const { run } = watch.get();
        if (run && run.state !== "ended" && run.state !== "failed") void control("speed", { speed: value });
    };
    return (
        <Labelled label="Speed" meaning="Generations per second; never changes the result"
            extra={<output>{text}</output>}>
            {(id) => <input type="range" id={id} className="speed" min={0} max={speeds.length - 1} step={1}
                value={Math.max(0, speeds.indexOf(speed))} aria-valuetext={text}
                onChange={(event) => put(speeds[Number(event.target.value)] ?? 0)} />}
        </Labelled>
    );
}

/** What a run costs and has brought, in numbers. */
export function Numbers(): ReactElement {
    const { frame, rate } = watch.useAll();
    const missed = frame?.violation ? `, misses ${short(frame.violation)}` : "";
    const average = frame && frame.seconds > 0 ? `${short(frame.evaluations / frame.seconds)} ev/s` : "–";
    const evaluations = frame ? (frame.evaluations < 1e6
        ? thousands(frame.evaluations) : short(frame.evaluations)) : "–";
    const cells: [string, string][] = [
        ["Best", short(frame?.best_ever) + missed],
        ["Mean", short(frame?.mean)],
        ["Evaluations", evaluations],
        ["Speed", rate > 0 ? `${short(rate)} ev/s` : average],
        ["Diversity", frame && frame.diversity !== null ? `${Math.round(frame.diversity * 100)} %` : "–"],
        ["Time", frame ? duration(frame.seconds) : "–"],
    ];
    return <dl className="numbers">{cells.map(([name, value]) => <div
        key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Why a run came to its end, in words: solved() || evaluations(1000) names what held. */
export function endedBy(run: Run): string {
    const found = /^(\w+)\(([^)]*)\)/.exec(run.stopped_by);
    if (!found) return run.stopped_by;
    const [, name, value] = found;
    const amount = short(Number(value));
    const reasons: Record<string, string> = {
        solved: "it is solved", evaluations: `its ${amount} evaluations are spent`,
            generations: `its ${amount} generations are over`,
        stagnation: `nothing got better for ${amount} generations`, seconds: `its ${amount} s are over`,
        target: `the target ${amount} is reached`,
        convergence: "all of them have become alike",
        idle: `in ${amount} generations no child differed from its parents`,
    };
    return reasons[name!] ?? run.stopped_by;
}

export function stateOf(run: Run): { text: string; kind: string } {
    if (run.imported) return { text: `Opened from ${run.imported}`, kind: "good" };
    if (run.state === "ended") {
        if (run.solved) return { text: "Solved", kind: "good" };
        return run.target === null ? { text: "Ended", kind: "good" } : { text: "Ended without a solution",
            kind: "warn" };
    }
    if (run.state === "failed") return { text: `Failed: ${run.message ?? ""}`, kind: "bad" };
    if (run.state === "waiting") return { text: "Waiting for its turn", kind: "" };
    return run.state === "paused" ? { text: "Paused", kind: "warn" } : { text: "Running", kind: "go" };
}

/** The line that says what state the run is in, and under it why. */
export function Status({ idle }: { idle: string }): ReactElement {
    const { run, isGone, trouble } = watch.useAll();
    const isAway = useAway();
    const running = server.use((one) => one.runs)?.filter((one) => one.state === "running").length ?? 0;
    if (!run) return <p className={trouble ? "status bad" : "status"} role="status">{trouble || idle}</p>;
    const { text, kind } = isGone ? { text: "Deleted", kind: "bad" } : isAway && run.state !== "ended"
        ? { text: "The studio does not answer", kind: "bad" } : stateOf(run);
    const why = isGone ? "This run was deleted elsewhere"
        : run.state === "waiting"
            ? `${counted(running, "run is", "runs are")} going; this one begins when one of them ends or is paused`
            : run.state === "ended" && run.stopped_by && !run.solved ? `It ended because ${endedBy(run)}` : "";
    const verdict = verdictOn(run);
    return (
        <div className="state">
            <p className={`status ${kind}`} role="status">{text}</p>
            {why && <p className="why">{why}</p>}
            {verdict && <p className="why" data-same={verdict.isSame}>{verdict.text}</p>}
        </div>
    );
}

/** A link that carries the recipe whole, also of a run that was begun with a file. */
export async function linkOf(page: string, run: Run): Promise<string> {
    const digest = run.digest ? `&digest=${run.digest}` : ""; // whoever opens it can see that it comes out the same
    return linkTo(page, run.recipe ? orderOf(run) : await wholeOrderOf(run)) + digest;
}

const keepsArchive = (run: Run): boolean => run.sections?.["algorithm"]?.kind === "map-elites";

/** Command line, link, recipe and file of what is on the screen. */
export function Share({ page }: { page: string }): ReactElement | null {
    const run = watch.use((one) => one.run);
    if (!run) return null;
    const { command } = run; // a gallery that was opened has none: what it was made with is not known
    const save = async () => download(await (await request(api.recipeOf(run.id))).blob(), "recipe.toml");
    const share = () => show(api.sharedOf(run.id, isDark() ? "dark" : "light"), "_self");
    return (
        <details className="share">
            <summary>Repeat and share</summary>
            {command && <code className="command">{command}</code>}
            <div className="buttons">
                {command && <>
                    <Button data={{ action: "copy-command" }} onClick={() => void copy(command,
                        "Command")}>Copy command</Button>
                    <Button data={{ action: "copy-link" }} onClick={() => void linkOf(page, run).then((link) =>
                        copy(link, "Link"))}>Copy link</Button>
                </>}
                <Button data={{ action: "share-run" }} title="One HTML file: data, pictures and replay, no server"
                    onClick={share}>Download as a page</Button>
                {keepsArchive(run) && <Button data={{ action: "share-gallery" }}
                    title="Its gallery as one HTML file" onClick={() => show(
                        api.sharedGalleryOf(run.id, isDark() ? "dark" : "light"), "_self")}>
                    Download its gallery</Button>}
                <Button onClick={() => show(api.recipeOf(run.id))}>Show recipe</Button>
                <Button data={{ action: "save-recipe" }} title="All of it, as recipe.toml"
                    onClick={() => void save()}>Save recipe</Button>
            </div>
        </details>
    );
}

/** The keys that work wherever no control has the focus. */
export function Keys({ more = [] }: { more?: [string, string][] }): ReactElement {
    const keys: [string, string][] = [["Space", "play or pause"], [".", "one step"], ["e", "run to the end"], ["l",
        "back to now"], ...more];
    return (
        <details className="more">
            <summary>Keys</summary>
            <dl className="keys">
                {keys.map(([key, what]) => [<dt key={key}><kbd>{key}</kbd></dt>, <dd key={what}>{what}</dd>])}
            </dl>
        </details>
    );
}

/** Best, mean and worst over the evaluations, as far as they differ. */
export function curves(rows: Row[]): Series[] {
    const points = (of: (row: Row) => number) => rows.map((row): [number, number] => [row.evaluations, of(row)]);
    const best: Series = { name: "best", role: "aegean", points: points((row) => row.bestEver), steps: true };
    // A population of one has no mean, only what it is now.
    if (rows.every((row) => row.worst === row.bestEver)) return [best];
    if (rows.every((row) => row.worst === row.mean))
        return [{ name: "now", role: "ochre", points: points((row) => row.mean), dash: "7 4" }, best];
    return [
        { name: "worst", role: "terracotta", points: points((row) => row.worst), dash: "2 3" },
        { name: "mean", role: "ochre", points: points((row) => row.mean), dash: "7 4" },
        best,
    ];
}

function speedPoints(rows: Row[]): [number, number][] {
    return rows.flatMap((row, i): [number, number][] => {
        const before = rows[i - 1];
        if (!before || row.seconds <= before.seconds || row.evaluations <= before.evaluations) return [];
        return [[row.evaluations, (row.evaluations - before.evaluations) / (row.seconds - before.seconds)]];
    });
}

/** The course of a run: how good (in a word of its kind), how different the individuals are,
    how hard they are chosen. */
export function Curves(props: { what: string; all?: boolean; hasFront?: boolean }): ReactElement {
    const { all = true, hasFront = true } = props;
    const { rows, run, frame, isLive } = watch.useAll();
    const what = (run?.objectives.length ?? 1) > 1 ? words(run!.fitness) : props.what; // of several, the first
    const mark = isLive ? undefined : frame?.evaluations;
    const last = rows[rows.length - 1];
    const chosen = rows.filter((row) => row.generation > 0).map((row): [number, number] => [row.evaluations,
        row.intensity]);
    const pressure = chosen[chosen.length - 1];
    const speed = speedPoints(rows);
    const told = last
        ? `${what} against evaluations: best ${short(last.bestEver)}, mean ${short(last.mean)}` : "No curve yet";
    const diversity = rows.map((row): [number, number] => [row.evaluations, row.diversity]);
    const more = (
        <>
            <h2>Diversity</h2>
            <Chart label={last ? `Diversity ${short(last.diversity)}` : "No curve yet"} x="evaluations"
                height={124} from={0}
                mark={mark} series={[{ name: "", role: "olive", points: diversity }]} />
            {chosen.some(([, value]) => value !== 0) && <>
                <h2 title="How much better than all the chosen parents are, in standard deviations">
                    Selection intensity</h2>
                <Chart label={`Selection intensity ${pressure![1].toFixed(2)}`} x="evaluations" height={114}
                    mark={mark}
                    series={[{ name: "", role: "quiet", points: chosen }]} />
            </>}
            <h2>Evaluations per second</h2>
            <Chart label={speed.length > 0
                ? `${short(speed[speed.length - 1]![1])} evaluations per second` : "No curve yet"}
                x="evaluations" height={114} from={0} series={[{ name: "", role: "quiet", points: speed }]} />
        </>
    );
    return (
        <>
            <h2>{what}</h2>
            <Chart label={told} x="evaluations" series={curves(rows)} target={run?.target} mark={mark} />
            {hasFront && <Front />}
            {run && keepsArchive(run) && <p><a id="to-gallery" href={linkToRun("gallery", run.id)}>
                Watch its archive fill</a></p>}
            {all ? more : <details className="more"><summary>Diversity, selection, speed</summary>{more}</details>}
        </>
    );
}
