import type { ReactElement } from "react";
import { place } from "../link";

// Five ways to begin, two screens each: what to do, and what there was to see. The figures are those of
// docs/founding-systems.md.

interface Screen {
    text: ReactElement;
    /** Where to go from here, and what the button says. */
    go: string;
    to: string;
}

interface Start {
    title: string;
    what: string;
    screens: [Screen, Screen];
}

const starts: Start[] = [
    {
        title: "Eight queens by duel",
        what: "Two boards compete; the loser is replaced by a changed copy of the winner.",
        screens: [
            {
                text: <>
                    <p>Eight queens stand on a board so that none attacks another. Here two boards duel: the one
                        with fewer attacks stays, and its changed copy takes the other's place. There is no crowd,
                        no crossover, no wheel.</p>
                    <p>Press Evolve on the next page. It is over in a moment: let it go slowly, at 10 generations a
                        second, and watch which queen moves.</p>
                </>,
                go: "Open the duel",
                to: "queens?recipe=duel-queens&seed=1",
            },
            {
                text: <>
                    <p>Mutation alone found it, since whoever is worse is thrown away each time: that is selection.</p>
                    <p>Try another seed, then 12 queens (problem.n). Does it always end? How many evaluations does
                        it need? One run says little; write down five.</p>
                </>,
                go: "Twelve queens",
                to: "queens?recipe=duel-queens&set=problem.n%3D12&seed=2",
            },
        ],
    },
    {
        title: "Why a roulette wheel hardly selects",
        what: "A famous way of choosing parents, and why it is nearly blind here.",
        screens: [
            {
                text: <>
                    <p>On the wheel each board has a slice as large as its fitness. Here fitness is 1 − its share of
                        all attacks: with a hundred boards that is 0.99 for nearly everybody, so the slices are all
                        alike.</p>
                    <p>Start it, and look at the mean and the best: do they get better?</p>
                </>,
                go: "Spin the wheel",
                to: "queens?recipe=roulette-queens&seed=1",
            },
            {
                text: <>
                    <p>In 1,000 runs the wheel solved 2.3 %. Choosing everybody alike solved 1.3 %, which is no more
                        than chance could make of it.</p>
                    <p>A tournament asks two at random and takes the better one: 34.9 %. Nothing else is changed.</p>
                </>,
                go: "A tournament of two",
                to: "queens?recipe=roulette-queens&set=stages.select.kind%3D%22tournament%22&seed=1",
            },
        ],
    },
    {
        title: "Breed a maze you like",
        what: "You are the judge: nine mazes at a time, and you say which go on.",
        screens: [
            {
                text: <>
                    <p>Nobody can write down what makes a maze beautiful, but you know one when you see it. Pick
                        one, two or three of the nine and press 'More like these'. Five rounds will do.</p>
                </>,
                go: "Breed",
                to: "breed?recipe=maze-automaton&seed=1",
            },
            {
                text: <>
                    <p>What you did is what a program does, with you in place of a fitness. Your choices are part of
                        the recipe: 'Copy link' gives it to your neighbour, who sees the same nine mazes, to the
                        bit.</p>
                    <p>Now say what you want instead of picking it: a long way, few dead ends.</p>
                </>,
                go: "Ask for it in words",
                to: "mazes?recipe=maze&seed=1",
            },
        ],
    },
    {
        title: "A dungeon that can't be lost",
        what: "Keys and doors, so that nobody ever gets stuck.",
        screens: [
            {
                text: <>
                    <p>A level with keys and doors can go wrong: you use the key on the wrong door, and the exit is
                        out of reach for good. Every dungeon here is searched for that, through all the orders in
                        which somebody could open its doors.</p>
                    <p>Let one evolve, then walk through it with the arrow keys.</p>
                </>,
                go: "Make a dungeon",
                to: "dungeons?recipe=dungeon&seed=1",
            },
            {
                text: <>
                    <p>Now break it: draw another door across the way, and read what the judge says. It names the
                        step from which on it is lost, and why.</p>
                    <p>Can you draw one yourself that is hard and still can't be lost?</p>
                </>,
                go: "Draw",
                to: "dungeons",
            },
        ],
    },
    {
        title: "Your own recipe against mine",
        what: "Change one thing, and see whether it helps.",
        screens: [
            {
                text: <>
                    <p>This is mine: sixteen queens, a tournament of ten, crossover by PMX, and mutation of 0.2. Let
                        it run to its end, and note how many evaluations it took.</p>
                </>,
                go: "Run mine",
                to: "queens?recipe=pmx-queens&set=problem.n%3D16&seed=1",
            },
            {
                text: <>
                    <p>Yours has a mutation of 0.8. Then change whatever you like. On the page Runs, tick both and
                        compare their curves.</p>
                    <p>In 100 runs each, the median was 12.0 k evaluations with 0.2 and 3.69 k with 0.8. One race
                        decides nothing: use three seeds before you believe it.</p>
                </>,
                go: "Run yours",
                to: "queens?recipe=pmx-queens&set=problem.n%3D16&set=stages.mutate.probability%3D0.8&seed=1",
            },
        ],
    },
];

const address = (start: number, screen: number): string => `#/start?start=${start}&screen=${screen}`;

function Shown({ start, screen }: { start: number; screen: number }): ReactElement {
    const { title, screens } = starts[start - 1]!;
    const { text, go, to } = screens[screen - 1]!;
    return (
        <article className="start" data-start={start} data-screen={screen}>
            <h1>{title}</h1>
            {text}
            <div className="buttons">
                <a className="button primary" href={`#/${to}`} data-action="go">{go}</a>
                {screen === 1
                    ? <a className="button" href={address(start, 2)} data-action="then">I did it; what was to see?</a>
                    : <a className="button" href="#/start">Another start</a>}
            </div>
        </article>
    );
}

/** The first page of the playground. */
export function StartPage(): ReactElement {
    const query = place.use((one) => one.query);
    const start = Number(query.get("start"));
    const screen = query.get("screen") === "2" ? 2 : 1;
    if (starts[start - 1]) return <Shown start={start} screen={screen} />;
    return (
        <div className="starts">
            <h1>Evolution on grids, in this browser</h1>
            <p>Nothing is installed and nothing is sent: everything is computed here, and comes out the same, to the
                bit, on any machine. Five ways to begin, two minutes each:</p>
            <ol>
                {starts.map((one, i) => (
                    <li key={one.title}><a href={address(i + 1, 1)}>{one.title}</a>
                        <p className="quiet-text">{one.what}</p></li>
                ))}
            </ol>
        </div>
    );
}
