// Three significant digits, thousands separated, units always.

export function thousands(value: number): string {
    return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** 1 generation, 2,000 generations. */
export function counted(value: number, one: string, many: string): string {
    return `${thousands(value)} ${value === 1 ? one : many}`;
}

/** What an algorithm counts in a unit of its own, which is named in the plural. */
export const inUnits = (value: number, unit: string): string => counted(value, unit.replace(/s$/, ""), unit);

export function short(value: number | null | undefined): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size < 1e4 && Number.isInteger(value)) return thousands(value);
    const units: [number, string][] = [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]];
    for (const [scale, unit] of units) if (size >= 0.9995 * scale) return `${digits(value / scale)}${unit}`;
    return digits(value);
}

function digits(value: number): string {
    if (value === 0) return "0";
    return String(Number(value.toPrecision(3)));
}

export function duration(seconds: number): string {
    if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
    if (seconds < 60) return `${seconds.toFixed(1)} s`;
    const whole = Math.floor(seconds);
    if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
    return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function ago(unixSeconds: number): string {
    const seconds = Date.now() / 1000 - unixSeconds;
    if (seconds < 60) return "just now";
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
    return new Date(unixSeconds * 1000).toLocaleDateString();
}

/** hill-climb → Hill climb, culs_de_sac → Culs de sac. */
export function words(name: string): string {
    const text = name.replace(/[-_]/g, " ").replace(/^pmx\b/, "PMX");
    return text.charAt(0).toUpperCase() + text.slice(1);
}

export function squareName(row: number, column: number): string {
    let name = "";
    for (let c = column + 1; c > 0; c = Math.floor((c - 1) / 26))
        name = String.fromCharCode(97 + ((c - 1) % 26)) + name;
    return name + (row + 1);
}
