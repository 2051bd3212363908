extension BidirectionalCollection {
    @inlinable package func trimmed(_ isBlank: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}

extension StringProtocol {
    package func trimmed() -> SubSequence { trimmed { $0 == " " || $0 == "\t" } }
}
