import type { BoardRegistry } from "./board";
import type { LevelRegistry } from "./levels";
import type { Page } from "./main";
import { mazesPage } from "./mazes";
import { queensPage } from "./queens";
import type { Registry } from "./types";

/** The page of a domain that has one of its own. Runs of the others are shown by the page for any run. */
export interface Editor {
    domain: string;
    page: string;
    title: string;
    make(registry: Registry, query: URLSearchParams): Page;
}

// Alone knows them by name.
export const editors: Editor[] = [
    { domain: "queens", page: "queens", title: "Queens", make: (registry, query) => queensPage(registry as BoardRegistry, query) },
    { domain: "maze", page: "mazes", title: "Mazes", make: (registry, query) => mazesPage(registry as LevelRegistry, query) },
];
