import { at, get, post } from "./api";
import type { Cell } from "./shapes";
import type { Frame, Measure, Registry, Sample, Value } from "./types";

// What the API says of levels: docs/studio-api.md.

export interface Level {
    cells: string[];
    entrance: Cell;
    exit: Cell;
    checkpoints: Cell[];
    walls_east?: string[];
    walls_south?: string[];
}

export interface Score {
    total: number | null;
    violation: number;
    usable: boolean;
    terms: { term: string; value: number; contribution: number; met: boolean }[];
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

export interface LevelFrame extends Frame {
    level?: Level;
    score?: Score;
    population: (Sample & { level?: Level })[];
}

/** What the API's registry holds for levels. */
export interface LevelRegistry extends Registry {
    measures: Measure[];
    largest_maze: number;
}

export interface Found {
    fitness: number;
    generation: number;
    level: Level;
}

export const levels = {
    gallery: async (id: string): Promise<Found[]> => (await get<{ mazes: Found[] }>(`${at(id)}/gallery`)).mazes,
    survey: async (level: Level, extra: Record<string, Value>): Promise<Survey> =>
        (await post("/api/levels/survey", { level, ...extra })).json(),
    export: async (level: Level, format: string, query = ""): Promise<Blob> =>
        (await post(`/api/levels/export?format=${format}${query}`, { level })).blob(),
};
