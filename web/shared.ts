// What a shared file does: it shows a run, a gallery or a level again, from the data that the file itself holds.
// No server, no React: the file is to be small, and to open wherever there is a browser.

interface Moment { row: number; picture: number | null; caption?: string; remark: string }
interface Elite {
    cell: number; fitness: number | null; picture: number | null; caption: string;
    measures: Record<string, number | null>;
}
interface Axis { name: string; low: number; high: number; cells: number }
interface Shared {
    kind: "run" | "gallery" | "level";
    title: string;
    pictures: string[];
    recipe?: string;
    run?: { id: string; seed: number; command?: string; state: string; solved: boolean; stopped_by: string };
    history?: { columns: string[]; rows: (number | null)[][] };
    moments?: Moment[];
    axes?: Axis[];
    grid?: boolean;
    coverage?: number;
    elites?: Elite[];
    caption?: string;
    picture?: number | null;
    measures?: Record<string, number | null>;
    level?: Record<string, unknown>;
}

const data = JSON.parse(document.getElementById("data")!.textContent!) as Shared;
const main = document.getElementById("main")!;
const drawing = "http://www.w3.org/2000/svg";

function html(tag: string, className: string, text = ""): HTMLElement {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
}

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
    const element = document.createElementNS(drawing, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
}

function short(value: number | null | undefined): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    if (Number.isInteger(value)) return value.toLocaleString("en-US");
    return String(Number(value.toPrecision(3)));
}

// The pictures were drawn by the program that wrote this file.
function pictureOf(place: number | null | undefined): SVGSVGElement | null {
    const text = typeof place === "number" ? data.pictures[place] : undefined;
    if (text === undefined) return null;
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

function show(frame: HTMLElement, picture: SVGSVGElement | null): void {
    frame.replaceChildren(...(picture ? [picture] : []));
}

function table(measures: Record<string, number | null>): HTMLElement {
    const all = html("table", "");
    for (const [name, value] of Object.entries(measures)) {
        const row = html("tr", "");
        const head = html("th", "", name.replace(/_/g, " "));
        head.setAttribute("scope", "row");
        row.append(head, html("td", "", short(value)));
        all.append(row);
    }
    return all;
}

function folded(title: string, text: string): HTMLElement {
    const details = html("details", "");
    details.append(html("summary", "", title), html("pre", "", text));
    return details;
}

/** Play, pause and a slider over so many steps. */
function player(count: number, milliseconds: number, onStep: (step: number) => void): HTMLElement {
    const bar = html("div", "controls");
    const button = html("button", "primary", "Play") as HTMLButtonElement;
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: "0", max: String(count - 1), value: String(count - 1) });
    slider.setAttribute("aria-label", "Moment");
    let timer = 0;
    const put = (step: number) => { slider.value = String(step); onStep(step); };
    const stop = () => { clearInterval(timer); timer = 0; button.textContent = "Play"; };
    button.onclick = () => {
        if (timer !== 0) return stop();
        if (Number(slider.value) >= count - 1) put(0);
        button.textContent = "Pause";
        timer = window.setInterval(() => {
            if (Number(slider.value) >= count - 1) stop();
            else put(Number(slider.value) + 1);
        }, milliseconds);
    };
    slider.oninput = () => { stop(); onStep(Number(slider.value)); };
    bar.append(button, slider);
    if (count < 2) bar.hidden = true;
    put(count - 1);
    return bar;
}

function columns(): [HTMLElement, HTMLElement] {
    const grid = html("div", "columns");
    const pair: [HTMLElement, HTMLElement] = [html("section", ""), html("section", "")];
    grid.append(...pair);
    main.append(grid);
    return pair;
}

/** Best, mean and worst over the evaluations, with a mark that moves. */
function chart(history: NonNullable<Shared["history"]>): { element: SVGElement; mark: (row: number) => void } {
    const column = (name: string) => history.rows.map((row) => row[history.columns.indexOf(name)] ?? null);
    const xs = column("evaluations").map((value) => Math.log10(Math.max(1, value ?? 1)));
    const lines: [string, (number | null)[]][] = [["worst", column("worst")], ["mean", column("mean")],
        ["best", column("best_ever")]];
    const values = lines.flatMap(([, all]) => all).filter((one): one is number => one !== null);
    const low = Math.min(...values);
    const high = Math.max(...values, low + 1e-9);
    const first = xs[0] ?? 0;
    const last = Math.max(xs[xs.length - 1] ?? 1, first + 1e-9);
    const x = (value: number) => 50 + ((value - first) / (last - first)) * 380;
    const y = (value: number) => 190 - ((value - low) / (high - low)) * 175;
    const element = svg("svg", { viewBox: "0 0 480 230", class: "chart", role: "img",
        "aria-label": `Best ${short(column("best_ever")[xs.length - 1])} after ${
            short(column("evaluations")[xs.length - 1])} evaluations` });
    element.append(svg("path", { class: "axis", d: "M50 10V190H430" }));
    const text = (at: [number, number], anchor: string, words: string) => {
        const one = svg("text", { x: at[0], y: at[1], "text-anchor": anchor });
        one.textContent = words;
        element.append(one);
    };
    text([46, 16], "end", short(high));
    text([46, 192], "end", short(low));
    text([50, 206], "middle", short(Math.round(10 ** first)));
    text([430, 206], "middle", short(Math.round(10 ** last)));
    text([240, 222], "middle", "evaluations, logarithmic");
    let named = -Infinity;
    const lastOf = (all: (number | null)[]) => all[all.length - 1] ?? low;
    for (const [name, all] of [...lines].sort((a, b) => lastOf(b[1]) - lastOf(a[1]))) {
        const points = all.flatMap((value, i) => (value === null ? []
            : [`${x(xs[i]!).toFixed(1)} ${y(value).toFixed(1)}`]));
        if (points.length === 0) continue;
        element.append(svg("path", { class: `curve ${name}`, d: `M${points.join("L")}` }));
        const end = all[all.length - 1];
        if (typeof end !== "number") continue;
        named = Math.max(named + 13, y(end) + 4); // from the top on, none over another
        text([436, named], "start", name);
    }
    const line = svg("path", { class: "mark", d: "" });
    element.append(line);
    return { element, mark: (row) => line.setAttribute("d", `M${x(xs[row] ?? last).toFixed(1)} 10V190`) };
}

function showRun(): void {
    const { run, history } = data;
    const moments = data.moments!;
    const ended = run!.solved ? "Solved" : `Ended by ${run!.stopped_by}`;
    const told = run!.state === "ended" ? ended : `Still ${run!.state}`;
    main.append(html("p", "quiet", `${run!.id} · seed ${run!.seed} · ${told}`));
    const [left, right] = columns();
    const frame = html("div", "picture");
    const caption = html("p", "quiet");
    caption.setAttribute("role", "status");
    const curves = chart(history!);
    const generation = history!.columns.indexOf("generation");
    left.append(frame, player(moments.length, 120, (step) => {
        const moment = moments[step];
        if (!moment) return;
        show(frame, pictureOf(moment.picture));
        const row = history!.rows[moment.row];
        caption.textContent = [`Generation ${short(row?.[generation])}`, moment.caption, moment.remark].filter(Boolean)
            .join(" · ");
        curves.mark(moment.row);
    }), caption);
    right.append(curves.element);
    if (run!.command) right.append(html("p", "quiet", "The same again, to the bit:"), html("pre", "", run!.command));
    right.append(folded("Recipe", data.recipe!));
}

function showGallery(): void {
    const elites = data.elites!;
    const axes = data.axes!;
    main.append(html("p", "quiet", `${data.run!.id} · ${short(elites.length)} elites, ${
        short(data.coverage! * 100)} % of the cells`));
    const [left, right] = columns();
    const frame = html("div", "picture");
    const caption = html("p", "quiet");
    caption.setAttribute("role", "status");
    const measures = html("div", "");
    const isMap = data.grid && axes.length === 2;
    const marks = new Map<Elite, Element>();
    const open = (one: Elite) => {
        for (const [other, mark] of marks) mark.classList.toggle("chosen", other === one);
        show(frame, pictureOf(one.picture));
        caption.textContent = `Fitness ${short(one.fitness)}${one.caption ? ` · ${one.caption}` : ""}`;
        measures.replaceChildren(table(one.measures ?? {}));
    };
    if (isMap) left.append(map(elites, axes as [Axis, Axis], open, marks));
    else {
        const thumbs = html("div", "thumbs");
        for (const one of elites.slice(0, 200)) {
            const picture = pictureOf(one.picture);
            if (!picture) continue;
            const button = html("button", "");
            button.setAttribute("aria-label", `Fitness ${short(one.fitness)}`);
            button.onclick = () => open(one);
            button.append(picture);
            thumbs.append(button);
            marks.set(one, button);
        }
        left.append(thumbs);
    }
    right.append(frame, caption, measures, folded("Recipe", data.recipe!));
    if (data.run!.command) right.append(folded("The same again", data.run!.command));
    if (elites.length > 0) open(elites[0]!);
}

// Cells are numbered with the first axis varying slowest. Of the map the part is shown that is filled.
function map(elites: Elite[], axes: [Axis, Axis], open: (one: Elite) => void, marks: Map<Elite, Element>): SVGElement {
    const [first, second] = axes;
    const places = elites.map((one): [number, number] => [Math.floor(one.cell / second.cells),
        one.cell % second.cells]);
    const range = (axis: 0 | 1, cells: number): [number, number] => {
        const all = places.map((one) => one[axis]);
        return [Math.max(0, Math.min(...all) - 1), Math.min(cells, Math.max(...all) + 2)];
    };
    const [x0, x1] = range(0, first.cells);
    const [y0, y1] = range(1, second.cells);
    // Cells are as wide as they must be for a map that is about square.
    const side = 100;
    const [wide, high] = [side / (x1 - x0), side / (y1 - y0)];
    const element = svg("svg", { class: "map chart", role: "group", viewBox: `-12 -2 ${side + 14} ${side + 14}`,
        "aria-label": `${first.name} against ${second.name}` });
    element.append(svg("rect", { width: side, height: side, fill: "var(--floor)" }));
    const known = elites.map((one) => one.fitness).filter((one): one is number => one !== null);
    const low = Math.min(...known);
    const most = Math.max(...known, low + 1e-9);
    elites.forEach((one, i) => {
        const [x, y] = places[i]!;
        const share = one.fitness === null ? 0 : (one.fitness - low) / (most - low);
        const mark = svg("rect", { x: (x - x0) * wide, y: (y1 - 1 - y) * high, width: wide * 0.94, height: high * 0.94,
            tabindex: 0, role: "button",
            fill: `color-mix(in srgb, var(--ochre) ${Math.round(share * 100)}%, var(--aegean))` });
        const title = svg("title", {});
        title.textContent = `Fitness ${short(one.fitness)}`;
        mark.append(title);
        for (const event of ["click", "pointerenter", "focus"]) mark.addEventListener(event, () => open(one));
        element.append(mark);
        marks.set(one, mark);
    });
    const text = (more: string, axis: Axis, from: number, to: number) => {
        const value = (cell: number) => short(axis.low + ((axis.high - axis.low) * cell) / axis.cells);
        const one = svg("text", { style: "font-size:4px", "text-anchor": "middle", transform: more });
        one.textContent = `${axis.name.replace(/_/g, " ")}, ${value(from)} to ${value(to)}`;
        element.append(one);
    };
    text(`translate(${side / 2} ${side + 7})`, first, x0, x1);
    text(`translate(-4 ${side / 2}) rotate(-90)`, second, y0, y1);
    return element;
}

/** Some kinds of levels are wrapped in an object of their own. */
function innerOf(level: Record<string, unknown>): Record<string, unknown> {
    const only = Object.keys(level).length === 1 ? Object.values(level)[0] : undefined;
    return only && typeof only === "object" && !Array.isArray(only) ? only as Record<string, unknown> : level;
}

/** The way through, as the level's own file has it. */
function wayIn(level: Record<string, unknown>): [number, number][] {
    const inner = innerOf(level);
    const walk = inner["walkthrough"] as { cells?: [number, number][] } | null | undefined;
    return walk?.cells ?? (inner["solution"] as [number, number][] | null | undefined) ?? [];
}

function showLevel(): void {
    if (data.caption) main.append(html("p", "quiet", data.caption));
    const [left, right] = columns();
    const frame = html("div", "picture");
    const picture = pictureOf(data.picture);
    show(frame, picture);
    left.append(frame);
    const inner = innerOf(data.level!);
    const rows = (inner["rows"] ?? inner["cells"]) as string[] | undefined;
    const way = wayIn(data.level!);
    // The floor, the second rectangle of such a picture, is as large as all cells together.
    const floor = picture?.querySelectorAll("rect")[1];
    if (picture && floor && rows && rows.length > 0 && way.length > 1) {
        const number = (name: string) => Number(floor.getAttribute(name));
        const cell = number("width") / rows[0]!.length;
        const at = ([x, y]: [number, number]) => `${number("x") + (x + 0.5) * cell} ${number("y") + (y + 0.5) * cell}`;
        const line = svg("path", { class: "way", d: "" });
        const dot = svg("circle", { class: "step", r: cell * 0.26 });
        picture.append(line, dot);
        const said = html("p", "quiet");
        said.setAttribute("role", "status");
        left.append(player(way.length, 160, (step) => {
            const here = way[step]!;
            line.setAttribute("d", `M${way.slice(0, step + 1).map(at).join("L")}`);
            dot.setAttribute("cx", at(here).split(" ")[0]!);
            dot.setAttribute("cy", at(here).split(" ")[1]!);
            said.textContent = `Step ${step} of ${way.length - 1}`;
        }), said);
    }
    right.append(table(data.measures ?? {}), folded("The level as JSON", JSON.stringify(data.level, null, 1)));
}

main.append(html("h1", "", data.title));
if (data.kind === "run") showRun();
else if (data.kind === "gallery") showGallery();
else showLevel();
