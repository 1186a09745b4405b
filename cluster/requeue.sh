# shellcheck shell=sh
# For the job scripts beside it: runs a command that writes a checkpoint when
# it gets SIGUSR1, and queues the job again if it had to do so.

# resume_safe COMMAND... -- ARGUMENTS... is requeue_safe for resuming with the
# arguments that the run was begun with. Those that change its recipe are left
# out: its folder has them already, and resume refuses them.
resume_safe() {
    own=1
    left=$#
    while [ "$left" -gt 0 ]; do
        word=$1
        shift
        left=$((left - 1))
        case $own$word in
        1--) own= ;;
        --set | --seed | --budget | --time)
            shift
            left=$((left - 1))
            ;;
        --set=* | --seed=* | --budget=* | --time=* | --asynchronous) ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    requeue_safe "$@"
}

# requeue_safe COMMAND... ends the job as the command ended, where 1, a target
# that was not reached, is an end like any other for Slurm.
requeue_safe() {
    asked=
    "$@" &
    child=$!
    # Slurm sends USR1 before the time limit, and TERM when the job is preempted.
    trap 'asked=1; kill -USR1 "$child" 2>/dev/null' USR1 TERM
    status=0
    wait "$child" || status=$?
    # A signal ends the waiting, not the command.
    while kill -0 "$child" 2>/dev/null; do
        status=0
        wait "$child" || status=$?
    done
    trap - USR1 TERM
    if [ -n "$asked" ] && [ "$status" -eq 1 ]; then
        echo "interrupted in time; job $SLURM_JOB_ID is queued again"
        exec scontrol requeue "$SLURM_JOB_ID"
    fi
    if [ "$status" -gt 1 ]; then
        exit "$status"
    fi
}
