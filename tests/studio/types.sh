#!/bin/sh
# Usage: types.sh WEB BUNDLE TYPES    checks the page against the types of the API, and that what it loads at first stays small
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
# The types of the API lie where they were made, as if they were beside the page.
types=$(dirname "$3")
cat >"$types/tsconfig.json" <<END
{"extends": "$1/tsconfig.json", "compilerOptions": {"rootDirs": ["$1", "$types"]},
 "include": ["$1/*.ts", "$1/*.tsx", "$1/playground/*", "$types/*.ts"]}
END
exec tsc --noEmit -p "$types/tsconfig.json"
