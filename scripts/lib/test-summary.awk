# Reads the event stream of `swift test` (JSON, an event a line) and prints what a run came to: what was skipped and why,
# what was under way if the run broke off, the slowest tests, and how many passed, failed and were skipped.

function string(key,    text) {
    if (!match($0, "\"" key "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
    text = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
    gsub(/\\\//, "/", text)
    gsub(/\\"/, "\"", text)
    return text
}

function instant() { return match($0, /"absolute":[0-9.]+/) ? substr($0, RSTART + 11, RLENGTH - 11) + 0 : 0 }

!/^{"kind":"event"/ { next }
/"kind":"runEnded"/ { ended = 1 }
# Cases are told of tests with arguments alone. A test without begins some time after it is told to have started.
/"kind":"testCaseStarted"/ {
    name = string("testID")
    if (!running[name]++) began[name] = instant()
}
/"kind":"testCaseEnded"/ {
    name = string("testID")
    if (!--running[name]) seconds[name] += instant() - began[name]
}
# The names of functions end in their line and column; those of suites do not.
/"kind":"testStarted"/ && string("testID") ~ /:[0-9]+$/ {
    names[++nameCount] = string("testID")
    open[names[nameCount]] = 1
}
/"kind":"testEnded"/ && string("testID") ~ /:[0-9]+$/ {
    if (/"symbol":"fail"/) failed++
    else passed++
    delete open[string("testID")]
}
/"kind":"testSkipped"/ && string("testID") ~ /:[0-9]+$/ {
    skipped++
    reason = string("text")
    sub(/^.* skipped/, "", reason)
    gsub(/^: |^"|"$|^: "/, "", reason)
    skips[reason == "" ? "no reason given" : reason]++
}

END {
    for (reason in skips) printf "skipped: %d, %s\n", skips[reason], reason
    if (!ended) {
        print "The run did not end. Not ended, be it that they had not begun:"
        for (i = 1; i <= nameCount; i++) if (running[names[i]]) print "  " names[i] " (under way)"
        for (i = 1; i <= nameCount; i++) {
            if (!(names[i] in open) || running[names[i]]) continue
            if (++others <= 40) print "  " names[i]
        }
        if (others > 40) printf "  and %d more\n", others - 40
    }
    for (shown = 0; shown < 5; shown++) {
        slowest = ""
        for (name in seconds) if (slowest == "" || seconds[name] > seconds[slowest]) slowest = name
        if (slowest == "" || seconds[slowest] < 10) break
        printf "slow: %.0f s, %s\n", seconds[slowest], slowest
        delete seconds[slowest]
    }
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
}
