import { askApi, whyAway } from "host";
import type { Checked, History, Individual } from "./openapi";
import type { Diagnostic, Frame, Order, Registry, Row, Run, Value } from "./types";

export class ApiError extends Error {
    constructor(readonly status: number, message: string, readonly diagnostics: Diagnostic[]) {
        super(message);
    }
}

/** Seeds have up to twenty digits, more than a number holds: they are texts on the page. */
export function parse<T>(text: string): T {
    return JSON.parse(text.replace(/"seed":(\d+)/g, '"seed":"$1"')) as T;
}

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
        response = await askApi(path, init);
    } catch (error) {
        throw new ApiError(0, whyAway(error), []);
    }
    if (response.ok) return response;
    const body = await response.json().catch(() => ({}));
    throw new ApiError(response.status, body.error ?? `The studio answered ${response.status}`, body.diagnostics ?? []);
}

export async function get<T>(path: string): Promise<T> {
    return parse<T>(await (await request(path)).text());
}

export function send(path: string, body: string, method = "POST"): Promise<Response> {
    return request(path, { method, headers: { "Content-Type": "application/json" }, body });
}

export const post = (path: string, body: unknown): Promise<Response> => send(path, JSON.stringify(body));

export const at = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;

export function orderText(order: Order, extra: Record<string, unknown> = {}): string {
    const { seed, recipe, toml, set } = order;
    const rest = JSON.stringify({ ...(toml ? { toml } : { recipe }), set, ...extra });
    return `${rest.slice(0, -1)},"seed":${/^\d+$/.test(seed) ? seed : JSON.stringify(seed)}}`;
}

export const json = async <T>(response: Promise<Response>): Promise<T> => parse<T>(await (await response).text());

export const api = {
    registry: (): Promise<Registry> => get("/api/registry"),
    run: (id: string): Promise<Run> => get(at(id)),
    start: (order: Order, extra: Record<string, Value>): Promise<Run> => json(send("/api/runs", orderText(order,
        extra))),
    /** A gallery from a file: a run that has ended, of which nothing else is known. */
    openGallery: (file: File): Promise<Run> => json(request(`/api/galleries?name=${encodeURIComponent(file.name)}`,
        { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } })),
    check: (order: Order): Promise<Checked> => json(send("/api/recipes/check", orderText(order))),
    control: (id: string, action: string, extra: Record<string, Value> = {}): Promise<Run> =>
        json(post(`${at(id)}/control`, { action, ...extra })),
    remove: (id: string): Promise<Response> => request(at(id), { method: "DELETE" }),
    frame: (id: string, generation: number): Promise<Frame> => get(`${at(id)}/frames/${generation}`),
    individual: (id: string, which: string, generation: number): Promise<Individual> =>
        get(`${at(id)}/individuals/${which}?generation=${generation}`),
    fileOf: (id: string, which: string, format: string, query: Record<string, string | number>): string =>
        `${at(id)}/individuals/${which}/export?format=${format}${Object.entries(query).map(([key, value]) =>
            `&${key}=${encodeURIComponent(value)}`).join("")}`,
    history: async (id: string): Promise<Row[]> => {
        const { columns, rows } = await get<History>(`${at(id)}/history`);
        const place = new Map(columns.map((name, i) => [name, i]));
        const cell = (row: (number | null)[], name: string) => row[place.get(name) ?? -1] ?? NaN;
        return rows.map((row) => ({
            generation: cell(row, "generation"), evaluations: cell(row, "evaluations"),
            bestEver: cell(row, "best_ever"), best: cell(row, "best"), mean: cell(row, "mean"),
            worst: cell(row, "worst"), diversity: cell(row, "diversity"), seconds: cell(row, "seconds"),
            intensity: cell(row, "intensity"), violation: cell(row, "violation"),
        }));
    },
    pictureOf: (id: string, theme: string, version: number): string =>
        `${at(id)}/export?format=svg&theme=${theme}&keep_pockets=1&v=${version}`,
    pictureAt: (id: string, theme: string, generation: number): string =>
        `${at(id)}/export?format=svg&theme=${theme}&generation=${generation}`,
    exportOf: (id: string, format: string, generation: number): string =>
        `${at(id)}/export?format=${format}&generation=${generation}`,
    eventsOf: (id: string): string => `${at(id)}/events`,
    sharedOf: (id: string, theme: string): string => `${at(id)}/share?theme=${theme}`,
    sharedGalleryOf: (id: string, theme: string): string => `${at(id)}/archive/share?theme=${theme}`,
    recipeOf: (id: string): string => `${at(id)}/recipe.toml`,
};

export function download(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
