import { useState, type ReactElement } from "react";
import { request } from "./api";
import { Button, Labelled } from "./dom";
import { NumberInput } from "./fields";
import { short, thousands, words } from "./format";
import type { GalleryDesk } from "./gallerystate";
import { formatsOf, saveFrom } from "./look";
import { watch } from "./player";

function AxisField(props: {
    desk: GalleryDesk; label: string; id: string; value: string; wrong?: string; onChange: (name: string) => void;
}): ReactElement {
    const { desk } = props;
    const { own } = desk.state.useAll();
    const measures = desk.measures() ?? [];
    const mine = own.map((one) => one.name);
    const rest = measures.filter((one) => !mine.includes(one.short) && !mine.includes(one.name));
    return (
        <Labelled label={props.label} id={props.id} wrong={props.wrong} meaning="Any measure; no new run is needed">
            {(id, wrong) => (
                <select id={id} value={props.value} aria-describedby={wrong} onChange={(event) =>
                    props.onChange(event.target.value)}>
                    <optgroup label="Of the run">
                        {mine.map((one) => <option key={one} value={one}>{words(desk.titleOf(one))}</option>)}
                    </optgroup>
                    {rest.length > 0 && <optgroup label="Other measures">
                        {rest.map((one) => <option key={one.name} value={one.short || one.name} title={one.meaning}>
                            {words(one.name)}</option>)}
                    </optgroup>}
                </select>
            )}
        </Labelled>
    );
}

/** Axes, wishes, favourites, some that lie far apart, and all of that as files. */
export function Chooser({ desk }: { desk: GalleryDesk }): ReactElement {
    const state = desk.state.useAll();
    const { own, axes, where, spread, favourites, favouritesOnly } = state;
    const [typed, setTyped] = useState(where);
    const [count, setCount] = useState(12);
    const [format, setFormat] = useState("");
    const run = watch.use((one) => one.run)!;
    const formats = formatsOf(desk.registry, run.problem);
    const [x, y] = axes ?? [own[0]?.name ?? "", own[1]?.name ?? own[0]?.name ?? ""];
    const marked = Object.keys(favourites).length;
    const packed = favouritesOnly && marked > 0 ? `${marked} favourites` : spread.length > 0
        ? `these ${spread.length}` : "24 that differ";
    const named = (name: string) => formats.find((one) => one.name === name);
    const chosen = named(format) ?? named("tmj") ?? formats[0];
    return (
        <>
            <dl className="numbers">
                <div><dt>Found</dt><dd id="filled">{thousands(state.filled)}</dd></div>
                <div><dt>Coverage</dt><dd>{(100 * state.coverage).toFixed(1)} %</dd></div>
                <div title="The sum of what the elites are worth"><dt>QD-score</dt><dd>{short(state.qdScore)}</dd></div>
            </dl>
            <h2>Axes</h2>
            <div className="pair even">
                <AxisField desk={desk} label="Across" id="axis-x" value={x}
                    onChange={(name) => desk.setAxes([name, y])} />
                <AxisField desk={desk} label="Up" id="axis-y" value={y}
                    onChange={(name) => desk.setAxes([x, name])} />
            </div>
            {state.wrongAxes && <p className="wrong">{state.wrongAxes}</p>}
            <h2>Wishes</h2>
            <form onSubmit={(event) => { event.preventDefault(); desk.setWhere(typed.trim()); }}>
                <Labelled label="Only those with" id="where" wrong={state.wrongWhere || undefined}
                    meaning="Ranges of measures, separated by commas"
                    extra={<button type="submit" id="filter">Filter</button>}>
                    {(id, wrong) => <input type="text" id={id} value={typed} spellCheck={false} aria-describedby={wrong}
                        placeholder={`${own[0]?.name ?? "measure"} 10..20`} onChange={(event) =>
                            setTyped(event.target.value)} />}
                </Labelled>
            </form>
            {where && <p className="quiet-text" id="filtered">
                {thousands(state.shown)} of {thousands(state.filled)} are such.{" "}
                <Button kind="quiet" onClick={() => { setTyped(""); desk.setWhere(""); }}>Show all</Button></p>}
            <h2>Favourites</h2>
            <div className="field">
                <label htmlFor="favourites-only">Show favourites alone ({marked})</label>
                <input type="checkbox" id="favourites-only" checked={favouritesOnly}
                    disabled={marked === 0 && !favouritesOnly}
                    onChange={(event) => desk.state.put({ favouritesOnly: event.target.checked })} />
            </div>
            <h2>Far apart</h2>
            <div className="spread-row">
                <Labelled label="How many" id="spread-count"
                    meaning="Those that differ most, the best of all among them">
                    {(id) => <NumberInput id={id} value={count} low={1} high={1000} isWhole onChange={setCount} />}
                </Labelled>
                <Button id="take-spread" onClick={() => void desk.takeSpread(count)}>Take these</Button>
                {spread.length > 0 && <Button kind="quiet" onClick={() =>
                    desk.state.put({ spread: [] })}>Clear</Button>}
            </div>
            <h2>Pack</h2>
            <div className="spread-row">
                <Labelled label="As" id="pack-format" meaning="One file each in a ZIP, with the gallery of them">
                    {(id) => (
                        <select id={id} value={chosen?.name} onChange={(event) => setFormat(event.target.value)}>
                            {formats.map((one) => <option key={one.name} value={one.name}
                                title={one.meaning}>{one.name.toUpperCase()}</option>)}
                        </select>
                    )}
                </Labelled>
                <Button id="pack" disabled={!chosen || state.shown === 0} onClick={() =>
                    void saveFrom(request(desk.packOf(chosen!.name)), `${run.id}.zip`)}>Download {packed}</Button>
            </div>
        </>
    );
}
