import type { Order, Run, Value } from "./types";

/** The part of the address behind #: a page and what it shows. */
export interface Place {
    page: string;
    query: URLSearchParams;
}

export function readPlace(otherwise: string): Place {
    const hash = location.hash.replace(/^#\/?/, "");
    const mark = hash.indexOf("?");
    return { page: (mark < 0 ? hash : hash.slice(0, mark)) || otherwise, query: new URLSearchParams(mark < 0 ? "" : hash.slice(mark + 1)) };
}

function parseValue(text: string): Value {
    try {
        const value: unknown = JSON.parse(text);
        if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
    } catch {
        // a name without quotes
    }
    return text;
}

export function setOf(lines: string[]): Record<string, Value> {
    const set: Record<string, Value> = {};
    for (const line of lines) {
        const equals = line.indexOf("=");
        if (equals > 0) set[line.slice(0, equals)] = parseValue(line.slice(equals + 1));
    }
    return set;
}

/** Recipe, changes and seed from a link, if it holds any. */
export function orderIn(query: URLSearchParams): Order | null {
    const recipe = query.get("recipe");
    if (!recipe) return null;
    return { recipe, set: setOf(query.getAll("set")), seed: Number(query.get("seed") ?? 1) };
}

export function orderOf(run: Run): Order {
    const set = setOf(run.set);
    const seed = Number(set["seed"] ?? run.seed);
    delete set["seed"];
    return { recipe: run.recipe, set, seed };
}

export function linkTo(page: string, order: Order): string {
    const query = new URLSearchParams({ recipe: order.recipe, seed: String(order.seed) });
    for (const [key, value] of Object.entries(order.set)) query.append("set", `${key}=${JSON.stringify(value)}`);
    return `${location.origin}/#/${page}?${query}`;
}

/** Notes in the address which run is shown, so that a reload finds it again; and for coming back from another page. */
export function rememberRun(page: string, id: string): void {
    history.replaceState(null, "", `#/${page}?run=${encodeURIComponent(id)}`);
    try {
        sessionStorage.setItem(`knossos-run-${page}`, id);
    } catch {
        // then the address alone knows
    }
}

export function forgetRun(page: string): void {
    try {
        sessionStorage.removeItem(`knossos-run-${page}`);
    } catch {
        // nothing was kept
    }
    history.replaceState(null, "", `#/${page}`);
}

export function rememberedRun(page: string): string | null {
    try {
        return sessionStorage.getItem(`knossos-run-${page}`);
    } catch {
        return null;
    }
}
