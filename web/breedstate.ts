import { json, orderText, send } from "./api";
import { isDark, say, toast } from "./dom";
import type { Recipes } from "./form";
import { orderIn, queryOf, verdictOnBred } from "./link";
import type * as Api from "./openapi";
import type { Offspring } from "./openapi";
import { kept, slice } from "./store";
import type { Order, Registry } from "./types";

/** One of those that are shown, with an address of its picture, for as long as it is kept in mind. */
export type Individual = Required<Offspring> & { source: string };
export type Bred = Omit<Api.Bred, "individuals"> & { individuals: Individual[] };

/** A course of choices, as recipes write it: "2 7; 1". It names a moment, and every beginning of it an earlier one. */
export type Course = string;

/** All that was chosen of one recipe and seed: nothing of it is lost when somebody chooses otherwise. */
export interface Tree {
    here: Course;
    known: Course[]; // with all their beginnings
    picked: Record<Course, number[]>; // whom somebody picked there last
}

interface BreedState extends Tree {
    shown: { course: Course; bred: Bred } | null;
    isBusy: boolean;
    trouble: string;
    open: number | null; // the number of the one that is looked at closely
}

const mostKept = 60;
const mostInLink = 40;
export const sizes = [9, 12, 16];
/** The keys of the individuals, in their order. */
export const keysOf = "123456789abcdefg";

export const stepsIn = (course: Course): number[][] => (course === "" ? []
    : course.split(";").map((one) => one.trim().split(/\s+/).map(Number)));
export const parentOf = (course: Course): Course => course.split("; ").slice(0, -1).join("; ");
export const childOf = (course: Course, chosen: number[]): Course => [...(course === "" ? [] : [course]),
    [...chosen].sort((a, b) => a - b).join(" ")].join("; ");
export const childrenOf = (tree: Tree, course: Course): Course[] => tree.known.filter((one) => one !== ""
    && parentOf(one) === course);

function withBeginnings(courses: Course[]): Course[] {
    const all = new Set<Course>([""]);
    for (const course of courses)
        for (let one = course; one !== ""; one = parentOf(one)) all.add(one);
    return [...all].sort((a, b) => stepsIn(a).length - stepsIn(b).length);
}

/** A recipe of which somebody chooses the parents. */
export function orderFor(registry: Registry, recipe: string, seed: string, size: number): Order {
    const set: Order["set"] = { "algorithm.kind": "chosen", "algorithm.population": size };
    if (registry.recipes.find((one) => one.name === recipe)?.sections["islands"]) set["islands.count"] = 1;
    return { recipe, seed, set };
}

const isCourse = (text: string): boolean => text === "" || /^\d{1,2}( \d{1,2})*(; \d{1,2}( \d{1,2})*)*$/.test(text);

/** Somebody who chooses: the recipe, whom they chose until now, and what came of it. */
export class BreedDesk {
    readonly state = slice<BreedState>("breed", {
        here: "", known: [""], picked: {}, shown: null, isBusy: false, trouble: "", open: null,
    });
    private readonly answers = new Map<string, Bred>();
    private trees: Record<string, Tree> = {};
    private order: Order | null = null;

    constructor(readonly recipes: Recipes) {
        try {
            this.trees = JSON.parse(kept.get("knossos-breed") ?? "{}") as Record<string, Tree>;
        } catch {
            // then nothing was chosen yet
        }
    }

    /** What an address says: the order, where one is, and which other ways were gone. */
    takeLink(query: URLSearchParams): void {
        const order = orderIn(query);
        if (!order) return;
        const here = (query.get("choices") ?? "").trim();
        const known = withBeginnings([here, ...query.getAll("branch")].filter(isCourse));
        const mine = this.trees[keyOf(order)];
        this.trees[keyOf(order)] = {
            here: isCourse(here) ? here : "", known: withBeginnings([...known, ...(mine?.known ?? [])]),
            picked: mine?.picked ?? {},
        };
        if (!isCourse(here)) toast(`choices: “${here}” can’t be read; expected something like 2 7; 1`);
        this.order = null;
        this.recipes.take(order);
    }

    /** The order of the form may be another one: then its own tree is shown. */
    follow(order: Order): void {
        if (this.order !== order) {
            this.order = order;
            const tree = this.trees[keyOf(order)] ?? { here: "", known: [""], picked: {} };
            this.state.put({ ...tree, open: null });
        }
        void this.show();
    }

    private keep(): void {
        const { order } = this;
        if (!order) return;
        const { here, known, picked } = this.state.get();
        this.trees = { ...this.trees, [keyOf(order)]: { here, known, picked } };
        const last = Object.entries(this.trees).slice(-30);
        kept.put("knossos-breed", JSON.stringify(Object.fromEntries(last)));
        history.replaceState(null, "", this.link());
        kept.put("knossos-breed-link", this.link());
    }

    /** All of it, in an address; also what came of it, if that is known, for others to compare with. */
    link(withResult = false): string {
        const { here, known, shown } = this.state.get();
        const query = queryOf(this.order ?? this.recipes.form.get().order);
        if (here) query.set("choices", here);
        const isEnd = (one: Course) => !known.some((other) => other !== "" && parentOf(other) === one);
        const ends = known.filter((one) => one !== here && one !== "" && isEnd(one));
        for (const end of ends.slice(-mostInLink)) if (!here.startsWith(`${end}; `)) query.append("branch", end);
        if (withResult && shown?.course === here) query.set("digest", shown.bred.digest);
        return `#/breed?${query}`;
    }

    /** Whether it came out as the link says that the page was opened with. */
    verdict(): ReturnType<typeof verdictOnBred> {
        const { shown } = this.state.get();
        if (!shown || !this.order) return null;
        return verdictOnBred({ order: this.order, choices: shown.course, digest: shown.bred.digest });
    }

    // One question at a time; the last one asked is the last one answered.
    async show(): Promise<void> {
        const { here, isBusy } = this.state.get();
        const order = this.order!;
        const theme = isDark() ? "dark" : "light";
        const key = JSON.stringify([keyOf(order), here, theme]);
        this.keep();
        const known = this.answers.get(key);
        if (known) return this.state.put({ shown: { course: here, bred: known }, trouble: "" });
        if (isBusy) return;
        this.state.put({ isBusy: true });
        try {
            const bred = await json<Bred>(send("/api/breed", this.body({ theme })));
            for (const one of bred.individuals)
                one.source = URL.createObjectURL(new Blob([one.picture], { type: "image/svg+xml" }));
            this.remember(key, bred);
            if (this.isAt(order, here)) this.state.put({ shown: { course: here, bred }, trouble: "" });
        } catch (error) {
            if (this.isAt(order, here)) this.state.put({ trouble: (error as Error).message });
        }
        this.state.put({ isBusy: false });
        if (!this.isAt(order, here)) void this.show();
    }

    private isAt = (order: Order, here: Course): boolean => this.order === order && this.state.get().here === here;

    private remember(key: string, bred: Bred): void {
        this.answers.set(key, bred);
        if (this.answers.size <= mostKept) return;
        const [oldest, old] = this.answers.entries().next().value as [string, Bred];
        for (const one of old.individuals) URL.revokeObjectURL(one.source);
        this.answers.delete(oldest);
    }

    private body(more: Record<string, unknown>): string {
        return orderText(this.order!, { choices: stepsIn(this.state.get().here), ...more });
    }

    /** As it is shown. */
    file(number: number, format: string): Promise<Response> {
        return send(`/api/breed/export?number=${number}&format=${format}&keep_pockets=1`, this.body({}));
    }

    picked(): number[] {
        const { picked, here } = this.state.get();
        return picked[here] ?? [];
    }

    pick(number: number): void {
        const { picked, here, shown } = this.state.get();
        if (!shown || number > shown.bred.individuals.length) return;
        const now = this.picked();
        const next = now.includes(number) ? now.filter((one) => one !== number) : [...now, number];
        this.state.put({ picked: { ...picked, [here]: next } });
        this.keep();
        say(`${number} ${next.includes(number) ? "picked" : "left"}, ${next.length} in all`);
    }

    more(): void {
        const chosen = this.picked();
        const { here, shown } = this.state.get();
        if (chosen.length > 0 && shown?.course === here) this.goTo(childOf(here, chosen));
    }

    goTo(course: Course): void {
        const { known } = this.state.get();
        const all = known.includes(course) ? known : withBeginnings([...known, course]);
        this.state.put({ here: course, known: all, open: null });
        say(`Generation ${stepsIn(course).length}`);
        void this.show();
    }

    back(): void {
        const { here } = this.state.get();
        if (here !== "") this.goTo(parentOf(here));
    }
}

const keyOf = (order: Order): string => queryOf(order).toString();
