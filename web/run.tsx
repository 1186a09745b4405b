import { useLayoutEffect, useState, useEffect, type ReactElement } from "react";
import { api } from "./api";
import { isDark, useTheme } from "./dom";
import { short, words } from "./format";
import { Front } from "./front";
import { ApiImage } from "./image";
import { Individuals } from "./individuals";
import { forgetRun, place, rememberRun } from "./link";
import { closeRun, openRun, watch } from "./player";
import { Curves, Keys, Numbers, Share, Status, Transport } from "./runbox";
import type { Registry } from "./types";

/** Any run, of whatever kind: its picture as the server draws it, its numbers and its curves. */
export function RunPage({ registry }: { registry: Registry }): ReactElement {
    const { query } = place.useAll();
    const { run, frame } = watch.useAll();
    useEffect(() => closeRun, []);
    useLayoutEffect(() => {
        const id = query.get("run");
        if (!id) return closeRun();
        void openRun(id).then((found) => (found ? rememberRun("run", id) : forgetRun("run")));
    }, [query]);
    const isPictured = registry.domains.some((one) => one.name === run?.problem && one.pictured);
    return (
        <div className="page runs-page">
            <section className="stage" aria-label="Best">
                <div className="stage-head">
                    <h1>{run ? words(run.name || run.id) : "Run"}</h1>
                    <Status idle="No run is named here: choose one under Runs" />
                </div>
                <Picture isWanted={isPictured} />
                {!isPictured && <Front height={400} />}
                <Transport />
                <Individuals registry={registry} />
            </section>
            <section className="panel results" aria-label="Progress">
                <Numbers />
                <Curves what="Fitness" hasFront={isPictured} />
                <table className="measures">
                    <tbody>
                        {(frame?.measures ?? []).map((one) => (
                            <tr key={one.name} title={one.meaning}>
                                <th scope="row">{words(one.name)}</th><td>{short(one.value)}</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
                <Share page="run" />
                <Keys />
            </section>
        </div>
    );
}

// The next picture is asked for when the last one is there: a fast run has more generations than can be drawn.
function Picture({ isWanted }: { isWanted: boolean }): ReactElement {
    const { run, frame } = watch.useAll();
    useTheme();
    const [shown, setShown] = useState({ source: "", alt: "" });
    const [isLoading, setLoading] = useState(false);
    const isShown = isWanted && run !== null && frame !== null;
    const source = isShown ? api.pictureAt(run.id, isDark() ? "dark" : "light", frame.generation) : "";
    useEffect(() => {
        if (!isShown || isLoading || source === shown.source) return;
        setLoading(true);
        setShown({ source, alt: frame.caption ?? "" });
    }, [source, isLoading]);
    return (
        <>
            <ApiImage className="picture" hidden={!isShown || !shown.source} src={shown.source || undefined}
                alt={shown.alt} onLoad={() => setLoading(false)} onError={() => setLoading(false)} />
            <p className="quiet-text">{isShown ? shown.alt : ""}</p>
        </>
    );
}
