import type { ReactElement } from "react";
import { download, post } from "./api";
import { Button, isDark, toast } from "./dom";

/** A level as one HTML file, with its way through: data, picture and replay, no server. */
export function ShareLevel(props: { domain: string; name: string; level: () => unknown }): ReactElement {
    const save = async () => {
        const level = props.level();
        if (!level) return;
        const name = props.name || props.domain;
        try {
            const answer = await post(`/api/levels/share?theme=${isDark() ? "dark" : "light"}`,
                { domain: props.domain, level, name });
            download(await answer.blob(), `${name}.html`);
        } catch (error) {
            toast((error as Error).message);
        }
    };
    return (
        <Button data={{ format: "page" }} title="One HTML file, with the way through step by step; needs no server"
            onClick={() => void save()}>Page</Button>
    );
}
