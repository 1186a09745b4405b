#!/bin/sh
# Tries the portable archive in a bare system: nothing is installed.
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
done <same-everywhere >digests-portable
[ "$(wc -l <digests-portable)" -eq "$(wc -l <same-everywhere)" ] || fail 'a recipe gave no digest'

# The page of the studio, asked for by a shell. It says where it is when it is there.
"$program" studio --no-open --workspace runs >studio.log 2>&1 &
studio=$!
until grep -q 'http://127' studio.log; do
    kill -0 "$studio" || fail "the studio ended: $(cat studio.log)"
    sleep 0.1
done
port=$(sed -n 's/.*http:\/\/127\.0\.0\.1:\([0-9]*\).*/\1/p' studio.log | head -n 1)
bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf "GET /studio.js HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n" "$1" >&3
    cat <&3' bash "$port" >page
kill "$studio"
head -n 1 page | grep -q ' 200 ' || fail "the studio did not serve its page: $(head -n 1 page)"
[ "$(wc -c <page)" -gt 100000 ] || fail 'the script of the page is short'
