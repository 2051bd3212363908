# shellcheck shell=bash
# Sourced by the scripts that run tests.

# Runs its arguments, a command with `swift test`, for at most VEDUTA_TEST_MINUTES (45). Prints a line for each suite, what
# failed, what was skipped and why; the whole output goes to a file whose name is printed when something failed.
#
# Returns the status of the command, 124 when its time was over.
run_tests() {
    local record=.build/test-output.log minutes=${VEDUTA_TEST_MINUTES:-45} statuses
    mkdir -p .build
    set +e
    timeout --kill-after=30 "${minutes}m" "$@" 2>&1 | tee "$record" | awk -f scripts/lib/test-report.awk
    statuses=("${PIPESTATUS[@]}")
    set -e
    if [ "${statuses[0]}" -eq 124 ] || [ "${statuses[0]}" -eq 137 ]; then
        echo "The tests did not end within $minutes minutes; what was under way is named above."
    fi
    [ "${statuses[0]}" -eq 0 ] || echo "The whole output is in $PWD/$record."
    return "${statuses[0]}"
}
