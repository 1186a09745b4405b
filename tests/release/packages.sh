#!/bin/sh
# Tries the Debian packages in a bare system: installs, uses and removes them.
set -eu

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

export DEBIAN_FRONTEND=noninteractive
install() {
    apt-get -q -y install --no-install-recommends "$@"
}

ours() {
    find / -xdev \( -path /proc -o -path /knossos -o -path /var/log -o -path /var/cache -o -path /var/lib/apt \) -prune -o -iname '*knossos*' -print
}

apt-get -q update
install ./knossos_*.deb ./libknossos0_*.deb
knossos version
knossos queens 8
knossos dungeon --style keep -o level.pdf -o level.zip
while read -r recipe; do
    knossos run "$recipe" --seed 7 --budget 3000 --json | sed -n 's/.*"digest":"\([0-9a-f]*\)".*/'"$recipe"' \1/p'
done <same-everywhere >digests-packages
for file in bash-completion/completions/knossos doc/knossos/copyright knossos/recipe.schema.json; do
    [ -s "/usr/share/$file" ] || fail "there is no /usr/share/$file"
done

# A program of one's own: without MPI, whose part of the library is refused then.
install ./libknossos-dev_*.deb g++ cmake ninja-build pkg-config
cmake -S consumer -B made -G Ninja -DCMAKE_BUILD_TYPE=Release -DKNOSSOS_COMPONENT=main
cmake --build made
made/consumer
if cmake -S consumer -B refused -G Ninja -DKNOSSOS_COMPONENT=mpi_main; then
    fail 'knossos::mpi_main was found without knossos-mpi'
fi
# shellcheck disable=SC2046 # words on purpose
g++ -std=c++20 consumer/main.cpp $(pkg-config --cflags --libs knossos) -o by-pkg-config
./by-pkg-config

install ./knossos-mpi_*.deb
cmake -S consumer -B with-mpi -G Ninja -DKNOSSOS_COMPONENT=mpi_main
knossos run queens-islands --seed 3 --json | grep -o '"digest":"[^"]*"' >alone
mpirun --allow-run-as-root --oversubscribe -n 2 knossos-mpi run queens-islands --seed 3 --json | grep -o '"digest":"[^"]*"' >together
diff alone together || fail 'two ranks found something else than one process'

apt-get -q -y purge knossos knossos-mpi libknossos-dev libknossos0
left=$(ours)
[ -z "$left" ] || fail "this is left after the packages are removed: $left"
