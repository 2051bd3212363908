import Bytes

extension Value {
    /// As ECMAScript's `Boolean`.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .boolean(let boolean): boolean
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        default: true
        }
    }

    /// As ECMAScript's `Number`; nil for NaN.
    var convertedNumber: Double? {
        switch self {
        case .null: return 0
        case .boolean(let boolean): return boolean ? 1 : 0
        case .number(let number): return number.isNaN ? nil : number
        case .string(let text):
            let trimmed = text.trimmed(\.isWhitespace)
            if trimmed.isEmpty { return 0 }
            let digits = String(trimmed)
            if digits.lowercased().hasPrefix("0x") { return UInt64(digits.dropFirst(2), radix: 16).map { Double($0) } }
            if digits == "Infinity" || digits == "+Infinity" { return .infinity }
            if digits == "-Infinity" { return -.infinity }
            guard digits.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            return Double(digits.hasSuffix(".") ? digits + "0" : digits.hasPrefix(".") ? "0" + digits : digits)
        default: return nil
        }
    }

    /// Implicit coercion to `type`; nil if that is impossible.
    func converted(to type: ValueType) -> Value? {
        switch type {
        case .padding:
            if case .padding = self { return self }
            return numberList.flatMap(Padding.init).map(Value.padding)
        case .numberArray:
            if case .numbers = self { return self }
            return numberList.map(Value.numbers)
        case .colorArray: return colorList.map(Value.colors)
        case .variableAnchorOffsetCollection: return anchorOffsetList.map(Value.anchorOffsets)
        case .projectionDefinition: return projection.map(Value.projection)
        case .color: return singleColor.map(Value.color)
        default: return nil
        }
    }

    private var numberList: [Double]? {
        switch self {
        case .number(let number): return [number]
        case .padding(let padding): return padding.values
        case .numbers(let numbers): return numbers
        case .array(let elements):
            let numbers = elements.compactMap(\.number)
            return numbers.count == elements.count ? numbers : nil
        default: return nil
        }
    }

    private var colorList: [StyleColor]? {
        switch self {
        case .colors(let colors): return colors
        case .color, .string: return singleColor.map { [$0] }
        case .array(let elements):
            let colors = elements.compactMap { $0.string.flatMap(StyleColor.init(text:)) }
            return colors.count == elements.count ? colors : nil
        default: return nil
        }
    }

    private var singleColor: StyleColor? {
        switch self {
        case .color(let color): color
        case .string(let text): StyleColor(text: text)
        default: nil
        }
    }

    private var projection: ProjectionDefinition? {
        switch self {
        case .projection(let projection): return projection
        case .string(let name): return ProjectionDefinition(from: name, to: name, transition: 1)
        case .array(let elements):
            guard elements.count == 3, case .string(let from) = elements[0], case .string(let to) = elements[1],
                case .number(let transition) = elements[2]
            else { return nil }
            return ProjectionDefinition(from: from, to: to, transition: transition)
        default: return nil
        }
    }

    private var anchorOffsetList: [AnchorOffset]? {
        switch self {
        case .anchorOffsets(let offsets): return offsets
        case .array(let elements):
            guard !elements.isEmpty, elements.count % 2 == 0 else { return nil }
            var offsets: [AnchorOffset] = []
            for index in stride(from: 0, to: elements.count, by: 2) {
                guard let anchor = elements[index].string.flatMap(SymbolAnchor.init(rawValue:)),
                    case .array(let point) = elements[index + 1], point.count == 2, let x = point[0].number,
                    let y = point[1].number
                else { return nil }
                offsets.append(AnchorOffset(anchor: anchor, x: x, y: y))
            }
            return offsets
        default: return nil
        }
    }
}
