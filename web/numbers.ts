// Stands for d3-interpolate and d3-format: scales here are of numbers only, and texts come from format.ts. The whole
// modules, with their colours and notations, would take a twentieth of the page.

export const interpolateNumber = (a: number, b: number) => (t: number): number => a * (1 - t) + b * t;
export const interpolate = interpolateNumber;
export const interpolateRound = (a: number, b: number) => (t: number): number => Math.round(a * (1 - t) + b * t);

/** Views that move by themselves, of which there are none. */
export const interpolateZoom = (_: unknown, to: unknown) => () => to;

export const format = () => String;
export const formatPrefix = format;
export const formatSpecifier = (text: string) => ({ type: text, precision: 0 });
export const precisionFixed = () => 0;
export const precisionPrefix = precisionFixed;
export const precisionRound = precisionFixed;
