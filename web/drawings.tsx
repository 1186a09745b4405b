import { whyAway } from "host";
import { useEffect, useRef, type ReactElement } from "react";
import { api, ApiError, get, json, post, request, send } from "./api";
import { Button, Labelled, say, SureButton, toast } from "./dom";
import { ago, words } from "./format";
import { linkToRun, place } from "./link";
import type { Drawing, Drawings, Note } from "./openapi";
import { editors } from "./pages";
import { kept, slice } from "./store";

// Things that people draw, kept in the workspace: what was saved, and the draft beside it.

const shelf = slice<{ notes: Note[] }>("drawings", { notes: [] });
const at = (name: string): string => `/api/drawings/${encodeURIComponent(name)}`;
const refresh = async (): Promise<void> =>
    shelf.put({ notes: (await get<Drawings>("/api/drawings")).drawings });

/** A name that no drawing has yet: Maze 1 and so on, or, where there is one of the wanted name, that with a number. */
export async function freshName(wanted: string, isCounted = false): Promise<string> {
    await refresh();
    const taken = new Set(shelf.get().notes.map((one) => one.name));
    if (!isCounted && !taken.has(wanted)) return wanted;
    let number = isCounted ? 1 : 2;
    while (taken.has(`${wanted} ${number}`)) ++number;
    return `${wanted} ${number}`;
}

/** Puts a thing onto the table of the page that draws such things, under a name that nothing else has. */
export async function bring(page: string, domain: string, level: object, wanted: string): Promise<void> {
    const name = await freshName(wanted);
    await send(`${at(name)}/draft`, JSON.stringify({ domain, level }), "PUT");
    location.hash = `#/${page}?drawing=${encodeURIComponent(name)}`;
}

/** What a file holds, in any format that can be read. */
export async function readFile(file: Blob, name: string): Promise<{ domain: string; level: object }> {
    return json(request(`/api/levels/open?name=${encodeURIComponent(name)}`, {
        method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" },
    }));
}

/** Opens a gallery from a file on its page. */
export async function openGallery(file: File): Promise<void> {
    const run = await api.openGallery(file);
    location.hash = linkToRun("gallery", run.id);
    toast(`Opened ${file.name}`);
}

/** Opens a file in the editor of what it holds, or a gallery on its page. */
export async function openFile(file: File): Promise<void> {
    // As they are written: what there is of the run, then the elites.
    if (/^\s*\{[^]*"elites"\s*:/.test(await file.slice(0, 100_000).text())) return openGallery(file);
    const { domain, level } = await readFile(file, file.name);
    const page = editors.find((one) => one.domain === domain && one.draws)?.page;
    if (!page) throw new Error(`${file.name} holds something that nobody draws here (${domain})`);
    await bring(page, domain, level, file.name.replace(/\.[^.]*$/, "").slice(0, 60).trim() || words(domain));
    toast(`Opened ${file.name}`);
}

/** Files can be dropped anywhere, on any page; otherwise the browser would leave it for them. */
export function takeDrops(): void {
    document.addEventListener("dragover", (event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        openFile(file).catch((error: Error) => toast(error.message));
    });
}

/** What keeps a text from being the name of a drawing. */
function faultOf(name: string): string {
    const isLong = new TextEncoder().encode(name).length > 80;
    return isLong ? "This name is too long" : /[/\x00-\x1f\x7f]/.test(name) ? "A name has no /" : "";
}

/** What an editor hands over of the thing that it draws. */
interface Drawn {
    level: () => object;
    load: (level: object) => void;
    clear: () => void;
}

/** What a page has on its table: one drawing, with a name once there is something on it. */
export class Table {
    readonly state;
    private waiting: { level: object; sheet: number } | null = null; // until the workspace has it
    private sheet = 0; // another one with each thing that comes onto the table
    private sending: Promise<void> | null = null;
    private again: ReturnType<typeof setTimeout> | undefined;

    constructor(readonly domain: string, readonly things: string, private readonly drawn: Drawn) {
        const own = kept.get(`knossos-table-${domain}`) ?? "";
        // `own` is what it is kept under, `name` what stands in the field, `asks` whom it would replace.
        this.state = slice(`table ${domain}`, { name: own, own, wrong: "", asks: "" });
    }

    /** Another stroke: the workspace has it a moment later. Only the newest is sent, one at a time. */
    keep(level: object): void {
        this.waiting = { level, sheet: this.sheet };
        void this.flush();
    }

    private flush(): Promise<void> {
        this.sending ??= this.sendAll().finally(() => { this.sending = null; });
        return this.sending;
    }

    private async sendAll(): Promise<void> {
        try {
            while (this.waiting) {
                const one = this.waiting;
                await this.keepDraft(one.level, one.sheet);
                if (this.waiting === one) this.waiting = null;
            }
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 0) return this.tell((error as Error).message);
            // That the studio is away is said elsewhere; it is asked again until it has all that was drawn.
            clearTimeout(this.again);
            this.again = setTimeout(() => void this.flush(), 1000);
        }
    }

    /** Under the name that was typed, unless another drawing has that: what was drawn before is not written over. */
    private async keepDraft(level: object, sheet: number): Promise<void> {
        const { own, name: inField, wrong: before } = this.state.get();
        const isHere = () => sheet === this.sheet;
        const typed = isHere() ? inField.trim() : "";
        const wrong = typed === own || !typed ? "" : await this.whyNot(typed);
        const known = isHere() ? own : "";
        const name = wrong || !typed ? known || (await freshName(this.things, true)) : typed;
        await this.send(`${at(name)}/draft`, level);
        if (isHere()) {
            this.own(name, wrong ? typed : name);
            if (wrong) this.tell(`${wrong}. What you draw is kept as ${name}`);
            else if (before) this.tell("");
        }
        if (!shelf.get().notes.some((one) => one.name === name && one.draft)) await refresh();
    }

    private async whyNot(name: string): Promise<string> {
        const fault = faultOf(name);
        if (fault) return fault;
        await refresh();
        return shelf.get().notes.some((one) => one.name === name) ? `There is another ${name}` : "";
    }

    private own(own: string, name = own): void {
        this.state.put({ own, name });
        kept.put(`knossos-table-${this.domain}`, own || null);
    }

    private tell(wrong: string): void {
        this.state.put({ wrong });
        if (wrong) say(wrong);
    }

    private send(path: string, level: object): Promise<Response> {
        return send(path, JSON.stringify({ domain: this.domain, level }), "PUT");
    }

    /** What goes wrong with a name is said beside it. */
    private async act(what: () => Promise<string | void>, isNamed = true): Promise<void> {
        this.state.put({ wrong: "", asks: "" });
        try {
            await this.flush();
            const told = await what();
            await refresh();
            if (told) toast(told);
            void this.flush(); // there may be room now
        } catch (error) {
            if (isNamed) this.tell((error as Error).message);
            else toast((error as Error).message);
        }
    }

    /** Before another thing comes onto the table. */
    private mustBeKept(): void {
        if (this.waiting) throw new Error(`What you drew last is not kept yet. ${this.state.get().wrong || whyAway()}`);
    }

    type = (name: string): void => this.state.put({ name, wrong: "", asks: "" });

    save = (replaces = ""): Promise<void> => this.act(async () => {
        const { name: typed, own } = this.state.get();
        const name = typed.trim() || own || (await freshName(this.things, true));
        const wrong = name === own || name === replaces ? "" : await this.whyNot(name);
        if (wrong) {
            if (!faultOf(name)) this.state.put({ asks: name });
            return this.tell(wrong);
        }
        await this.send(at(name), this.drawn.level());
        this.waiting = null;
        this.own(name);
        return `Saved as ${name}`;
    });

    /** Saves beside the one that has the name. */
    saveBoth = async (): Promise<void> => {
        const wanted = this.state.get().asks;
        await this.act(async () => this.state.put({ name: await freshName(wanted) }));
        if (!this.state.get().wrong) await this.save();
    };

    rename = (): Promise<void> => this.act(async () => {
        const { name: typed, own } = this.state.get();
        const name = typed.trim();
        const wrong = faultOf(name);
        if (wrong) return this.tell(wrong);
        this.mustBeKept();
        await post(`${at(own)}/rename`, { name });
        this.own(name);
        return `${own} is called ${name} now`;
    });

    open = (name: string): Promise<void> => this.act(async () => {
        this.mustBeKept();
        const { draft, saved } = await json<Drawing>(request(at(name)));
        this.leave(name);
        this.drawn.load((draft ?? saved)!.level);
    });

    /** An empty one; what was on the table stays where it is kept. */
    begin = (): Promise<void> => this.act(async () => {
        this.mustBeKept();
        this.leave();
        this.drawn.clear();
    });

    /** What comes onto the table next is another thing: one that is kept under a name, or has none yet. */
    leave(name = ""): void {
        this.sheet += 1;
        this.own(name);
        this.state.put({ wrong: "", asks: "" });
    }

    /** A file; it may hold something that another page draws. */
    openFile = (file: File): Promise<void> => this.act(async () => {
        this.mustBeKept();
        await openFile(file);
    }, false);

    duplicate = (name: string): Promise<void> => this.act(async () => {
        const copy = await freshName(`${name} copy`);
        await post(`${at(name)}/duplicate`, { name: copy });
        return `There is ${copy} now`;
    });

    /** Back to what was saved. */
    drop = (name: string): Promise<void> => this.act(async () => {
        await request(`${at(name)}/draft`, { method: "DELETE" });
        if (this.state.get().own !== name) return;
        const { saved } = await json<Drawing>(request(at(name)));
        this.leave(name);
        if (saved) this.drawn.load(saved.level);
    });

    remove = (name: string): Promise<void> => this.act(async () => {
        await request(at(name), { method: "DELETE" });
        if (this.state.get().own === name) this.leave();
    });
}

/** Saving, opening, and all that was drawn before. */
export function Levels({ table }: { table: Table }): ReactElement {
    const { name, own, wrong, asks } = table.state.useAll();
    const notes = shelf.use((one) => one.notes).filter((one) => one.domain === table.domain);
    const picker = useRef<HTMLInputElement>(null);
    const { query } = place.useAll();
    // Other pages put things onto the table by their name in the address.
    useEffect(() => {
        const wanted = query.get("drawing");
        if (!wanted) return;
        void table.open(wanted);
        history.replaceState(null, "", location.hash.split("?")[0]);
    }, [query, table]);
    useEffect(() => void refresh().catch(() => undefined), []);
    return (
        <section className="levels" aria-label="Levels">
            <h2>Levels</h2>
            <Labelled label="Name" id="level-name" meaning="What you draw is kept under this name as you draw"
                wrong={wrong || undefined}>
                {(id, described) => <input type="text" id={id} value={name} placeholder={`${table.things} 1`}
                    maxLength={60} aria-describedby={described} onChange={(event) => table.type(event.target.value)} />}
            </Labelled>
            {asks && <div className="buttons" role="group" aria-label={`There is another ${asks}`}>
                <Button id="replace-level" kind="danger" onClick={() => void table.save(asks)}>Replace it</Button>
                <Button id="save-both" onClick={() => void table.saveBoth()}>Keep both</Button>
            </div>}
            <div className="buttons">
                <Button id="save-level" onClick={() => void table.save()}>Save</Button>
                <Button id="new-level" title="An empty drawing; this one stays in the list"
                    onClick={() => void table.begin()}>New</Button>
                <Button id="rename-level" title={own && `Gives ${own} the name above`}
                    disabled={!own || !name.trim() || name.trim() === own}
                    onClick={() => void table.rename()}>Rename</Button>
                <Button title="Any format that Knossos reads; or drop a file onto the page"
                    onClick={() => picker.current!.click()}>Open a file</Button>
                <input type="file" hidden ref={picker} aria-label="A file to open" id="level-file"
                    onChange={(event) => {
                    const file = event.target.files?.[0];
                    if (file) void table.openFile(file);
                    event.target.value = "";
                }} />
            </div>
            <ul className="kept">
                {notes.map((one) => (
                    <li key={one.name} data-level={one.name}>
                        <button type="button" className="quiet open-level" aria-current={one.name === own
                            ? "true" : undefined}
                            onClick={() => void table.open(one.name)}>{one.name}</button>
                        <span className="quiet-text">{one.draft ? (one.saved
                            ? "changed" : "draft") : ""} {ago(one.modified)}</span>
                        {one.draft && one.saved && <SureButton text="Back to saved" sure="Drop the changes?"
                            kind="quiet back-to-saved" onClick={() => void table.drop(one.name)} />}
                        <Button kind="quiet" label={`Duplicate ${one.name}`} onClick={() =>
                            void table.duplicate(one.name)}>Copy</Button>
                        <SureButton text="Delete" kind="quiet danger" onClick={() => void table.remove(one.name)} />
                    </li>
                ))}
            </ul>
        </section>
    );
}
