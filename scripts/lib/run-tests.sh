# shellcheck shell=bash
# Sourced by the scripts that run tests.

# Runs its arguments, a command with `swift test`. When that fails, what failed is said once more at the end, where it is
# found in a long log.
run_tests() {
    local record status=0
    record=$(mktemp)
    "$@" 2>&1 | tee "$record" || status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] || list_failures "$record"
    rm -f "$record"
    return "$status"
}

# From the output of `swift test` in the file $1: the issues and the lines that explain them, what a process that broke off
# said and which tests were under way then; at most 100 lines of 400 characters.
list_failures() {
    echo
    echo "What failed:"
    awk '
        / recorded an issue / { explains = 1; print; next }
        explains && /^(↳|  )/ { print; next }
        { explains = 0 }
        /^[^ ]+ Test case / { next }
        /^[^ ]+ Test run / { if (/ (passed|failed) after /) { ended = 1; print } next }
        /^[^ ]+ Test .* started\.$/ {
            sub(/^[^ ]+ Test /, ""); sub(/ started\.$/, "")
            names[++count] = $0; isOpen[$0] = 1; next
        }
        /^[^ ]+ Test .* (passed|failed) after / {
            sub(/^[^ ]+ Test /, ""); sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, "")
            delete isOpen[$0]; next
        }
        match($0, /error: |Fatal error|Precondition failed|Program crashed|(ERROR|WARNING): [A-Za-z]+Sanitizer|SUMMARY: /) {
            print substr($0, RSTART)
        }
        / crashed:$/ { frames = 12 }
        frames > 0 && / in .* at \// { frames--; print }
        END {
            for (i = 1; i <= count && !ended; i++) if (isOpen[names[i]]) print "under way: " names[i]
        }
    ' "$1" | cut -c1-400 | head -n 100
}
