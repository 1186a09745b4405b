import { h, labelled } from "./dom";
import { words } from "./format";
import type { Measure } from "./levels";

type Aim = "between" | "maximise" | "minimise";

interface Wish {
    measure: Measure;
    aim: Aim;
    low: number;
    high: number;
    weight: number;
}

/** A designer's wishes, as sliders; read out as the goal of a recipe: "path 60..70, minimise pockets". */
export class Wishes {
    readonly element = h("div", { class: "wishes" });
    private wishes: Wish[] = [];
    private area = 400;

    constructor(private readonly measures: Measure[], private readonly changed: () => void) {
        this.build();
    }

    setArea(area: number): void {
        this.area = area;
    }

    get goal(): string {
        return this.wishes.map((wish) => {
            const name = wish.measure.name;
            const weight = wish.weight === 1 ? "" : ` weight ${wish.weight}`;
            return wish.aim === "between" ? `${name} ${wish.low}..${wish.high}${weight}` : `${wish.aim} ${name}${weight}`;
        }).join(", ");
    }

    /** Whether there is something to be reached, rather than only more of it. */
    get canBeMet(): boolean {
        return this.wishes.length > 0 && this.wishes.every((wish) => wish.aim === "between");
    }

    /** Reads what goal wrote. */
    load(goal: string): void {
        this.wishes = [];
        for (const text of goal.split(/[,;\n]/).map((part) => part.trim()).filter(Boolean)) {
            const weighted = /^(.*?)(?:\s+weight\s+([\d.]+))?$/.exec(text)!;
            const weight = Number(weighted[2] ?? 1);
            const aimed = /^(maximise|minimise)\s+(\S+)$/.exec(weighted[1]!) ?? null;
            const ranged = /^(\S+)\s+(-?[\d.]*?)(\.\.)?(-?[\d.]*)$/.exec(weighted[1]!);
            const name = (aimed?.[2] ?? ranged?.[1] ?? "").replace(/-/g, "_");
            const measure = this.measures.find((one) => one.name === name || one.short.replace(/-/g, "_") === name);
            if (!measure) continue;
            if (aimed) this.wishes.push({ measure, aim: aimed[1] as Aim, low: 0, high: this.most(measure), weight });
            else if (ranged) {
                const low = ranged[2] ? Number(ranged[2]) : ranged[3] ? 0 : Number(ranged[4]);
                const high = ranged[4] ? Number(ranged[4]) : this.most(measure);
                this.wishes.push({ measure, aim: "between", low, high, weight });
            }
        }
        this.build();
    }

    private most(measure: Measure): number {
        if (measure.share) return 1;
        if (/length|reconvergence/.test(measure.name)) return this.area * 5;
        if (/cells|farthest/.test(measure.name)) return this.area;
        return Math.max(20, Math.round(this.area / 2));
    }

    private add(): void {
        const taken = new Set(this.wishes.map((wish) => wish.measure.name));
        const measure = ["exit_path", "culs_de_sac", "pockets", "loops"].map((name) => this.measures.find((one) => one.name === name)).find((one) => one && !taken.has(one.name)) ?? this.measures.find((one) => !taken.has(one.name)) ?? this.measures[0]!;
        const most = this.most(measure);
        const aim: Aim = measure.name === "pockets" ? "minimise" : "between";
        this.wishes.push({ measure, aim, low: measure.share ? 0.3 : Math.round(most * 0.3), high: measure.share ? 0.5 : Math.round(most * 0.4), weight: 1 });
        this.build();
        this.changed();
    }

    private build(): void {
        this.element.replaceChildren(...this.wishes.map((wish) => this.row(wish)),
            h("button", { type: "button", id: "add-wish", onclick: () => this.add() }, "Add a wish"));
    }

    private row(wish: Wish): HTMLElement {
        const rebuild = () => {
            this.build();
            this.changed();
        };
        const measure = h("select", { "aria-label": "What is wished for", onchange: () => {
            wish.measure = this.measures.find((one) => one.name === measure.value)!;
            const most = this.most(wish.measure);
            wish.low = wish.measure.share ? 0.3 : Math.round(most * 0.3);
            wish.high = wish.measure.share ? 0.5 : Math.round(most * 0.4);
            rebuild();
        } }, ...this.measures.map((one) => h("option", { value: one.name, selected: one === wish.measure, title: one.meaning }, words(one.name))));
        measure.title = wish.measure.meaning;
        const aims: [Aim, string][] = [["between", "between"], ["maximise", "as large as possible"], ["minimise", "as small as possible"]];
        const aim = h("select", { "aria-label": "How it should be", onchange: () => { wish.aim = aim.value as Aim; rebuild(); } },
            ...aims.map(([value, label]) => h("option", { value, selected: value === wish.aim }, label)));
        const remove = h("button", { type: "button", class: "quiet", title: "Remove this wish", onclick: () => { this.wishes = this.wishes.filter((one) => one !== wish); rebuild(); } }, "Remove");
        const most = Math.max(this.most(wish.measure), wish.high);
        const slider = (label: string, get: () => number, put: (value: number) => void) => {
            const output = h("output", {}, String(get()));
            const input = h("input", { type: "range", min: "0", max: String(most), step: wish.measure.share ? "0.01" : "1", value: String(get()), oninput: () => {
                put(Number(input.value));
                output.textContent = String(get());
                this.changed();
            } });
            return labelled(label, input, `${label} ${wish.measure.name}`, output);
        };
        const weightText = h("output", {}, String(wish.weight));
        const weight = h("input", { type: "range", min: "0.1", max: "5", step: "0.1", value: String(wish.weight), oninput: () => {
            wish.weight = Number(weight.value);
            weightText.textContent = weight.value;
            this.changed();
        } });
        return h("fieldset", { class: "wish" }, h("legend", {}, words(wish.measure.name)), h("div", { class: "wish-head" }, measure, aim),
            ...(wish.aim === "between" ? [
                slider("At least", () => wish.low, (value) => { wish.low = Math.min(value, wish.high); }),
                slider("At most", () => wish.high, (value) => { wish.high = Math.max(value, wish.low); }),
            ] : []),
            labelled("How much it matters", weight, "Weight of this wish in the score", weightText), remove);
    }
}
