import { at, get, post } from "./api";
import type * as Api from "./openapi";
import type { Level, Survey } from "./openapi";
import type { Frame, Registry, Sample, Value } from "./types";

// What the API says of levels: docs/studio-api.md.

export type { Level, Score, Survey } from "./openapi";
export type LevelFrame = Omit<Frame, "population"> & Api.LevelFrame & { population: (Sample & Api.LevelFrame)[] };
export type LevelRegistry = Registry & Api.LevelRegistry;
export type Found = Api.Found & { level: Level };

export const levels = {
    gallery: async (id: string): Promise<Found[]> => (await get<{ mazes: Found[] }>(`${at(id)}/gallery`)).mazes,
    survey: async (level: Level, extra: Record<string, Value>): Promise<Survey> =>
        (await post("/api/levels/survey", { level, ...extra })).json(),
    export: async (level: Level, format: string, query = ""): Promise<Blob> =>
        (await post(`/api/levels/export?format=${format}${query}`, { level })).blob(),
};
