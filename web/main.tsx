import { answers, first, hasStudies, more, Notice } from "host";
import { lazy, Suspense, useEffect, useRef, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { api } from "./api";
import { takeDrops } from "./drawings";
import { Button, isDark, notices, themeChanged, useTheme } from "./dom";
import { keepFocus } from "./focus";
import { place, troubleIn } from "./link";
import { editors } from "./pages";
import { server, useAway } from "./player";
import { RunsPage } from "./runs";
import { kept, slice } from "./store";
import type { Registry } from "./types";

const boot = slice<{ registry: Registry | null; trouble: string }>("boot", { registry: null, trouble: "" });

async function load(): Promise<void> {
    try {
        boot.put({ registry: await api.registry(), trouble: "" });
    } catch (error) {
        boot.put({ trouble: (error as Error).message });
    }
}

const made = new Map<string, () => ReactElement>();

// Pages for things of any kind, loaded when they are first wanted.
const others = ([
    { page: "run", title: "All recipes", from: "makeRun" },
    { page: "gallery", title: "Gallery", from: "makeGallery" },
    { page: "breed", title: "Breed", from: "makeBreed" },
    { page: "studies", title: "Studies", from: "makeStudies" },
] as const).filter((one) => hasStudies || one.page !== "studies");

// While the studio is away, which is said above the page, it is waited for. Null if what is there now can't be used.
async function loaded(): Promise<Awaited<ReturnType<typeof more>> | null> {
    for (let tries = 3; tries > 0;) {
        try {
            return await more();
        } catch {
            if (await answers()) tries -= 1;
            await new Promise((resolve) => setTimeout(resolve, 1000));
        }
    }
    return null;
}

const Outdated = (): ReactElement => <p className="quiet-text waiting" role="alert" id="outdated">
    The rest of this page can't be loaded: there may be a newer version by now. Reload it.</p>;

function later(from: (typeof others)[number]["from"], registry: Registry): () => ReactElement {
    const Page = lazy(async () => ({ default: (await loaded())?.[from](registry) ?? Outdated }));
    return () => <Suspense fallback={<p className="quiet-text waiting">Loading …</p>}><Page /></Suspense>;
}

function pageNamed(name: string, registry: Registry): { title: string; name: string; show: () => ReactElement } {
    if (first && (name === first.page || name === "")) {
        const { Show, title, page } = first;
        return { title, name: page, show: () => <Show /> };
    }
    if (name === "runs") return { title: "Runs", name, show: () => <RunsPage registry={registry} /> };
    const other = others.find((one) => one.page === name);
    if (other) {
        if (!made.has(name)) made.set(name, later(other.from, registry));
        return { title: other.title, name, show: made.get(name)! };
    }
    const editor = editors.find((one) => one.page === name) ?? editors[0]!;
    if (!made.has(editor.page)) made.set(editor.page, editor.make(registry));
    return { title: editor.title, name: editor.page, show: made.get(editor.page)! };
}

function ThemeButton(): ReactElement {
    useTheme();
    const next = isDark() ? "light" : "dark";
    return (
        <Button id="theme" kind="quiet" title={`Switch to ${next} colours`} onClick={() => {
            document.documentElement.dataset["theme"] = next;
            kept.put("knossos-theme", next, true);
            themeChanged();
        }}>{isDark() ? "Light" : "Dark"}</Button>
    );
}

function App(): ReactElement {
    const { registry, trouble } = boot.useAll();
    const { page: name, query } = place.useAll();
    const isAway = server.use((one) => one.isAway);
    const saysAway = useAway();
    const { toast, said } = notices.useAll();
    const page = registry && pageNamed(name, registry);
    const main = useRef<HTMLElement>(null);
    const before = useRef<string>();
    useEffect(() => {
        if (!page) return;
        document.title = `${page.title} · Knossos studio`;
        if (before.current !== undefined && before.current !== page.name) main.current!.focus({ preventScroll: true });
        before.current = page.name;
    }, [page?.name]);
    useEffect(() => {
        if (!registry && !isAway) void load(); // also when the studio is back
    }, [isAway]);
    const links: [string, string][] = [...[...(first ? [first] : []), ...editors, ...others].map(
        (one): [string, string] => [one.page, one.title]), ["runs", "Runs"]];
    const isKnown = ["", "run", ...links.map(([path]) => path)].includes(name);
    const wrong = isKnown ? troubleIn(query)
        : `There is no page “${name.slice(0, 60)}” here: the link was cut, or is from a newer version of Knossos.`;
    return (
        <>
            <a className="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current!.focus(); }}>
                Skip to the page</a>
            <header className="bar">
                <a className="brand" href={`#/${(first ?? editors[0]!).page}`} aria-label="Knossos">
                    <img src="icon.svg" alt="" width={28} height={28} /> Knossos</a>
                <nav aria-label="Pages">
                    {links.map(([path, title]) => (
                        <a key={path} href={`#/${path}`} aria-current={page?.name === path
                            ? "page" : undefined}>{title}</a>
                    ))}
                </nav>
                <ThemeButton />
            </header>
            <Notice />
            {saysAway && <p className="away" role="alert">
                The studio does not answer. Is it still running?
                What you see and typed stays; all goes on when it is back.</p>}
            {wrong && <p className="away" role="alert" id="link-trouble">{wrong}</p>}
            <main id="main" tabIndex={-1} ref={main}>
                {page ? <page.show key={page.name} /> : <p className="quiet-text">
                    {trouble || (isAway ? "" : "Loading …")}</p>}
            </main>
            {toast && <div className="toast">{toast}</div>}
            <div id="say" role="status" aria-live="polite" className="hidden-text">{said}</div>
        </>
    );
}

const theme = kept.get("knossos-theme");
if (theme) document.documentElement.dataset["theme"] = theme;
takeDrops();
keepFocus(document.getElementById("root")!);
createRoot(document.getElementById("root")!).render(<App />);
