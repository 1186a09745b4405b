#!/bin/sh
#SBATCH --job-name=knossos-array
#SBATCH --array=1-10
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@60
# Independent runs of one recipe, a seed each (the number in the array):
#
#     sbatch --array=1-100 cluster/array.sh RECIPE [FOLDER] [ARGUMENTS...]
#
# Each keeps its run in FOLDER/SEED (runs/SEED if not given). A minute before
# the time limit a run is written down and the job queued again; it goes on
# where it was, also after the machine failed.
set -eu

recipe=${1:?which recipe?}
folder=${2:-runs}/$SLURM_ARRAY_TASK_ID
shift "$(($# < 2 ? $# : 2))"
program=${KNOSSOS:-knossos}
mkdir -p "${folder%/*}"

# shellcheck source=cluster/requeue.sh
. "${KNOSSOS_CLUSTER:-$SLURM_SUBMIT_DIR/cluster}/requeue.sh"

if [ -e "$folder/recipe.toml" ]; then
    resume_safe "$program" resume "$folder" --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet -- "$@"
else
    requeue_safe "$program" run "$recipe" --seed "$SLURM_ARRAY_TASK_ID" -d "$folder" \
        --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet "$@"
fi
