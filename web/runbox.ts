import { api, ApiError } from "./api";
import { drawChart } from "./chart";
import { copy, h } from "./dom";
import { duration, short, thousands } from "./format";
import { linkTo, orderOf } from "./link";
import type { Player } from "./player";
import type { Row } from "./types";

/** What a run costs and has brought, in numbers. */
export class Numbers {
    readonly element = h("dl", { class: "numbers" });
    private readonly cells = new Map<string, HTMLElement>();

    constructor() {
        for (const name of ["Best", "Mean", "Evaluations", "Speed", "Diversity", "Time"]) {
            const value = h("dd", {}, "–");
            this.cells.set(name, value);
            this.element.append(h("div", {}, h("dt", {}, name), value));
        }
    }

    update(player: Player): void {
        const { frame } = player;
        const put = (name: string, text: string) => {
            this.cells.get(name)!.textContent = text;
        };
        const missed = frame?.violation ? `, misses ${short(frame.violation)}` : "";
        put("Best", short(frame?.best_ever) + missed);
        put("Mean", short(frame?.mean));
        put("Evaluations", frame ? (frame.evaluations < 1e6 ? thousands(frame.evaluations) : short(frame.evaluations)) : "–");
        put("Speed", player.rate > 0 ? `${short(player.rate)} ev/s` : frame && frame.seconds > 0 ? `${short(frame.evaluations / frame.seconds)} ev/s` : "–");
        put("Diversity", frame?.diversity === null || frame === null ? "–" : `${Math.round((frame?.diversity ?? 0) * 100)} %`);
        put("Time", frame ? duration(frame.seconds) : "–");
    }
}

/** The line that says what state the run is in. */
export function statusText(player: Player): { text: string; kind: string } {
    const run = player.run;
    if (!run) return { text: "Choose a recipe and start", kind: "" };
    if (player.isLost) return { text: "The studio does not answer; trying again", kind: "bad" };
    if (run.state === "failed") return { text: `Failed: ${run.message ?? ""}`, kind: "bad" };
    if (run.state === "waiting") return { text: "Waiting for its turn", kind: "" };
    if (run.state === "paused") return { text: "Paused", kind: "warn" };
    if (run.state === "running") return { text: "Running", kind: "go" };
    if (run.solved) return { text: "Solved", kind: "good" };
    return { text: run.target === null ? "Ended" : "Ended without a solution", kind: run.target === null ? "good" : "warn" };
}

/** Command line, link and recipe of what is on the screen. */
export class ShareBox {
    readonly element = h("details", { class: "share" });
    private readonly command = h("code", { class: "command" }, "");

    constructor(page: string, player: () => Player, takesOrders = true) {
        this.element.append(
            h("summary", {}, "Repeat and share"),
            this.command,
            h("div", { class: "buttons" },
                h("button", { type: "button", "data-action": "copy-command", onclick: () => void copy(player().run?.command ?? "", "Command") }, "Copy command"),
                h("button", { type: "button", onclick: () => {
                    const run = player().run;
                    if (run) void copy(run.recipe && takesOrders ? linkTo(page, orderOf(run)) : `${location.origin}/#/${page}?run=${run.id}`, "Link");
                } }, "Copy link"),
                h("button", { type: "button", onclick: () => {
                    const run = player().run;
                    if (run) window.open(api.recipeOf(run.id));
                } }, "Show recipe")));
        this.element.hidden = true;
    }

    update(player: Player): void {
        this.element.hidden = !player.run;
        const text = player.run?.command ?? "";
        if (this.command.textContent !== text) this.command.textContent = text;
    }
}

/** The keys that work wherever no control has the focus. */
export function keysBox(more: [string, string][] = []): HTMLElement {
    const keys: [string, string][] = [["Space", "play or pause"], [".", "one step"], ["e", "run to the end"], ["l", "back to now"], ...more];
    return h("details", { class: "more" }, h("summary", {}, "Keys"), h("dl", { class: "keys" }, ...keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])));
}

/** Best, mean and worst over the evaluations, as far as they differ. */
export function curves(rows: Row[]) {
    const best = { name: "best", role: "aegean", points: rows.map((row): [number, number] => [row.evaluations, row.bestEver]), steps: true };
    // A population of one has no mean, only what it is now.
    if (rows.every((row) => row.worst === row.bestEver)) return [best];
    if (rows.every((row) => row.worst === row.mean))
        return [{ name: "now", role: "ochre", points: rows.map((row): [number, number] => [row.evaluations, row.mean]), dash: "7 4" }, best];
    return [
        { name: "worst", role: "terracotta", points: rows.map((row): [number, number] => [row.evaluations, row.worst]), dash: "2 3" },
        { name: "mean", role: "ochre", points: rows.map((row): [number, number] => [row.evaluations, row.mean]), dash: "7 4" },
        best,
    ];
}

/** The course of a run in two charts: how good (in a word of its kind) and how different the individuals are. */
export function drawCurves(fitness: SVGSVGElement, diversity: SVGSVGElement, what: string, rows: Row[], target: number | null, mark?: number): void {
    const last = rows[rows.length - 1];
    drawChart(fitness, {
        label: last ? `${what} against evaluations: best ${short(last.bestEver)}, mean ${short(last.mean)}, worst ${short(last.worst)}` : "No curve yet",
        x: "evaluations", y: "", series: curves(rows), target, mark,
    });
    drawChart(diversity, {
        label: last ? `Diversity ${short(last.diversity)}` : "No curve yet", x: "evaluations", y: "", height: 120, from: 0, mark,
        series: [{ name: "", role: "olive", points: rows.map((row): [number, number] => [row.evaluations, row.diversity]) }],
    });
}

/** Says beside a form what is wrong with what it holds. */
export function showTrouble(place: HTMLElement, error: unknown): void {
    const messages = error instanceof ApiError && error.diagnostics.length > 0 ? error.diagnostics.map((one) => one.message) : [(error as Error).message];
    place.replaceChildren(...messages.map((one) => h("p", {}, one)));
}
