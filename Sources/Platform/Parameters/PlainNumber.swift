import Bytes

/// Untrusted text: ASCII digits, an optional `-`, an optional point; no exponent, no `+`. Never traps.
package enum PlainNumber {
    package enum Failure: Error, Equatable, Sendable {
        case malformed
        case tooLarge
    }

    private static let digitLimit = 40

    /// `allowed` replaces the text of the fault, as below.
    package static func int(
        _ text: some StringProtocol, in range: ClosedRange<Int>, allowed: String? = nil
    ) throws(ParameterFault.Reason) -> Int {
        let allowed = allowed ?? "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try held(range, allowed) { () throws(Failure) in try int(text) }
    }

    package static func decimal(
        _ text: some StringProtocol, in range: ClosedRange<PlainDecimal>, allowed: String? = nil
    ) throws(ParameterFault.Reason) -> PlainDecimal {
        let allowed = allowed ?? "a number from \(range.lowerBound) to \(range.upperBound)"
        return try held(range, allowed) { () throws(Failure) in try decimal(text) }
    }

    private static func held<Value: Comparable>(
        _ range: ClosedRange<Value>, _ allowed: String, _ read: () throws(Failure) -> Value
    ) throws(ParameterFault.Reason) -> Value {
        do throws(Failure) {
            let value = try read()
            if range.contains(value) { return value }
        } catch .malformed {
            throw .malformed(allowed: allowed)
        } catch {}
        throw .outOfRange(allowed: allowed)
    }

    package static func int(_ text: some StringProtocol) throws(Failure) -> Int {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { throw .malformed }
        var value = 0
        for digit in digits {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !overflow, !carry else { throw .tooLarge }
            value = sum
        }
        return isNegative ? -value : value
    }

    /// Rounds places after the ninth half away from zero. Reads `.5`, but not `5.`.
    package static func decimal(_ text: some StringProtocol) throws(Failure) -> PlainDecimal {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.allSatisfy(ASCII.isDigit), !rest.isEmpty else { throw .malformed }
        let fraction = parts.count == 2 ? parts[1] : whole.suffix(0)
        guard fraction.allSatisfy(ASCII.isDigit), parts.count == 1 || !fraction.isEmpty else { throw .malformed }
        guard rest.count <= digitLimit else { throw .tooLarge }

        var value: Int64 = 0
        for digit in whole {
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
            guard value <= 999_999_999 else { throw .tooLarge }
        }
        var place = 0
        for digit in fraction.prefix(9) {
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
            place += 1
        }
        while place < 9 {
            value *= 10
            place += 1
        }
        if let next = fraction.dropFirst(9).first, next >= UInt8(ascii: "5") { value += 1 }
        guard value < 1_000_000_000_000_000_000 else { throw .tooLarge }
        return PlainDecimal(billionths: isNegative ? -value : value)
    }
}
