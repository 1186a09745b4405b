#!/bin/sh
#SBATCH --job-name=knossos-islands
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@60
# One run, its islands spread over all tasks of the job:
#
#     sbatch --ntasks=64 cluster/islands.sh RECIPE FOLDER [ARGUMENTS...]
#
# Each task has as many threads as --cpus-per-task says: for one task on each
# of 4 machines, sbatch --nodes=4 --ntasks-per-node=1 --cpus-per-task=32.
# knossos-mpi must be found on the PATH of the job, or named by KNOSSOS_MPI.
#
# FOLDER must be on a file system that all machines share. A minute before the
# time limit the run is written down and the job queued again; it goes on where
# it was, on as many tasks as it then gets, also after a machine failed.
#
# Ranks are started by mpirun, which asks Slurm for the machines. Where Slurm
# and MPI speak PMIx, KNOSSOS_LAUNCH='srun --mpi=pmix' does the same.
set -eu

recipe=${1:?which recipe?}
folder=${2:?which folder?}
shift 2
program=${KNOSSOS_MPI:-knossos-mpi}
# Left to itself mpirun binds a rank to one processor, whatever its threads.
launch=${KNOSSOS_LAUNCH:-mpirun --bind-to none}

# Looking for accelerators, mpirun loads PoCL where it is installed, which takes
# the SIGUSR1 away that mpirun would pass on.
export HWLOC_COMPONENTS="${HWLOC_COMPONENTS--opencl}"

# shellcheck source=cluster/requeue.sh
. "${KNOSSOS_CLUSTER:-$SLURM_SUBMIT_DIR/cluster}/requeue.sh"

threads=${SLURM_CPUS_PER_TASK:-1}
# shellcheck disable=SC2086 # the launcher may bring options
if [ -e "$folder/recipe.toml" ]; then
    resume_safe $launch "$program" resume "$folder" --threads "$threads" --quiet -- "$@"
else
    requeue_safe $launch "$program" run "$recipe" -d "$folder" --threads "$threads" --quiet "$@"
fi
