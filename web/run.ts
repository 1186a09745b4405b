import { api } from "./api";
import { h, isDark, onTheme, s } from "./dom";
import { short, words } from "./format";
import { forgetRun } from "./link";
import type { Page } from "./main";
import { Player } from "./player";
import { drawCurves, keysBox, Numbers, ShareBox, showTrouble, statusText } from "./runbox";
import { Transport } from "./transport";
import type { Registry } from "./types";

/** Any run, of whatever kind: its picture as the server draws it, its numbers and its curves. */
export function runPage(registry: Registry, query: URLSearchParams): Page {
    const title = h("h1", {}, "Run");
    const status = h("p", { class: "status", role: "status" });
    const picture = h("img", { class: "picture", alt: "" });
    const caption = h("p", { class: "quiet-text" });
    const trouble = h("div", { class: "trouble", role: "alert" });
    const measures = h("table", { class: "measures" });
    const fitness = s("svg");
    const diversity = s("svg");
    const numbers = new Numbers();
    const transport = new Transport(10);
    const player = new Player(() => update());
    const share = new ShareBox("run", () => player, false);
    transport.attach(player);

    const isPictured = (): boolean => registry.domains.some((one) => one.name === player.run?.problem && one.pictured);

    // The next picture is asked for when the last one is there: a fast run has more generations than can be drawn.
    let shown = "";
    let isLoading = false;
    function draw(): void {
        const { run, frame } = player;
        picture.hidden = !run || !frame || !isPictured();
        if (!run || !frame || picture.hidden || isLoading) return;
        const wanted = api.pictureAt(run.id, isDark() ? "dark" : "light", frame.generation);
        if (wanted === shown) return;
        isLoading = true;
        picture.src = shown = wanted;
        picture.alt = frame.caption ?? "";
        caption.textContent = frame.caption ?? "";
    }
    const loaded = () => {
        isLoading = false;
        draw();
    };
    picture.addEventListener("load", loaded);
    picture.addEventListener("error", loaded);

    function update(): void {
        const { run, frame, rows } = player;
        const state = statusText(player);
        status.textContent = state.text;
        status.className = `status ${state.kind}`;
        transport.update();
        numbers.update(player);
        share.update(player);
        if (!run) return;
        title.textContent = words(run.name || run.id);
        draw();
        measures.replaceChildren(...(frame?.measures ?? []).map((one) => h("tr", { title: one.meaning }, h("th", { scope: "row" }, words(one.name)), h("td", {}, short(one.value)))));
        const mark = player.isLive ? undefined : frame?.evaluations;
        drawCurves(fitness, diversity, "Fitness", rows, run.target, mark);
    }

    const element = h("div", { class: "page runs-page" },
        h("section", { class: "stage", "aria-label": "Best" }, h("div", { class: "stage-head" }, title, status), picture, caption, trouble, transport.element),
        h("section", { class: "panel results", "aria-label": "Progress" }, numbers.element, h("h2", {}, "Fitness"), fitness as unknown as Node, h("h2", {}, "Diversity"), diversity as unknown as Node,
            measures, share.element, keysBox()));
    const unwatch = onTheme(draw);
    picture.hidden = true;
    const id = query.get("run");
    if (id) player.open(id).then(update, (error) => { forgetRun("run"); showTrouble(trouble, error); });
    else trouble.replaceChildren(h("p", {}, "No run is named here: choose one under Runs."));

    return { element, key: (event) => transport.key(event), close: () => { player.close(); unwatch(); } };
}
