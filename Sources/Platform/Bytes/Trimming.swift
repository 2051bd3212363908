extension BidirectionalCollection {
    /// The elements between the first and the last that are not blank.
    @inlinable
    package func trimmed(_ isBlank: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at either end.
    package func trimmed() -> SubSequence { trimmed { $0 == " " || $0 == "\t" } }
}
