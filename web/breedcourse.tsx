import { useEffect, useRef, type KeyboardEvent, type ReactElement } from "react";
import { childrenOf, parentOf, stepsIn, type BreedDesk, type Course as Name, type Tree } from "./breedstate";

interface Spot {
    course: Name;
    column: number;
    row: number;
}

/** Each way that was gone has a row of its own; what they have in common lies on the first of them. */
function laidOut(tree: Tree): Spot[] {
    const spots: Spot[] = [];
    let rows = 0;
    const put = (course: Name, row: number) => {
        spots.push({ course, column: stepsIn(course).length, row });
        childrenOf(tree, course).forEach((child, i) => {
            if (i > 0) rows += 1;
            put(child, i === 0 ? row : rows);
        });
    };
    put("", 0);
    return spots;
}

const [dx, dy, left, top] = [58, 44, 24, 18];

/** All that was chosen, as a tree: whoever goes back and chooses otherwise loses nothing. */
export function Course({ desk }: { desk: BreedDesk }): ReactElement {
    const state = desk.state.useAll();
    const { here } = state;
    const box = useRef<HTMLDivElement>(null);
    const spots = laidOut(state);
    const at = new Map(spots.map((one) => [one.course, one]));
    const isOn = (course: Name) => course === "" || course === here || here.startsWith(`${course}; `);
    const width = left * 2 + dx * Math.max(0, ...spots.map((one) => one.column));
    const height = top + 26 + dy * Math.max(0, ...spots.map((one) => one.row));
    const wasFocused = useRef(false);
    useEffect(() => {
        const node = box.current!.querySelector<SVGGElement>(".here");
        if (wasFocused.current) node?.focus();
        wasFocused.current = false;
        // Only within its own box: the page stays where it is.
        const spot = at.get(here);
        if (spot) box.current!.scrollLeft = Math.max(0, left + spot.column * dx - box.current!.clientWidth / 2);
    }, [here]);
    const go = (course: Name | undefined) => {
        if (course === undefined || course === here) return;
        wasFocused.current = box.current!.contains(document.activeElement);
        desk.goTo(course);
    };
    const onKeyDown = (event: KeyboardEvent, course: Name) => {
        const beside = spots.filter((one) => one.column === at.get(course)!.column).sort((a, b) => a.row - b.row);
        const index = beside.findIndex((one) => one.course === course);
        if (event.key === "ArrowLeft" && course !== "") go(parentOf(course));
        else if (event.key === "ArrowRight") go(childrenOf(state, course)[0]);
        else if (event.key === "ArrowDown") go(beside[index + 1]?.course);
        else if (event.key === "ArrowUp") go(beside[index - 1]?.course);
        else if (event.key === "Enter" || event.key === " ") go(course);
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
    return (
        <div className="course" ref={box} role="group" aria-label="Course of choices">
            <svg width={width} height={height}>
                {spots.filter((one) => one.course !== "").map(({ course, column, row }) => {
                    const from = at.get(parentOf(course))!;
                    const [x0, y0] = [left + from.column * dx, top + from.row * dy];
                    const [x1, y1] = [left + column * dx, top + row * dy];
                    return <path key={course} className={isOn(course) ? "branch now" : "branch"}
                        d={`M${x0} ${y0}C${x0 + dx / 2} ${y0} ${x0 + dx / 4} ${y1} ${x1} ${y1}`} />;
                })}
                {spots.map(({ course, column, row }) => {
                    const steps = stepsIn(course);
                    const last = steps[steps.length - 1];
                    const told = last ? `Generation ${column}, children of ${last.join(" and ")}` : "The beginning";
                    return (
                        <g key={course} role="button" tabIndex={course === here ? 0 : -1} aria-label={told}
                            data-course={course} aria-current={course === here ? "step" : undefined}
                            className={`course-node${isOn(course) ? " on" : ""}${course === here ? " here" : ""}`}
                            transform={`translate(${left + column * dx} ${top + row * dy})`}
                            onClick={() => go(course)} onKeyDown={(event) => onKeyDown(event, course)}>
                            <title>{told}</title>
                            <circle r={8} />
                            <text y={22}>{last ? labelOf(last) : "start"}</text>
                        </g>
                    );
                })}
            </svg>
        </div>
    );
}

const labelOf = (chosen: number[]): string => (chosen.length <= 3 ? chosen.join(" ")
    : `${chosen.slice(0, 2).join(" ")} +${chosen.length - 2}`);
