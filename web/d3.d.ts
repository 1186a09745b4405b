// What is used of d3: Debian has the modules without their types. Of large ones only the files that are needed are
// named: bundlers take in a whole module otherwise.

declare module "d3-scale/src/linear" {
    export interface Scale {
        (value: number): number;
        domain(values: number[]): this;
        domain(): number[];
        range(values: number[]): this;
        nice(count?: number): this;
        clamp(isClamped: boolean): this;
        invert(value: number): number;
        ticks(count?: number): number[];
    }
    export default function scaleLinear(): Scale;
}
declare module "d3-scale/src/log" {
    import type { Scale } from "d3-scale/src/linear";
    export default function scaleLog(): Scale;
}
declare module "d3-selection" {
    export interface Selection {
        call(what: unknown, ...more: unknown[]): this;
        on(name: string, listener: null | ((event: unknown) => void)): this;
    }
    export function select(element: Element): Selection;
    export const selection: { prototype: Record<string, (this: Selection) => Selection> };
}
declare module "d3-axis" {
    import type { Scale } from "d3-scale/src/linear";
    import type { Selection } from "d3-selection";
    export interface Axis {
        (selection: Selection): void;
        ticks(count: number): this;
        tickValues(values: number[]): this;
        tickFormat(format: (value: number) => string): this;
        tickSize(size: number): this;
        tickSizeOuter(size: number): this;
    }
    export function axisBottom(scale: Scale): Axis;
    export function axisLeft(scale: Scale): Axis;
}
declare module "d3-shape/src/line" {
    export interface Line<T> {
        (points: T[]): string | null;
        x(of: (point: T) => number): this;
        y(of: (point: T) => number): this;
        curve(factory: unknown): this;
    }
    export default function line<T>(): Line<T>;
}
declare module "d3-shape/src/area" {
    export interface Area<T> {
        (points: T[]): string | null;
        x(of: (point: T) => number): this;
        y0(of: (point: T) => number): this;
        y1(of: (point: T) => number): this;
        curve(factory: unknown): this;
    }
    export default function area<T>(): Area<T>;
}
declare module "d3-shape/src/curve/step" {
    export const stepAfter: unknown;
}
declare module "d3-zoom" {
    import type { Selection } from "d3-selection";
    export interface Transform {
        k: number;
        x: number;
        y: number;
        translate(x: number, y: number): Transform;
        scale(k: number): Transform;
    }
    export interface Zoom {
        (selection: Selection): void;
        scaleExtent(range: [number, number]): this;
        translateExtent(corners: [[number, number], [number, number]]): this;
        extent(corners: [[number, number], [number, number]]): this;
        filter(isWanted: (event?: Event) => boolean): this;
        on(name: string, listener: (() => void) | null): this;
        transform(selection: Selection, transform: Transform): void;
        scaleBy(selection: Selection, k: number, point?: [number, number]): void;
        translateBy(selection: Selection, x: number, y: number): void;
    }
    export function zoom(): Zoom;
    export const zoomIdentity: Transform;
    export function zoomTransform(element: Element): Transform;
}
