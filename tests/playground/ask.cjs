// node ask.cjs SITE METHOD PATH [BODY]: what the playground in SITE answers, without a browser.
// node ask.cjs SITE digests RECIPE=EVALUATIONS[,KEY=VALUE...]...: the digest of each of these, run that far, a line each,
// with the milliseconds of the processor that it took, and those of the clock.
// node ask.cjs SITE resumed RECIPE=...: the same of runs that go on from a checkpoint after their first moment.
// node ask.cjs SITE soak MINUTES RECIPE=EVALUATIONS...: these again and again, looked at as a page does; a line every minute
// with minutes, runs, and bytes of the module's memory and of JavaScript's.
// node ask.cjs SITE unopened: what is said where nothing was opened.
// With KNOSSOS_THREADS=N in the environment all of that in the module with threads, of which there may be N more.
const path = require("path");
const [folder, method, target, body = ""] = process.argv.slice(2);
const site = path.resolve(folder);

function caller(knossos) {
    return (how, where, content = "") => {
        const bytes = Buffer.from(content);
        const texts = [how, where, "application/json"].map((one) => knossos.stringToNewUTF8(one));
        const place = knossos._malloc(bytes.length + 1);
        knossos.HEAPU8.set(bytes, place);
        const said = done(knossos, knossos._playground_answer(...texts, place, bytes.length));
        for (const one of [...texts, place]) knossos._free(one);
        const head = JSON.parse(knossos.UTF8ToString(said));
        const from = knossos._playground_body();
        return { ...head, body: Buffer.from(knossos.HEAPU8.slice(from, from + knossos._playground_body_size())) };
    };
}

function done(knossos, result) {
    if (result > 0) return result;
    throw new Error(knossos.UTF8ToString(knossos._playground_trouble()));
}

function ordered(text) {
    const [first, ...more] = text.split(",").map((one) => one.split("="));
    const set = { "stop.evaluations": Number(first[1]) };
    for (const [key, value] of more) set[key] = Number.isFinite(Number(value)) ? Number(value) : value;
    return { recipe: first[0], seed: 3, set };
}

/** As it is when a run goes to another worker. */
function handed(knossos, call, id) {
    const text = JSON.stringify({ action: "pause" });
    call("POST", `/api/runs/${id}/control`, text);
    while (knossos._playground_pump() > 0);
    const about = JSON.parse(knossos.UTF8ToString(done(knossos, knossos._playground_give(knossos.stringToNewUTF8(id)))));
    done(knossos, knossos._playground_take(knossos.stringToNewUTF8(JSON.stringify({ ...about, state: "waiting" }))));
}

/** Runs an order to its end; `look` is called in between. */
function ended(knossos, call, order, look = () => undefined, isHanded = false) {
    const started = call("POST", "/api/runs", JSON.stringify(order));
    if (started.status !== 201) throw new Error(`${order.recipe}: ${started.body}`);
    const { id } = JSON.parse(started.body);
    if (isHanded && done(knossos, knossos._playground_pump()) > 0
        && JSON.parse(call("GET", `/api/runs/${id}`).body).state === "running") handed(knossos, call, id);
    for (let more = 1; more > 0; look(id)) {
        more = knossos._playground_pump();
        if (more < 0) done(knossos, more);
    }
    const run = JSON.parse(call("GET", `/api/runs/${id}`).body);
    if (run.state !== "ended") throw new Error(`${order.recipe}: ${run.state} ${run.message}`);
    call("DELETE", `/api/runs/${id}`);
    return run;
}

const say = (line) => require("fs").writeSync(1, `${line}\n`);

function digests(knossos, call, isHanded) {
    for (const order of process.argv.slice(4).map(ordered)) {
        const [began, then] = [process.cpuUsage(), performance.now()];
        const run = ended(knossos, call, order, undefined, isHanded);
        const { user, system } = process.cpuUsage(began);
        say(`${order.recipe} ${run.digest} ${Math.round((user + system) / 1000)} ${Math.round(performance.now() - then)}`);
    }
}

function soak(knossos, call) {
    const [minutes, ...orders] = process.argv.slice(4);
    const began = performance.now();
    let lastSaid = 0;
    for (let runs = 0; lastSaid < Number(minutes);) {
        const order = { ...ordered(orders[runs % orders.length]), seed: runs + 1 };
        let looked = performance.now();
        ended(knossos, call, order, (id) => {
            if (performance.now() - looked < 200) return;
            looked = performance.now();
            for (const one of ["frames/9007199254740992", "history", "export?format=svg"]) call("GET", `/api/runs/${id}/${one}`);
        });
        runs += 1;
        const minute = Math.floor((performance.now() - began) / 60000);
        if (minute === lastSaid) continue;
        lastSaid = minute;
        say(`${minute} ${runs} ${knossos.HEAPU8.length} ${process.memoryUsage().heapUsed}`);
    }
}

const threads = process.env.KNOSSOS_THREADS;
require(path.join(site, threads === undefined ? "knossos.js" : "knossos-threads.js"))({
    knossosThreads: Number(threads ?? 0), locateFile: (name) => path.join(site, name),
}).then((knossos) => {
    if (method === "unopened") return say(knossos._playground_pump() < 0
        ? knossos.UTF8ToString(knossos._playground_trouble()) : "");
    knossos.FS.mkdir("/workspace");
    done(knossos, knossos._playground_open(knossos.stringToNewUTF8("/workspace"), 0));
    const call = caller(knossos);
    if (method === "digests" || method === "resumed") return digests(knossos, call, method === "resumed");
    if (method === "soak") return soak(knossos, call);
    const answer = call(method, target, body);
    process.stdout.write(answer.body);
    if (answer.status >= 400) process.exitCode = 1;
}).catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
