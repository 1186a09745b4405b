import { useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from "react";
import { download } from "./api";
import { Button, toast } from "./dom";
import { bring, readFile } from "./drawings";
import { short, words } from "./format";
import { ApiImage } from "./image";
import { editors } from "./pages";
import type { Format, Registry } from "./types";

/** The formats in which things of a domain can be written. */
export function formatsOf(registry: Registry, domain: string): Format[] {
    const things = registry.domains.find((one) => one.name === domain)?.things ?? "";
    return registry.formats.filter((one) => (one as unknown as Record<string, unknown>)[things] === true);
}

/** Whether things of a domain can be drawn by hand. */
export function editorOf(registry: Registry, domain: string): string | null {
    const isRead = registry.domains.some((one) => one.name === domain && one.read);
    return (isRead ? editors.find((one) => one.domain === domain && one.draws)?.page : null) ?? null;
}

/** Puts a thing, as its JSON file has it, onto the table of its editor. */
export async function edit(page: string, domain: string, file: Blob, name: string): Promise<void> {
    try {
        await bring(page, domain, (await readFile(file, `${name}.json`)).level, name);
    } catch (error) {
        toast((error as Error).message);
    }
}

export async function saveFrom(answer: Promise<Response>, name: string): Promise<void> {
    try {
        download(await (await answer).blob(), name);
    } catch (error) {
        toast((error as Error).message);
    }
}

/** One thing, large, with all that is known of it. */
export function Look(props: {
    title: string; picture: string; alt: string; measures: [string, number | null, string?][]; measured?: string;
    formats: Format[];
    onClose: () => void; onSave: (format: Format) => void; onEdit: (() => void) | null; onMove?: (by: number) => void;
    children?: ReactNode;
    under?: ReactNode; // the picture
}): ReactElement {
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => {
        const before = document.activeElement as HTMLElement | null;
        dialog.current!.showModal();
        return () => before?.focus({ preventScroll: true }); // to where one came from
    }, []);
    const onKeyDown = (event: KeyboardEvent) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by !== 0 && props.onMove) props.onMove(by);
        event.stopPropagation(); // keys of the page are not meant
    };
    return (
        <dialog ref={dialog} className="look" aria-label={props.title} onClose={props.onClose} onKeyDown={onKeyDown}
            onClick={(event) => { if (event.target === dialog.current) dialog.current!.close(); }}>
            <div className="look-box">
                <div className="stage-head">
                    <h2>{props.title}</h2>
                    <Button id="look-close" kind="quiet" onClick={() => dialog.current!.close()}>Close</Button>
                </div>
                <div className="look-columns">
                    <div>
                        {props.picture && <ApiImage className="look-picture" src={props.picture} alt={props.alt} />}
                        <p className="caption">{props.alt}</p>
                        {props.under}
                        <div className="buttons centred">
                            {props.onMove && <Button label="The one before" title="←" onClick={() =>
                                props.onMove!(-1)}>‹</Button>}
                            {props.children}
                            {props.onEdit && <Button id="look-edit" onClick={props.onEdit}>Edit this</Button>}
                            {props.onMove && <Button label="The next one" title="→" onClick={() =>
                                props.onMove!(1)}>›</Button>}
                        </div>
                    </div>
                    <div>
                        <table className="measures">
                            <caption>{props.measured ?? "Measures"}</caption>
                            <tbody>
                                {props.measures.map(([name, value, meaning]) => (
                                    <tr key={name} title={meaning}>
                                        <th scope="row">{words(name)}</th><td>{short(value)}</td></tr>
                                ))}
                            </tbody>
                        </table>
                    </div>
                </div>
                {props.formats.length > 0 && <h3>Download</h3>}
                <div className="buttons downloads">
                    {props.formats.map((one) => (
                        <Button key={one.name} title={one.meaning} data={{ format: one.name }}
                            onClick={() => props.onSave(one)}>{one.name.toUpperCase()}</Button>
                    ))}
                </div>
            </div>
        </dialog>
    );
}
