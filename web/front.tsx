import scaleLinear from "d3-scale/src/linear";
import { useEffect, useRef, useState, type PointerEvent, type ReactElement } from "react";
import { Axes, bottom, left, top } from "./chart";
import { short, words } from "./format";
import { watch } from "./player";

const right = 12;

/** Of a run with several objectives, those that none is better than in everything, live. */
export function Front({ height = 240 }: { height?: number }): ReactElement | null {
    const { run, frame } = watch.useAll();
    const [chosen, setChosen] = useState<[number, number]>([0, 1]);
    const goals = run?.objectives ?? [];
    if (!run || goals.length < 2) return null;
    const [x, y] = chosen.map((one) => Math.min(one, goals.length - 1)) as [number, number];
    const nameOf = (one: number) => `${words(goals[one]!.name)}, ${goals[one]!.maximise
        ? "the more the better" : "the less the better"}`;
    const select = (which: 0 | 1, label: string) => (
        <select aria-label={label} value={chosen[which]} onChange={(event) =>
            setChosen(which === 0 ? [Number(event.target.value), y] : [x, Number(event.target.value)])}>
            {goals.map((one, i) => <option key={one.name} value={i}>{words(one.name)}</option>)}
        </select>
    );
    const front = frame?.front ?? [];
    return (
        <>
            <h2 title="Those that none is better than in everything">Front</h2>
            {goals.length > 2 && <div className="buttons front-axes">
                {select(0, "Across")} × {select(1, "Up")}</div>}
            <Scatter key={`${run.id} ${x} ${y}`} height={height} points={front} at={[x, y]}
                names={[nameOf(x), nameOf(y)]}
                tell={(point) => goals.map((one, i) => `${words(one.name)} ${short(point[i])}`)} />
            <p className="quiet-text front-count">{front.length === 0 ? "Nothing holds what must hold yet"
                : `${short(front.length)} ${front.length === 1 ? "compromise" : "compromises"}, none of them better
                    than another in everything`}</p>
        </>
    );
}

function Scatter({ height, points, at: [across, up], names, tell }: {
    height: number; points: number[][]; at: [number, number]; names: [string, string];
    tell: (point: number[]) => string[];
}): ReactElement {
    const svg = useRef<SVGSVGElement>(null);
    const [width, setWidth] = useState(340);
    const [pointed, setPointed] = useState<number[] | null>(null);
    // The axes grow with what the run has shown, and never jump back.
    const seen = useRef({ x: [Infinity, -Infinity], y: [Infinity, -Infinity] });
    useEffect(() => {
        const watcher = new ResizeObserver(() => setWidth(Math.max(240, svg.current!.clientWidth || 340)));
        watcher.observe(svg.current!);
        return () => watcher.disconnect();
    }, []);
    const grown = (kept: number[], place: number): [number, number] => {
        for (const point of points) {
            kept[0] = Math.min(kept[0]!, point[place]!);
            kept[1] = Math.max(kept[1]!, point[place]!);
        }
        const [low, high] = kept as [number, number];
        if (!Number.isFinite(low)) return [0, 1];
        return low === high ? [low - 0.5, high + 0.5] : [low, high];
    };
    const x = scaleLinear().domain(grown(seen.current.x, across)).range([left, width - right]);
    const y = scaleLinear().domain(grown(seen.current.y, up)).range([height - bottom, top + 14]);
    const onPoint = (event: PointerEvent<SVGSVGElement>) => {
        const box = event.currentTarget.getBoundingClientRect();
        const far = (point: number[]) => Math.hypot(x(point[across]!) - event.clientX + box.left,
            y(point[up]!) - event.clientY + box.top);
        const nearest = points.reduce<number[] | null>((best, one) => (best && far(best) <= far(one)
            ? best : one), null);
        setPointed(nearest && far(nearest) < 40 ? nearest : null);
    };
    const lines = pointed ? tell(pointed) : [];
    const wide = Math.max(0, ...lines.map((text) => text.length)) * 6.6 + 12;
    const from = pointed ? Math.max(left, Math.min(x(pointed[across]!) + 10, width - wide - 4)) : 0;
    return (
        <svg ref={svg} className="chart front" role="img" viewBox={`0 0 ${width} ${height}`} height={height}
            aria-label={`Front of ${points.length} points: ${names.join("; ")}`} data-points={points.length}
            onPointerMove={onPoint} onPointerLeave={() => setPointed(null)}>
            <Axes x={x} y={y} width={width - right} height={height} isLinear />
            <text className="axis-name" x={(left + width - right) / 2} y={height - 3} textAnchor="middle">
                {names[0]}</text>
            <text className="axis-name" x={left} y={top}>{names[1]}</text>
            {points.map((point, i) => <circle key={i} className="dot aegean" r={point === pointed ? 5 : 3}
                cx={x(point[across]!).toFixed(1)} cy={y(point[up]!).toFixed(1)} />)}
            {pointed && <g className="told" pointerEvents="none">
                <rect className="told-box" x={from} y={top} width={wide} height={lines.length * 15 + 8} rx={5} />
                {lines.map((text, i) => <text key={text} x={from + 6} y={top + 16 + 15 * i}>{text}</text>)}
            </g>}
        </svg>
    );
}
