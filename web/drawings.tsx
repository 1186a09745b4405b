import { useEffect, useRef, type ReactElement } from "react";
import { get, json, post, request, send } from "./api";
import { Button, Labelled, SureButton, toast } from "./dom";
import { ago } from "./format";
import { place } from "./link";
import type { Drawing, Drawings, Note } from "./openapi";
import { slice } from "./store";

// Things that people draw, kept in the workspace: what was saved, and the draft beside it.

const shelf = slice<{ notes: Note[] }>("drawings", { notes: [] });
const at = (name: string): string => `/api/drawings/${encodeURIComponent(name)}`;
const refresh = async (): Promise<void> =>
    shelf.put({ notes: (await get<Drawings>("/api/drawings")).drawings });

/** What a page has on its table: one drawing, with a name once there is something on it. */
export class Table {
    readonly state;
    private waiting: object | null = null;
    private isSending = false;

    constructor(readonly domain: string, readonly things: string, readonly level: () => object,
        private readonly load: (level: object, name: string) => void, name = "") {
        this.state = slice(`table ${domain}`, { name });
    }

    /** Another stroke: the workspace has it a moment later. Only the newest is sent, one at a time. */
    keep(level: object): void {
        this.waiting = level;
        if (!this.isSending) void this.flush();
    }

    private async flush(): Promise<void> {
        this.isSending = true;
        try {
            while (this.waiting) {
                const level = this.waiting;
                this.waiting = null;
                const name = this.state.get().name || (await this.freshName());
                this.state.put({ name });
                await this.send(`${at(name)}/draft`, level);
                if (!shelf.get().notes.some((one) => one.name === name && one.draft)) await refresh();
            }
        } catch {
            this.waiting = null; // a studio that is away is said elsewhere; the next stroke tries again
        }
        this.isSending = false;
    }

    private send(path: string, level: object): Promise<Response> {
        return send(path, JSON.stringify({ domain: this.domain, level }), "PUT");
    }

    private async freshName(): Promise<string> {
        await refresh();
        const taken = new Set(shelf.get().notes.map((one) => one.name));
        let number = 1;
        while (taken.has(`${this.things} ${number}`)) ++number;
        return `${this.things} ${number}`;
    }

    async act(what: () => Promise<string | void>): Promise<void> {
        try {
            const told = await what();
            await refresh();
            if (told) toast(told);
        } catch (error) {
            toast((error as Error).message);
        }
    }

    save = (): Promise<void> => this.act(async () => {
        const name = this.state.get().name.trim() || (await this.freshName());
        this.waiting = null;
        await this.send(at(name), this.level());
        this.state.put({ name });
        return `Saved as ${name}`;
    });

    open = (name: string): Promise<void> => this.act(async () => {
        const { draft, saved } = await json<Drawing>(request(at(name)));
        this.state.put({ name });
        this.load((draft ?? saved)!.level, name);
    });

    /** A file, in any format that can be read. */
    openFile = (file: File): Promise<void> => this.act(async () => {
        const answer = request(`/api/levels/open?name=${encodeURIComponent(file.name)}`, {
            method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" },
        });
        const { domain, level } = await json<{ domain: string; level: object }>(answer);
        if (domain !== this.domain) return `${file.name} holds something else (${domain}): open it there`;
        this.state.put({ name: file.name.replace(/\.[^.]*$/, "").slice(0, 60) });
        this.load(level, this.state.get().name);
        return `Opened ${file.name}`;
    });

    duplicate = (name: string): Promise<void> => this.act(async () => {
        const taken = new Set(shelf.get().notes.map((one) => one.name));
        let copy = `${name} copy`;
        for (let i = 2; taken.has(copy); ++i) copy = `${name} copy ${i}`;
        await post(`${at(name)}/duplicate`, { name: copy });
        return `There is ${copy} now`;
    });

    remove = (name: string): Promise<void> => this.act(async () => {
        await request(at(name), { method: "DELETE" });
        if (this.state.get().name === name) this.state.put({ name: "" });
    });
}

/** Saving, opening, and all that was drawn before. Files can be dropped anywhere on the page. */
export function Levels({ table }: { table: Table }): ReactElement {
    const { name } = table.state.useAll();
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
    useEffect(() => {
        void refresh().catch(() => undefined);
        const over = (event: DragEvent) => event.preventDefault();
        const drop = (event: DragEvent) => {
            event.preventDefault();
            const file = event.dataTransfer?.files[0];
            if (file) void table.openFile(file);
        };
        document.addEventListener("dragover", over);
        document.addEventListener("drop", drop);
        return () => {
            document.removeEventListener("dragover", over);
            document.removeEventListener("drop", drop);
        };
    }, [table]);
    return (
        <section className="levels" aria-label="Levels">
            <h2>Levels</h2>
            <Labelled label="Name" id="level-name" meaning="What you draw is kept under this name as you draw">
                {(id) => <input type="text" id={id} value={name} placeholder={`${table.things} 1`} maxLength={60}
                    onChange={(event) => table.state.put({ name: event.target.value })} />}
            </Labelled>
            <div className="buttons">
                <Button id="save-level" onClick={() => void table.save()}>Save</Button>
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
                        <button type="button" className="quiet open-level" aria-current={one.name === name
                            ? "true" : undefined}
                            onClick={() => void table.open(one.name)}>{one.name}</button>
                        <span className="quiet-text">{one.draft ? (one.saved
                            ? "changed" : "draft") : ""} {ago(one.modified)}</span>
                        <Button kind="quiet" label={`Duplicate ${one.name}`} onClick={() =>
                            void table.duplicate(one.name)}>Copy</Button>
                        <SureButton text="Delete" kind="quiet danger" onClick={() => void table.remove(one.name)} />
                    </li>
                ))}
            </ul>
        </section>
    );
}
