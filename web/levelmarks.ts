import { colour, isDark } from "./dom";
import { canStep } from "./level";
import type { Level, Survey } from "./levels";
import type { LevelColour } from "./openapi";
import { isSame, type Cell } from "./shapes";

// What is marked on a level beside its ways: colours of cells, members of checkpoints, pairs that meet.

type Context = CanvasRenderingContext2D;

/** The colours of a chromatic level, from which its walls follow. */
export function paintColours(context: Context, rows: string[], known: LevelColour[], cell: number): void {
    const shade = new Map(known.map((one) => [one.letter, isDark() ? one.dark : one.light]));
    rows.forEach((row, y) => [...row].forEach((letter, x) => {
        context.fillStyle = shade.get(letter) ?? colour("floor");
        context.fillRect(x * cell, y * cell, cell + 0.4, cell + 0.4);
    }));
}

const checkpointAt = (level: Level, cell: Cell): number => level.checkpoints.findIndex((one) => isSame(one, cell));

/** The checkpoints that lie on some shortest way from the entrance to a cell. */
export function membersAt(level: Level, survey: Survey, [x, y]: Cell): number[] {
    return survey.members.sets[survey.members.of[y * level.cells[0]!.length + x] ?? -1] ?? [];
}

/** Pairs of checkpoints whose ways meet again in a cell. */
export const pairsAt = (survey: Survey, cell: Cell): Survey["witnesses"] =>
    survey.witnesses.filter((one) => one.cells.some((other) => isSame(other, cell)));

/** Pointed at a checkpoint: where the shortest ways over it lead. */
export function paintMembers(context: Context, level: Level, survey: Survey, pointed: Cell, cell: number): void {
    const which = checkpointAt(level, pointed);
    if (which < 0) return;
    const width = level.cells[0]!.length;
    const isMember = survey.members.sets.map((set) => set.includes(which));
    const centre = (at: number) => (at + 0.5) * cell;
    context.save();
    context.fillStyle = colour("ochre-fill");
    context.globalAlpha = 0.4;
    const cells: Cell[] = [];
    survey.members.of.forEach((set, i) => {
        if (!isMember[set]) return;
        const at: Cell = [i % width, Math.floor(i / width)];
        cells.push(at);
        context.fillRect(at[0] * cell, at[1] * cell, cell + 0.4, cell + 0.4);
    });
    context.globalAlpha = 1;
    // What the colour says, lines say too.
    context.strokeStyle = colour("ochre");
    context.lineWidth = Math.max(1, cell * 0.1);
    context.beginPath();
    for (const [x, y] of cells)
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as Cell[]) {
            const there: Cell = [x + dx, y + dy];
            const on = survey.distance[there[1] * width + there[0]] === survey.distance[y * width + x]! + 1;
            if (!on || !canStep(level, [x, y], there)) continue;
            context.moveTo(centre(x), centre(y));
            context.lineTo(centre(there[0]), centre(there[1]));
        }
    context.stroke();
    context.restore();
}

/** Pointed at a cell in which ways meet again: the checkpoints that they come over. */
export function paintPair(context: Context, level: Level, survey: Survey, pointed: Cell, cell: number): void {
    if (checkpointAt(level, pointed) >= 0) return;
    context.save();
    context.strokeStyle = colour("terracotta");
    context.lineWidth = Math.max(2, cell * 0.1);
    for (const { pair } of pairsAt(survey, pointed))
        for (const one of pair) {
            const [x, y] = level.checkpoints[one]!;
            context.setLineDash([]);
            context.beginPath();
            context.arc((x + 0.5) * cell, (y + 0.5) * cell, Math.max(4, cell * 0.5), 0, 7);
            context.stroke();
            context.setLineDash([cell * 0.25, cell * 0.25]);
            context.beginPath();
            context.moveTo((x + 0.5) * cell, (y + 0.5) * cell);
            context.lineTo((pointed[0] + 0.5) * cell, (pointed[1] + 0.5) * cell);
            context.stroke();
        }
    context.restore();
}

/** What is to be said of a cell: its colour, its members, pairs that meet there. */
export function marksAt(level: Level, survey: Survey | null, at: Cell, colours: LevelColour[]): string {
    const letter = level.colours?.[at[1]]?.[at[0]];
    const painted = colours.find((one) => one.letter === letter)?.name ?? "";
    const names = (all: number[]) => all.map((one) => `C${one + 1}`).join(", ");
    const members = survey ? membersAt(level, survey, at) : [];
    const own = checkpointAt(level, at);
    const isMany = members.length > 1;
    const ways = own >= 0 || members.length === 0 ? ""
        : `${names(members)} ${isMany ? "lie" : "lies"} on shortest ways to it`;
    const pairs = survey ? pairsAt(survey, at).map(({ pair, isolated }) =>
        `ways over ${names(pair)} meet again here${isolated ? ", and none over others" : ""}`) : [];
    return [painted, own >= 0 ? `C${own + 1}: where shortest ways over it lead is shown` : "", ways, ...pairs]
        .filter(Boolean).join("; ");
}
