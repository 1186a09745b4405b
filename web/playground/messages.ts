// What the page and its workers say to each other. Each worker has the studio as WebAssembly; one, home, has what is no run
// and the runs that rest, and each run that goes on has a worker of its own.

/** The files of a folder of the workspace, by their paths in it. */
export type Files = [path: string, content: Uint8Array][];

/** A run that is handed from one worker to another, as the module says it. */
export interface About {
    id: string;
    state: string;
    speed: number;
    message: string;
    version: number;
    archive: number;
}

/** A run with its folder. What the browser keeps may be newer, if nobody could hand it over. */
export interface Handed {
    about: About;
    files: Files;
    isStored?: boolean;
}

/** What a worker begins with: it loads nothing by itself. */
export interface Beginning {
    module: WebAssembly.Module;
    glue: string; // the address of the script that goes with it
    page: [name: string, text: string][]; // files that are put into others
    threads: number; // besides the worker itself
}

export interface Opening {
    isKept: boolean;
    run: Handed | null; // null: this is home
    elsewhere: string[]; // the runs that have workers
}

export interface Asking {
    id: number;
    method: string;
    path: string;
    type: string;
    body?: ArrayBuffer;
}

export type Wish = { begin: Beginning }
    | { id: number; open: Opening }
    | { id: number; give: string }
    | { id: number; take: Handed }
    | { id: number; erase: string }
    | Asking
    | { id: number; listen: string }
    | { close: number };

/** What came of a request. */
export interface Answer {
    id: number;
    status: number;
    type: string;
    headers: Record<string, string>;
    body: ArrayBuffer;
}

/** From a worker: what was asked for, an event, the end of a stream, the state of its run, or what people should know. */
export type Said = { answer: Answer } | { id: number; done: unknown } | { id: number; failed: string }
    | { stream: number; event: string; data: string } | { over: number } | { state: string }
    | { note: string } | { broken: string };
