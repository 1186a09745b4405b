#!/bin/sh
# Tries wheels in a bare system with its own Python and numpy, and nothing else.
set -eu

export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y install --no-install-recommends python3-numpy python3-venv
python3 -m venv --system-site-packages environment
for wheel in ./*.whl; do
    environment/bin/pip install --no-index --force-reinstall --no-deps "$wheel"
    environment/bin/pip check
    environment/bin/python - <<'END'
import numpy
import knossos

levels = numpy.zeros((100, 20, 20), dtype=numpy.uint8)
assert len(knossos.maze.measure(levels, "path")["path"]) == 100
found = knossos.Recipe("dungeon").run(seed=1)
for kind in "pdf", "zip", "png", "tmj":
    found.save(f"wheel.{kind}")
with open("digests-wheel", "w") as digests:
    for recipe in open("same-everywhere").read().split():
        print(recipe, knossos.Recipe(recipe, budget=3000).run(seed=7).digest, file=digests)
END
done
