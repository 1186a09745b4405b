import { eventsFrom } from "host";
import { ApiError, at, get, json, parse, post } from "./api";
import { toast } from "./dom";
import { Atlas, isFlat } from "./galleryatlas";
import type { Archive, ArchiveView, Axis, Elite } from "./openapi";
import { watch } from "./player";
import { kept, slice } from "./store";
import type { Registry, Run } from "./types";

interface GalleryState {
    run: string; // whose archive is shown
    own: Axis[]; // of the archive
    isOver: boolean; // nothing will come any more
    filled: number;
    coverage: number;
    qdScore: number;
    shown: number; // elites on the map
    axes: [string, string] | null; // others than the archive's own
    where: string;
    wrongWhere: string;
    wrongAxes: string;
    spread: number[]; // elites that lie far apart
    leastApart: number;
    favourites: Record<string, number>; // elite → its fitness when it was marked
    favouritesOnly: boolean;
    cursor: number | null; // a place on the map
    hovered: number | null;
    open: { list: number[]; index: number } | null; // what is looked at closely
    trouble: string;
    layout: number; // another number, another map
}

const nothing: GalleryState = {
    run: "", own: [], isOver: false, filled: 0, coverage: 0, qdScore: 0, shown: 0, axes: null, where: "",
    wrongWhere: "", wrongAxes: "", spread: [], leastApart: 0, favourites: {}, favouritesOnly: false, cursor: null,
    hovered: null, open: null, trouble: "", layout: 0,
};

const refreshEvery = 2000; // ms; what the studio lays out is sent whole

/** What somebody sees of one run's archive. The elites themselves are in the atlas, which the map paints. */
export class GalleryDesk {
    readonly state = slice<GalleryState>("gallery", nothing);
    atlas = new Atlas([]);
    /** Told which places look different: null for all. */
    painted: (places: number[] | null) => void = () => undefined;
    private source: EventSource | null = null;
    private version = 0;
    private flat = new Atlas([]); // the archive's own cells, where they make a map
    private part: Archive | null = null;
    private asked = 0;
    private favouritesKey = "";
    private isAsking = false;
    private timer: ReturnType<typeof setTimeout> | null = null;
    private readonly known = new Map<string, Promise<Elite>>();

    constructor(readonly registry: Registry) {
        document.addEventListener("visibilitychange", () => this.listen());
    }

    /** Shows the archive of a run, from its beginning. */
    async openRun({ id, created }: Run): Promise<void> {
        if (this.state.get().run === id) return this.listen();
        this.close();
        this.version = 0;
        this.part = null;
        this.known.clear();
        this.flat = this.atlas = new Atlas([]);
        this.favouritesKey = `knossos-favourites-${id}-${created}`; // a deleted run's id may be another's again
        const favourites = favouritesIn(this.favouritesKey);
        this.state.put({ ...nothing, run: id, favourites, layout: this.state.get().layout + 1 });
        await this.listen();
    }

    close(): void {
        this.source?.close();
        this.source = null;
        if (this.timer !== null) clearTimeout(this.timer);
        this.timer = null;
    }

    // What there is comes at once; what changes afterwards in small pieces. A run has an archive once it has begun.
    async listen(): Promise<void> {
        this.close();
        const { run } = this.state.get();
        if (!run || document.hidden) return;
        try {
            const part = await get<Archive>(`${at(run)}/archive?since=${this.version}`);
            if (this.state.get().run !== run || this.source) return;
            this.take(part);
        } catch (error) {
            if (this.state.get().run !== run) return;
            const isMissing = error instanceof ApiError && error.status === 404;
            const state = watch.get().run?.state;
            const isYoung = isMissing && (watch.get().run?.id !== run || state === "waiting" || state === "running"
                || state === "paused");
            this.state.put({ trouble: isYoung ? "" : (error as Error).message });
            if (isYoung || !isMissing) this.timer = setTimeout(() => void this.listen(), 300);
            return;
        }
        const mine = eventsFrom(`${at(run)}/archive/events?since=${this.version}`);
        this.source = mine;
        mine.addEventListener("archive", (event) => {
            if (this.source === mine) this.take(parse<Archive>((event as MessageEvent<string>).data));
        });
        mine.onerror = () => { // it ended, or the studio is away
            mine.close();
            if (this.source !== mine) return;
            this.source = null;
            const state = watch.get().run?.state;
            if (state !== "ended" && state !== "failed") this.timer = setTimeout(() => void this.listen(), 500);
            else if (!this.state.get().isOver) this.state.put({ isOver: true });
        };
    }

    private take(part: Archive): void {
        this.version = part.version;
        this.part = part;
        const { own } = this.state.get();
        const isOther = part.whole || own.length !== part.axes.length;
        if (isOther) this.flat = new Atlas(part.axes);
        const changed = isFlat(part) ? this.flat.take(part.elites) : [];
        const filled = Math.round(part.coverage * part.cells);
        this.state.put({
            filled, coverage: part.coverage, qdScore: part.qd_score, trouble: "", own: isOther ? part.axes : own,
        });
        if (this.isLaidOut()) {
            if (part.elites.length > 0 || isOther) this.later();
            return;
        }
        if (this.atlas !== this.flat) this.show(this.flat);
        else this.painted(changed);
        this.state.put({ shown: this.flat.size });
    }

    private show(atlas: Atlas): void {
        this.atlas = atlas;
        this.state.put({ layout: this.state.get().layout + 1, shown: atlas.size, cursor: null, hovered: null });
        this.painted(null);
    }

    /** Whether the studio lays the elites out, rather than the archive's own cells. */
    private isLaidOut(): boolean {
        const { axes, where } = this.state.get();
        return axes !== null || where !== "" || (this.part !== null && !isFlat(this.part));
    }

    private later(): void {
        if (this.timer !== null || this.isAsking) return;
        const wait = Math.max(0, this.asked + refreshEvery - performance.now());
        this.timer = setTimeout(() => {
            this.timer = null;
            void this.refresh();
        }, wait);
    }

    /** Which elites the map shows: as the studio reads it. */
    choice(): { axes: string; where: string } {
        const { axes, where, own } = this.state.get();
        const names = axes ?? (this.part && !isFlat(this.part) ? own.slice(0, 2).map((one) => one.name) : []);
        return { axes: names.join(", "), where };
    }

    async refresh(): Promise<void> {
        const { run } = this.state.get();
        if (!run || !this.part) return;
        if (!this.isLaidOut()) {
            this.state.put({ wrongWhere: "", wrongAxes: "" });
            return this.show(this.flat);
        }
        if (this.isAsking) return;
        this.isAsking = true;
        this.asked = performance.now();
        const choice = this.choice();
        const { version } = this;
        const isSame = () => this.state.get().run === run && JSON.stringify(this.choice()) === JSON.stringify(choice);
        try {
            const answer = await json<ArchiveView>(post(`${at(run)}/archive/view`, choice));
            if (isSame()) {
                const next = Atlas.of(answer);
                const isLike = JSON.stringify([next.x, next.y]) === JSON.stringify([this.atlas.x, this.atlas.y]);
                this.state.put({ wrongWhere: "", wrongAxes: "", shown: next.size });
                if (isLike) {
                    this.atlas = next;
                    this.painted(null);
                } else this.show(next);
            }
        } catch (error) {
            const text = (error as Error).message;
            if (isSame()) this.state.put(/^axes/.test(text) ? { wrongAxes: text } : { wrongWhere: text });
        }
        this.isAsking = false;
        if (!isSame()) void this.refresh();
        else if (this.version !== version) this.later();
    }

    setAxes(axes: [string, string]): void {
        const { own } = this.state.get();
        const isOwn = own.length === 2 && own[0]!.name === axes[0] && own[1]!.name === axes[1];
        this.state.put({ axes: isOwn ? null : axes, spread: [] });
        void this.refresh();
    }

    setWhere(where: string): void {
        if (where === this.state.get().where) return;
        this.state.put({ where, spread: [] });
        void this.refresh();
    }

    async takeSpread(count: number): Promise<void> {
        const { run } = this.state.get();
        try {
            const asked = { ...this.choice(), spread: count };
            const answer = await json<ArchiveView>(post(`${at(run)}/archive/view`, asked));
            this.state.put({ spread: answer.spread ?? [], leastApart: answer.least_apart ?? 0, favouritesOnly: false });
            this.painted(null);
        } catch (error) {
            toast((error as Error).message);
        }
    }

    /** An elite with its measures; asked for once. */
    elite(cell: number): Promise<Elite> {
        const { run } = this.state.get();
        const key = `${cell} ${this.atlas.entryOf(cell)?.fitness}`;
        let found = this.known.get(key);
        if (!found) {
            found = get<Elite>(`${at(run)}/archive/elites/${cell}`);
            found.catch(() => this.known.delete(key));
            if (this.known.size > 400) this.known.delete(this.known.keys().next().value!);
            this.known.set(key, found);
        }
        return found;
    }

    /** A file of an elite. The address says which one is meant: another may take its cell. */
    fileOf(elite: number, format: string, more: Record<string, string> = {}): string {
        const query = new URLSearchParams({ format, keep_pockets: "1", ...more }); // files are what is shown
        const fitness = this.atlas.entryOf(elite)?.fitness;
        if (fitness !== undefined) query.set("v", String(fitness));
        return `${at(this.state.get().run)}/archive/elites/${elite}/export?${query}`;
    }

    packOf(format: string): string {
        const { run, favouritesOnly, favourites, spread } = this.state.get();
        const named = favouritesOnly ? Object.keys(favourites) : spread;
        const query = new URLSearchParams({ format, keep_pockets: "1", ...this.choice() });
        if (named.length > 0) query.set("cells", named.join(","));
        return `${at(run)}/archive/pack?${query}`;
    }

    favour(elite: number): boolean {
        const { favourites } = this.state.get();
        const isNew = !(elite in favourites);
        const next = { ...favourites };
        if (isNew) next[elite] = this.atlas.entryOf(elite)?.fitness ?? 0;
        else delete next[elite];
        this.state.put({ favourites: next });
        kept.put(this.favouritesKey, Object.keys(next).length > 0 ? JSON.stringify(next) : null, true);
        this.painted(null);
        return isNew;
    }

    look(list: number[], index = 0): void {
        if (list.length > 0) this.state.put({ open: { list, index } });
    }

    titleOf(axis: string): string {
        return this.measures()?.find((one) => one.name === axis || one.short === axis)?.name ?? axis;
    }

    measures(): { name: string; short: string; meaning: string }[] | undefined {
        return this.registry.domains.find((one) => one.name === watch.get().run?.problem)?.wishes?.measures;
    }
}

function favouritesIn(key: string): Record<string, number> {
    try {
        return JSON.parse(kept.get(key) ?? "{}") as Record<string, number>;
    } catch {
        return {};
    }
}

/** Whether a run may keep an archive: the list of runs does not say so of one that came as a whole recipe. */
export function keepsArchive(run: Run, registry: Registry): boolean {
    const own = run.set.find((one) => one.startsWith("algorithm.kind="))?.slice("algorithm.kind=".length);
    const base = registry.recipes.find((one) => one.name === run.recipe)?.sections["algorithm"]?.kind;
    return (own ?? base ?? "map-elites").replace(/"/g, "") === "map-elites";
}
