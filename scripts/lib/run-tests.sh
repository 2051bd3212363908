# shellcheck shell=bash
# Sourced by the scripts that run tests.

# Runs its arguments, a command that ends in `swift test` with its options, for at most VEDUTA_TEST_MINUTES (30). Prints a line
# for each suite, what failed, and at the end what was skipped and why and how many tests passed. The whole output goes to a
# file, which is named when something failed.
#
# Returns the status of the command; 124 or 137 when its time was over.
run_tests() {
    local log=.build/test-output.log events=.build/test-events.json minutes=${VEDUTA_TEST_MINUTES:-30} status
    mkdir -p .build
    rm -f "$events"
    set +e
    # Tests block the thread they run on. Without a bound all would count as begun at once, and the time limit of each
    # would go by while it waits for a thread.
    timeout --kill-after=30 "${minutes}m" "$@" --event-stream-output-path "$events" --event-stream-version 6.3 \
        --experimental-maximum-parallelization-width "$(($(nproc) * 2))" 2>&1 |
        tee "$log" | awk -f scripts/lib/test-report.awk
    status=${PIPESTATUS[0]}
    set -e
    echo
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        echo "The tests did not end within $minutes minutes."
        # SwiftPM starts them in a process group of their own, which the signal does not reach.
        pkill -KILL -f "^$PWD/\.build/.*PackageTests\.xctest" || true
    fi
    [ "$status" -eq 0 ] || echo "The whole output is in $PWD/$log."
    [ ! -e "$events" ] || awk -f scripts/lib/test-summary.awk "$events"
    return "$status"
}
