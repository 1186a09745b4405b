#!/bin/sh
# Tries the portable archive in a bare system: nothing is installed. Then the wheels, with Debian's Python and numpy.
set -eu

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

mkdir 'some where'
tar -xzf knossos-*-linux-x86_64.tar.gz -C 'some where'
for folder in 'some where'/*; do
    program="$folder/bin/knossos"
done
"$program" version
# Only glibc may come from the system.
LD_TRACE_LOADED_OBJECTS=1 "$program" | grep -v "$PWD/some where/" |
    grep -Ev 'linux-vdso|/ld-linux-x86-64\.so|/lib(c|m|dl|rt|pthread|resolv)\.so' && fail 'these libraries are not in the archive'
"$program" queens 8
"$program" dungeon --style keep -o level.png -o level.pdf -o level.zip -o level.tmj
"$program" dungeon measure level.tmj
for format in png pdf zip tmj; do
    [ -s "level.$format" ] || fail "level.$format is empty"
done
while read -r recipe; do
    "$program" run "$recipe" --seed 7 --budget 3000 --json | sed -n 's/.*"digest":"\([0-9a-f]*\)".*/'"$recipe"' \1/p'
done <same-everywhere >digests
[ "$(wc -l <digests)" -eq "$(wc -l <same-everywhere)" ] || fail 'a recipe gave no digest'

# The page of the studio, asked for by a shell.
"$program" studio --no-open --port 8765 --workspace runs >studio.log 2>&1 &
studio=$!
bash -c 'for try in $(seq 100); do
        if exec 3<>/dev/tcp/127.0.0.1/8765; then break; fi 2>/dev/null
        sleep 0.1
    done
    printf "GET /studio.js HTTP/1.1\r\nHost: 127.0.0.1:8765\r\nConnection: close\r\n\r\n" >&3
    cat <&3' >page
kill "$studio"
head -n 1 page | grep -q ' 200 ' || fail "the studio did not serve its page: $(head -n 1 page)"
[ "$(wc -c <page)" -gt 100000 ] || fail 'the script of the page is short'

# The wheel needs Python and numpy, and nothing else.
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y install --no-install-recommends python3-numpy python3-pip
tried=
for wheel in ./*.whl; do
    python3 -m pip install --break-system-packages --no-index "$wheel" || continue # for another Python
    tried=1
    python3 - <<'END'
import numpy
import knossos

levels = numpy.zeros((100, 20, 20), dtype=numpy.uint8)
assert len(knossos.maze.measure(levels)["path"]) == 100
knossos.Recipe("dungeon").run(seed=1).save("wheel.pdf")
knossos.Recipe("dungeon").run(seed=1).save("wheel.zip")
with open("digests-wheel", "w") as digests:
    for recipe in open("same-everywhere").read().split():
        print(recipe, knossos.Recipe(recipe, budget=3000).run(seed=7).digest, file=digests)
END
done
[ -n "$tried" ] || fail "no wheel is for $(python3 --version)"
