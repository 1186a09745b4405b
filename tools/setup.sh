# shellcheck shell=sh
# Shared by ./knossos and ./test, which source it with $root set to the folder
# of the repository: installs packages, configures and builds.
#
# Everything said here goes to the standard error; the standard output belongs
# to the program that is built.
: "${root:?}"

say() {
    printf 'knossos: %s\n' "$*" >&2
}

# logged NAME COMMAND... runs a command, its output kept in build/logs/NAME.log
# and shown only if it fails ($log_lines of it, all by default). With $live set
# the output is shown as it comes instead.
# The standard input is for the program, so nothing else may read it.
logged() {
    log=$root/build/logs/$1.log
    shift
    if [ -n "${live-}" ]; then
        "$@" </dev/null >&2
        return
    fi
    mkdir -p "$root/build/logs"
    "$@" </dev/null >"$log" 2>&1 && return
    status=$?
    tail -n "${log_lines:-+1}" "$log" >&2
    return "$status"
}

# The names in the given lists of packages/, one per line.
listed_packages() {
    for list; do
        sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$root/packages/$list"
    done
}

missing_packages() {
    # shellcheck disable=SC2016,SC2046 # dpkg-query's own ${}; one word per package
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
        $(listed_packages "$@") 2>/dev/null | sed -n 's/^installed //p')
    listed_packages "$@" | grep -vxF -e "$installed" | sort -u | paste -sd ' '
}

# install_packages LIST... installs what is missing of the lists; fails if
# something is still missing afterwards.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        return 0 # not Debian: the build itself will tell
    fi
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        return 0
    fi

    as_root=
    if ! command -v apt-get >/dev/null; then
        say "these Debian packages are missing, and there is no apt-get: $missing"
        return 1
    elif [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "these Debian packages are missing, and only root can install them: $missing"
            return 1
        elif [ -t 2 ]; then
            as_root=sudo
        else
            as_root='sudo -n' # nobody is there to type a password
        fi
    fi

    say "installing the Debian packages: $missing"
    # The install decides: one unreachable source among many is no reason to stop.
    # shellcheck disable=SC2086 # words on purpose
    logged apt-update $as_root apt-get -q update || :
    # shellcheck disable=SC2086 # words on purpose
    logged apt-install $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=600 install --no-install-recommends $missing || :

    missing=$(missing_packages "$@")
    if [ -n "$missing" ]; then
        say "these Debian packages could not be installed: $missing"
        return 1
    fi
}

# locked COMMAND... lets one process at a time write into build/, in a subshell
# so that the lock ends with the command and no later program inherits it.
locked() {
    if ! mkdir -p "$root/build" || ! [ -w "$root/build" ]; then
        say "cannot write to $root/build"
        return 3
    fi
    (
        flock -n 9 || {
            say 'waiting for another build'
            flock 9
        }
        "$@"
    ) 9>"$root/build/.lock"
}

# configure PRESET [OPTION...]
configure() {
    preset=$1
    shift
    # CMake refuses the cache of another folder, as a moved or copied tree has.
    cache=$root/build/$preset/CMakeCache.txt
    if [ -e "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        set -- --fresh "$@"
    fi
    (cd "$root" && logged "$preset-configure" cmake --preset "$preset" "$@")
}

# compile PRESET [TARGET]
compile() {
    (cd "$root" && logged "$1-build" cmake --build --preset "$1" ${2:+--target "$2"})
}
