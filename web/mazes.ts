import { api, download } from "./api";
import { drawChart } from "./chart";
import { RecipeForm } from "./controls";
import { Editor, locksFrom, tools, type Tool } from "./editor";
import { h, labelled, onTheme, s, say, toast } from "./dom";
import { short, words } from "./format";
import { canStep, paintMaze, smallMaze, type Overlays } from "./level";
import { levels, type Cell, type Level, type LevelFrame, type LevelRegistry, type Score, type Survey } from "./levels";
import { forgetRun, orderIn, orderOf, rememberRun } from "./link";
import { Player } from "./player";
import { curves, keysBox, Numbers, ShareBox, showTrouble, statusText } from "./runbox";
import { Transport } from "./transport";
import { Wishes } from "./wishes";
import type { Page } from "./main";
import type { BuiltIn, Order, Value } from "./types";

type Mode = "draw" | "watch" | "walk";

const ownFields = ["width", "height", "representation", "fitness", "goal", "k", "entrance", "exit", "checkpoints", "locks", "start", "symmetry"];
const arrows: Record<string, Cell> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function mazesPage(registry: LevelRegistry, query: URLSearchParams): Page {
    const recipes = registry.recipes.filter((one) => one.problem === "maze");
    const fields = registry.sections.find((one) => one.path === "problem")!.parts.find((one) => one.name === "maze")!.fields;
    const choices = (name: string) => fields.find((one) => one.name === name)!.choices;
    const meaning = (name: string) => fields.find((one) => one.name === name)!.meaning;
    const baseOf = (representation: string): BuiltIn => recipes.find((one) => one.name === (representation === "direct" ? "maze" : `maze-${representation}`)) ?? recipes[0]!;

    // --- state
    const editor = new Editor(20, 20);
    let mode: Mode = "draw";
    let tool: Tool = "rock";
    let cursor: Cell = [0, 0];
    let hasFocus = false;
    let hovered: Cell | null = null;
    let picked: { level: Level; fitness: number } | null = null; // from the gallery
    let runLocks: Int8Array | null = null;
    let walk: Cell[] = [];
    let walked: Level | null = null;
    let survey: Survey | null = null;
    let surveyedKey = "";
    let asked = false;
    const overlays: Overlays = { solution: true, distances: false, culsDeSac: false, witnesses: false, pockets: true };

    const player = new Player(() => update());
    const transport = new Transport(100);
    transport.attach(player);
    const numbers = new Numbers();
    const share = new ShareBox("mazes", () => player);

    // --- settings
    const number = (id: string, value: number, low: number, high: number, change: () => void) => h("input", { id, type: "number", min: String(low), max: String(high), step: "1", value: String(value), inputMode: "numeric", onchange: change });
    const select = (id: string, names: string[], change: () => void) => h("select", { id, onchange: change }, ...names.map((one) => h("option", { value: one }, words(one))));
    const width = number("width", 20, 2, registry.largest_maze, () => resize());
    const height = number("height", 20, 2, registry.largest_maze, () => resize());
    const representation = select("representation", choices("representation"), () => loadForm({}));
    const fitness = select("fitness", choices("fitness"), () => refresh());
    const symmetry = select("symmetry", choices("symmetry"), () => undefined);
    const mandatory = number("k", 0, 0, 64, () => refresh());
    const seed = number("seed", 1, 0, Number.MAX_SAFE_INTEGER, () => undefined);
    const dice = h("button", { type: "button", class: "quiet", title: "Another seed", onclick: () => { seed.value = String(Math.floor(Math.random() * 1e6)); } }, "New");
    const fromDrawing = h("input", { type: "checkbox", id: "from-drawing" });
    const keepDrawn = h("input", { type: "checkbox", checked: true, onchange: () => { editor.keepsDrawn = keepDrawn.checked; } });
    const wishes = new Wishes(registry.measures, () => { fitness.disabled = wishes.goal !== ""; refresh(); });
    const form = new RecipeForm(registry, new Set(ownFields.map((one) => `problem.${one}`)), () => trouble.replaceChildren());
    const trouble = h("div", { class: "trouble", role: "alert" });
    const settings = h("form", { class: "panel settings", "aria-label": "Maze", onsubmit: (event: Event) => { event.preventDefault(); void evolve(); } },
        h("div", { class: "pair even" }, labelled("Width", width, meaning("width")), labelled("Height", height, meaning("height"))),
        labelled("Representation", representation, meaning("representation")),
        labelled("What is wanted", fitness, meaning("fitness")),
        h("div", { class: "pair even" }, labelled("Symmetry", symmetry, meaning("symmetry")), labelled("Checkpoints on shortest ways", mandatory, meaning("k"))),
        h("h2", {}, "Wishes"), wishes.element,
        labelled("Seed", seed, "The same recipe and seed always give the same maze", dice),
        labelled("Begin with the drawing", fromDrawing, "Evolution goes on from what is drawn (direct representation)"),
        transport.speedControl,
        h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary", id: "evolve" }, "Evolve")),
        trouble, h("h2", {}, "Parts"), form.element);

    // --- stage
    const canvas = h("canvas", { tabIndex: 0, class: "maze", id: "maze" });
    const caption = h("p", { class: "caption", id: "caption" });
    const readout = h("p", { class: "readout" });
    const status = h("p", { class: "status", role: "status" });
    canvas.setAttribute("aria-describedby", "caption");
    const modeButtons = new Map<Mode, HTMLButtonElement>();
    const modes = h("div", { class: "modes", role: "group", "aria-label": "Mode" }, ...(["draw", "watch", "walk"] as Mode[]).map((one) => {
        const label = { draw: "Draw", watch: "Watch", walk: "Walk it" }[one];
        const button = h("button", { type: "button", "data-mode": one, onclick: () => setMode(one) }, label);
        modeButtons.set(one, button);
        return button;
    }));
    const toolButtons = new Map<Tool, HTMLButtonElement>();
    const undoButton = h("button", { type: "button", title: "Undo (Ctrl+Z)", id: "undo", onclick: () => undo() }, "Undo");
    const redoButton = h("button", { type: "button", title: "Redo (Ctrl+Y)", id: "redo", onclick: () => redo() }, "Redo");
    const toolbar = h("div", { class: "tools", role: "toolbar", "aria-label": "Drawing" },
        ...tools.map((one) => {
            const button = h("button", { type: "button", "data-tool": one.tool, title: `${one.meaning} (${one.key})`, onclick: () => setTool(one.tool) }, one.label);
            toolButtons.set(one.tool, button);
            return button;
        }),
        h("span", { class: "gap" }), undoButton, redoButton,
        h("button", { type: "button", onclick: () => { editor.clear(); refresh(); } }, "Clear"),
        labelled("Keep what I draw", keepDrawn, "Cells that you draw are locked: evolution respects them"));
    const takeButton = h("button", { type: "button", id: "take", title: "Edit this maze, lock parts of it, and evolve on from there", onclick: () => takeShown() }, "Edit this maze");
    const lockAll = h("button", { type: "button", title: "Locks every cell; free those that may change", onclick: () => { editor.begin(); forEachCell((cell) => editor.apply("lock", cell)); refresh(); } }, "Lock all");
    const freeAll = h("button", { type: "button", title: "Evolution may change every cell", onclick: () => { editor.begin(); forEachCell((cell) => editor.apply("free", cell)); refresh(); } }, "Free all");
    const pad = h("div", { class: "pad", "aria-label": "Steps" }, ...Object.entries({ ArrowUp: "↑", ArrowLeft: "←", ArrowDown: "↓", ArrowRight: "→" }).map(([key, sign]) =>
        h("button", { type: "button", class: "round", "aria-label": key.slice(5), "data-key": key, onclick: () => stepTo(arrows[key]!) }, sign)),
        h("button", { type: "button", onclick: () => startWalk() }, "Back to the entrance"));
    const drawExtras = h("div", { class: "buttons" }, lockAll, freeAll);
    const gallery = h("div", { class: "gallery" });
    const galleryTitle = h("h2", {}, "Different good mazes of this run");
    const legend = h("div", { class: "legend" }, h("span", {}, "0"), h("canvas", { width: 160, height: 10, class: "ramp" }), h("span", { class: "farthest" }));

    // --- results
    const scoreTable = h("table", { class: "score" });
    const measureTable = h("table", { class: "measures" });
    const fitnessChart = s("svg");
    const overlayBoxes = (Object.entries({ solution: "Solution", distances: "Distance from the entrance", culsDeSac: "Culs-de-sac", witnesses: "Where ways meet again", pockets: "Sealed pockets" }) as [keyof Overlays, string][]).map(([key, label]) => {
        const box = h("input", { type: "checkbox", checked: overlays[key], "data-overlay": key, onchange: () => { overlays[key] = box.checked; refresh(); } });
        return labelled(label, box);
    });
    const downloads = h("div", { class: "buttons downloads" },
        ...["tmj", "tmx", "csv", "json", "svg", "png"].map((format) => {
            const info = registry.formats.find((one) => one.name === format)!;
            return h("button", { type: "button", title: info.meaning, "data-format": format, onclick: () => void save(format, info.extension) }, format.toUpperCase());
        }),
        h("button", { type: "button", title: "The picture of tiles that TMJ and TMX maps use; keep it beside them", onclick: () => void save("tmj", "png", "&part=1", "maze-tiles") }, "Tiles"));

    const progress = h("div", {}, numbers.element, fitnessChart as unknown as Node);
    const element = h("div", { class: "page mazes" },
        settings,
        h("section", { class: "stage", "aria-label": "Maze" },
            h("div", { class: "stage-head" }, h("h1", {}, "Mazes"), status), modes,
            toolbar, h("div", { class: "maze-frame" }, canvas), legend, caption, readout, pad, drawExtras,
            h("div", { class: "buttons" }, takeButton), transport.element, galleryTitle, gallery),
        h("section", { class: "panel results", "aria-label": "Progress" },
            h("fieldset", { class: "overlays" }, h("legend", {}, "Show"), ...overlayBoxes),
            h("h2", {}, "Score"), scoreTable, progress,
            h("h2", {}, "Download"), downloads,
            h("details", { class: "more" }, h("summary", {}, "All measures"), measureTable), share.element,
            keysBox([["1 … 7", "choose a tool"], ["Arrows", "move on the maze; with Shift, draw"], ["Space", "draw, with the maze in focus"], ["Ctrl Z, Ctrl Y", "undo, redo"]])));

    // --- what is shown

    function shown(): Level {
        if (mode === "walk" && walked) return walked;
        if (mode === "watch") return picked?.level ?? (player.frame as LevelFrame | null)?.level ?? editor.level();
        return editor.level();
    }

    function fitnessOf(): Record<string, Value> {
        const values = mode === "watch" ? player.run?.sections?.["problem"]?.values : undefined;
        if (values) return { fitness: values["fitness"]!, goal: values["goal"]!, k: values["k"]! };
        return { fitness: fitness.value, goal: wishes.goal, k: Math.min(Number(mandatory.value), shown().checkpoints.length) };
    }

    function cellSize(level: Level): number {
        const wide = Math.max(200, (canvas.parentElement?.clientWidth ?? 500) - 6);
        const high = Math.max(260, window.innerHeight - 330);
        const fit = Math.min(wide / level.cells[0]!.length, high / level.cells.length);
        return Math.max(2, Math.min(40, Math.floor(fit)));
    }

    function paint(): void {
        const level = shown();
        const cell = cellSize(level);
        canvas.dataset["cell"] = String(cell);
        canvas.dataset["columns"] = String(level.cells[0]!.length);
        const locks = mode === "draw" ? editor.locks : mode === "watch" ? runLocks : null;
        paintMaze(canvas, {
            level, survey: survey && surveyedKey === keyOf(level) ? survey : null,
            overlays: mode === "walk" ? { solution: overlays.solution && atExit(), pockets: true } : overlays,
            grid: mode === "draw", locks, cursor: mode === "draw" && hasFocus ? cursor : null, walk: mode === "walk" ? walk : undefined, scale: registry.scale,
        }, cell);
        canvas.setAttribute("role", mode === "watch" ? "img" : "application");
        canvas.setAttribute("aria-label", { draw: "Maze drawing. Arrow keys move, Space draws, keys 1 to 7 choose a tool.", watch: "Best maze of the run", walk: "Walk the maze with the arrow keys" }[mode]);
    }

    const keyOf = (level: Level): string => JSON.stringify([level, fitnessOf()]);

    // The engine says what is true of a maze; the page only draws it. One question at a time.
    async function ask(): Promise<void> {
        const level = shown();
        const key = keyOf(level);
        if (asked || key === surveyedKey) return;
        asked = true;
        try {
            const found = await levels.survey(level, fitnessOf());
            survey = found;
            surveyedKey = key;
        } catch (error) {
            caption.textContent = (error as Error).message;
            surveyedKey = key;
            survey = null;
        }
        asked = false;
        if (keyOf(shown()) !== surveyedKey) void ask();
        describe();
        paint();
    }

    function describe(): void {
        if (survey) {
            caption.textContent = survey.caption;
            showScore(survey.score ?? null);
            measureTable.replaceChildren(...registry.measures.map((one) => h("tr", { title: one.meaning }, h("th", { scope: "row" }, words(one.name)), h("td", {}, short(survey?.measures[one.name] ?? null)))));
            legend.querySelector(".farthest")!.textContent = `${Math.max(0, ...survey.distance)} steps`;
        }
        legend.hidden = !overlays.distances;
    }

    function verdict(score: Score): string {
        if (!score.usable) return "No way through, or too few checkpoints on shortest ways";
        const total = score.total === null ? "" : `Score ${short(score.total)}`;
        if (score.violation > 0) return `${total}${total ? ", wishes" : "Wishes"} missed by ${short(score.violation)}`;
        return total || "All wishes hold";
    }

    function showScore(score: Score | null): void {
        if (!score) return scoreTable.replaceChildren();
        const largest = Math.max(1e-9, ...score.terms.map((term) => Math.abs(term.contribution)));
        scoreTable.replaceChildren(
            h("caption", {}, verdict(score)),
            ...score.terms.map((term) => {
                const bar = s("svg", { viewBox: "0 0 60 8", class: "term-bar", "aria-hidden": "true" }, s("rect", { class: term.contribution < 0 ? "minus" : "plus", width: (60 * Math.abs(term.contribution)) / largest, height: 8, rx: 2 }));
                return h("tr", {}, h("th", { scope: "row" }, words(term.term)), h("td", {}, short(term.value)), h("td", { class: term.met ? "met" : "unmet" }, term.met ? "✓" : "✗ not met"), h("td", {}, bar as unknown as Node));
            }));
    }

    function refresh(): void {
        undoButton.disabled = !editor.canUndo;
        redoButton.disabled = !editor.canRedo;
        width.value = String(editor.width);
        height.value = String(editor.height);
        wishes.setArea(editor.width * editor.height);
        describe();
        paint();
        void ask();
    }

    function setMode(next: Mode): void {
        if (next === "walk") {
            walked = shown();
            startWalk();
        }
        mode = next;
        for (const [one, button] of modeButtons) button.setAttribute("aria-pressed", String(one === mode));
        modeButtons.get("watch")!.disabled = !player.run;
        toolbar.hidden = drawExtras.hidden = mode !== "draw";
        takeButton.parentElement!.hidden = mode !== "watch";
        pad.hidden = mode !== "walk";
        transport.element.hidden = !player.run || mode !== "watch";
        galleryTitle.hidden = gallery.hidden = !player.run || mode !== "watch" || gallery.childElementCount === 0;
        if (mode !== "walk") readout.textContent = "";
        if (mode === "walk") canvas.focus();
        refresh();
    }

    function setTool(next: Tool): void {
        tool = next;
        for (const [one, button] of toolButtons) button.setAttribute("aria-pressed", String(one === tool));
    }

    function resize(): void {
        const clamp = (input: HTMLInputElement) => Math.max(2, Math.min(registry.largest_maze, Math.round(Number(input.value)) || 20));
        editor.resize(clamp(width), clamp(height));
        setMode("draw");
    }

    function forEachCell(visit: (cell: Cell) => void): void {
        for (let y = 0; y < editor.height; ++y) for (let x = 0; x < editor.width; ++x) visit([x, y]);
    }
    function undo(): void { editor.undo(); refresh(); }
    function redo(): void { editor.redo(); refresh(); }

    // --- drawing

    let last: Cell | null = null;
    function cellAt(event: PointerEvent): Cell {
        const box = canvas.getBoundingClientRect();
        const level = shown();
        const across = level.cells[0]!.length;
        return [Math.floor(((event.clientX - box.left) / box.width) * across), Math.floor(((event.clientY - box.top) / box.height) * level.cells.length)];
    }
    function drawTo(cell: Cell): void {
        const single = tool === "entrance" || tool === "exit" || tool === "checkpoint";
        const from = last && !single ? last : cell;
        const steps = Math.max(Math.abs(cell[0] - from[0]), Math.abs(cell[1] - from[1]));
        if (single && last) {
            last = cell;
            if (tool !== "checkpoint") editor.apply(tool, cell);
            return refresh();
        }
        for (let i = 0; i <= steps; ++i) editor.apply(tool, [Math.round(from[0] + ((cell[0] - from[0]) * i) / (steps || 1)), Math.round(from[1] + ((cell[1] - from[1]) * i) / (steps || 1))]);
        last = cell;
        refresh();
    }
    canvas.addEventListener("pointerdown", (event) => {
        if (mode !== "draw" || event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        editor.begin();
        last = null;
        cursor = cellAt(event);
        drawTo(cursor);
    });
    canvas.addEventListener("pointermove", (event) => {
        const cell = cellAt(event);
        if (mode === "draw" && last && (cell[0] !== last[0] || cell[1] !== last[1])) {
            cursor = cell;
            drawTo(cell);
        }
        hovered = cell;
        if (mode !== "walk") readout.textContent = aboutCell(hovered);
    });
    const stop = () => { last = null; };
    canvas.addEventListener("pointerup", stop);
    canvas.addEventListener("pointercancel", stop);
    canvas.addEventListener("pointerleave", () => { if (mode !== "walk") readout.textContent = ""; });
    canvas.addEventListener("focus", () => { hasFocus = canvas.matches(":focus-visible"); paint(); });
    canvas.addEventListener("blur", () => { hasFocus = false; paint(); });
    canvas.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || mode === "watch") return;
        const move = arrows[event.key];
        if (mode === "walk") {
            if (!move) return;
            event.preventDefault();
            return stepTo(move);
        }
        hasFocus = true;
        const choice = tools.find((one) => one.key === event.key);
        if (move) {
            cursor = [Math.max(0, Math.min(editor.width - 1, cursor[0] + move[0])), Math.max(0, Math.min(editor.height - 1, cursor[1] + move[1]))];
            if (event.shiftKey) {
                editor.begin();
                editor.apply(tool, cursor);
            }
            refresh();
        } else if (event.key === " " || event.key === "Enter") {
            editor.begin();
            editor.apply(tool, cursor);
            refresh();
        } else if (choice) setTool(choice.tool);
        else return;
        event.preventDefault();
        readout.textContent = aboutCell(cursor);
        say(`${editor.describe(cursor)}${choice ? `; tool ${choice.label}` : ""}`);
    });

    function aboutCell([x, y]: Cell): string {
        const level = shown();
        if (y < 0 || x < 0 || y >= level.cells.length || x >= level.cells[0]!.length) return "";
        const distance = survey && surveyedKey === keyOf(level) ? survey.distance[y * level.cells[0]!.length + x]! : -1;
        const kind = level.cells[y]![x] === "." ? "open" : "rock";
        return `Cell ${x},${y}: ${mode === "draw" ? editor.describe([x, y]).split(", ").slice(2).join(", ") : kind}${distance >= 0 ? `, ${distance} steps from the entrance` : ""}`;
    }

    // --- walking

    const atExit = (): boolean => !!walked && walk.length > 0 && walk[walk.length - 1]![0] === walked.exit[0] && walk[walk.length - 1]![1] === walked.exit[1];
    function startWalk(): void {
        if (!walked) return;
        walk = [walked.entrance];
        readout.textContent = "Walk to the stair with the arrow keys";
        paint();
        canvas.focus();
    }
    function stepTo([dx, dy]: Cell): void {
        if (!walked || atExit()) return;
        const here = walk[walk.length - 1]!;
        const there: Cell = [here[0] + dx, here[1] + dy];
        if (!canStep(walked, here, there)) {
            readout.textContent = "There is a wall";
            return say("Wall");
        }
        walk.push(there);
        const steps = walk.length - 1;
        const shortest = survey ? survey.path.length - 1 : -1;
        if (!atExit()) readout.textContent = `${steps} steps`;
        else if (steps === shortest) readout.textContent = `Out in ${steps} steps: there is no shorter way`;
        else readout.textContent = `Out in ${steps} steps; the shortest way has ${shortest}`;
        say(atExit() ? readout.textContent : `Column ${there[0] + 1}, row ${there[1] + 1}`);
        paint();
    }

    // --- running

    function loadForm(set: Record<string, Value>): void {
        const rest = Object.fromEntries(Object.entries(set).filter(([key]) => !ownFields.includes(key.replace("problem.", "")) && key !== "stop.solved"));
        form.load(baseOf(representation.value), rest);
        fromDrawing.disabled = representation.value !== "direct";
    }

    function order(): Order {
        const base = baseOf(representation.value);
        const set: Record<string, Value> = form.changes();
        const level = editor.level();
        const put = (name: string, value: Value) => {
            if (value !== base.sections["problem"]!.values[name]) set[`problem.${name}`] = value;
        };
        put("width", editor.width);
        put("height", editor.height);
        put("representation", representation.value);
        put("fitness", fitness.value);
        put("symmetry", symmetry.value);
        put("k", Number(mandatory.value));
        put("goal", wishes.goal);
        put("entrance", level.entrance.join(","));
        if (level.exit[0] !== editor.width - 1 || level.exit[1] !== editor.height - 1) put("exit", level.exit.join(","));
        put("checkpoints", level.checkpoints.map((one) => one.join(",")).join(" "));
        put("locks", editor.locksText());
        if (fromDrawing.checked && representation.value === "direct") put("start", level.cells.join("\n"));
        if (wishes.canBeMet) set["stop.solved"] = true;
        return { recipe: base.name, set, seed: Number(seed.value), speed: transport.speedValue };
    }

    async function evolve(): Promise<void> {
        trouble.replaceChildren();
        try {
            const run = await api.start(order());
            rememberRun("mazes", run.id);
            await openRun(run.id);
        } catch (error) {
            showTrouble(trouble, error);
        }
    }

    let details: Awaited<ReturnType<typeof api.run>> | null = null;
    async function openRun(id: string): Promise<void> {
        details = await api.run(id);
        const values = details.sections!["problem"]!.values;
        runLocks = locksFrom(String(values["locks"] ?? ""), Number(values["width"]), Number(values["height"]));
        picked = null;
        gallery.replaceChildren();
        await player.open(id);
        setMode("watch");
    }

    /** Fills the controls and the drawing from a recipe. */
    function take(wanted: Order): void {
        const base = recipes.find((one) => one.name === wanted.recipe) ?? recipes[0]!;
        const value = (name: string): Value => wanted.set[`problem.${name}`] ?? base.sections["problem"]!.values[name]!;
        // Checkpoints may also be "auto:4", which is nothing to draw.
        const cells = (text: Value): Cell[] => String(text).split(/[ ;]+/).filter((one) => /^\d+,\d+$/.test(one)).map((one) => one.split(",").map(Number) as Cell);
        const [w, ht] = [Number(value("width")), Number(value("height"))];
        const start = String(value("start"));
        const locks = locksFrom(String(value("locks")), w, ht);
        const rows = start ? start.split("\n") : Array.from({ length: ht }, (_, y) => Array.from({ length: w }, (__, x) => (locks?.[y * w + x] === 1 ? "#" : ".")).join(""));
        editor.take({ cells: rows, entrance: cells(value("entrance"))[0] ?? [0, 0], exit: cells(value("exit"))[0] ?? [w - 1, ht - 1], checkpoints: cells(value("checkpoints")) }, locks);
        representation.value = String(value("representation"));
        fitness.value = String(value("fitness"));
        symmetry.value = String(value("symmetry"));
        mandatory.value = String(value("k"));
        seed.value = String(wanted.seed);
        fromDrawing.checked = start !== "";
        wishes.setArea(w * ht);
        wishes.load(String(value("goal")));
        fitness.disabled = wishes.goal !== "";
        loadForm(wanted.set);
        refresh();
    }

    function takeShown(): void {
        const level = shown();
        const locks = level.walls_east ? null : runLocks;
        if (player.run?.state === "running") void player.control("pause");
        editor.take(level, locks);
        if (level.walls_east) {
            representation.value = "direct";
            loadForm({});
        }
        fromDrawing.checked = representation.value === "direct";
        setMode("draw");
        toast("The maze is yours: draw, lock what should stay, and evolve on");
    }

    async function save(format: string, extension: string, extra = "", stem = "maze"): Promise<void> {
        try {
            const flags = `&solution=${overlays.solution ? 1 : 0}&distances=${overlays.distances ? 1 : 0}&culs_de_sac=${overlays.culsDeSac ? 1 : 0}`;
            download(await levels.export(shown(), format, flags + extra), `${stem}.${extension}`);
        } catch (error) {
            toast((error as Error).message);
        }
    }

    let galleryAt = 0;
    let galleryState = "";
    async function updateGallery(): Promise<void> {
        const run = player.run;
        if (!run || mode !== "watch") return;
        const due = Date.now() - galleryAt > 2000 || run.state !== galleryState;
        if (!due) return;
        galleryAt = Date.now();
        galleryState = run.state;
        const mazes = await levels.gallery(run.id).catch(() => []);
        if (player.run?.id !== run.id) return;
        gallery.replaceChildren(...mazes.map((one, i) => {
            const picture = h("canvas", {});
            smallMaze(picture, one.level, 96);
            const button = h("button", { type: "button", class: "thumb", "aria-label": `Maze ${i + 1} of the gallery, score ${short(one.fitness)}`, onclick: () => {
                picked = { level: one.level, fitness: one.fitness };
                for (const other of gallery.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
                readout.textContent = `From generation ${one.generation}`;
                refresh();
            } }, picture, h("span", {}, short(one.fitness)));
            button.setAttribute("aria-pressed", String(picked !== null && JSON.stringify(picked.level) === JSON.stringify(one.level)));
            return button;
        }));
        galleryTitle.hidden = gallery.hidden = mazes.length === 0;
    }

    let drawn = "";
    function update(): void {
        const { run, rows } = player;
        const frame = player.frame as LevelFrame | null;
        const state = run ? statusText(player) : { text: "Draw, then evolve", kind: "" };
        status.textContent = state.text;
        status.className = `status ${state.kind}`;
        if (run && details) run.sections = details.sections;
        transport.update();
        numbers.update(player);
        share.update(player);
        modeButtons.get("watch")!.disabled = !run;
        progress.hidden = !run;
        const last = rows[rows.length - 1];
        drawChart(fitnessChart, {
            label: last ? `Score against evaluations: best ${short(last.bestEver)}` : "No curve yet", x: "evaluations", y: "",
            series: run ? curves(rows) : [], target: run?.target ?? null, mark: player.isLive ? undefined : frame?.evaluations, height: 180,
        });
        if (!run) return;
        const key = `${run.id} ${frame?.generation ?? ""}`;
        if (key !== drawn && mode === "watch") {
            drawn = key;
            if (!player.isLive) picked = null;
            refresh();
        }
        void updateGallery();
    }

    const onKeys = (event: KeyboardEvent) => {
        if (!(event.ctrlKey || event.metaKey) || mode !== "draw" || (event.target as HTMLElement).matches("input, textarea")) return;
        const key = event.key.toLowerCase();
        if (key === "z" && !event.shiftKey) undo();
        else if (key === "y" || (key === "z" && event.shiftKey)) redo();
        else return;
        event.preventDefault();
    };
    document.addEventListener("keydown", onKeys);
    const resized = new ResizeObserver(() => paint());
    resized.observe(canvas.parentElement!);
    const unwatch = onTheme(() => paint());

    const ramp = legend.querySelector("canvas")!.getContext("2d")!;
    for (let x = 0; x < 160; ++x) {
        ramp.fillStyle = registry.scale[Math.floor((x / 160) * registry.scale.length)]!;
        ramp.fillRect(x, 0, 1.5, 10);
    }
    setTool("rock");
    loadForm({});
    const linked = orderIn(query);
    if (linked) take(linked);
    setMode("draw");
    update();
    const id = query.get("run");
    if (id) openRun(id).then(() => { if (player.run?.recipe) take(orderOf(player.run)); }, (error) => { forgetRun("mazes"); showTrouble(trouble, error); });

    return {
        element,
        key: (event) => {
            const move = arrows[event.key];
            if (mode === "walk" && move) stepTo(move);
            else return mode === "watch" && transport.key(event);
            return true;
        },
        close: () => {
            player.close();
            unwatch();
            resized.disconnect();
            document.removeEventListener("keydown", onKeys);
        },
    };
}
