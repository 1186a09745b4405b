// What the API sends: docs/studio-api.md.

export type Value = boolean | number | string;

export interface Field {
    name: string;
    type: "boolean" | "integer" | "real" | "choice" | "text";
    usual: Value;
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
    usual: string;
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
    seed: number;
    sections: Sections;
}

export interface Measure {
    name: string;
    short: string;
    share: boolean;
    meaning: string;
}

export interface Format {
    name: string;
    extension: string;
    meaning: string;
    boards: boolean;
    mazes: boolean;
}

export interface Registry {
    version: string;
    sections: Section[];
    recipes: BuiltIn[];
    formats: Format[];
    measures: Measure[];
    scale: string[];
    queen: string;
    largest_maze: number;
}

export interface Statistics {
    generation: number;
    evaluations: number;
    best: number | null;
    mean: number | null;
    worst: number | null;
    diversity: number | null;
    best_ever: number | null;
    seconds: number;
}

export type State = "waiting" | "running" | "paused" | "ended" | "failed";

export interface Run {
    id: string;
    name: string;
    problem: string;
    seed: number;
    created: number;
    state: State;
    solved: boolean;
    speed: number;
    version: number;
    maximise: boolean;
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

export interface Board {
    size: number;
    columns?: number[];
    squares?: [number, number][];
    density?: { side: number; counts: number[] };
    conflicts?: number;
    attacks?: [number, number][];
}

export type Cell = [number, number];

export interface Level {
    cells: string[];
    entrance: Cell;
    exit: Cell;
    checkpoints: Cell[];
    walls_east?: string[];
    walls_south?: string[];
}

export interface Score {
    total: number;
    usable: boolean;
    terms: { term: string; value: number; contribution: number; met: boolean }[];
}

export interface Frame extends Statistics {
    solved: boolean;
    caption?: string;
    board?: Board;
    level?: Level;
    score?: Score;
    population: { fitness: number | null; board?: Board; level?: Level }[];
}

export interface Survey {
    distance: number[];
    pocket: number[];
    path: Cell[];
    culs_de_sac: Cell[];
    witnesses: { pair: [number, number]; distance: number; isolated: boolean; cells: Cell[] }[];
    measures: Record<string, number | null>;
    caption: string;
    score?: Score;
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
}

export interface Order {
    recipe: string;
    set: Record<string, Value>;
    seed: number;
    paused?: boolean;
    speed?: number;
}
