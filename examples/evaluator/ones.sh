#!/bin/sh
# Counts the ones of a genome: reads {"genome":[0,1,1,…]}, answers 2.
while read -r line; do
    ones=$(printf '%s' "$line" | tr -cd 1)
    echo "${#ones}"
done
