import { eventsFrom } from "host";
import { ApiError, get, json, parse, post, request, send } from "./api";
import { diagnosticsOf } from "./form";
import type { CheckedStudy, Study, StudyOrder, StudySummary } from "./openapi";
import { slice } from "./store";
import type { Diagnostic, Registry, Value } from "./types";

const at = (id: string): string => `/api/studies/${encodeURIComponent(id)}`;

// A seed is sent as the number that it is, however many digits it has.
function textOf(order: StudyOrder): string {
    const { seed, ...rest } = order;
    const text = JSON.stringify(rest);
    if (seed === undefined) return text;
    return `${text.slice(0, -1)},"seed":${/^\d+$/.test(seed) ? seed : JSON.stringify(seed)}}`;
}

export const studyApi = {
    list: (): Promise<{ studies: StudySummary[]; reports: string[] }> => get("/api/studies"),
    start: (order: StudyOrder): Promise<Study> => json(send("/api/studies", textOf(order))),
    check: (order: StudyOrder): Promise<{ toml: string; configurations: string[]; runs: number }> =>
        json(send("/api/studies/check", textOf(order))),
    control: (id: string, action: "play" | "pause"): Promise<Study> => json(post(`${at(id)}/control`, { action })),
    remove: (id: string): Promise<Response> => request(at(id), { method: "DELETE" }),
    one: (id: string): Promise<Study> => get(at(id)),
    fileOf: (id: string): string => `${at(id)}/study.toml`,
};

/** What is composed, as it is typed: values stay texts until they are sent. */
export interface Draft {
    name: string;
    recipes: string[];
    values: { key: string; text: string }[];
    runs: number;
    seed: string;
    budget: number | null;
    paired: boolean;
}

export interface StudiesState {
    draft: Draft;
    checked: CheckedStudy | null;
    wrong: Diagnostic[];
    list: StudySummary[] | null;
    reports: string[];
    open: Study | null;
    isGone: boolean;
}

const first: Draft = {
    name: "How much mutation?", recipes: ["pmx-queens"],
    values: [{ key: "stages.mutate.probability", text: "0.05, 0.2, 0.8" }, { key: "problem.n", text: "8, 12" }],
    runs: 20, seed: "1", budget: 20000, paired: false,
};

export const studies = slice<StudiesState>("studies", {
    draft: first, checked: null, wrong: [], list: null, reports: [], open: null, isGone: false,
});

/** 0.05, maximise, "a text": numbers and switches where they are some, else texts. */
export function valuesIn(text: string): Value[] {
    return text.split(",").map((one) => one.trim()).filter((one) => one !== "").map((one): Value => {
        try {
            const value: unknown = JSON.parse(one);
            if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
        } catch {
            // a name without quotes
        }
        return one;
    });
}

/** One value is the same for all; several are a grid. */
export function orderOfDraft(draft: Draft): StudyOrder {
    const order: StudyOrder = { name: draft.name.trim(), recipes: draft.recipes, runs: draft.runs, seed: draft.seed };
    const set: Record<string, Value> = {};
    const grid: Record<string, Value[]> = {};
    for (const { key, text } of draft.values) {
        const values = valuesIn(text);
        if (key === "" && values.length === 0) continue;
        if (values.length === 1) set[key] = values[0]!;
        else grid[key] = values;
    }
    if (Object.keys(set).length > 0) order.set = set;
    if (Object.keys(grid).length > 0) order.grid = grid;
    if (draft.budget !== null) order.budget = draft.budget;
    if (draft.paired) order.paired = true;
    return order;
}

const textOfValue = (value: Value): string =>
    typeof value === "string" && !/^[a-z][a-z-]*$/.test(value) ? JSON.stringify(value) : String(value);

export function draftOf(order: StudyOrder): Draft {
    const fixed = Object.entries(order.set ?? {}).map(([key, value]) => ({ key, text: textOfValue(value) }));
    const varied = Object.entries(order.grid ?? {}).map(([key, values]) => ({
        key, text: values.map(textOfValue).join(", "),
    }));
    return {
        name: order.name, recipes: order.recipes ?? [], values: [...varied, ...fixed], runs: order.runs ?? 100,
        seed: String(order.seed ?? 1), budget: order.budget ?? null, paired: order.paired ?? false,
    };
}

/** All that can be varied in the chosen recipes, with what it means. */
export function keysOf(registry: Registry, recipes: string[]): { key: string; meaning: string }[] {
    const found = new Map<string, string>();
    for (const recipe of registry.recipes.filter((one) => recipes.includes(one.name)))
        for (const section of registry.sections) {
            const choice = recipe.sections[section.path];
            const part = choice && section.parts.find((one) => one.name === choice.kind);
            if (!part || section.path === "start" || section.path === "evaluator") continue;
            if (part.name !== "" && section.path !== "problem")
                found.set(`${section.path}.kind`, `one of ${section.parts.map((one) => one.name).join(", ")}`);
            for (const field of part.fields) found.set(`${section.path}.${field.name}`, field.meaning);
        }
    return [...found].map(([key, meaning]) => ({ key, meaning })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

let isAsking = false;

/** One question at a time; the last one asked is the last one answered. */
export async function checkDraft(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const { draft } = studies.get();
    try {
        studies.put({ checked: await studyApi.check(orderOfDraft(draft)), wrong: [] });
    } catch (error) {
        studies.put({ checked: null, wrong: diagnosticsOf(error) });
    }
    isAsking = false;
    if (studies.get().draft !== draft) void checkDraft();
}

export function changeDraft(part: Partial<Draft>): void {
    studies.put({ draft: { ...studies.get().draft, ...part } });
    void checkDraft();
}

/** Follows the list of studies, and one of them in full; says how to stop. */
export function followStudies(id: string | null): () => void {
    let isOver = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const sources = new Set<EventSource>();
    const retry = (what: () => void) => { if (!isOver) again = setTimeout(what, 700); };
    const list = () => {
        const source = eventsFrom("/api/studies/events");
        sources.add(source);
        source.addEventListener("studies", (event) => {
            const said = parse<{ studies: StudySummary[]; reports: string[] }>((event as MessageEvent<string>).data);
            studies.put({ list: said.studies, reports: said.reports });
            const { open } = studies.get();
            if (open && !said.studies.some((one) => one.id === open.id)) studies.put({ isGone: true });
        });
        source.onerror = () => { source.close(); sources.delete(source); retry(list); };
    };
    const one = async () => {
        if (id === null) return;
        try {
            const study = await studyApi.one(id);
            if (isOver) return;
            studies.put({ open: study, isGone: false });
            if (study.state === "ended") return;
        } catch (error) {
            if (isOver) return;
            if (error instanceof ApiError && error.status === 404) studies.put({ isGone: true });
            else retry(() => void one());
            return;
        }
        const source = eventsFrom(`${at(id)}/events`);
        sources.add(source);
        source.addEventListener("study", (event) => {
            const study = parse<Study>((event as MessageEvent<string>).data);
            studies.put({ open: study });
            if (study.state === "ended") { source.close(); sources.delete(source); }
        });
        source.onerror = () => { source.close(); sources.delete(source); retry(() => void one()); };
    };
    list();
    void one();
    return () => {
        isOver = true;
        clearTimeout(again);
        for (const source of sources) source.close();
    };
}


