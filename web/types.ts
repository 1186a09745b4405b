// What the API sends is described in openapi.json, and its types are made from that when the page is built:
// apps/studio/types.cmake. Here is what the page makes of it.

import type { Value } from "./openapi";

export type {
    BuiltIn, Choice, Diagnostic, Domain, Field, Format, Frame, Goal, Individual, Measure, Part, Registry, Run, Sample,
    Section, Sections, State, Statistics, Stop, Value,
} from "./openapi";

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

/** What a form says, whole. */
export interface Order {
    recipe: string;
    /** A whole recipe, in place of the name of one. */
    toml?: string;
    set: Record<string, Value>;
    seed: string;
}
