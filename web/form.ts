import { api, ApiError } from "./api";
import type { Checked } from "./openapi";
import { slice, type Slice } from "./store";
import type { BuiltIn, Choice, Diagnostic, Order, Part, Registry, Section, Value } from "./types";

/** What a page is about to order, and what the studio makes of it: nothing else is shown by its controls. */
export interface Form {
    order: Order;
    checked: Checked | null; // of this order, or of the last one that could be run
    wrong: Diagnostic[];
}

// Sections that name programs and files, which the studio does not touch.
const outside = new Set(["start", "evaluator"]);

export class Recipes {
    readonly form: Slice<Form>;
    private isAsking = false;
    private taken = 0;
    /** The run that the order was taken from, or became. */
    origin: string | null = null;

    constructor(readonly registry: Registry, readonly page: string, first: Order) {
        this.form = slice<Form>(`form ${page}`, { order: first, checked: null, wrong: [] });
        void this.check();
    }

    base(order = this.form.get().order): BuiltIn | undefined {
        return this.registry.recipes.find((one) => one.name === order.recipe);
    }

    /** Of a whole recipe nothing is known before the studio has read it: that is waited for. */
    async take(order: Order, origin: string | null = null): Promise<void> {
        this.origin = origin;
        const ticket = (this.taken += 1);
        const checked = order.toml ? await api.check(order).catch(() => null) : null;
        if (ticket !== this.taken) return;
        this.form.put({ order, checked, wrong: [] });
        void this.check();
    }

    // One question at a time; the last one asked is the last one answered.
    async check(): Promise<void> {
        if (this.isAsking) return;
        this.isAsking = true;
        const { order } = this.form.get();
        try {
            this.form.put({ checked: await api.check(order), wrong: [] });
        } catch (error) {
            this.form.put({ wrong: diagnosticsOf(error) });
        }
        this.isAsking = false;
        if (this.form.get().order !== order) void this.check();
    }

    change(order: Order): void {
        this.form.put({ order });
        void this.check();
    }

    sections(): Section[] {
        const { order } = this.form.get();
        return this.registry.sections.filter((one) => !outside.has(one.path) && this.isUsed(order, one.path));
    }

    section(path: string): Section | undefined {
        return this.registry.sections.find((one) => one.path === path);
    }

    /** Of the order, of what the studio made of it, or of the recipe that it begins with. */
    choice(form: Form, path: string): Choice | undefined {
        const { set } = form.order;
        if (set[path] === "none") return undefined;
        const known = this.known(form, path);
        const named = set[`${path}.kind`];
        if (named !== undefined) return { kind: String(named), values: known?.kind === named ? known.values : {} };
        if (known) return known;
        const isAdded = Object.keys(set).some((key) => key.startsWith(`${path}.`));
        return isAdded ? { kind: this.section(path)?.default ?? "", values: {} } : undefined;
    }

    private known(form: Form, path: string): Choice | undefined {
        return form.checked ? form.checked.sections[path] : this.base(form.order)?.sections[path];
    }

    part(form: Form, path: string): Part | undefined {
        const choice = this.choice(form, path);
        return choice && this.section(path)?.parts.find((one) => one.name === choice.kind);
    }

    value(form: Form, key: string): Value | undefined {
        const own = form.order.set[key];
        if (own !== undefined) return own;
        const [path, name] = split(key);
        const choice = this.choice(form, path);
        return choice?.values[name] ?? this.part(form, path)?.fields.find((field) => field.name === name)?.default;
    }

    stop(form: Form): Record<string, Value> {
        const values: Record<string, Value> = { ...(form.checked ?? this.base(form.order))?.sections.stop.values };
        for (const [key, value] of Object.entries(form.order.set))
            if (key.startsWith("stop.")) values[key.slice(5)] = value;
        return values;
    }

    put(key: string, value: Value | undefined): void {
        const { order } = this.form.get();
        this.change({ ...order, set: this.with(order, { [key]: value }) });
    }

    /** What differs from the recipe that the order begins with. */
    with(order: Order, changes: Record<string, Value | undefined>): Record<string, Value> {
        const set = { ...order.set };
        for (const [key, value] of Object.entries(changes)) {
            const [path, name] = split(key);
            const base = this.base(order)?.sections[path];
            const isSame = base && base.kind === (set[`${path}.kind`] ?? base.kind) && base.values[name] === value;
            if (value === undefined || isSame) delete set[key];
            else set[key] = value;
        }
        return set;
    }

    private isUsed(order: Order, path: string): boolean {
        if (!path.startsWith("stages.")) return true;
        const kind = order.set["algorithm.kind"] ?? this.base(order)?.sections["algorithm"]?.kind;
        const algorithm = this.section("algorithm")?.parts.find((one) => one.name === kind);
        return algorithm?.uses.includes(path.slice(7)) ?? true;
    }

    /** Another part in a place. What the new one does not have, and stages that are not used any more, are dropped. */
    async choose(path: string, kind: string): Promise<void> {
        const { order } = this.form.get();
        const section = this.section(path)!;
        const base = this.base(order)?.sections[path];
        const isNamed = section.parts[0]!.name !== "";
        const part = section.parts.find((one) => one.name === kind) ?? section.parts[0]!;
        let set: Record<string, Value> = {};
        for (const [key, value] of Object.entries(order.set)) {
            const [of, name] = split(key);
            if (key === path || (of === path && (kind === "none" || !part.fields.some((one) =>
                one.name === name)))) continue;
            set[key] = value;
        }
        if (kind === "none") {
            if (base) set[path] = "none";
        } else if (isNamed) {
            if (kind !== base?.kind) set[`${path}.kind`] = kind;
        } else if (!base) for (const field of part.fields) set[`${path}.${field.name}`] ??= field.default;
        let next: Order = { ...order, set };
        next = { ...next, set: Object.fromEntries(Object.entries(set).filter(([key]) => this.isUsed(next,
            pathOf(key)))) };
        this.change(next);
        if (kind === "none" || !isNamed || (await isFine(next))) return;
        // What was left of the part before does not suit the new one: its own defaults will.
        set = { ...next.set };
        for (const field of part.fields) set[`${path}.${field.name}`] = field.default;
        const repaired = { ...next, set };
        if (this.form.get().order === next && (await isFine(repaired))
            && this.form.get().order === next) this.change(repaired);
    }

    /** What is wrong with one field, if something is. */
    wrong(form: Form, key: string): string | undefined {
        return form.wrong.find((one) => isAbout(one, key))?.message;
    }

    /** What is wrong and has no field to stand beside. */
    otherwise(form: Form, keys: Set<string>): string[] {
        return form.wrong.filter((one) => ![...keys].some((key) => isAbout(one, key))).map((one) => one.message);
    }
}

async function isFine(order: Order): Promise<boolean> {
    return api.check(order).then(() => true, (error: unknown) => !(error instanceof ApiError) || error.status === 0);
}

const pathOf = (key: string): string => (key.startsWith("stages.") ? key.split(".").slice(0,
    2).join(".") : split(key)[0]);

function split(key: string): [string, string] {
    const dot = key.lastIndexOf(".");
    return [key.slice(0, dot), key.slice(dot + 1)];
}

function isAbout(one: Diagnostic, key: string): boolean {
    return one.where.startsWith(`--set ${key}=`) || one.message.startsWith(`${key} `)
        || one.message.startsWith(`${key}:`);
}

export function diagnosticsOf(error: unknown): Diagnostic[] {
    if (error instanceof ApiError && error.status === 0) return []; // said for the whole page
    if (error instanceof ApiError && error.diagnostics.length > 0) return error.diagnostics;
    return [{ where: "", message: (error as Error).message }];
}
