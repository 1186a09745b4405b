import { useSyncExternalStore } from "react";

// The page's state is one value, in named slices; what is seen is a function of it.

const state: Record<string, unknown> = {};
const watchers = new Set<() => void>();

function subscribe(watcher: () => void): () => void {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
}

export interface Slice<T> {
    get(): T;
    /** Takes what changes. */
    put(part: Partial<T>): void;
    /** What is selected must be a part of the state, not made anew. */
    use<U>(select: (value: T) => U): U;
    useAll(): T;
}

export function slice<T extends object>(name: string, initial: T): Slice<T> {
    state[name] = initial;
    const get = () => state[name] as T;
    return {
        get,
        put(part) {
            const before = get();
            if ((Object.keys(part) as (keyof T)[]).every((key) => before[key] === part[key])) return;
            state[name] = { ...before, ...part };
            for (const watcher of watchers) watcher();
        },
        use: (select) => useSyncExternalStore(subscribe, () => select(get())),
        useAll: () => useSyncExternalStore(subscribe, get),
    };
}

/** For things beside the page that follow the state. */
export function follow(watcher: () => void): () => void {
    return subscribe(watcher);
}

/** What outlives a page, where the browser allows it. */
export const kept = {
    get(key: string): string | null {
        try {
            return sessionStorage.getItem(key) ?? localStorage.getItem(key);
        } catch {
            return null;
        }
    },
    put(key: string, value: string | null, forGood = false): void {
        try {
            const storage = forGood ? localStorage : sessionStorage;
            if (value === null) storage.removeItem(key);
            else storage.setItem(key, value);
        } catch {
            // then it holds until the page is closed
        }
    },
};
