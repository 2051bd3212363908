import Bytes

/// Dates of HTTP (RFC 9110 §5.6.7), in seconds since 1970 without leap seconds.
package enum HTTPDate {
    package static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    package static let byteCount = 29

    /// An IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`; `unixSeconds` is clamped to `range`.
    package static func text(_ unixSeconds: Int64) -> String {
        var data: [UInt8] = []
        append(unixSeconds, into: &data)
        return String(decoding: data, as: UTF8.self)
    }

    package static func append(_ unixSeconds: Int64, into data: inout [UInt8]) {
        let seconds = min(max(unixSeconds, range.lowerBound), range.upperBound)
        let days = floorDivided(seconds, by: 86400)
        let time = Int(seconds - days * 86400)
        let day = CivilDay(daysSince1970: Int(days))
        appendName(dayNames, at: day.weekday, into: &data)
        data.append(UInt8(ascii: ","))
        data.append(0x20)
        appendTwoDigits(day.day, into: &data)
        data.append(0x20)
        appendName(monthNames, at: day.month - 1, into: &data)
        data.append(0x20)
        appendTwoDigits(day.year / 100, into: &data)
        appendTwoDigits(day.year % 100, into: &data)
        data.append(0x20)
        appendTwoDigits(time / 3600, into: &data)
        data.append(UInt8(ascii: ":"))
        appendTwoDigits(time / 60 % 60, into: &data)
        data.append(UInt8(ascii: ":"))
        appendTwoDigits(time % 60, into: &data)
        data.append(contentsOf: " GMT".utf8)
    }

    /// Any of three forms and cases (RFC 9111 §4.2). Two-digit years over 50 years after `now` are past. Any day name will do.
    package static func parse(_ text: String, now: Int64) -> Int64? { parse(text.utf8.span.bytes, now: now) }

    package static func parse(_ bytes: RawSpan, now: Int64) -> Int64? {
        var reader = DateReader(bytes)
        let values: DateReader.Values?
        switch bytes.byteCount {
        case 29: values = reader.fixdate()
        case 24: values = reader.ansiDate()
        default: values = reader.longDate(now: now)
        }
        return values.flatMap { unixSeconds($0) }
    }

    private static func unixSeconds(_ values: DateReader.Values) -> Int64? {
        guard values.hour < 24, values.minute < 60, values.second <= 60,
            let days = CivilDay.daysSince1970(year: values.year, month: values.month, day: values.day)
        else { return nil }
        return Int64(days) * 86400 + Int64(values.hour * 3600 + values.minute * 60 + values.second)
    }

    static let dayNames: StaticString = "SunMonTueWedThuFriSat"
    static let monthNames: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
    static let longDayNames: [StaticString] = [
        "Sunday, ", "Monday, ", "Tuesday, ", "Wednesday, ", "Thursday, ", "Friday, ", "Saturday, ",
    ]

    private static func appendName(_ names: StaticString, at index: Int, into data: inout [UInt8]) {
        data.append(contentsOf: UnsafeBufferPointer(start: names.utf8Start + 3 * index, count: 3))
    }

    private static func appendTwoDigits(_ value: Int, into data: inout [UInt8]) {
        data.append(UInt8(truncatingIfNeeded: value / 10 + 0x30))
        data.append(UInt8(truncatingIfNeeded: value % 10 + 0x30))
    }

    private static func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}

private struct DateReader: ~Copyable, ~Escapable {
    struct Values {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var minute = 0
        var second = 0
    }

    private let bytes: RawSpan
    private var index = 0

    @_lifetime(copy bytes) init(_ bytes: RawSpan) { self.bytes = bytes }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func fixdate() -> Values? {
        var values = Values()
        guard name(in: HTTPDate.dayNames) != nil, take(", "), let day = number(2), take(" "),
            let month = name(in: HTTPDate.monthNames), take(" "), let year = number(4), take(" "),
            time(into: &values), take(" GMT"), index == bytes.byteCount
        else { return nil }
        (values.year, values.month, values.day) = (year, month + 1, day)
        return values
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850).
    mutating func longDate(now: Int64) -> Values? {
        var values = Values()
        guard HTTPDate.longDayNames.contains(where: { take($0) }), let day = number(2), take("-"),
            let month = name(in: HTTPDate.monthNames), take("-"), let year = number(2), take(" "),
            time(into: &values), take(" GMT"), index == bytes.byteCount
        else { return nil }
        let seconds = min(max(now, HTTPDate.range.lowerBound), HTTPDate.range.upperBound)
        let thisYear = CivilDay(daysSince1970: Int(seconds / 86400)).year
        var full = thisYear - thisYear % 100 + year
        if full > thisYear + 50 { full -= 100 }
        (values.year, values.month, values.day) = (full, month + 1, day)
        return values
    }

    /// `Sun Nov  6 08:49:37 1994` (ANSI C's asctime).
    mutating func ansiDate() -> Values? {
        var values = Values()
        guard name(in: HTTPDate.dayNames) != nil, take(" "), let month = name(in: HTTPDate.monthNames), take(" ")
        else { return nil }
        guard let day = take(" ") ? number(1) : number(2), take(" "), time(into: &values), take(" "),
            let year = number(4), index == bytes.byteCount
        else { return nil }
        (values.year, values.month, values.day) = (year, month + 1, day)
        return values
    }

    private mutating func time(into values: inout Values) -> Bool {
        guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2) else {
            return false
        }
        (values.hour, values.minute, values.second) = (hour, minute, second)
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.byteCount - index >= count else { return false }
        let letters = UnsafeBufferPointer(start: text.utf8Start, count: count)
        for offset in 0..<count where !matches(letters[offset], at: index + offset) { return false }
        index += count
        return true
    }

    private mutating func number(_ digitCount: Int) -> Int? {
        guard bytes.byteCount - index >= digitCount else { return nil }
        var value = 0
        for _ in 0..<digitCount {
            guard ASCII.isDigit(bytes.byte(index)) else { return nil }
            value = value * 10 + Int(bytes.byte(index)) - 0x30
            index += 1
        }
        return value
    }

    private mutating func name(in names: StaticString) -> Int? {
        guard bytes.byteCount - index >= 3 else { return nil }
        let letters = UnsafeBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
        for start in stride(from: 0, to: letters.count, by: 3)
        where matches(letters[start], at: index) && matches(letters[start + 1], at: index + 1)
            && matches(letters[start + 2], at: index + 2)
        {
            index += 3
            return start / 3
        }
        return nil
    }

    private func matches(_ letter: UInt8, at offset: Int) -> Bool {
        ASCII.lowercased(letter) == ASCII.lowercased(bytes.byte(offset))
    }
}
