import { api } from "./api";
import { drawChart, type Series } from "./chart";
import { copy, h, isDark, onTheme, s, toast } from "./dom";
import { ago, counted, short, words } from "./format";
import { linkTo, orderOf } from "./link";
import type { Page } from "./main";
import { editors } from "./pages";
import type { Registry, Row, Run } from "./types";

const roles = ["aegean", "terracotta", "olive", "ochre", "ink", "quiet"];
const dashes = ["", "7 4", "2 3", "9 3 2 3", "12 4", "1 5"];
const editorOf = (run: Run) => editors.find((one) => one.domain === run.problem);
const pageOf = (run: Run): string => editorOf(run)?.page ?? "run";

function stateText(run: Run): { text: string; kind: string } {
    if (run.state === "ended") return run.solved ? { text: "Solved", kind: "good" } : { text: "Ended", kind: run.target === null ? "good" : "warn" };
    const kinds: Record<string, string> = { running: "go", paused: "warn", failed: "bad", waiting: "" };
    return { text: words(run.state), kind: kinds[run.state] ?? "" };
}

interface Card {
    element: HTMLElement;
    show(run: Run): void;
}

export function runsPage(registry: Registry, _query: URLSearchParams): Page {
    let runs: Run[] = [];
    const cards = new Map<string, Card>();
    const compared = new Map<string, Row[]>();
    const list = h("ul", { class: "runs" });
    const empty = h("p", { class: "quiet-text" }, `No runs yet. Start one under ${editors.map((one) => one.title).join(" or ")}.`);
    const chart = s("svg");
    const comparison = h("section", { class: "panel", "aria-label": "Comparison" }, h("h2", {}, "Best so far"), chart as unknown as Node, h("p", { class: "quiet-text" }, "Up to six runs; each keeps its own kind of line."));
    const hint = h("p", { class: "quiet-text" }, "Tick runs to compare their curves.");
    const studies = h("section", { class: "panel", "aria-label": "Studies" });
    const filter = h("select", { id: "filter", onchange: () => show() }, h("option", { value: "" }, "All problems"), ...registry.domains.map((one) => h("option", { value: one.name }, one.title)));
    filter.setAttribute("aria-label", "Which runs are listed");

    const isPictured = (run: Run): boolean => registry.domains.some((one) => one.name === run.problem && one.pictured);

    function card(first: Run): Card {
        let run = first;
        let picture = "";
        const image = h("img", { class: "thumbnail", alt: "", loading: "lazy", width: 104, height: 104 });
        const name = h("a", { href: `#/${pageOf(run)}?run=${encodeURIComponent(run.id)}` }, words(run.name || run.id));
        const state = h("span", { class: "status" });
        const facts = h("p", { class: "quiet-text facts" });
        const tick = h("input", { type: "checkbox", onchange: () => void compare(run, tick) });
        tick.setAttribute("aria-label", `Compare ${run.id}`);
        const resume = h("button", { type: "button", class: "quiet", onclick: () => void act(() => api.control(run.id, "play")) }, "Go on");
        const pause = h("button", { type: "button", class: "quiet", onclick: () => void act(() => api.control(run.id, "pause")) }, "Pause");
        const remove = h("button", { type: "button", class: "quiet danger", onclick: () => {
            if (remove.dataset["sure"]) {
                void act(() => api.remove(run.id));
                return;
            }
            remove.dataset["sure"] = "1";
            remove.textContent = "Really delete?";
            setTimeout(() => { delete remove.dataset["sure"]; remove.textContent = "Delete"; }, 4000);
        } }, "Delete");
        const element = h("li", { "data-run": run.id }, tick, isPictured(run) && image, h("div", { class: "about" },
            h("div", { class: "run-head" }, name, state), facts,
            h("div", { class: "actions" }, resume, pause,
                h("button", { type: "button", class: "quiet", onclick: () => void copy(run.command, "Command") }, "Copy command"),
                run.recipe !== "" && editorOf(run) && h("button", { type: "button", class: "quiet", onclick: () => void copy(linkTo(pageOf(run), orderOf(run)), "Link") }, "Copy link"),
                remove)));
        return {
            element,
            show(now: Run): void {
                run = now;
                const text = stateText(run);
                state.textContent = text.text;
                state.className = `status ${text.kind}`;
                const numbers = run.statistics;
                facts.textContent = `Seed ${run.seed} · best ${short(numbers.best_ever)} · ${counted(numbers.generation, "generation", "generations")} · ${short(numbers.evaluations)} evaluations · ${ago(run.created)}`;
                resume.hidden = run.state !== "paused" && run.state !== "failed";
                pause.hidden = run.state !== "running" && run.state !== "waiting";
                // A picture per second at most while it runs.
                const stamp = run.state === "running" ? Math.floor(Date.now() / 2000) : run.version;
                const wanted = api.pictureOf(run.id, isDark() ? "dark" : "light", 0, stamp);
                if (wanted !== picture && numbers.evaluations > 0 && isPictured(run)) image.src = picture = wanted;
            },
        };
    }

    async function act(what: () => Promise<unknown>): Promise<void> {
        try {
            await what();
        } catch (error) {
            toast((error as Error).message);
        }
    }

    async function compare(run: Run, tick: HTMLInputElement): Promise<void> {
        if (!tick.checked) compared.delete(run.id);
        else if (compared.size >= roles.length) {
            tick.checked = false;
            toast("Six runs at a time");
        } else compared.set(run.id, await api.history(run.id).catch(() => []));
        drawComparison();
    }

    function drawComparison(): void {
        comparison.hidden = compared.size === 0;
        hint.hidden = compared.size > 0;
        const series = [...compared].map(([id, rows], i): Series => ({ name: id, role: roles[i]!, dash: dashes[i], steps: true, points: rows.map((row) => [row.evaluations, row.bestEver]) }));
        drawChart(chart, { label: `Best so far of ${[...compared.keys()].join(", ")}`, x: "evaluations", y: "", series, height: 300, right: 190 });
    }

    function show(): void {
        const listed = runs.filter((run) => filter.value === "" || run.problem === filter.value);
        empty.hidden = listed.length > 0;
        const wanted = listed.map((run) => {
            let found = cards.get(run.id);
            if (!found) cards.set(run.id, (found = card(run)));
            found.show(run);
            return found.element;
        });
        for (const id of cards.keys()) if (!runs.some((run) => run.id === id)) {
            cards.delete(id);
            if (compared.delete(id)) drawComparison();
        }
        // Moving elements that are in place already would take the focus away.
        if (wanted.length !== list.childElementCount || wanted.some((one, i) => list.children[i] !== one)) list.replaceChildren(...wanted);
    }

    let source: EventSource | null = null;
    const listen = () => {
        source?.close();
        source = null;
        if (document.hidden) return;
        source = new EventSource("/api/events");
        source.addEventListener("runs", (event) => {
            runs = JSON.parse((event as MessageEvent<string>).data).runs as Run[];
            show();
        });
    };
    document.addEventListener("visibilitychange", listen);
    listen();
    const unwatch = onTheme(show);
    drawComparison();
    void api.studies().then((names) => {
        studies.replaceChildren(h("h2", {}, "Studies"), names.length === 0
            ? h("p", { class: "quiet-text" }, "Reports of studies that lie in the workspace are listed here.")
            : h("ul", {}, ...names.map((name) => h("li", {}, h("a", { href: `/studies/${encodeURIComponent(name)}`, target: "_blank", rel: "noopener" }, name)))));
    }, () => undefined);

    const element = h("div", { class: "page runs-page" },
        h("section", { class: "stage", "aria-label": "History" }, h("div", { class: "stage-head" }, h("h1", {}, "Runs"), filter), hint, empty, list),
        h("div", { class: "side" }, comparison, studies));
    return {
        element,
        close: () => {
            source?.close();
            document.removeEventListener("visibilitychange", listen);
            unwatch();
        },
    };
}
