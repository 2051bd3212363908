import Bytes
import Parameters

/// An instant of RFC 3339, to the second, with the time of day where it was written.
package struct Moment: Equatable, Sendable {
    /// `2026-11-26T18:00:00+01:00`; UTC is `Z`.
    package let text: String
    /// Since 1970.
    package let unixSeconds: Int
    /// `2026-11-26 18:00 +01:00`.
    package let shown: String

    private static let fault = Fault.malformed(
        allowed: "an instant such as 2026-11-26T18:00Z or 2026-11-26T18:00:00+01:00")

    /// Also reads an instant without seconds; fractions of a second are dropped. A space stands for the `+` that it was in a
    /// query.
    static func parse(_ text: String) throws(Fault) -> Moment {
        var rest = Array(text.utf8)[...]
        func take(_ sign: String) throws(Fault) {
            guard let byte = rest.popFirst(), sign.utf8.contains(byte) else { throw fault }
        }
        func number(_ digitCount: Int, _ range: ClosedRange<Int>) throws(Fault) -> Int {
            let digits = rest.prefix(digitCount)
            rest = rest.dropFirst(digitCount)
            guard digits.count == digitCount, digits.allSatisfy(ASCII.isDigit) else { throw fault }
            let number = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
            guard range.contains(number) else { throw fault }
            return number
        }
        let year = try number(4, 0...9999)
        try take("-")
        let month = try number(2, 1...12)
        try take("-")
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let day = try number(2, 1...[31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1])
        try take("Tt")
        let hour = try number(2, 0...23)
        try take(":")
        let minute = try number(2, 0...59)
        var second = 0
        if rest.first == UInt8(ascii: ":") {
            rest.removeFirst()
            second = try number(2, 0...60)
            if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: ASCII.isDigit) }
        }
        let sign = rest.popFirst()
        var offset = 0
        if sign != UInt8(ascii: "Z"), sign != UInt8(ascii: "z") {
            guard let sign, "+- ".utf8.contains(sign) else { throw fault }
            offset = try number(2, 0...23) * 60
            try take(":")
            offset += try number(2, 0...59)
            if sign == UInt8(ascii: "-") { offset = -offset }
        }
        guard rest.isEmpty else { throw fault }
        let zone = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + clock(abs(offset) / 60, abs(offset) % 60)
        let date = "\(String(10_000 + year).dropFirst())-\(two(month))-\(two(day))"
        return Moment(
            text: "\(date)T\(clock(hour, minute)):\(two(second))\(zone)",
            unixSeconds: ((days(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second,
            shown: "\(date) \(clock(hour, minute)) \(zone == "Z" ? "UTC" : zone)")
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func clock(_ hour: Int, _ minute: Int) -> String { "\(two(hour)):\(two(minute))" }

    /// Since 1970-01-01, in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years begin in March, so that a leap day is their last.
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
