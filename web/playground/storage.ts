// The browser's storage (IndexedDB) as a workspace: one record for each file, under its path. Whoever has a folder writes it.

const name = "/workspace";
const version = 21;
const store = "FILE_DATA";
const goingName = "/.going"; // beside the files of a run that goes on: its speed

interface Kept {
    timestamp: Date;
    mode: number;
    contents?: Uint8Array;
}

/** A file as it is now: it is written again if its stamp is another one. */
export interface Present {
    stamp: string;
    read: () => Uint8Array;
}

const plainFile = 0o100644;
const under = (folder: string): IDBKeyRange => IDBKeyRange.bound(`${folder}/`, `${folder}0`, false, true); // 0 follows /

function ended(transaction: IDBTransaction): Promise<void> {
    return new Promise((done, failed) => {
        transaction.oncomplete = () => done();
        transaction.onabort = transaction.onerror = () => failed(transaction.error ?? new Error("it was broken off"));
    });
}

export class Shelf {
    private readonly stamps = new Map<string, string>(); // of what is stored and ours

    private constructor(private readonly database: IDBDatabase) {}

    static open(): Promise<Shelf> {
        return new Promise((done, failed) => {
            const asked = indexedDB.open(name, version);
            asked.onupgradeneeded = () => {
                const { result } = asked;
                if (!result.objectStoreNames.contains(store)) result.createObjectStore(store);
            };
            asked.onsuccess = () => done(new Shelf(asked.result));
            asked.onerror = asked.onblocked = () => failed(asked.error ?? new Error("it is in use"));
        });
    }

    /** Takes what is stored under a folder for its own, and returns which runs were going on there, and how fast. `take`
        says what stamp a file has now; without it they are there already, and all are written anew. */
    async read(folder: string, isOurs: (path: string) => boolean,
        take?: (path: string, content: Uint8Array) => string): Promise<Map<string, number>> {
        const going = new Map<string, number>();
        const transaction = this.database.transaction(store, "readonly");
        const asked = transaction.objectStore(store).openCursor(under(folder));
        asked.onsuccess = () => {
            const cursor = asked.result;
            if (!cursor) return;
            const path = String(cursor.key);
            if (isOurs(path)) {
                const { contents } = cursor.value as Kept;
                const isNote = path.endsWith(goingName);
                if (isNote) going.set(path.slice(name.length + 1, -goingName.length),
                    Number(new TextDecoder().decode(contents)));
                this.stamps.set(path, isNote || !contents ? "" : take?.(path, contents) ?? "");
            }
            cursor.continue();
        };
        await ended(transaction);
        return going;
    }

    /** From now on a folder is somebody else's. */
    forget(folder: string): void {
        for (const path of [...this.stamps.keys()]) if (path.startsWith(`${folder}/`)) this.stamps.delete(path);
    }

    /** Makes what is stored what there is: all of it or, if it fails, nothing. Returns whether anything was to be done. */
    async write(files: Map<string, Present>, going: Map<string, number>): Promise<boolean> {
        const now = new Map(files);
        for (const [id, speed] of going)
            now.set(`${name}/${id}${goingName}`, { stamp: `at ${speed}`, read: () => new TextEncoder().encode(`${speed}`) });
        const changed = [...now].filter(([path, { stamp }]) => this.stamps.get(path) !== stamp);
        const gone = [...this.stamps.keys()].filter((path) => !now.has(path));
        if (changed.length + gone.length === 0) return false;
        const transaction = this.database.transaction(store, "readwrite");
        const files_ = transaction.objectStore(store);
        for (const [path, { read }] of changed)
            files_.put({ timestamp: new Date(), mode: plainFile, contents: read() }, path);
        for (const path of gone) files_.delete(path);
        await ended(transaction);
        for (const [path, { stamp }] of changed) this.stamps.set(path, stamp);
        for (const path of gone) this.stamps.delete(path);
        return true;
    }

    async erase(folder: string): Promise<void> {
        const transaction = this.database.transaction(store, "readwrite");
        transaction.objectStore(store).delete(under(folder));
        await ended(transaction);
        this.forget(folder);
    }
}
