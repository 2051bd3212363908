# Reads what `swift test` prints and passes on what people want to see while it runs: a line for each suite as it ends, and
# each failure with its explanation.

function plain(line) {
    sub(/^[^ ]+ /, "", line)
    return line
}

function cut(line) { return length(line) > 400 ? substr(line, 1, 400) "…" : line }

/ recorded an issue / { explains = 1; print cut(plain($0)); fflush(); next }
explains && /^(↳|  )/ { print cut($0); fflush(); next }
{ explains = 0 }

/^[^ ]+ Suite .* (passed|failed) after [0-9.]+ seconds/ {
    name = plain($0)
    sub(/^Suite /, "", name)
    state = name ~ / failed after / ? "FAILED" : "passed"
    sub(/ (passed|failed) after .*/, "", name)
    print state "  " name
    fflush()
    next
}

/^[^ ]+ (Test|Suite) / { next }
# XCTest, which has nothing to run here, and the progress of the build.
/^Test Suite |^\[[0-9]+\/[0-9]+\]|^Building for|^Build complete/ { next }

match($0, /error: |Fatal error|Precondition failed|Program crashed|(ERROR|WARNING): [A-Za-z]+Sanitizer|SUMMARY: /) {
    print cut(substr($0, RSTART))
    fflush()
    frames = 0
    next
}
/ crashed:$/ { frames = 12 }
frames > 0 && / in .* at \// { frames--; print cut($0); fflush() }
