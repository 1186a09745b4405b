import { freshId, h, labelled } from "./dom";
import { short, words } from "./format";
import type { BuiltIn, Field, Part, Registry, Section, Value } from "./types";

const titles: Record<string, string> = {
    problem: "Problem",
    algorithm: "Algorithm",
    "stages.select": "Selection of parents",
    "stages.recombine": "Crossover",
    "stages.mutate": "Mutation",
    "stages.operations": "Mix of operations",
    "stages.improve": "Local search",
    "stages.replace": "Who stays",
    islands: "Islands",
    restart: "Fresh starts",
};

/** A control for one field, whatever it is: the registry says all that is needed. */
export function fieldControl(field: Field, path: string, value: Value, change: (value: Value) => void): HTMLElement {
    const label = words(field.name);
    const meaning = `${field.meaning} (${path}.${field.name})`;
    if (field.type === "boolean") {
        const box = h("input", { type: "checkbox", checked: value === true, onchange: () => change(box.checked) });
        return labelled(label, box, meaning);
    }
    if (field.type === "choice") {
        const select = h("select", { onchange: () => change(select.value) }, ...field.choices.map((one) => h("option", { value: one, selected: one === value }, words(one))));
        return labelled(label, select, meaning);
    }
    if (field.type === "text") {
        const input = h("input", { type: "text", value: String(value), spellcheck: false, onchange: () => change(input.value) });
        return labelled(label, input, meaning);
    }
    const low = field.minimum;
    const high = field.maximum;
    if (field.type === "real" && low !== null && high !== null && high - low <= 2) {
        const output = h("output", {}, String(value));
        const slider = h("input", {
            type: "range", min: String(low), max: String(high), step: "0.005", value: String(value),
            oninput: () => {
                output.textContent = slider.value;
                change(Number(slider.value));
            },
        });
        return labelled(label, slider, meaning, output);
    }
    const input = h("input", {
        type: "number", value: String(value), step: field.type === "integer" ? "1" : "any", min: low === null ? undefined : String(low),
        max: high === null ? undefined : String(high), inputMode: "numeric",
        onchange: () => {
            if (input.value !== "") change(Number(input.value));
        },
    });
    return labelled(label, input, meaning);
}

/** Edits a recipe: which part stands in each place, and its values. */
export class RecipeForm {
    readonly element = h("div", { class: "parts" });
    private base!: BuiltIn;
    private kinds = new Map<string, string>();
    private values = new Map<string, Value>();
    private stop = new Map<string, number>();

    constructor(private readonly registry: Registry, private readonly hidden: Set<string>, private readonly changed: () => void) {}

    /** Begins with a built-in recipe and what is changed in it. */
    load(base: BuiltIn, set: Record<string, Value> = {}): void {
        this.base = base;
        this.kinds = new Map();
        for (const section of this.registry.sections) {
            const choice = base.sections[section.path];
            if (choice) this.kinds.set(section.path, choice.kind);
        }
        this.values = new Map();
        this.stop = new Map(Object.entries(base.sections.stop.values));
        for (const [key, value] of Object.entries(set)) {
            const dot = key.lastIndexOf(".");
            const path = key.slice(0, dot);
            if (value === "none" && this.section(key)?.removable) this.kinds.delete(key);
            else if (key.startsWith("stop.")) this.stop.set(key.slice(5), Number(value));
            else if (key.endsWith(".kind")) this.kinds.set(path, String(value));
            else {
                this.values.set(key, value);
                if (!this.kinds.has(path)) this.kinds.set(path, "");
            }
        }
        this.build();
    }

    get(key: string): Value | undefined {
        const [path, name] = [key.slice(0, key.lastIndexOf(".")), key.slice(key.lastIndexOf(".") + 1)];
        return this.values.get(key) ?? this.defaultOf(path, name);
    }

    put(key: string, value: Value): void {
        this.values.set(key, value);
    }

    /** What differs from the built-in recipe. */
    changes(): Record<string, Value> {
        const set: Record<string, Value> = {};
        for (const [path, kind] of this.kinds)
            if (kind !== (this.base.sections[path]?.kind ?? "")) set[`${path}.kind`] = kind;
        for (const section of this.registry.sections)
            if (section.removable && this.base.sections[section.path] && !this.kinds.has(section.path) && this.isUsed(section.path)) set[section.path] = "none";
        for (const [key, value] of this.values) {
            const dot = key.lastIndexOf(".");
            const path = key.slice(0, dot);
            const name = key.slice(dot + 1);
            if (!this.isUsed(path) || !this.part(path)?.fields.some((field) => field.name === name)) continue;
            const addsSection = !this.base.sections[path];
            if (addsSection || value !== this.defaultOf(path, name)) set[key] = value;
        }
        for (const [key, value] of this.stop)
            if (value !== this.base.sections.stop.values[key]) set[`stop.${key}`] = value;
        return set;
    }

    private section(path: string): Section | undefined {
        return this.registry.sections.find((one) => one.path === path);
    }

    private part(path: string): Part | undefined {
        const kind = this.kinds.get(path);
        return kind === undefined ? undefined : this.section(path)?.parts.find((one) => one.name === kind);
    }

    private defaultOf(path: string, name: string): Value | undefined {
        const own = this.base.sections[path];
        if (own && own.kind === this.kinds.get(path)) return own.values[name];
        return this.part(path)?.fields.find((field) => field.name === name)?.default;
    }

    private isUsed(path: string): boolean {
        if (!path.startsWith("stages.")) return true;
        return this.part("algorithm")?.uses.includes(path.slice(7)) ?? true;
    }

    private build(): void {
        const open = new Set([...this.element.querySelectorAll<HTMLDetailsElement>("details[open]")].map((one) => one.dataset["path"]));
        const parts = this.registry.sections.filter((section) => this.isUsed(section.path)).map((section) => this.sectionControl(section, open));
        this.element.replaceChildren(...parts.filter((one): one is HTMLElement => one !== null), this.stopControl(open));
    }

    private sectionControl(section: Section, open: Set<string | undefined>): HTMLElement | null {
        const { path } = section;
        const kind = this.kinds.get(path);
        const part = this.part(path);
        const fields = (part?.fields ?? []).filter((field) => !this.hidden.has(`${path}.${field.name}`));
        const canChoose = section.parts[0]!.name !== "" && path !== "problem";
        const mayBeNone = section.removable;
        if (!canChoose && !mayBeNone && fields.length === 0) return null;
        const body: HTMLElement[] = [];
        if (canChoose || mayBeNone) {
            const options = canChoose ? section.parts.map((one) => one.name) : ["on"];
            const current = kind === undefined ? "none" : canChoose ? kind : "on";
            const select = h("select", {
                onchange: () => {
                    if (select.value === "none") this.kinds.delete(path);
                    else this.kinds.set(path, canChoose ? select.value : "");
                    const isNew = !canChoose && select.value === "on" && !this.base.sections[path];
                    if (isNew) for (const field of section.parts[0]!.fields) this.values.set(`${path}.${field.name}`, field.default);
                    this.build();
                    this.changed();
                },
            }, mayBeNone && h("option", { value: "none", selected: current === "none" }, "None"),
                ...options.map((one) => h("option", { value: one, selected: one === current, title: section.parts.find((p) => p.name === one)?.summary ?? "" }, words(one))));
            body.push(labelled("Kind", select, `${path}.kind`));
            if (part?.summary) body.push(h("p", { class: "quiet-text" }, part.summary));
        }
        for (const field of fields)
            body.push(fieldControl(field, path, this.get(`${path}.${field.name}`) ?? field.default, (value) => {
                this.values.set(`${path}.${field.name}`, value);
                this.changed();
            }));
        const title = titles[path] ?? words(path.replace("stages.", ""));
        const now = part?.name ? words(part.name) : kind === undefined ? "None" : "";
        return h("details", { "data-path": path, open: open.has(path) }, h("summary", {}, h("span", {}, title), h("span", { class: "now" }, now)), h("div", { class: "fields" }, ...body));
    }

    private stopControl(open: Set<string | undefined>): HTMLElement {
        const rows = ["evaluations", "generations"].map((name) => {
            const input = h("input", {
                type: "number", min: "1", step: "1", value: this.stop.has(name) ? String(this.stop.get(name)) : "", placeholder: "no limit", id: freshId("stop"),
                onchange: () => {
                    const base = this.base.sections.stop.values[name];
                    if (input.value !== "") this.stop.set(name, Number(input.value));
                    else if (base !== undefined) this.stop.set(name, base);
                    else this.stop.delete(name);
                    this.changed();
                },
            });
            return labelled(words(name), input, `stop.${name}`);
        });
        const limits = [...this.stop].map(([name, value]) => `${short(value)} ${name}`).join(", ");
        return h("details", { "data-path": "stop", open: open.has("stop") }, h("summary", {}, h("span", {}, "Ends after"), h("span", { class: "now" }, limits)), h("div", { class: "fields" }, ...rows));
    }
}
