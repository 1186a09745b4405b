import { s } from "./dom";
import { short } from "./format";

export interface Series {
    name: string;
    role: string; // colour of the theme
    points: [number, number][]; // ascending in x
    steps?: boolean;
    dash?: string;
}

export interface Chart {
    label: string; // for those who can't see it
    x: string;
    y: string;
    series: Series[];
    target?: number | null;
    mark?: number; // an x to point at
    height?: number;
    right?: number; // room for the names
    from?: number; // the axis begins here at the latest
}

const left = 40;
const top = 12;
const bottom = 30;

function ticks(low: number, high: number, most: number): number[] {
    const raw = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= raw) ?? raw;
    const all: number[] = [];
    for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-9; t += step) all.push(Math.abs(t) < step * 1e-9 ? 0 : t);
    return all;
}

/** Draws curves with their names at their ends; x is logarithmic. */
export function drawChart(svg: SVGSVGElement, chart: Chart): void {
    const height = chart.height ?? 210;
    const right = chart.right ?? 78;
    // Drawn at its own size, so that letters are as large as elsewhere.
    const width = Math.max(240, svg.clientWidth || 340);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", chart.label);
    svg.classList.add("chart");
    const drawn = chart.series.map((one) => ({ ...one, points: one.points.filter(([x, y]) => x > 0 && Number.isFinite(y)) })).filter((one) => one.points.length > 0);
    const xs = drawn.flatMap((one) => [one.points[0]![0], one.points[one.points.length - 1]![0]]);
    const ys = drawn.flatMap((one) => one.points.map((point) => point[1]));
    if (chart.target !== null && chart.target !== undefined) ys.push(chart.target);
    if (chart.from !== undefined) ys.push(chart.from);
    const empty = xs.length === 0;
    let x0 = empty ? 1 : Math.min(...xs);
    let x1 = empty ? 10 : Math.max(...xs);
    if (x1 < x0 * 1.5) x1 = x0 * 1.5;
    let y0 = empty ? 0 : Math.min(...ys);
    let y1 = empty ? 1 : Math.max(...ys);
    if (y1 - y0 < 1e-9) {
        y1 += 0.5;
        y0 -= y0 >= 0 && y0 < 0.5 ? y0 : 0.5;
    }
    const inner = width - left - right;
    const deep = height - top - bottom;
    const px = (x: number) => left + (Math.log10(x / x0) / Math.log10(x1 / x0)) * inner;
    const py = (y: number) => top + (1 - (y - y0) / (y1 - y0)) * deep;
    const parts: Node[] = [];
    for (const t of ticks(y0, y1, Math.max(2, Math.round(deep / 40)))) {
        parts.push(s("line", { class: "grid", x1: left, x2: left + inner, y1: py(t), y2: py(t) }));
        parts.push(s("text", { class: "tick", x: left - 6, y: py(t) + 4, "text-anchor": "end" }, short(Number(t.toPrecision(6)))));
    }
    const decades: number[] = [];
    for (let power = Math.ceil(Math.log10(x0) - 1e-9); 10 ** power <= x1 * 1.0001; ++power) decades.push(10 ** power);
    const stride = Math.ceil(decades.length / 5);
    const marks = decades.length >= 2 ? decades.filter((_, i) => i % stride === 0) : [x0, x1];
    for (const t of marks) parts.push(s("text", { class: "tick", x: px(t), y: height - bottom + 15, "text-anchor": "middle" }, short(Math.round(t))));
    parts.push(s("line", { class: "axis", x1: left, x2: left + inner, y1: top + deep, y2: top + deep }));
    parts.push(s("text", { class: "tick", x: left + inner, y: height - 3, "text-anchor": "end" }, chart.x));
    if (chart.y) parts.push(s("text", { class: "tick", x: left, y: top - 2, "text-anchor": "start" }, chart.y));
    if (chart.target !== null && chart.target !== undefined) {
        const y = py(chart.target);
        parts.push(s("line", { class: "target", x1: left, x2: left + inner, y1: y, y2: y }));
    }
    if (chart.mark !== undefined && chart.mark > 0) {
        const x = Math.min(left + inner, Math.max(left, px(chart.mark)));
        parts.push(s("line", { class: "mark", x1: x, x2: x, y1: top, y2: top + deep }));
    }
    const ends: { y: number; name: string; role: string }[] = [];
    for (const one of drawn) {
        let path = "";
        let before = 0;
        one.points.forEach(([x, y], i) => {
            const at = `${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
            if (i === 0) path += `M${at}`;
            else path += one.steps ? `L${px(x).toFixed(1)} ${py(before).toFixed(1)}L${at}` : `L${at}`;
            before = y;
        });
        const line = s("path", { class: `curve ${one.role}`, d: path });
        if (one.dash) line.setAttribute("stroke-dasharray", one.dash);
        parts.push(line);
        const last = one.points[one.points.length - 1]!;
        parts.push(s("circle", { class: `dot ${one.role}`, cx: px(last[0]), cy: py(last[1]), r: 2.5 }));
        ends.push({ y: py(last[1]), name: `${one.name} ${short(last[1])}`, role: one.role });
    }
    // Names that would lie on each other are moved apart.
    ends.sort((a, b) => a.y - b.y);
    for (let i = 1; i < ends.length; ++i) ends[i]!.y = Math.max(ends[i]!.y, ends[i - 1]!.y + 13);
    const overflow = ends.length > 0 ? ends[ends.length - 1]!.y - (top + deep) : 0;
    if (overflow > 0) for (const end of ends) end.y -= overflow;
    for (let i = ends.length - 2; i >= 0; --i) ends[i]!.y = Math.min(ends[i]!.y, ends[i + 1]!.y - 13);
    for (const end of ends) parts.push(s("text", { class: `name ${end.role}`, x: left + inner + 6, y: end.y + 4 }, end.name));
    svg.replaceChildren(...parts);
}
