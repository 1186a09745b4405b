// What the API sends: docs/studio-api.md.

export type Value = boolean | number | string;

export interface Field {
    name: string;
    type: "boolean" | "integer" | "real" | "choice" | "text";
    default: Value;
    minimum: number | null;
    maximum: number | null;
    choices: string[];
    meaning: string;
}

export interface Part {
    name: string;
    summary: string;
    fields: Field[];
    uses: string[];
}

export interface Section {
    path: string;
    optional: boolean;
    removable: boolean;
    default: string;
    parts: Part[];
}

export interface Choice {
    kind: string;
    values: Record<string, Value>;
}

export interface Stop {
    text: string;
    values: Record<string, number>;
}

export type Sections = Record<string, Choice> & { stop: Stop };

export interface BuiltIn {
    name: string;
    description: string;
    problem: string;
    seed: string;
    sections: Sections;
}

export interface Format {
    name: string;
    extension: string;
    meaning: string;
}

export interface Registry {
    version: string;
    sections: Section[];
    recipes: BuiltIn[];
    domains: Domain[];
    formats: Format[];
    scale: string[];
}

/** A kind of thing that is evolved. */
export interface Domain {
    name: string;
    title: string;
    things: string;
    pictured: boolean;
    /** Whether files of them can be opened. */
    read: boolean;
    wishes: { field: string; measures: Measure[] } | null;
}

/** What can be wished for. */
export interface Measure {
    name: string;
    short: string;
    kind: "count" | "share" | "ratio";
    meaning: string;
}

export interface Statistics {
    generation: number;
    evaluations: number;
    /** What the algorithm counts beside generations: see Run.unit. */
    steps: number;
    /** Of the selection: how much better the parents were than all, in standard deviations. */
    intensity: number;
    best: number | null;
    mean: number | null;
    worst: number | null;
    diversity: number | null;
    best_ever: number | null;
    violation: number | null;
    feasible: number;
    seconds: number;
}

export type State = "waiting" | "running" | "paused" | "ended" | "failed";

export interface Run {
    id: string;
    name: string;
    problem: string;
    /** As text: it may have more digits than a number holds. */
    seed: string;
    created: number;
    state: State;
    solved: boolean;
    speed: number;
    version: number;
    maximise: boolean;
    /** "rounds", "mating events", or nothing. */
    unit: string;
    target: number | null;
    statistics: Statistics;
    stopped_by: string;
    digest: string;
    recipe: string;
    set: string[];
    command: string;
    message?: string;
    sections?: Sections;
}

export interface Frame extends Statistics {
    solved: boolean;
    /** The algorithm's, on how things stand. */
    remark?: string;
    /** What the selection goes by in place of the best's fitness: 1 − c/Σc on a wheel by share. */
    scaled?: number | null;
    caption?: string;
    measures?: { name: string; value: number | null; meaning: string }[];
    population: Sample[];
}

export interface Sample {
    fitness: number | null;
    violation?: number | null;
    name?: string;
    scaled?: number | null;
}

/** A row of the history: see /api/runs/ID/history. */
export interface Row {
    generation: number;
    evaluations: number;
    bestEver: number;
    best: number;
    mean: number;
    worst: number;
    diversity: number;
    seconds: number;
    intensity: number;
    violation: number;
}

export interface Order {
    recipe: string;
    /** A whole recipe, in place of the name of one. */
    toml?: string;
    set: Record<string, Value>;
    seed: string;
}

export interface Diagnostic {
    where: string;
    message: string;
}
