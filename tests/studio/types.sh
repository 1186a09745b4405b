#!/bin/sh
# Usage: types.sh WEB BUNDLE    checks the types of the page, and that its bundle stays small
set -eu
size=$(wc -c <"$2")
if [ "$size" -ge 350000 ]; then
    echo "the bundle has $size bytes; it must stay below 350,000"
    exit 1
fi
echo "the bundle has $size bytes"
command -v tsc >/dev/null || {
    echo 'skipped: tsc is not installed (packages/studio)'
    exit 77
}
exec tsc --noEmit -p "$1"
