import { api } from "./api";
import { BoardView, smallBoard, type BoardFrame, type BoardRegistry } from "./board";
import { drawChart } from "./chart";
import { RecipeForm } from "./controls";
import { h, labelled, onTheme, s } from "./dom";
import { short, words } from "./format";
import { forgetRun, orderIn, orderOf, rememberRun } from "./link";
import { Player } from "./player";
import { drawCurves, keysBox, Numbers, ShareBox, showTrouble, statusText } from "./runbox";
import { Transport } from "./transport";
import type { Page } from "./main";
import type { BuiltIn, Order, Row } from "./types";

export function queensPage(registry: BoardRegistry, query: URLSearchParams): Page {
    const recipes = registry.recipes.filter((one) => one.problem === "queens");
    const named = (name: string): BuiltIn => recipes.find((one) => one.name === name) ?? recipes[0]!;
    const first = named("pmx-queens");

    const board = new BoardView(registry);
    const numbers = new Numbers();
    const transport = new Transport(10);
    const status = h("p", { class: "status", role: "status" });
    const fitness = s("svg");
    const diversity = s("svg");
    const speed = s("svg");
    const intensity = s("svg");
    const intensityTitle = h("h2", { title: "How much better than all the chosen parents are, in standard deviations" }, "Selection intensity");
    const population = h("div", { class: "population" });
    const populationTitle = h("h2", {}, "Population");
    const trouble = h("div", { class: "trouble", role: "alert" });

    const description = h("p", { class: "quiet-text" });
    const choose = h("select", { id: "recipe", onchange: () => take({ recipe: choose.value, set: {}, seed: Number(seed.value) }) }, ...recipes.map((one) => h("option", { value: one.name }, words(one.name))));
    const size = h("input", { id: "n", type: "number", min: "1", max: "100000", step: "1", inputMode: "numeric", onchange: () => board.empty(Math.max(1, Math.min(200, Number(size.value) || 8))) });
    const seed = h("input", { id: "seed", type: "number", min: "0", step: "1", value: "1", inputMode: "numeric" });
    const dice = h("button", { type: "button", class: "quiet", title: "Another seed", onclick: () => { seed.value = String(Math.floor(Math.random() * 1e6)); } }, "New");
    const form = new RecipeForm(registry, new Set(["problem.n"]), () => trouble.replaceChildren());
    const startButton = h("button", { type: "submit", class: "primary", id: "start" }, "Start");
    const stepwise = h("button", { type: "button", id: "start-paused", title: "Shows the first generation and waits", onclick: () => void start(true) }, "Start paused");

    const player = new Player(() => update());
    transport.attach(player);
    const share = new ShareBox("queens", () => player);

    function take(order: Order): void {
        const base = named(order.recipe);
        choose.value = base.name;
        description.textContent = base.description;
        form.load(base, order.set);
        size.value = String(order.set["problem.n"] ?? base.sections["problem"]!.values["n"]);
        seed.value = String(order.seed);
    }

    async function start(paused: boolean): Promise<void> {
        trouble.replaceChildren();
        form.put("problem.n", Number(size.value));
        try {
            const run = await api.start({ recipe: choose.value, set: form.changes(), seed: Number(seed.value), paused, speed: transport.speedValue });
            rememberRun("queens", run.id);
            await player.open(run.id);
        } catch (error) {
            showTrouble(trouble, error);
        }
    }

    let drawnGeneration = -1;
    let drawnRun = "";
    function update(): void {
        const { run, rows } = player;
        const frame = player.frame as BoardFrame | null;
        const state = statusText(player);
        status.textContent = state.text;
        status.className = `status ${state.kind}`;
        transport.update();
        numbers.update(player);
        share.update(player);
        if (!run) return;
        if (frame?.board && (drawnRun !== run.id || drawnGeneration !== frame.generation)) {
            drawnRun = run.id;
            drawnGeneration = frame.generation;
            const wheel = typeof frame.scaled === "number" ? `${wheelFitness(frame.scaled)} on the wheel` : "";
            board.show(frame.board, [frame.caption, wheel, frame.remark].filter(Boolean).join(" · "));
            populationTitle.hidden = frame.population.length === 0;
            population.replaceChildren(...frame.population.map((one, i) => {
                const wheel = typeof one.scaled === "number" ? wheelFitness(one.scaled) : "";
                const who = one.name ? `The ${one.name}` : `Individual ${i + 1}`;
                const label = `${who}, fitness ${short(one.fitness)}${wheel ? `, ${wheel} on the wheel` : ""}`;
                const title = wheel ? `${short(one.fitness)} collisions c; 1 − c/Σc = ${wheel}` : label;
                const caption = [one.name, short(one.fitness), wheel].filter(Boolean).join(" · ");
                return h("figure", { title }, smallBoard(one.board!, label) as unknown as Node, h("figcaption", {}, caption));
            }));
        }
        const mark = player.isLive ? undefined : frame?.evaluations;
        drawCurves(fitness, diversity, "Attacks", rows, run.target, mark);
        drawIntensity(rows);
        drawSpeed(rows);
    }

    /** 1 − c/Σc: all of them lie so close to 1 that a few digits would not tell them apart. */
    function wheelFitness(scaled: number): string {
        return scaled.toFixed(4);
    }

    /** How strongly the selection chooses: a weak wheel stays near 0. */
    function drawIntensity(rows: Row[]): void {
        const points = rows.filter((row) => row.generation > 0).map((row): [number, number] => [row.evaluations, row.intensity]);
        const isMeasured = points.some(([, value]) => value !== 0);
        intensityTitle.hidden = !isMeasured;
        intensity.style.display = isMeasured ? "" : "none";
        const last = points[points.length - 1];
        if (isMeasured && last) drawChart(intensity, { label: `Selection intensity ${last[1].toFixed(2)}`, x: "evaluations", y: "", height: 110, series: [{ name: "", role: "quiet", points }] });
    }

    function drawSpeed(rows: Row[]): void {
        const points: [number, number][] = [];
        rows.forEach((row, i) => {
            const before = rows[i - 1];
            if (before && row.seconds > before.seconds && row.evaluations > before.evaluations) points.push([row.evaluations, (row.evaluations - before.evaluations) / (row.seconds - before.seconds)]);
        });
        const last = points[points.length - 1];
        drawChart(speed, { label: last ? `${short(last[1])} evaluations per second` : "No curve yet", x: "evaluations", y: "", height: 110, from: 0, series: [{ name: "", role: "quiet", points }] });
    }

    const settings = h("form", { class: "panel settings", "aria-label": "Recipe", onsubmit: (event: Event) => { event.preventDefault(); void start(false); } },
        labelled("Recipe", choose, "A built-in recipe to begin with"), description,
        h("div", { class: "pair" }, labelled("Queens", size, "Rows and columns of the board (problem.n)"), labelled("Seed", seed, "The same recipe and seed always give the same run", dice)),
        transport.speedControl,
        h("div", { class: "buttons" }, startButton, stepwise),
        trouble,
        h("h2", {}, "Parts"), form.element);

    const element = h("div", { class: "page queens" },
        settings,
        h("section", { class: "stage", "aria-label": "Board" }, h("div", { class: "stage-head" }, h("h1", {}, "Queens"), status), board.element, transport.element, populationTitle, population),
        h("section", { class: "panel results", "aria-label": "Progress" }, numbers.element, h("h2", {}, "Attacks"), fitness as unknown as Node, h("h2", {}, "Diversity"), diversity as unknown as Node,
            intensityTitle, intensity as unknown as Node, h("h2", {}, "Evaluations per second"), speed as unknown as Node, share.element, keysBox()));

    const unwatch = onTheme(() => board.redraw());
    populationTitle.hidden = true;
    const linked = orderIn(query);
    take(linked ?? { recipe: first.name, set: { "problem.n": 12 }, seed: 1 });
    board.empty(Math.min(200, Number(size.value)));
    update();
    drawChart(fitness, { label: "No curve yet", x: "evaluations", y: "", series: [] });
    drawChart(diversity, { label: "No curve yet", x: "evaluations", y: "", height: 120, series: [] });
    drawIntensity([]);
    drawSpeed([]);
    const id = query.get("run");
    if (id) player.open(id).then(() => { if (player.run?.recipe) take(orderOf(player.run)); update(); }, (error) => { forgetRun("queens"); showTrouble(trouble, error); });

    return { element, key: (event) => transport.key(event), close: () => { player.close(); unwatch(); } };
}
