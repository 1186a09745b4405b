import { loaded } from "host";
import { useEffect, useRef, useState, type ReactElement } from "react";
import { request } from "./api";
import { Button, isDark, Labelled, say, useTheme } from "./dom";
import { openGallery } from "./drawings";
import { FieldControl, NumberInput, SeedField } from "./fields";
import { Recipes } from "./form";
import { short, thousands, words } from "./format";
import { Chooser } from "./gallerychoose";
import { GalleryMap, toldOf } from "./gallerymap";
import { GalleryDesk, keepsArchive } from "./gallerystate";
import { ApiImage } from "./image";
import { linkToRun } from "./link";
import { edit, editorOf, formatsOf, Look, saveFrom } from "./look";
import type { Elite } from "./openapi";
import { server, watch } from "./player";
import { Keys, Share, Speed, Status, Transport } from "./runbox";
import { SettingsForm, useRun } from "./settings";
import type { Registry } from "./types";

const hidden = new Set(["algorithm.axes"]);

/** Many good things that differ: a map of what a run with an archive has found, while it goes on and after. */
export function makeGallery(registry: Registry): () => ReactElement {
    const first = registry.recipes.find((one) => isArchiving(one.sections["algorithm"]?.kind));
    const recipes = new Recipes(registry, "gallery", { recipe: first?.name ?? "", set: {}, seed: "1" });
    const desk = new GalleryDesk(registry);
    return () => <GalleryPage desk={desk} recipes={recipes} />;
}

const isArchiving = (kind: string | undefined): boolean => kind === "map-elites";

function GalleryPage({ desk, recipes }: { desk: GalleryDesk; recipes: Recipes }): ReactElement {
    const start = useRun(recipes, "gallery", { opened: (run) => void desk.openRun(run) });
    const run = watch.use((one) => one.run);
    const { trouble, shown, open } = desk.state.useAll();
    useEffect(() => () => desk.close(), [desk]);
    const isHere = run !== null && run.id === desk.state.get().run;
    return (
        <div className="page gallery-page">
            <section className="stage" aria-label="Gallery">
                <div className="stage-head"><h1>Gallery</h1><Status idle="Start a gallery, or open one" /></div>
                <div className="openers"><Opener desk={desk} /><FromFile /></div>
                {!isHere && <p className="quiet-text waiting">A gallery holds the best of every kind: one for each
                    pair of two measures. Start one, and watch it fill.</p>}
                {isHere && trouble && <p className="trouble" role="alert">{trouble}</p>}
                {isHere && <>
                    <div className="map-frame">
                        <GalleryMap desk={desk} />
                        <Peek desk={desk} />
                    </div>
                    <Legend desk={desk} />
                    <p className="readout" id="readout">
                        {shown === 0 ? "Nothing is found yet" : <Readout desk={desk} />}</p>
                    <Transport />
                    <Sheet desk={desk} />
                </>}
            </section>
            <SettingsForm label="A new gallery" recipes={recipes} hidden={hidden} startId="start" startText="Start"
                onStart={() => void start(false)}>
                <Settings recipes={recipes} />
                <Speed />
            </SettingsForm>
            <section className="panel results" aria-label="Choose among them">
                {isHere ? <Chooser desk={desk} /> : <p className="quiet-text">What a gallery holds can be laid out
                    on other axes, filtered and downloaded here.</p>}
                <Share page="gallery" />
                <Keys more={[
                    ["Arrows", "move over the cells, with the map in focus"],
                    ["Ctrl arrows", "to the next filled cell"],
                    ["Shift arrows", "shift the map"], ["Enter", "open what is there"], ["f", "mark a favourite"],
                    ["+ - 0", "zoom"],
                ]} />
            </section>
            {isHere && open && <Closely desk={desk} />}
        </div>
    );
}

/** A gallery that came as a file: gallery.json of a run, or of the command line. */
function FromFile(): ReactElement {
    const picker = useRef<HTMLInputElement>(null);
    const [wrong, setWrong] = useState("");
    return (
        <>
            <Button kind="quiet" onClick={() => picker.current!.click()}>Open a gallery file</Button>
            <input type="file" hidden ref={picker} aria-label="A gallery file" id="gallery-file" accept=".json"
                onChange={(event) => {
                    const file = event.target.files?.[0];
                    setWrong("");
                    if (file) openGallery(file).catch((error: Error) => setWrong(error.message));
                    event.target.value = "";
                }} />
            {wrong && <p className="wrong" role="alert" id="gallery-trouble">{wrong}</p>}
        </>
    );
}

/** Runs that keep archives, of whatever kind. */
function Opener({ desk }: { desk: GalleryDesk }): ReactElement | null {
    const runs = server.use((one) => one.runs)?.filter((one) => keepsArchive(one, desk.registry)) ?? [];
    const { run } = desk.state.useAll();
    const now = watch.use((one) => one.run);
    if (runs.length === 0) return null;
    return (
        <Labelled label="Gallery of the run" id="open-run" className="opener">
            {(id) => (
                <select id={id} value={now ? run : ""}
                    onChange={(event) => { location.hash = linkToRun("gallery", event.target.value); }}>
                    {!runs.some((one) => one.id === run) && <option value="">Choose one</option>}
                    {runs.map((one) => <option key={one.id} value={one.id}>
                        {one.id} · {one.imported ? `from ${one.imported}`
                            : `${short(one.statistics.evaluations)} evaluations`}</option>)}
                </select>
            )}
        </Labelled>
    );
}

function Settings({ recipes }: { recipes: Recipes }): ReactElement {
    const form = recipes.form.useAll();
    const { order } = form;
    const chosen = recipes.registry.recipes.filter((one) => isArchiving(one.sections["algorithm"]?.kind));
    const field = recipes.part(form, "algorithm")?.fields.find((one) => one.name === "axes");
    return (
        <>
            <h2>A new gallery</h2>
            <Labelled label="Recipe" id="recipe" meaning="A built-in recipe whose algorithm keeps an archive">
                {(id) => (
                    <select id={id} value={order.recipe}
                        onChange={(event) => recipes.take({ recipe: event.target.value, seed: order.seed, set: {} })}>
                        {order.toml && <option value="">From a link</option>}
                        {!order.toml && !chosen.some((one) => one.name === order.recipe)
                            && <option value={order.recipe}>{words(order.recipe)}</option>}
                        {chosen.map((one) => <option key={one.name} value={one.name}>{words(one.name)}</option>)}
                    </select>
                )}
            </Labelled>
            <p className="quiet-text">{recipes.base()?.description}</p>
            {field && <FieldControl field={field} name="algorithm.axes" id="axes" label="In what they differ"
                value={recipes.value(form, "algorithm.axes") ?? ""} wrong={recipes.wrong(form, "algorithm.axes")}
                onChange={(value) => recipes.put("algorithm.axes", value)} />}
            <Labelled label="Evaluations" id="budget" meaning="How many are tried (stop.evaluations)"
                wrong={recipes.wrong(form, "stop.evaluations")}>
                {(id, wrong) => <NumberInput id={id} low={1} isWhole described={wrong}
                    value={recipes.stop(form)["evaluations"] as number | undefined}
                    onChange={(value) => recipes.put("stop.evaluations", value)} />}
            </Labelled>
            <SeedField recipes={recipes} form={form} />
        </>
    );
}

function Readout({ desk }: { desk: GalleryDesk }): ReactElement {
    const { hovered, cursor, shown, filled, own } = desk.state.useAll();
    const place = hovered ?? cursor;
    if (place !== null) return <>{toldOf(desk, place)}</>;
    const cells = own.reduce((all, axis) => all * axis.cells, 1);
    return <>{thousands(shown)} on the map; {thousands(filled)} of {thousands(cells)} cells are filled</>;
}

function Legend({ desk }: { desk: GalleryDesk }): ReactElement {
    const { shown, hovered, cursor, spread, favourites } = desk.state.useAll();
    const { scale } = desk.registry;
    const { low, high } = desk.atlas;
    const place = hovered ?? cursor;
    const entry = place === null ? undefined : desk.atlas.at(place);
    const at = entry && high > low ? (190 * (entry.fitness - low)) / (high - low) : null;
    return (
        <div className="legend map-legend">
            <span>{shown > 0 ? short(low) : "–"}</span>
            <svg width={200} height={20} role="img"
                aria-label={`Colours: fitness from ${short(low)} to ${short(high)}`}>
                {scale.map((one, i) => <rect key={one} x={5 + (i * 190) / scale.length} y={4} height={12}
                    width={190 / scale.length + 0.5} fill={one} />)}
                {at !== null && <path className="legend-mark" d={`M${5 + at} 0v20`} />}
            </svg>
            <span>{shown > 0 ? short(high) : "–"} fitness</span>
            <span className="legend-empty">empty</span>
            {spread.length > 0 && <span><span className="sign-spread" aria-hidden="true">◯</span> far apart</span>}
            {Object.keys(favourites).length > 0 && <span><span className="sign-favourite" aria-hidden="true">◆</span>
                {" "}favourite</span>}
        </div>
    );
}

/** What is under the pointer, small, in the corner that the pointer is not in. */
function Peek({ desk }: { desk: GalleryDesk }): ReactElement | null {
    const { hovered, cursor } = desk.state.useAll();
    const place = hovered ?? cursor;
    const entry = place === null ? undefined : desk.atlas.at(place);
    const theme = useTheme();
    const [seen, setSeen] = useState<{ key: string; source: string; elite: Elite | null }>({ key: "", source: "",
        elite: null });
    const key = entry ? `${entry.elite} ${entry.fitness} ${theme}` : "";
    // Asked for when the pointer rests, not for all that it passes.
    useEffect(() => {
        if (!entry) return;
        let isWanted = true;
        const timer = setTimeout(() => {
            const source = desk.fileOf(entry.elite, "png", { theme: isDark() ? "dark" : "light", cell: "8" });
            void Promise.all([loaded(source), desk.elite(entry.elite)]).then(([address, elite]) => {
                if (isWanted) setSeen({ key, source: address, elite });
            }, () => undefined);
        }, 70);
        return () => {
            isWanted = false;
            clearTimeout(timer);
        };
    }, [key]);
    if (!entry || place === null || seen.key === "") return null;
    const { atlas } = desk;
    const isLeft = atlas.columnOf(place) * 2 < atlas.columns;
    const axes = [atlas.x.name, atlas.y.name].filter(Boolean).map((name) => desk.titleOf(name));
    const { elite } = seen;
    const measures = Object.entries(elite?.measures ?? {});
    const rows = measures.filter(([name]) => axes.includes(name));
    const others = measures.filter(([name]) => !axes.includes(name)).slice(0, 5);
    return (
        <div className={`peek ${isLeft ? "right" : "left"}`} data-elite={seen.key.split(" ")[0]}
            data-fresh={seen.key === key}>
            <img src={seen.source} alt={elite?.caption ?? ""} />
            <table className="measures">
                <tbody>
                    <tr><th scope="row">Fitness</th><td>{short(elite?.fitness)}</td></tr>
                    {[...rows, ...others].map(([name, value]) => <tr key={name}>
                        <th scope="row">{words(name)}</th><td>{short(value)}</td></tr>)}
                </tbody>
            </table>
            <Button kind="peek-open" onClick={() => desk.look([entry.elite])}>Open</Button>
        </div>
    );
}

/** Favourites, or those far apart, side by side. */
function Sheet({ desk }: { desk: GalleryDesk }): ReactElement | null {
    const { spread, favourites, favouritesOnly, leastApart } = desk.state.useAll();
    useTheme();
    const list = favouritesOnly ? Object.keys(favourites).map(Number) : spread;
    if (list.length === 0) return null;
    const theme = isDark() ? "dark" : "light";
    return (
        <section className="sheet" aria-label="Contact sheet">
            <h2>{favouritesOnly ? "Favourites" : `${list.length} that lie far apart`}</h2>
            {!favouritesOnly && list.length > 1 && <p className="quiet-text">
                The nearest two are {leastApart.toFixed(2)} apart</p>}
            <ul>
                {list.map((elite, i) => {
                    const entry = desk.atlas.entryOf(elite);
                    const isOther = favouritesOnly && entry !== undefined && entry.fitness !== favourites[elite];
                    return (
                        <li key={elite}>
                            <button type="button" className="thumb" data-elite={elite}
                                onClick={() => desk.look(list, i)}>
                                <ApiImage loading="lazy" src={desk.fileOf(elite, "png", { theme, cell: "8" })}
                                    width={140} height={140} alt={`Elite ${elite}`} />
                                <span>{entry ? short(entry.fitness) : "not on this map"}</span>
                                {isOther && <span className="quiet-text">a better one took its cell</span>}
                            </button>
                        </li>
                    );
                })}
            </ul>
        </section>
    );
}

/** One elite, large. */
function Closely({ desk }: { desk: GalleryDesk }): ReactElement | null {
    const { open, favourites, run } = desk.state.useAll();
    const [elite, setElite] = useState<Elite | null>(null);
    useTheme();
    const problem = watch.use((one) => one.run?.problem) ?? "";
    const { list, index } = open!;
    const cell = list[index]!;
    useEffect(() => {
        let isWanted = true;
        void desk.elite(cell).then((found) => isWanted && setElite(found), () => undefined);
        return () => { isWanted = false; };
    }, [cell]);
    const meanings = new Map(desk.measures()?.map((one) => [one.name, one.meaning]));
    const page = editorOf(desk.registry, problem);
    const name = `${run} ${cell}`;
    const isFavourite = cell in favourites;
    return (
        <Look title={list.length > 1 ? `${index + 1} of ${list.length}` : `Elite ${cell}`} alt={elite?.caption ?? ""}
            picture={desk.fileOf(cell, "svg", { theme: isDark() ? "dark" : "light" })}
            measures={[["fitness", elite?.fitness ?? null], ...Object.entries(elite?.measures ?? {}).map(
                ([key, value]): [string, number | null, string?] => [key, value, meanings.get(key)])]}
            formats={formatsOf(desk.registry, problem)} onClose={() => desk.state.put({ open: null })}
            onSave={(format) => void saveFrom(request(desk.fileOf(cell, format.name)),
                `${run}-${cell}.${format.extension}`)}
            onEdit={page === null ? null : (() => void request(desk.fileOf(cell, "json")).then(async (answer) =>
                edit(page, problem, await answer.blob(), name)))}
            onMove={list.length > 1 ? (by) => desk.look(list, (index + by + list.length) % list.length) : undefined}>
            <Button id="favourite" pressed={isFavourite} onClick={() =>
                say(desk.favour(cell) ? "A favourite" : "No favourite any more")}>
                {isFavourite ? "◆" : "◇"} Favourite</Button>
        </Look>
    );
}
