import { useEffect, useState, type ReactElement } from "react";
import { api } from "./api";
import { Button, isDark, useTheme } from "./dom";
import { RecipeField, SeedField } from "./fields";
import { Recipes } from "./form";
import { short, words } from "./format";
import { Front } from "./front";
import { ApiImage } from "./image";
import { Individuals } from "./individuals";
import { pageOf } from "./pages";
import { watch } from "./player";
import { Curves, Keys, Numbers, Share, Speed, Status, Transport } from "./runbox";
import { SettingsForm, useRun } from "./settings";
import type { Registry } from "./types";

const nothing = new Set<string>();

/** Begins with a recipe that no other page has. */
export function makeRun(registry: Registry): () => ReactElement {
    const first = registry.recipes.find((one) => pageOf(one.problem) === "run") ?? registry.recipes[0]!;
    const recipes = new Recipes(registry, "run", { recipe: first.name, set: {}, seed: "1" });
    return () => <RunPage recipes={recipes} />;
}

/** Any run, of whatever kind: its picture as the server draws it, its numbers and its curves. */
function RunPage({ recipes }: { recipes: Recipes }): ReactElement {
    const { registry } = recipes;
    const form = recipes.form.useAll();
    const { run, frame } = watch.useAll();
    const start = useRun(recipes, "run");
    const isPictured = registry.domains.some((one) => one.name === run?.problem && one.pictured);
    return (
        <div className="page run-page">
            <section className="stage" aria-label="Best">
                <div className="stage-head">
                    <h1>{run ? words(run.name || run.id) : "All recipes"}</h1>
                    <Status idle="Choose a recipe and start" />
                </div>
                <Picture isWanted={isPictured} />
                {!isPictured && <Front height={400} />}
                <Transport />
                <Individuals registry={registry} />
            </section>
            <SettingsForm label="Recipe" recipes={recipes} hidden={nothing} onStart={() => void start(false)}
                startId="start" startText="Start" more={<Button id="start-paused" onClick={() => void start(true)}
                    title="Shows the first generation and waits">Start paused</Button>}>
                <RecipeField recipes={recipes} isFor={() => true} onChoose={(recipe) =>
                    recipes.take({ recipe, seed: form.order.seed, set: {} })} />
                <SeedField recipes={recipes} form={form} />
                <Speed />
            </SettingsForm>
            <section className="panel results" aria-label="Progress">
                <Numbers />
                <Curves what="Fitness" hasFront={isPictured} />
                <table className="measures">
                    <tbody>
                        {(frame?.measures ?? []).map((one) => (
                            <tr key={one.name} title={one.meaning}>
                                <th scope="row">{words(one.name)}</th><td>{short(one.value)}</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
                <Share page="run" />
                <Keys />
            </section>
        </div>
    );
}

// The next picture is asked for when the last one is there: a fast run has more generations than can be drawn.
function Picture({ isWanted }: { isWanted: boolean }): ReactElement {
    const { run, frame } = watch.useAll();
    useTheme();
    const [shown, setShown] = useState({ source: "", alt: "" });
    const [isLoading, setLoading] = useState(false);
    const isShown = isWanted && run !== null && frame !== null;
    const source = isShown ? api.pictureAt(run.id, isDark() ? "dark" : "light", frame.generation) : "";
    useEffect(() => {
        if (!isShown || isLoading || source === shown.source) return;
        setLoading(true);
        setShown({ source, alt: frame.caption ?? "" });
    }, [source, isLoading]);
    return (
        <>
            <ApiImage className="picture" hidden={!isShown || !shown.source} src={shown.source || undefined}
                alt={shown.alt} onLoad={() => setLoading(false)} onError={() => setLoading(false)} />
            <p className="quiet-text">{isShown ? shown.alt : ""}</p>
        </>
    );
}
