// node ask.cjs SITE METHOD PATH [BODY]: what the playground in SITE answers, without a browser.
// node ask.cjs SITE digests RECIPE=EVALUATIONS...: the digest of each of these, run that far, a line each, with the
// milliseconds of the processor that it took.
const path = require("path");
const [folder, method, target, body = ""] = process.argv.slice(2);
const site = path.resolve(folder);

function caller(knossos) {
    return (how, where, content = "") => {
        const text = (one) => knossos.stringToNewUTF8(one);
        const bytes = Buffer.from(content);
        const place = knossos._malloc(bytes.length + 1);
        knossos.HEAPU8.set(bytes, place);
        const said = knossos._playground_answer(text(how), text(where), text("application/json"), place, bytes.length);
        const head = JSON.parse(knossos.UTF8ToString(said));
        const from = knossos._playground_body();
        return { ...head, body: Buffer.from(knossos.HEAPU8.slice(from, from + knossos._playground_body_size())) };
    };
}

function digests(knossos, call) {
    for (const [name, evaluations] of process.argv.slice(4).map((one) => one.split("="))) {
        const began = process.cpuUsage();
        const order = { recipe: name, seed: 3, set: { "stop.evaluations": Number(evaluations) } };
        const started = call("POST", "/api/runs", JSON.stringify(order));
        if (started.status !== 201) throw new Error(`${name}: ${started.body}`);
        const { id } = JSON.parse(started.body);
        while (knossos._playground_pump());
        const run = JSON.parse(call("GET", `/api/runs/${id}`).body);
        if (run.state !== "ended") throw new Error(`${name}: ${run.state} ${run.message}`);
        require("fs").writeSync(1, `${name} ${run.digest} ${Math.round(process.cpuUsage(began).user / 1000)}\n`);
        call("DELETE", `/api/runs/${id}`);
    }
}

require(path.join(site, "knossos.js"))({ locateFile: (name) => path.join(site, name) }).then((knossos) => {
    knossos.FS.mkdir("/workspace");
    const trouble = knossos._playground_open(knossos.stringToNewUTF8("/workspace"));
    if (trouble) throw new Error(knossos.UTF8ToString(trouble));
    const call = caller(knossos);
    if (method === "digests") return digests(knossos, call);
    const answer = call(method, target, body);
    process.stdout.write(answer.body);
    if (answer.status >= 400) process.exitCode = 1;
}).catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
