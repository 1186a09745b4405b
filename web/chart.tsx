import { axisBottom, axisLeft } from "d3-axis";
import scaleLinear, { type Scale } from "d3-scale/src/linear";
import scaleLog from "d3-scale/src/log";
import { select } from "d3-selection";
import area from "d3-shape/src/area";
import { stepAfter } from "d3-shape/src/curve/step";
import line from "d3-shape/src/line";
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement }
    from "react";
import { say } from "./dom";
import { short } from "./format";

export type Point = [number, number];

export interface Series {
    name: string;
    role: string; // colour of the theme
    points: Point[]; // ascending in x
    steps?: boolean;
    dash?: string;
    band?: [number, number, number][]; // x, from, to
}

export interface ChartProps {
    label: string; // for those who can't see it
    x: string;
    series: Series[];
    isLinear?: boolean; // along x; logarithmic otherwise
    target?: number | null;
    mark?: number; // an x to point at
    height?: number;
    right?: number; // room for the names
    from?: number; // the axis begins here at the latest
}

export const left = 40;
export const top = 12;
export const bottom = 34;

/** Curves with their names at their ends; pointed at, they tell their values. */
export function Chart(props: ChartProps): ReactElement {
    const svg = useRef<SVGSVGElement>(null);
    const [width, setWidth] = useState(340);
    const [pointed, setPointed] = useState<number | null>(null);
    useEffect(() => {
        const watcher = new ResizeObserver(() => setWidth(Math.max(240, svg.current!.clientWidth || 340)));
        watcher.observe(svg.current!);
        return () => watcher.disconnect();
    }, []);
    const height = props.height ?? 210;
    const longest = props.series.reduce((most, one) => Math.max(most,
        `${one.name} ${short(one.points[one.points.length - 1]?.[1])}`.length), 0);
    const right = props.right ?? Math.max(78, 7.2 * longest + 10);
    const isDrawn = ([x, y]: Point) => (props.isLinear || x > 0) && Number.isFinite(y);
    const drawn = props.series.map((one) => ({ ...one, points: one.points.filter(isDrawn) })).filter((one) =>
        one.points.length > 0);
    const { x, y } = scales(props, drawn, width - right, height);
    const at = (value: number) => x(value).toFixed(1);
    const ends = labels(drawn, y, height - bottom);
    const onPoint = (event: PointerEvent<SVGSVGElement>) => {
        const box = event.currentTarget.getBoundingClientRect();
        const value = x.invert(event.clientX - box.left);
        setPointed(drawn.length > 0 && event.clientX - box.left >= left ? value : null);
    };
    // Arrows go along the curves as the pointer does.
    const onKey = (event: KeyboardEvent) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const points = drawn[0]?.points;
        if (!by || !points) return;
        const now = pointed === null ? points.length - 1 : points.indexOf(nearest(points, pointed))
            + by * Math.ceil(points.length / 40);
        const place = points[Math.max(0, Math.min(points.length - 1, now))]![0];
        setPointed(place);
        say([`${short(place)} ${props.x}`, ...drawn.map((one) =>
            `${one.name} ${short(nearest(one.points, place)[1])}`.trim())].join(", "));
        event.preventDefault();
    };
    const told = pointed === null ? [] : drawn.map((one) => ({ one, point: nearest(one.points, pointed) }));
    return (
        <svg ref={svg} className="chart" role="img" aria-label={props.label} viewBox={`0 0 ${width} ${height}`}
            height={height}
            tabIndex={0} onKeyDown={onKey} onBlur={() => setPointed(null)}
            onPointerMove={onPoint} onPointerLeave={() => setPointed(null)}>
            <Axes x={x} y={y} width={width - right} height={height} isLinear={!!props.isLinear} />
            <text className="axis-name" x={(left + width - right) / 2} y={height - 3}
                textAnchor="middle">{props.x}</text>
            {props.target !== null && props.target !== undefined &&
                <line className="target" x1={left} x2={width - right} y1={y(props.target)} y2={y(props.target)} />}
            {props.mark !== undefined && props.mark > 0 &&
                <line className="mark" x1={at(props.mark)} x2={at(props.mark)} y1={top} y2={height - bottom} />}
            {drawn.map((one) => one.band && (
                <path key={`${one.name} band`} className={`band ${one.role}`}
                    d={bandShape(one, x, y)(one.band) ?? ""} />
            ))}
            {drawn.map((one) => <Curve key={one.name} one={one} x={x} y={y} />)}
            {ends.map((end) => (
                <text key={end.name} className={`name ${end.role}`} x={width - right + 6} y={end.y + 4}>
                    {end.name} {short(end.value)}
                </text>
            ))}
            {told.length > 0 && <Told told={told} x={x} y={y} width={width - right} axis={props.x} />}
        </svg>
    );
}

function bandShape(one: Series, x: Scale, y: Scale) {
    const shape = area<[number, number, number]>().x((p) => x(p[0])).y0((p) => y(p[1])).y1((p) => y(p[2]));
    return one.steps ? shape.curve(stepAfter) : shape;
}

function Curve({ one, x, y }: { one: Series; x: Scale; y: Scale }): ReactElement {
    const shape = line<Point>().x((point) => x(point[0])).y((point) => y(point[1]));
    if (one.steps) shape.curve(stepAfter);
    const last = one.points[one.points.length - 1]!;
    return (
        <g>
            <path className={`curve ${one.role}`} d={shape(one.points) ?? ""} strokeDasharray={one.dash || undefined} />
            <circle className={`dot ${one.role}`} cx={x(last[0])} cy={y(last[1])} r={2.5} />
        </g>
    );
}

// What each curve is worth where it is pointed at.
function Told(props: {
    told: { one: Series; point: Point }[]; x: Scale; y: Scale; width: number; axis: string;
}): ReactElement {
    const { told, x, y } = props;
    const place = told[0]!.point[0];
    const isRight = x(place) > props.width * 0.6;
    const lines = [`${short(place)} ${props.axis}`, ...told.map(({ one, point }) =>
        `${one.name} ${short(point[1])}`.trim())];
    const wide = Math.max(...lines.map((text) => text.length)) * 6.4 + 12;
    const from = isRight ? x(place) - wide - 8 : x(place) + 8;
    return (
        <g className="told" pointerEvents="none">
            <line className="mark" x1={x(place)} x2={x(place)} y1={top} y2={y(y.domain()[0]!)} />
            {told.map(({ one, point }) => <circle key={one.name} className={`dot ${one.role}`} cx={x(point[0])}
                cy={y(point[1])} r={4} />)}
            <rect className="told-box" x={from} y={top} width={wide} height={lines.length * 15 + 8} rx={5} />
            {lines.map((text, i) => <text key={text} x={from + 6} y={top + 16 + 15 * i}>{text}</text>)}
        </g>
    );
}

function nearest(points: Point[], x: number): Point {
    let low = 0;
    let high = points.length - 1;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (points[middle]![0] <= x) low = middle;
        else high = middle;
    }
    const [a, b] = [points[low]!, points[high]!];
    return Math.abs(b[0] - x) < Math.abs(x - a[0]) ? b : a;
}

function scales(props: ChartProps, drawn: Series[], right: number, height: number): { x: Scale; y: Scale } {
    const xs = drawn.flatMap((one) => [one.points[0]![0], one.points[one.points.length - 1]![0]]);
    const ys = drawn.flatMap((one) => [...one.points.map((point) => point[1]), ...(one.band ?? []).flatMap((b) =>
        [b[1], b[2]])]);
    if (props.target !== null && props.target !== undefined) ys.push(props.target);
    if (props.from !== undefined) ys.push(props.from);
    const isEmpty = xs.length === 0;
    const x0 = isEmpty ? (props.isLinear ? 0 : 1) : xs.reduce((a, b) => Math.min(a, b));
    let x1 = isEmpty ? 10 : xs.reduce((a, b) => Math.max(a, b));
    if (props.isLinear ? x1 <= x0 : x1 < x0 * 1.5) x1 = props.isLinear ? x0 + 1 : x0 * 1.5;
    let y0 = isEmpty ? 0 : ys.reduce((a, b) => Math.min(a, b));
    let y1 = isEmpty ? 1 : ys.reduce((a, b) => Math.max(a, b));
    if (y1 - y0 < 1e-9) {
        y1 += 0.5;
        y0 -= y0 >= 0 && y0 < 0.5 ? y0 : 0.5;
    }
    return {
        x: (props.isLinear ? scaleLinear() : scaleLog()).domain([x0, x1]).range([left, right]),
        y: scaleLinear().domain([y0, y1]).range([height - bottom, top]),
    };
}

/** The axes of a chart. */
export function Axes(props: { x: Scale; y: Scale; width: number; height: number; isLinear: boolean }): ReactElement {
    const across = useRef<SVGGElement>(null);
    const up = useRef<SVGGElement>(null);
    useLayoutEffect(() => {
        const few = Math.max(2, Math.round((props.width - left) / 70));
        // Of a logarithmic axis the powers of ten, as many as there is room for.
        const all = props.x.ticks(few);
        const powers = all.filter((value) => Number.isInteger(Math.log10(value)));
        const ticks = props.isLinear ? all : powers.length > 1 ? powers : all.filter((_, i) =>
            i % Math.ceil(all.length / few) === 0);
        select(across.current!).call(axisBottom(props.x).tickValues(ticks).tickFormat(short).tickSizeOuter(0));
        select(up.current!).call(axisLeft(props.y).ticks(Math.max(2, Math.round(props.height / 60)))
            .tickFormat((value) => short(Number(value.toPrecision(6)))).tickSize(left - props.width));
    });
    return (
        <>
            <g ref={across} className="axis" transform={`translate(0 ${props.height - bottom})`} />
            <g ref={up} className="axis grid" transform={`translate(${left} 0)`} />
        </>
    );
}

// Names that would lie on each other are moved apart.
function labels(drawn: Series[], y: Scale, lowest: number): { y: number; name: string; role: string; value: number }[] {
    const ends = drawn.map((one) => {
        const value = one.points[one.points.length - 1]![1];
        return { y: y(value), name: one.name, role: one.role, value };
    });
    ends.sort((a, b) => a.y - b.y);
    for (let i = 1; i < ends.length; ++i) ends[i]!.y = Math.max(ends[i]!.y, ends[i - 1]!.y + 13);
    const overflow = ends.length > 0 ? ends[ends.length - 1]!.y - lowest : 0;
    if (overflow > 0) for (const end of ends) end.y -= overflow;
    for (let i = ends.length - 2; i >= 0; --i) ends[i]!.y = Math.min(ends[i]!.y, ends[i + 1]!.y - 13);
    return ends;
}
