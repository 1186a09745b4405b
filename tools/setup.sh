# shellcheck shell=sh
# Shared by ./knossos and ./test, which source it with $root set to the folder
# of the repository: installs packages, configures and builds.
#
# Everything said here goes to the standard error; the standard output belongs
# to the program that is built. Only what any Unix has is used, and what the
# build itself needs; better tools where they are there.
: "${root:?}"

say() {
    printf 'knossos: %s\n' "$*" >&2
}

# --- commands whose output is kept -------------------------------------------

# show TEXT writes over the line of the terminal that it wrote before.
show() {
    # shellcheck disable=SC2059 # a width in the format: * is not known to every printf
    printf "\r%.$((${columns:-80} - 1))s\033[K" "$1" >&2
}

# What a line of a build says: "[34/61 12.345 s] Building CXX object
# CMakeFiles/knossos.dir/src/recipe/recipe.cpp.o", as NINJA_STATUS below has it.
show_step() {
    rest=${1#\[}
    finished=${rest%%/*} rest=${rest#*/}
    total=${rest%% *} rest=${rest#* }
    seconds=${rest%%[!0-9]*}
    what=${rest#*\] }
    case $what in
    Linking*) what="linking ${what##* }" ;;
    *.dir/Unity/*) what=${what%%.dir/*} what=${what##*/} ;; # several files of a target at once
    *) what=${what##* object } what=${what##*.dir/} what=${what%.o} ;;
    esac
    left=
    if [ "$finished" -eq 0 ]; then
        return # looks for new files before it begins
    elif [ "$total" -gt "$finished" ]; then
        left=$((seconds * (total - finished) / finished / 5 * 5 + 5)) # no better than to 5 s, and never 0
        if [ "$left" -ge 120 ]; then
            left=", about $(((left + 30) / 60)) min left"
        else
            left=", about $left s left"
        fi
    fi
    show "knossos: built $finished of $total$left: $what"
}

# follow LOG keeps the lines that it reads in LOG and shows the last one.
follow() {
    columns=$(stty size <&2 2>/dev/null) && columns=${columns#* } || columns=
    case $columns in
    '' | 0 | *[!0-9]*) columns=80 ;;
    esac
    while IFS= read -r line; do
        printf '%s\n' "$line" >&4
        case $line in
        '['[0-9]*/[0-9]*' s] '*) show_step "$line" ;;
        ?*) show "knossos: ${line#-- }" ;;
        esac
    done 4>"$1"
    printf '\r\033[K' >&2
}

# kept NAME COMMAND... runs a command, its output kept in build/logs/NAME.log.
# With $live set, the last line of it is shown as it comes.
# The standard input is for the program, so nothing else may read it.
kept() {
    log=$root/build/logs/$1.log
    shift
    mkdir -p "$root/build/logs" || return
    if [ -n "${live-}" ]; then
        status=$({ {
            status=0
            "$@" </dev/null 2>&1 3>&- || status=$?
            echo "$status" >&3
        } | follow "$log"; } 3>&1)
        return "${status:-1}"
    fi
    "$@" </dev/null >"$log" 2>&1
}

# logged NAME COMMAND... also shows the output if the command fails ($log_lines
# of it, all by default).
logged() {
    kept "$@" && return
    status=$?
    tail -n "${log_lines:-+1}" "$log" >&2
    return "$status"
}

# no_space LOG... whether a command failed because a device was full, which is
# then said. Messages may be in any language; free space is not.
no_space() {
    full=
    for folder in "$root/build" "${TMPDIR:-/tmp}"; do
        free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }')
        if [ -n "$free" ] && [ "$free" -lt 1024 ]; then
            full=" that holds $folder"
        fi
    done
    if [ -z "$full" ] && ! grep -Eqs 'No space left on device|enough free space|Disk quota exceeded' "$@"; then
        return 1
    fi
    say "there is no space left on the device$full: make some (a build takes 30 MB, packages 1 GB) and call this again"
}

# writable FOLDER makes a folder if it is not there, and says why if nothing can
# be written to it.
writable() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    trouble=$(LC_ALL=C sh -c 'mkdir -p "$1" && echo try >"$1/.try" && rm "$1/.try"' sh "$1" 2>&1) && return
    rm -f "$1/.try" 2>/dev/null
    case $trouble in
    *'No space left'* | *quota*)
        say "there is no space left for $1: make some (a build takes 30 MB) and call this again"
        ;;
    *'Read-only'*)
        say "$1 is on a read-only file system, so nothing can be built there: copy $root to where you may write"
        ;;
    *'Permission denied'*)
        say "$1 is not yours to write to: copy $root to where you may write, or ask its owner to run ./knossos"
        ;;
    *)
        say "nothing can be written to $1: $trouble"
        ;;
    esac
    return 1
}

# --- packages ----------------------------------------------------------------

# What this system calls itself.
system_name() {
    for file in /etc/os-release /usr/lib/os-release; do
        if [ -r "$file" ]; then
            sed -n 's/^PRETTY_NAME=//p' "$file" | tr -d "\"'"
            return
        fi
    done
    uname -sr
}

# The names in the given lists of packages/, one per line.
listed_packages() {
    for list; do
        sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$root/packages/$list"
    done
}

has_apt() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

# What is not installed or only half, on one line.
missing_packages() {
    # shellcheck disable=SC2016,SC2046 # dpkg-query's own ${}; one word per package
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
        $(listed_packages "$@") 2>/dev/null | sed -n 's/^installed //p')
    listed_packages "$@" | grep -vxF -e "$installed" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# elsewhere LIST... is the command that installs the packages of lists on a
# system without apt, as packages/names calls them there; nothing where that is
# not known.
elsewhere() {
    column=2
    for manager in dnf pacman brew; do
        if command -v "$manager" >/dev/null; then
            case $manager in
            dnf) install='sudo dnf install' ;;
            pacman) install='sudo pacman -S --needed' ;;
            brew) install='brew install' ;;
            esac
            # shellcheck disable=SC2046 # words on purpose
            echo "$install" $(listed_packages "$@" | awk -v column="$column" '
                NR == FNR { name[$1] = $column; next }
                name[$1] != "-" { print name[$1] }' "$root/packages/names" - | sort -u)
            return
        fi
        column=$((column + 1))
    done
}

# install_packages LIST... installs what is missing of the lists; fails if
# something is still missing afterwards. Without apt it leaves everything as it
# is: what is missing then is found by trying.
install_packages() {
    has_apt || return 0
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        return 0
    fi
    system=$(system_name)
    by_hand="apt-get update && apt-get install --no-install-recommends $missing"
    # An installation that was interrupted must be finished before another one.
    half=
    if command -v dpkg >/dev/null && [ -n "$(dpkg --audit 2>/dev/null)" ]; then
        half=1
        by_hand="dpkg --configure -a && $by_hand"
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "$system: packages are missing, and there is no sudo; as root, run: $by_hand"
            return 1
        elif [ -t 2 ]; then
            as_root=sudo
        else
            as_root='sudo -n' # nobody is there to type a password
        fi
    fi

    rm -f "$root/build/logs/apt-update.log" "$root/build/logs/apt-install.log"
    if [ -n "$half" ]; then
        say "$system: finishing an interrupted installation (dpkg --configure -a)"
        # shellcheck disable=SC2086 # words on purpose
        kept dpkg-configure $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C dpkg --configure -a || :
        missing=$(missing_packages "$@")
        if [ -z "$missing" ]; then
            return 0
        fi
    fi
    say "$system: installing the packages $missing"
    # The install decides: one unreachable source among many is no reason to stop.
    # shellcheck disable=SC2086 # words on purpose
    if [ -z "${updated-}" ]; then
        kept apt-update $as_root env LC_ALL=C apt-get -q update || :
        updated=1
    fi
    # shellcheck disable=SC2086 # words on purpose
    kept apt-install $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        apt-get -q -y -o DPkg::Lock::Timeout=600 install --no-install-recommends $missing || :
    missing=$(missing_packages "$@")
    [ -z "$missing" ] || why_not_installed
}

# Says why $missing is still missing, from what apt-get wrote, and fails.
why_not_installed() {
    logs=$root/build/logs
    unknown=$(sed -n 's/^E: Unable to locate package //p' "$logs/apt-install.log" 2>/dev/null | tr '\n' ' ')
    if no_space "$logs/apt-install.log" "$logs/apt-update.log"; then
        :
    elif grep -Eqs '^sudo: ' "$logs/apt-install.log"; then
        say "sudo did not let the packages be installed; as root, run: $by_hand"
    elif grep -Eqs 'dpkg --configure -a|--fix-broken' "$logs/apt-install.log"; then
        say "an earlier installation is incomplete; as root, run: dpkg --configure -a && apt-get install --fix-broken," \
            "then call this again (it still needs $missing; see $logs/apt-install.log)"
    elif grep -Eqs 'Failed to fetch|Unable to fetch|^Err:' "$logs/apt-update.log" "$logs/apt-install.log"; then
        say "these packages could not be fetched: $missing: see that this machine reaches its package sources and" \
            "call this again ($logs/apt-install.log has what apt-get said)"
    elif [ -n "$unknown" ]; then
        say "$system has no packages called ${unknown% }: it is older or newer than what Knossos was tried on, or a" \
            "source is missing in /etc/apt (see $logs/apt-install.log)"
    else
        tail -n 20 "$logs/apt-install.log" >&2
        say "these packages could not be installed: $missing: $logs/apt-install.log has what apt-get said"
    fi
    return 1
}

# --- builds ------------------------------------------------------------------

# locked COMMAND... lets one process at a time write into build/, in a subshell
# so that the lock ends with the command and no later program inherits it.
locked() {
    writable "$root/build" || return 3
    if command -v flock >/dev/null; then
        (
            flock -n 9 || {
                say 'waiting for another build'
                flock 9
            }
            "$@"
        ) 9>"$root/build/.lock"
        return
    fi
    # A link is made by one process only, and names it: one that is gone does not count.
    (
        lock=$root/build/.lock-holder
        trap 'rm -f "$lock"' EXIT
        trap 'exit 130' INT TERM HUP
        until ln -s "$$" "$lock" 2>/dev/null; do
            kill -0 "$(readlink "$lock")" 2>/dev/null || rm -f "$lock"
            sleep 1
        done
        "$@"
    )
}

# Whether there is a compiler and a CMake that is new enough, and what to do if not.
has_tools() { # COMPILER
    lacking=
    for tool in "$1" cmake ninja; do
        if ! command -v "$tool" >/dev/null; then
            lacking="$lacking $tool"
        fi
    done
    if [ -n "$lacking" ]; then
        install=$(elsewhere build page)
        if [ -n "$install" ]; then
            say "$(system_name): there is no$lacking; install what Knossos needs with: $install"
        else
            say "$(system_name): there is no$lacking; install what $root/packages/build lists by its Debian names"
        fi
        return 1
    fi
    version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    if [ -n "$version" ] && [ "$((${version% *} * 1000 + ${version#* }))" -lt 3025 ]; then
        say "CMake ${version% *}.${version#* } ($(command -v cmake)) is too old: Knossos needs 3.25, which Debian 12 and" \
            "Ubuntu 24.04 have"
        return 1
    fi
}

# configure PRESET [OPTION...] ends with 3 if something is missing, with 4 if CMake fails.
configure() {
    preset=$1
    shift
    compiler=g++
    # What users run is built with the compiler that they name.
    if [ "$preset" = release ]; then
        if [ -n "${CXX-}" ]; then
            compiler=$CXX
        elif ! command -v g++ >/dev/null && command -v c++ >/dev/null; then
            compiler=c++
        fi
        set -- "-DCMAKE_CXX_COMPILER=$compiler" "$@"
    fi
    has_tools "$compiler" && writable "$root/build/$preset" || return 3
    # CMake refuses the cache of another folder, as a moved or copied tree has,
    # and one that it could not finish may lack anything.
    cache=$root/build/$preset/CMakeCache.txt
    unfinished=$root/build/$preset/.configuring
    if [ -e "$cache" ] && { [ -e "$unfinished" ] || ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; }; then
        set -- --fresh "$@"
    fi
    : >"$unfinished"
    (cd "$root" && kept "$preset-configure" cmake --preset "$preset" "$@") && rm -f "$unfinished" && return
    log=$root/build/logs/$preset-configure.log
    if no_space "$log"; then
        return 4
    fi
    # What cmake/KnossosDependencies.cmake says is missing is enough; else all is shown.
    sentence=$(sed -n 's/^ *knossos: //p' "$log")
    if [ -n "$sentence" ]; then
        say "$sentence (CMake's words are in $log)"
        return 3
    fi
    tail -n "${log_lines:-+1}" "$log" >&2
    say "CMake could not set up the build; $log has all that it said"
    return 4
}

# compile PRESET [TARGET] ends with 4 if the build fails.
compile() {
    (
        if [ -n "${live-}" ]; then
            export NINJA_STATUS='[%f/%t %e s] '
        fi
        cd "$root" && kept "$1-build" cmake --build --preset "$1" ${2:+--target "$2"}
    ) && return
    log=$root/build/logs/$1-build.log
    if ! no_space "$log"; then
        tail -n "${log_lines:-+1}" "$log" >&2
        say "the build failed; $log has all that was said"
    fi
    return 4
}
