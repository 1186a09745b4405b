import type { Frame, Order, Registry, Row, Run, Value } from "./types";

export class ApiError extends Error {
    constructor(readonly status: number, message: string, readonly diagnostics: { where: string; message: string }[]) {
        super(message);
    }
}

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(path, init);
    } catch {
        throw new ApiError(0, "The studio does not answer. Is it still running?", []);
    }
    if (response.ok) return response;
    const body = await response.json().catch(() => ({}));
    throw new ApiError(response.status, body.error ?? `The studio answered ${response.status}`, body.diagnostics ?? []);
}

export function post(path: string, body: unknown): Promise<Response> {
    return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

export const at = (id: string) => `/api/runs/${encodeURIComponent(id)}`;

export const api = {
    registry: async (): Promise<Registry> => (await request("/api/registry")).json(),
    runs: async (): Promise<Run[]> => (await (await request("/api/runs")).json()).runs,
    run: async (id: string): Promise<Run> => (await request(at(id))).json(),
    start: async (order: Order): Promise<Run> => (await post("/api/runs", order)).json(),
    check: async (order: Order): Promise<{ toml: string; command: string }> => (await post("/api/recipes/check", order)).json(),
    control: async (id: string, action: string, extra: Record<string, Value> = {}): Promise<Run> => (await post(`${at(id)}/control`, { action, ...extra })).json(),
    remove: (id: string): Promise<Response> => request(at(id), { method: "DELETE" }),
    frame: async (id: string, generation: number): Promise<Frame> => (await request(`${at(id)}/frames/${generation}`)).json(),
    history: async (id: string): Promise<Row[]> => {
        const { rows } = await (await request(`${at(id)}/history`)).json();
        return (rows as number[][]).map(([generation, evaluations, bestEver, best, mean, worst, diversity, seconds, , , , intensity]) =>
            ({ generation, evaluations, bestEver, best, mean, worst, diversity, seconds, intensity }) as Row);
    },
    studies: async (): Promise<string[]> => (await (await request("/api/studies")).json()).studies,
    pictureOf: (id: string, theme: string, cell: number, version: number): string => `${at(id)}/export?format=svg&theme=${theme}&cell=${cell}&keep_pockets=1&v=${version}`,
    exportOf: (id: string, format: string, generation?: number): string => `${at(id)}/export?format=${format}${generation === undefined ? "" : `&generation=${generation}`}`,
    pictureAt: (id: string, theme: string, generation: number): string => `${at(id)}/export?format=svg&theme=${theme}&generation=${generation}`,
    eventsOf: (id: string): string => `${at(id)}/events`,
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
