import { useEffect, useId, useReducer, useState, type ReactElement, type ReactNode } from "react";
import { slice } from "./store";

export const notices = slice("notices", { toast: "", said: "", count: 0 });

/** Says something to those who listen rather than look. */
export function say(text: string): void {
    notices.put({ said: text });
}

/** A short message at the foot of the page. */
export function toast(text: string): void {
    const count = notices.get().count + 1;
    notices.put({ toast: text, said: text, count });
    setTimeout(() => {
        if (notices.get().count === count) notices.put({ toast: "" });
    }, 4500);
}

export async function copy(text: string, what: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = document.createElement("textarea");
        area.value = text;
        area.className = "hidden-text";
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    toast(`${what} copied`);
}

/** A control under its label, with what it means on hover and what is wrong with it beside it. */
export function Labelled(props: {
    label: string; meaning?: string; extra?: ReactNode; wrong?: string; id?: string; className?: string;
    children: (id: string, described: string | undefined) => ReactElement;
}): ReactElement {
    const made = useId();
    const id = props.id ?? made;
    const wrong = props.wrong ? `${id}-wrong` : undefined;
    return (
        <div className={`field${props.className ? ` ${props.className}` : ""}`} title={props.meaning}>
            <label htmlFor={id}>{props.label}</label>
            {props.children(id, wrong)}
            {props.extra}
            {wrong && <p className="wrong" id={wrong}>{props.wrong}</p>}
        </div>
    );
}

export function isDark(): boolean {
    const chosen = document.documentElement.dataset["theme"];
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

let colours = new Map<string, string>();
export function colour(role: string): string {
    let found = colours.get(role);
    if (found === undefined) {
        found = getComputedStyle(document.documentElement).getPropertyValue(`--${role}`).trim();
        colours.set(role, found);
    }
    return found;
}

const theme = slice("theme", { version: 0 });
/** Canvases are painted anew when the number changes. */
export const useTheme = (): number => theme.use((one) => one.version);
export function themeChanged(): void {
    colours = new Map();
    theme.put({ version: theme.get().version + 1 });
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeChanged);

/** Renders again when the window, or what is in it, has another size. */
export function useResize(): void {
    const [, again] = useReducer((count: number) => count + 1, 0);
    useEffect(() => {
        addEventListener("resize", again);
        return () => removeEventListener("resize", again);
    }, []);
}

type KeyHandler = (event: KeyboardEvent) => boolean;
const keyHandlers: { current: KeyHandler }[] = [];
/** Takes keys that no control wanted; the handler says whether it did. The newest is asked first. */
export function useKeys(handler: KeyHandler): void {
    const [holder] = useReducer((one: { current: KeyHandler }) => one, { current: handler });
    holder.current = handler;
    useEffect(() => {
        keyHandlers.unshift(holder);
        return () => void keyHandlers.splice(keyHandlers.indexOf(holder), 1);
    }, [holder]);
}

// Keys are for the page unless a control that uses them has the focus.
document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=checkbox], [type=range]), select, textarea, [contenteditable]");
    const sliding = target.matches("input[type=range]") && /^(Arrow|Page|Home|End)/.test(event.key);
    const pressing = (event.key === " " || event.key === "Enter") && target.matches("button, summary, a, input");
    if (typing || sliding || pressing) return;
    if (keyHandlers.some((one) => one.current(event))) event.preventDefault();
});

/** A button with a word or sign; quiet ones have no frame. */
export function Button(props: {
    onClick: () => void; children: ReactNode; title?: string; kind?: string; id?: string; disabled?: boolean;
    pressed?: boolean; data?: Record<string, string>; label?: string;
}): ReactElement {
    const data = Object.fromEntries(Object.entries(props.data ?? {}).map(([key, value]) => [`data-${key}`, value]));
    return (
        <button type="button" className={props.kind} id={props.id} title={props.title} disabled={props.disabled}
            aria-pressed={props.pressed} aria-label={props.label} onClick={props.onClick} {...data}>
            {props.children}
        </button>
    );
}

/** Asks back before it does what can't be undone. */
export function SureButton({ text, kind, onClick, sure = "Really delete?" }: {
    text: string; kind: string; onClick: () => void; sure?: string;
}): ReactElement {
    const [isAsking, setAsking] = useState(false);
    useEffect(() => {
        if (!isAsking) return;
        const timer = setTimeout(() => setAsking(false), 4000);
        return () => clearTimeout(timer);
    }, [isAsking]);
    return (
        <Button kind={kind} onClick={() => { setAsking(!isAsking); if (isAsking) onClick(); }}>
            {isAsking ? sure : text}</Button>
    );
}
