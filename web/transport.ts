import { h, labelled, s } from "./dom";
import { thousands } from "./format";
import type { Player } from "./player";

const speeds = [1, 2, 5, 10, 25, 50, 100, 500, 2000, 10000, 50000, 0];

const shapes = {
    play: "M7 4.500v15l12-7.500z",
    pause: "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z",
    step: "M6 5v14l9-7zM16.500 5H19v14h-2.500z",
    end: "M4 5v14l7.500-7zM11.500 5v14l7-7zM18.500 5H21v14h-2.500z",
    live: "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",
};

function icon(path: string): SVGSVGElement {
    return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: path }));
}

/** Play, pause, one step, run to the end, and the slider that goes back. */
export class Transport {
    readonly element: HTMLElement;
    readonly speedControl: HTMLElement;
    private readonly toggle = h("button", { type: "button", class: "round primary", "data-action": "play", onclick: () => this.playOrPause() });
    private readonly stepButton = h("button", { type: "button", class: "round", title: "One generation (.)", "data-action": "step", onclick: () => this.step() }, icon(shapes.step) as unknown as Node, h("span", { class: "hidden-text" }, "One step"));
    private readonly endButton = h("button", { type: "button", class: "round", title: "Run to the end (e)", "data-action": "end", onclick: () => this.toEnd() }, icon(shapes.end) as unknown as Node, h("span", { class: "hidden-text" }, "Run to the end"));
    private readonly liveButton = h("button", { type: "button", class: "round", title: "Back to now (l)", "data-action": "live", onclick: () => this.player.goLive() }, icon(shapes.live) as unknown as Node, h("span", { class: "hidden-text" }, "Back to now"));
    private readonly slider = h("input", { type: "range", min: "0", max: "0", value: "0", step: "1", "aria-label": "Go back through the run", class: "scrub", oninput: () => void this.player.scrub(Number(this.slider.value)) });
    private readonly moment = h("output", { class: "moment" }, "");
    private readonly speed = h("input", { type: "range", min: "0", max: String(speeds.length - 1), step: "1", value: String(speeds.length - 1), oninput: () => this.setSpeed() });
    private readonly speedText = h("output", {}, "as fast as it goes");
    private player!: Player;

    constructor(usualSpeed: number) {
        this.speed.value = String(speeds.indexOf(usualSpeed));
        this.speedControl = labelled("Speed", this.speed, "Generations per second; never changes the result", this.speedText);
        this.element = h("div", { class: "transport", role: "group", "aria-label": "Run" }, this.toggle, this.stepButton, this.endButton, this.slider, this.liveButton, this.moment);
        this.sayIcon("play", "Play");
        this.showSpeed();
    }

    attach(player: Player): void {
        this.player = player;
    }

    get speedValue(): number {
        return speeds[Number(this.speed.value)] ?? 0;
    }

    private showSpeed(): void {
        const value = this.speedValue;
        this.speedText.textContent = value === 0 ? "as fast as it goes" : `${thousands(value)} gen/s`;
        this.speed.setAttribute("aria-valuetext", this.speedText.textContent);
    }

    private setSpeed(): void {
        this.showSpeed();
        if (this.player.run && this.player.run.state !== "ended") void this.player.control("speed", { speed: this.speedValue });
    }

    private sayIcon(action: "play" | "pause", text: string): void {
        if (this.toggle.dataset["action"] === action && this.toggle.textContent === text) return;
        this.toggle.dataset["action"] = action;
        this.toggle.title = `${text} (Space)`;
        this.toggle.replaceChildren(icon(shapes[action]) as unknown as Node, h("span", { class: "hidden-text" }, text));
    }

    playOrPause(): void {
        const state = this.player.run?.state;
        if (state === "running" || state === "waiting") void this.player.control("pause");
        else if (state === "paused" || state === "failed") void this.player.control("play", { speed: this.speedValue });
    }
    step(): void {
        if (this.player.run && this.player.run.state !== "ended") void this.player.control("step");
    }
    toEnd(): void {
        if (this.player.run && this.player.run.state !== "ended") void this.player.control("play", { speed: 0 });
    }

    key(event: KeyboardEvent): boolean {
        if (event.key === " ") this.playOrPause();
        else if (event.key === ".") this.step();
        else if (event.key === "e") this.toEnd();
        else if (event.key === "l") this.player.goLive();
        else return false;
        return true;
    }

    update(): void {
        const { run, rows, frame, isLive } = this.player;
        const going = run?.state === "running" || run?.state === "waiting";
        const over = !run || run.state === "ended";
        this.sayIcon(going ? "pause" : "play", going ? "Pause" : "Play");
        this.toggle.disabled = this.stepButton.disabled = this.endButton.disabled = over;
        this.liveButton.disabled = isLive;
        this.slider.max = String(Math.max(0, rows.length - 1));
        this.slider.disabled = rows.length < 2;
        if (document.activeElement !== this.slider || isLive) this.slider.value = String(this.player.position);
        const generation = frame?.generation ?? 0;
        const last = rows[rows.length - 1]?.generation ?? 0;
        const text = run ? `Generation ${thousands(generation)}${isLive ? "" : ` of ${thousands(last)}`}` : "";
        const steps = run?.unit && frame ? ` · ${thousands(frame.steps)} ${run.unit}` : "";
        this.moment.textContent = text + steps;
        this.slider.setAttribute("aria-valuetext", text);
    }
}
