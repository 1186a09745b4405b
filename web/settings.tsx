import { useEffect, useLayoutEffect, type ReactElement, type ReactNode } from "react";
import { api } from "./api";
import { Parts } from "./fields";
import { diagnosticsOf, type Recipes } from "./form";
import { begun, forgetRun, orderIn, orderOf, place, rememberRun, wholeOrderOf } from "./link";
import { closeRun, openRun, pace, pauseEarlier, watch } from "./player";
import type { Order, Run } from "./types";

/** Starts what the form says and follows it. Also opens the run, or fills in the order, that the address names. */
export function useRun(recipes: Recipes, page: string, events: {
    opened?: (run: Run, isNew: boolean) => void; taken?: (order: Order, run: string | null) => void;
} = {}): (paused: boolean) => Promise<void> {
    const { query } = place.useAll();
    useEffect(() => closeRun, []);
    useLayoutEffect(() => {
        const id = query.get("run");
        const order = orderIn(query);
        if (order) {
            closeRun();
            void take(order, null);
        } else if (!id) closeRun();
        else void open(id);
    }, [query]);
    const take = async (order: Order, run: string | null) => {
        const isDone = recipes.take(order, run);
        if (order.toml) await isDone;
        events.taken?.(order, run);
    };
    const open = async (id: string) => {
        const run = await openRun(id);
        if (!run) {
            if (watch.get().trouble) forgetRun(page);
            return;
        }
        rememberRun(page, run.id);
        // What was typed since the run was last looked at stays.
        if (recipes.origin !== run.id) {
            const order = run.recipe ? orderOf(run) : await wholeOrderOf(run).catch(() => null);
            if (watch.get().run?.id !== run.id) return;
            if (order?.toml) await take(order, run.id);
            else if (order) void take(order, run.id);
        }
        events.opened?.(run, false);
    };
    return async (paused) => {
        const { order } = recipes.form.get();
        try {
            const run = await api.start(order, { paused, speed: pace.get().speed });
            begun(order, run.id);
            await pauseEarlier();
            const opened = await openRun(run.id);
            recipes.origin = run.id;
            recipes.form.put({ wrong: [] });
            if (opened) events.opened?.(opened, true);
            rememberRun(page, run.id);
        } catch (error) {
            recipes.form.put({ wrong: diagnosticsOf(error) });
        }
    };
}

/** The panel of settings: a domain's own ones, the button, what is wrong, and the parts of the recipe. */
export function SettingsForm(props: {
    recipes: Recipes; hidden: Set<string>; label: string; onStart: () => void; startId: string;
    startText: string; more?: ReactNode; children: ReactNode;
}): ReactElement {
    const { recipes, hidden } = props;
    const form = recipes.form.useAll();
    return (
        <form className="panel settings" aria-label={props.label} noValidate
            onSubmit={(event) => { event.preventDefault(); props.onStart(); }}>
            {props.children}
            <div className="buttons start-buttons">
                <button type="submit" className="primary" id={props.startId}>{props.startText}</button>
                {props.more}
            </div>
            <div className="trouble" role="alert">
                {form.wrong.map((one) => <p key={one.message}>{one.message}</p>)}
            </div>
            <h2>Parts</h2>
            <Parts recipes={recipes} hidden={hidden} />
        </form>
    );
}
