import { api, request } from "./api";
import { kept, slice } from "./store";
import type { Order, Run, Value } from "./types";

/** The part of the address behind #: a page and what it shows. */
export interface Place {
    page: string;
    query: URLSearchParams;
}

export function readPlace(): Place {
    const hash = location.hash.replace(/^#\/?/, "");
    const mark = hash.indexOf("?");
    const page = mark < 0 ? hash : hash.slice(0, mark);
    const query = new URLSearchParams(mark < 0 ? "" : hash.slice(mark + 1));
    const before = kept.get(`knossos-run-${page}`);
    if (before && !["run", "recipe", "toml", "level", "drawing"].some((key) => query.has(key)))
        query.set("run", before);
    return { page, query };
}

export const place = slice<Place>("place", readPlace());
addEventListener("hashchange", () => place.put(readPlace()));

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

const wholeNumber = (text: string | null | undefined): string => (text && /^\d{1,20}$/.test(text) ? text : "1");

/** Recipe, changes and seed from a link, if it holds any. */
export function orderIn(query: URLSearchParams): Order | null {
    const recipe = query.get("recipe") ?? "";
    const toml = query.get("toml") ?? "";
    if (!recipe && !toml) return null;
    const order: Order = { recipe, set: setOf(query.getAll("set")), seed: wholeNumber(query.get("seed")) };
    if (toml) order.toml = toml;
    return order;
}

export function orderOf(run: Run): Order {
    const set = setOf(run.set.filter((one) => !one.startsWith("seed=")));
    const seed = run.set.find((one) => one.startsWith("seed="))?.slice(5);
    return { recipe: run.recipe, set, seed: seed === undefined ? run.seed : wholeNumber(seed) };
}

/** The same of any run: one that began with a file is its whole recipe. */
export async function wholeOrderOf(run: Run): Promise<Order> {
    const toml = await (await request(api.recipeOf(run.id))).text();
    return { recipe: "", toml, set: {}, seed: run.seed };
}

export function queryOf(order: Order): URLSearchParams {
    const query = new URLSearchParams(order.toml ? { toml: order.toml } : { recipe: order.recipe });
    query.set("seed", order.seed);
    for (const [key, value] of Object.entries(order.set)) query.append("set", `${key}=${JSON.stringify(value)}`);
    return query;
}

// Whatever an address can say, on some page.
const keys = new Set(["run", "recipe", "toml", "set", "seed", "digest", "choices", "branch", "level", "drawing",
    "study", "order", "start", "screen"]);

/** What is wrong with an address, as a sentence, or nothing. */
export function troubleIn(query: URLSearchParams): string {
    const unknown = [...query.keys()].find((key) => !keys.has(key));
    if (unknown !== undefined) return `This link says “${unknown.slice(0, 60)}”, which is not known here: it was cut, `
        + "or is from a newer version of Knossos. What is shown may not be what was meant.";
    const seed = query.get("seed");
    const digest = query.get("digest");
    if ((seed !== null && wholeNumber(seed) !== seed) || (digest !== null && !isDigest(digest))
        || query.getAll("set").some((one) => one.indexOf("=") < 1))
        return "This link was cut or changed on its way. What is shown may not be what was meant: copy it again.";
    return "";
}

const isDigest = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

// What the last link that carried one promises of its run, or choices: the result. Addresses without do not take it back.
let promise: { order: Order; choices: string; digest: string; run?: string } | null = null;

function takePromise(): void {
    const { query } = readPlace();
    const order = orderIn(query);
    const digest = query.get("digest") ?? "";
    if (order && isDigest(digest)) promise = { order, choices: query.get("choices") ?? "", digest };
}
takePromise();
addEventListener("hashchange", takePromise);

const sorted = (order: Order): string => {
    const query = queryOf(order);
    query.sort();
    return [...query].map((one) => one.join("=")).sort().join("\n");
};

interface Verdict {
    isSame: boolean;
    text: string;
}

/** Notes what came of an order: of a recipe that a link carries whole a run does not say that it is of that. */
export function begun(order: Order, run: string): void {
    if (promise && sorted(order) === sorted(promise.order)) promise.run = run;
}

function verdict(digest: string, isMeant: (order: Order) => boolean): Verdict | null {
    if (!promise || !digest) return null;
    if (digest === promise.digest)
        return { isSame: true, text: `The same result as in the link, to the bit (${digest})` };
    if (!isMeant(promise.order)) return null;
    return { isSame: false, text: `Not the result of the link: that says ${promise.digest}, here it is ${digest}` };
}

/** Whether a run came out as the link that was opened says; nothing where it says nothing about it. */
export const verdictOn = (run: Run): Verdict | null => verdict(run.digest, (order) => run.id === promise!.run
    || (run.recipe !== "" && sorted(orderOf(run)) === sorted(order)));

/** The same of what came of a course of choices. */
export const verdictOnBred = (bred: { order: Order; choices: string; digest: string }): Verdict | null =>
    verdict(bred.digest, (order) => bred.choices === promise!.choices && sorted(bred.order) === sorted(order));

/** A page of this address, wherever it is served from. */
export const here = (fragment: string): string => `${location.origin}${location.pathname}${fragment}`;

export const linkTo = (page: string, order: Order): string => here(`#/${page}?${queryOf(order)}`);

export const linkToRun = (page: string, id: string): string => `#/${page}?run=${encodeURIComponent(id)}`;

/** Notes in the address which run is shown: a reload finds it again, and so does coming back from another page. */
export function rememberRun(page: string, id: string): void {
    history.replaceState(null, "", linkToRun(page, id));
    kept.put(`knossos-run-${page}`, id);
}

export function forgetRun(page: string): void {
    kept.put(`knossos-run-${page}`, null);
    history.replaceState(null, "", `#/${page}`);
}
