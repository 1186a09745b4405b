#!/bin/sh
# Usage: types.sh WEB BUNDLE    checks the types of the page, and that what it loads at first stays small
set -eu
size=$(cat "$2" "$(dirname "$2")/chunk.js" | wc -c)
if [ "$size" -ge 350000 ]; then
    echo "the bundle has $size bytes; it must stay below 350,000"
    exit 1
fi
echo "the bundle has $size bytes, and pages that are loaded later $(wc -c <"$(dirname "$2")/more.js")"
command -v tsc >/dev/null || {
    echo 'skipped: tsc is not installed (packages/studio)'
    exit 77
}
exec tsc --noEmit -p "$1"
