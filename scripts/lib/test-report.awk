# Reads what `swift test` prints and tells it for people: a line for each suite as it ends, each failure with its
# explanation as it happens, and at the end what was skipped and why, what was under way if the run broke off, the slowest
# suites, and how many tests passed, failed and were skipped.

function plain(line) {
    sub(/^[^ ]+ /, "", line)
    return line
}

function cut(line) { return length(line) > 400 ? substr(line, 1, 400) "…" : line }

# The reason in quotation marks behind `skipped`, if any.
function reason(line) {
    if (match(line, /skipped: "/)) {
        line = substr(line, RSTART + RLENGTH)
        sub(/"\.?$/, "", line)
        return line
    }
    return "no reason given"
}

/ recorded an issue / { explains = 1; print cut(plain($0)); fflush(); next }
explains && /^(↳|  )/ { print cut($0); fflush(); next }
{ explains = 0 }

/^[^ ]+ Test case / { next }

/^[^ ]+ Test run / {
    if (/ (passed|failed) after /) ended = 1
    next
}

/^[^ ]+ Suite .* started\.$/ { next }
/^[^ ]+ Suite .* (passed|failed) after [0-9.]+ seconds/ {
    line = plain($0)
    name = line
    sub(/^Suite /, "", name)
    state = name ~ / failed after / ? "FAILED" : "passed"
    seconds = name
    sub(/.* (passed|failed) after /, "", seconds)
    sub(/ seconds.*/, "", seconds)
    sub(/ (passed|failed) after .*/, "", name)
    printf "%s  %s (%.1f s)\n", state, name, seconds
    fflush()
    times[name] = seconds + 0
    next
}

/^[^ ]+ (Test|Suite) .* skipped(: .*)?\.?$/ {
    isSuite = / Suite /
    skips[reason($0)]++
    if (!isSuite) skippedCount++
    next
}

/^[^ ]+ Test .* started\.$/ {
    name = plain($0)
    sub(/^Test /, "", name)
    sub(/ started\.$/, "", name)
    if (!(name in open)) names[++nameCount] = name
    open[name]++
    next
}
/^[^ ]+ Test .* (passed|failed) after / {
    name = plain($0)
    if (name ~ / failed after /) failedCount++
    else passedCount++
    sub(/^Test /, "", name)
    sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, "", name)
    if (open[name] > 0) open[name]--
    next
}

# XCTest, which runs nothing here, and the progress of the build.
/^Test Suite |^Executed 0 tests|^\t Executed |^\[[0-9]+\/[0-9]+\]|^Building for|^Build complete/ { next }

match($0, /error: |Fatal error|Precondition failed|Program crashed|(ERROR|WARNING): [A-Za-z]+Sanitizer|SUMMARY: /) {
    print cut(substr($0, RSTART))
    fflush()
    broken++
    frames = 0
    next
}
/ crashed:$/ { frames = 12 }
frames > 0 && / in .* at \// { frames--; print cut($0); fflush() }

END {
    print ""
    for (text in skips) printf "skipped: %d, %s\n", skips[text], text
    if (!ended) {
        print "The run did not end. Under way were:"
        for (i = 1; i <= nameCount; i++) if (open[names[i]] > 0) print "  " names[i]
    }
    shown = 0
    while (shown++ < 5) {
        longest = ""
        for (name in times) if (longest == "" || times[name] > times[longest]) longest = name
        if (longest == "" || times[longest] < 5) break
        printf "slow: %.0f s from first to last test, %s\n", times[longest], longest
        delete times[longest]
    }
    printf "%d passed, %d failed, %d skipped\n", passedCount, failedCount, skippedCount
}
