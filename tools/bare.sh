# shellcheck shell=sh
# Bare Debian and Ubuntu systems in folders, to be sourced: what tools/fresh-machine and tests/release/run try things in.
# Whoever sources this has a function fail, which says why and ends.
#
# The way to reach packages (mirror, proxies) is the one that apt uses on this machine, so that this works wherever apt
# works; the suite may be another one.

# can_be_bare SUITE fails unless bare systems of a suite can be made here.
can_be_bare() {
    keyring=/usr/share/keyrings
    case $1 in
    bookworm | trixie) keyring=$keyring/debian-archive-keyring.gpg ;;
    noble) keyring=$keyring/ubuntu-archive-keyring.gpg ;;
    *) fail "unknown suite $1; bookworm, trixie and noble are known" ;;
    esac
    [ "$(id -u)" -eq 0 ] || fail 'needs root: debootstrap and chroot do'
    command -v debootstrap >/dev/null || fail 'debootstrap is missing: apt-get install debootstrap'
    [ -e "$keyring" ] || fail "$keyring is missing: apt-get install debian-archive-keyring or ubuntu-keyring"
}

# --- what apt does here ----------------------------------------------------

# source_of LABEL names the place where apt here fetches what is labelled so,
# of whatever suite: a mirror has them all. apt itself parses its sources, but
# knows them only after an update.
source_of() {
    # shellcheck disable=SC2016 # apt's own $()
    apt-get indextargets --format '$(REPO_URI) $(COMPONENT) $(LABEL)' 'Created-By: Packages' |
        awk -v label="$1" '$2 == "main" && $3 == label && !n++ { print $1 }'
}

# sources_of SUITE sets the mirror and the sources of a bare machine: the suite, and its updates.
sources_of() {
    if [ "$1" = noble ]; then
        mirror=$(source_of Ubuntu)
        mirror=${mirror:-http://archive.ubuntu.com/ubuntu/}
        sources=$(printf 'deb %s %s main universe\n' "$mirror" noble "$mirror" noble-updates "$mirror" noble-security)
        return
    fi
    mirror=$(source_of Debian)
    if [ -z "$mirror" ]; then
        apt-get -q update >&2
        mirror=$(source_of Debian)
    fi
    [ -n "$mirror" ] || fail 'apt has no source of Debian on this machine'
    sources=$(printf 'deb %s %s main\n' "$mirror" "$1" "$mirror" "$1-updates")
    security=$(source_of Debian-Security)
    if [ -n "$security" ]; then
        sources="$sources
deb $security $1-security main"
    fi
}

# A proxy may be set for apt only; debootstrap looks only at the environment.
apt_proxy() {
    apt-config shell proxy "Acquire::$1::Proxy" | sed "s/^proxy='\(.*\)'$/\1/; s/^DIRECT$//"
}

export_proxies() {
    http_proxy=${http_proxy-$(apt_proxy http)}
    https_proxy=${https_proxy-$(apt_proxy https)}
    no_proxy=${no_proxy-}
    for name in http_proxy https_proxy no_proxy; do
        eval "value=\$$name"
        if [ -n "$value" ]; then
            # shellcheck disable=SC2163 # the variable that $name names
            export "$name"
        else
            unset "$name" # empty is not the same as unset to all programs
        fi
    done
}

# --- the bare system -------------------------------------------------------

# bare_system SUITE FOLDER LOG installs a bare system into a new folder.
bare_system() {
    suite_=$1 machine=$2 log_=$3
    can_be_bare "$suite_"
    sources_of "$suite_"
    export_proxies
    case $machine in
    *[[:space:]]*) fail "debootstrap does not work in a folder with spaces in its name: $machine" ;;
    esac
    # As bare as can be, but apt cannot speak https without certificates.
    certificates=
    case $sources in
    *https:*) certificates=ca-certificates ;;
    esac
    mkdir "$machine"
    # In a namespace, as debootstrap mounts /proc while it works. It need not
    # know a suite of Ubuntu that is newer than itself: all go alike.
    script=/usr/share/debootstrap/scripts/$suite_
    if ! [ -e "$script" ]; then
        script=${script%/*}/gutsy
    fi
    unshare --mount debootstrap --variant=minbase --keyring="$keyring" ${certificates:+"--include=$certificates"} \
        "$suite_" "$machine" "$mirror" "$script" >"$log_" 2>&1 || {
        tail -n 20 "$log_" >&2
        fail 'debootstrap failed'
    }
    # Sources, and what says how to fetch. The other settings of apt here may call
    # programs that are not there.
    printf '%s\n' "$sources" >"$machine/etc/apt/sources.list"
    for part in resolv.conf hosts ${certificates:+ssl/certs/ca-certificates.crt}; do
        if [ -e "/etc/$part" ]; then
            cp -LT --remove-destination "/etc/$part" "$machine/etc/$part"
        fi
    done
    apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets' \
        >"$machine/etc/apt/apt.conf.d/99as-outside"
}

# in_bare FOLDER COMMAND... runs a command in the folder /knossos of a bare system.
# Its own process namespace, so that nothing survives it. With $tree set, that is what is seen there as /knossos.
# shellcheck disable=SC2016 # expanded by the inner shells
in_bare() {
    bare_=$1
    shift
    machine="$bare_" tree="${tree-}" unshare --mount --pid --fork --kill-child sh -euc '
        mount -t proc proc "$machine/proc"
        mount --rbind /dev "$machine/dev"
        mount --rbind /sys "$machine/sys"
        if [ -n "$tree" ]; then
            mount --bind "$tree" "$machine/knossos"
        fi
        exec chroot "$machine" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM="${TERM-dumb}" \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            ${no_proxy:+no_proxy="$no_proxy"} \
            sh -c '\''cd /knossos && exec "$@"'\'' sh "$@"' sh "$@" </dev/null
}

# remove_bare FOLDER: the mounts of in_bare live in a namespace of their own and are gone with it. Should any other exist
# all the same, nothing is removed: it could reach this machine.
remove_bare() {
    if grep -qF " $1/" /proc/self/mounts; then
        echo "not removed, as something is mounted in it: $1" >&2
    else
        rm -rf --one-file-system "$1"
    fi
}
