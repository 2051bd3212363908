/// An upper bound of the length of an SVG path (SVG 2 §9.3) by its control points, in its own units.
struct PathLength {
    private(set) var total = 0.0
    private var numbers: [Double] = []
    private var command = UInt8(ascii: "M")
    private var place = SIMD2<Double>.zero
    private var start = SIMD2<Double>.zero

    static func ofPath(_ text: ArraySlice<UInt8>) -> Double { length(text, isPath: true) }
    static func ofPoints(_ text: ArraySlice<UInt8>) -> Double { length(text, isPath: false) }

    private static func length(_ text: ArraySlice<UInt8>, isPath: Bool) -> Double {
        var length = PathLength()
        var reader = NumberReader(text)
        while let token = reader.next(isFlag: length.expectsFlag) {
            switch token {
            case .number(let number): length.add(number)
            case .letter(let letter): if isPath { length.begin(letter) }
            }
        }
        return length.total.isFinite ? length.total : .infinity
    }

    /// Flags of arcs may follow each other without a separator.
    private var expectsFlag: Bool { command | 0x20 == UInt8(ascii: "a") && (numbers.count == 3 || numbers.count == 4) }

    private mutating func begin(_ letter: UInt8) {
        numbers.removeAll(keepingCapacity: true)
        command = letter
        if letter | 0x20 == UInt8(ascii: "z") { go(to: start) }
    }

    private mutating func add(_ number: Double) {
        numbers.append(number)
        let isRelative = command & 0x20 != 0
        let origin = isRelative ? place : .zero
        func point(_ index: Int) -> SIMD2<Double> { origin + SIMD2(numbers[2 * index], numbers[2 * index + 1]) }
        switch (command | 0x20, numbers.count) {
        case (UInt8(ascii: "h"), 1): go(to: SIMD2(origin.x + number, place.y))
        case (UInt8(ascii: "v"), 1): go(to: SIMD2(place.x, origin.y + number))
        case (UInt8(ascii: "m"), 2):
            (place, start) = (point(0), point(0))
            // Further pairs are lines.
            command = isRelative ? UInt8(ascii: "l") : UInt8(ascii: "L")
        case (UInt8(ascii: "l"), 2), (UInt8(ascii: "t"), 2): go(to: point(0))
        case (UInt8(ascii: "s"), 4), (UInt8(ascii: "q"), 4): for index in 0..<2 { go(to: point(index)) }
        case (UInt8(ascii: "c"), 6): for index in 0..<3 { go(to: point(index)) }
        case (UInt8(ascii: "a"), 7):
            let end = origin + SIMD2(numbers[5], numbers[6])
            // At most half a circle over the chord, or nearly a whole circle.
            total += numbers[3] == 0 ? 0.6 * distance(to: end) : 6.3 * max(abs(numbers[0]), abs(numbers[1]))
            go(to: end)
        default: return
        }
        numbers.removeAll(keepingCapacity: true)
    }

    private mutating func go(to end: SIMD2<Double>) {
        total += distance(to: end)
        place = end
    }

    private func distance(to end: SIMD2<Double>) -> Double {
        let way = end - place
        return (way * way).sum().squareRoot()
    }
}

/// Splits a list such as path data into numbers and letters; anything else separates them.
struct NumberReader {
    enum Token: Equatable {
        case number(Double)
        case letter(UInt8)
    }

    private let text: ArraySlice<UInt8>
    private var index: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    static func first(of text: ArraySlice<UInt8>) -> Double? {
        var reader = NumberReader(text)
        while let token = reader.next() {
            if case .number(let number) = token { return number }
        }
        return nil
    }

    /// With `isFlag` a single digit is a number.
    mutating func next(isFlag: Bool = false) -> Token? {
        while index < text.endIndex {
            let byte = text[index]
            if isFlag, isDigit(byte) {
                index += 1
                return .number(Double(byte - 0x30))
            }
            if isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
                if let number = number() { return .number(number) }
                index += 1
                continue
            }
            index += 1
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { return .letter(byte) }
        }
        return nil
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Reads a number at `index`; nil, and `index` stays, when there is none.
    private mutating func number() -> Double? {
        var end = index
        var (value, scale, isNegative, hasDigits) = (0.0, 1.0, false, false)
        if text[end] == UInt8(ascii: "-") || text[end] == UInt8(ascii: "+") {
            isNegative = text[end] == UInt8(ascii: "-")
            end += 1
        }
        while end < text.endIndex, isDigit(text[end]) {
            value = value * 10 + Double(text[end] - 0x30)
            hasDigits = true
            end += 1
        }
        if end < text.endIndex, text[end] == UInt8(ascii: ".") {
            end += 1
            while end < text.endIndex, isDigit(text[end]) {
                scale /= 10
                value += Double(text[end] - 0x30) * scale
                hasDigits = true
                end += 1
            }
        }
        guard hasDigits else { return nil }
        if end + 1 < text.endIndex, text[end] | 0x20 == UInt8(ascii: "e") {
            var digits = end + 1
            let isBelow = text[digits] == UInt8(ascii: "-")
            if isBelow || text[digits] == UInt8(ascii: "+") { digits += 1 }
            var power = 0
            let first = digits
            while digits < text.endIndex, isDigit(text[digits]) {
                power = min(400, power * 10 + Int(text[digits] - 0x30))
                digits += 1
            }
            if digits > first {
                for _ in 0..<power { value *= isBelow ? 0.1 : 10 }
                end = digits
            }
        }
        index = end
        return isNegative ? -value : value
    }
}
