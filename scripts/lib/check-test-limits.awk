# Reads a Swift file of tests and prints what has no time limit: a suite at the outermost level whose `@Suite` names none, and
# a type or test that stands there without `@Suite`. What is nested has the limit of what it is nested in.

function check() {
    if (attribute !~ /\.timeLimit\(/) print FILENAME ":" start ": no .timeLimit"
}

FNR == 1 { hasLimit = 0; depth = 0; isOpen = 0 }
isOpen || /^@(Suite|Test)/ {
    if (!isOpen) { attribute = ""; start = FNR; depth = 0 }
    attribute = attribute $0
    depth += gsub(/\(/, "(") - gsub(/\)/, ")")
    isOpen = depth > 0
    if (!isOpen) { check(); hasLimit = 1; isPlain = 0 }
    if (isOpen) next
}
/^(package |public |internal |private |fileprivate )?(final )?(struct|class|actor|enum) / && !/^@/ { isPlain = !hasLimit; plainStart = FNR; hasLimit = 0 }
/^extension / { isPlain = 0 }
/^ +@Test/ && isPlain { print FILENAME ":" plainStart ": tests in a type without @Suite"; isPlain = 0 }
/^}/ { isPlain = 0; hasLimit = 0 }
