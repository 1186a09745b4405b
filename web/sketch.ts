import { slice, type Slice } from "./store";

/** A thing that is drawn, and the way back to all that it was before. */
export interface Sketch<T> {
    now: T;
    past: T[];
    future: T[];
    before: T | null; // the stroke that is being drawn began here
}

export interface Sketching<T> {
    state: Slice<Sketch<T>>;
    put(next: T): void;
    open(next: T): void;
    begin(): void;
    preview(next: T): void;
    end(): void;
    cancel(): void;
    undo(): void;
    redo(): void;
}

export function sketch<T>(name: string, first: T, changed: (now: T) => void): Sketching<T> {
    const state = slice<Sketch<T>>(`sketch ${name}`, { now: first, past: [], future: [], before: null });
    const settle = (now: T, past: T[], future: T[]) => {
        state.put({ now, past, future, before: null });
        changed(now);
    };
    return {
        state,
        /** Another thing; it can be undone as one. */
        put(next: T): void {
            const { now, past } = state.get();
            if (next !== now) settle(next, [...past, now], []);
        },
        /** A thing of its own, as it is kept: nothing has changed, and nothing of the one before can be undone here. */
        open(next: T): void {
            state.put({ now: next, past: [], future: [], before: null });
        },
        begin(): void {
            state.put({ before: state.get().now });
        },
        /** What a stroke looks like as yet. */
        preview(next: T): void {
            state.put({ now: next });
        },
        end(): void {
            const { now, before, past } = state.get();
            if (before === null) return;
            if (now === before) state.put({ before: null });
            else settle(now, [...past, before], []);
        },
        cancel(): void {
            const { before } = state.get();
            if (before !== null) state.put({ now: before, before: null });
        },
        undo(): void {
            const { now, past, future } = state.get();
            if (past.length > 0) settle(past[past.length - 1]!, past.slice(0, -1), [...future, now]);
        },
        redo(): void {
            const { now, past, future } = state.get();
            if (future.length > 0) settle(future[future.length - 1]!, [...past, now], future.slice(0, -1));
        },
    };
}
