import type { ReactElement } from "react";
import { DungeonsPage } from "./dungeons";
import { DungeonDesk } from "./dungeonstate";
import { Recipes } from "./form";
import { MazesPage } from "./mazes";
import { Desk } from "./mazestate";
import { QueensPage } from "./queens";
import type { Registry } from "./types";

/** The page of a domain that has one of its own. Runs of the others are shown by the page for any run. */
export interface Editor {
    domain: string;
    page: string;
    title: string;
    /** Whether drawings of the workspace are opened there. */
    draws?: boolean;
    /** Made once; what it keeps in mind outlives visits to other pages. */
    make(registry: Registry): () => ReactElement;
}

// Alone knows them by name.
export const editors: Editor[] = [
    {
        domain: "queens", page: "queens", title: "Queens", make: (registry) => {
            const recipes = new Recipes(registry, "queens", { recipe: "pmx-queens", set: { "problem.n": 12 },
                seed: "1" });
            return () => <QueensPage recipes={recipes} />;
        },
    },
    {
        domain: "maze", page: "mazes", title: "Mazes", draws: true, make: (registry) => {
            const desk = new Desk(new Recipes(registry, "mazes", { recipe: "maze", set: {}, seed: "1" }));
            return () => <MazesPage desk={desk} />;
        },
    },
    {
        domain: "dungeon", page: "dungeons", title: "Dungeons", draws: true, make: (registry) => {
            const desk = new DungeonDesk(new Recipes(registry, "dungeons", { recipe: "dungeon", set: {}, seed: "1" }));
            return () => <DungeonsPage desk={desk} />;
        },
    },
];

export const pageOf = (domain: string): string => editors.find((one) => one.domain === domain)?.page ?? "run";
