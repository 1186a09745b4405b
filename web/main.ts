import { api } from "./api";
import { h, isDark, themeChanged } from "./dom";
import { readPlace, rememberedRun, rememberRun } from "./link";
import { editors } from "./pages";
import { runPage } from "./run";
import { runsPage } from "./runs";
import type { Registry } from "./types";

export interface Page {
    element: HTMLElement;
    /** Takes a key that no control wanted; says whether it did. */
    key?(event: KeyboardEvent): boolean;
    close(): void;
}

interface Place {
    title: string;
    make(registry: Registry, query: URLSearchParams): Page;
}

const first = editors[0]!;
const pages: Record<string, Place> = { runs: { title: "Runs", make: runsPage }, run: { title: "Run", make: runPage } };
for (const editor of editors) pages[editor.page] = editor;

let registry: Registry | null = null;
let current: Page | null = null;

async function show(moveFocus: boolean): Promise<void> {
    const main = document.getElementById("main")!;
    try {
        registry ??= await api.registry();
    } catch (error) {
        main.replaceChildren(h("p", { class: "trouble" }, (error as Error).message));
        return;
    }
    const { page, query } = readPlace(first.page);
    const chosen = pages[page] ?? first;
    const before = rememberedRun(page);
    const id = query.get("run");
    if (id) rememberRun(page, id);
    else if (before && !query.has("recipe")) {
        query.set("run", before);
        rememberRun(page, before);
    }
    current?.close();
    current = chosen.make(registry, query);
    document.title = `${chosen.title} · Knossos studio`;
    main.replaceChildren(current.element);
    for (const link of document.querySelectorAll<HTMLAnchorElement>(".bar nav a")) {
        if (link.hash === `#/${page}`) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    if (moveFocus) main.focus({ preventScroll: true });
}

function applyTheme(theme: string | null): void {
    if (theme) document.documentElement.dataset["theme"] = theme;
    const button = document.getElementById("theme")!;
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = isDark() ? "Switch to light colours" : "Switch to dark colours";
    themeChanged();
}

function remembered(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

document.getElementById("theme")!.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    try {
        localStorage.setItem("knossos-theme", theme);
    } catch {
        // then it holds until the page is closed
    }
    applyTheme(theme);
});

// Keys are for the page unless a control that uses them has the focus.
document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const typing = target.matches("input, select, textarea, [contenteditable]");
    const pressing = event.key === " " && target.matches("button, summary, a, canvas");
    if (typing || pressing) return;
    if (current?.key?.(event)) event.preventDefault();
});

document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main")!.focus();
});

document.querySelector<HTMLAnchorElement>(".brand")!.href = `#/${first.page}`;
document.querySelector(".bar nav")!.prepend(...editors.map((one) => h("a", { href: `#/${one.page}` }, one.title)));
addEventListener("hashchange", () => void show(true));
applyTheme(remembered("knossos-theme"));
void show(false);
