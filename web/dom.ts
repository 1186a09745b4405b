// A page is made of plain elements; this is all the framework there is.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on") && typeof value === "function")
            element.addEventListener(name.slice(2), value as EventListener);
        else if (name === "class") element.className = String(value);
        else if (name in element && !name.startsWith("aria")) Reflect.set(element, name, value);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(typeof child === "number" ? String(child) : child);
    return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
    const element = document.createElementNS(svgSpace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
}

/** Says something to those who listen rather than look. */
export function say(text: string): void {
    const place = document.getElementById("say");
    if (place && place.textContent !== text) place.textContent = text;
}

/** A short message at the foot of the page. */
export function toast(text: string): void {
    document.querySelector(".toast")?.remove();
    const box = h("div", { class: "toast" }, text);
    document.body.append(box);
    say(text);
    setTimeout(() => box.remove(), 3500);
}

export async function copy(text: string, what: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = h("textarea", { value: text, class: "hidden-text" });
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    toast(`${what} copied`);
}

let nextId = 0;
export function freshId(stem: string): string {
    return `${stem}-${++nextId}`;
}

/** A control under its label, with what it means on hover and for screen readers. */
export function labelled(label: string, control: HTMLElement, meaning = "", extra: Child = null): HTMLElement {
    const id = control.id || freshId("control");
    control.id = id;
    if (meaning) control.title = meaning;
    return h("div", { class: "field" }, h("label", { htmlFor: id, title: meaning }, label), control, extra);
}

export function isDark(): boolean {
    const chosen = document.documentElement.dataset["theme"];
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function colour(role: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${role}`).trim();
}

const themeWatchers = new Set<() => void>();
export function onTheme(watcher: () => void): () => void {
    themeWatchers.add(watcher);
    return () => themeWatchers.delete(watcher);
}
export function themeChanged(): void {
    for (const watcher of themeWatchers) watcher();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeChanged);
