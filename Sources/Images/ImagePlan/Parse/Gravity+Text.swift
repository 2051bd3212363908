import Parameters

extension Gravity {
    static var allowed: String {
        ParameterReader.list(
            Compass.allCases.map(\.rawValue) + [
                "attention, entropy, focus or smart with an optional place after a comma",
                "a focal point such as 0.3x0.7",
            ])
    }

    static func parse(_ text: String) throws(ParameterFault.Reason) -> Gravity { try parse(text, allowed: allowed) }

    /// Reads a gravity in a parameter that allows other values too.
    static func parse(_ text: String, allowed: String) throws(ParameterFault.Reason) -> Gravity {
        if let gravity = try named(text) { return gravity }
        if let gravity = try focalPoint(text, allowed: allowed) { return gravity }
        throw .malformed(allowed: allowed)
    }

    /// A place, or an interest or the stored focal point with the place to use if nothing is found: `attention,top`.
    static func named(_ text: String) throws(ParameterFault.Reason) -> Gravity? {
        if let compass = Compass(rawValue: text) { return .compass(compass) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, parts.count <= 2 else { return nil }
        let interest = name == "smart" ? Interest.attention : Interest(rawValue: name)
        guard interest != nil || name == storedName else { return nil }
        var otherwise = Compass.center
        if parts.count == 2 {
            guard let compass = Compass(rawValue: parts[1]) else { throw .malformed(allowed: allowed) }
            otherwise = compass
        }
        return interest.map { .interest($0, otherwise: otherwise) } ?? .stored(otherwise: otherwise)
    }

    private static let storedName = "focus"

    /// `0.3x0.7`: two numbers from 0 to 1; nil if the text has another form.
    static func focalPoint(_ text: String, allowed: String) throws(ParameterFault.Reason) -> Gravity? {
        let halves = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let x = try? PlainNumber.decimal(halves[0]),
            let y = try? PlainNumber.decimal(halves[1])
        else { return nil }
        guard (0...1).contains(x), (0...1).contains(y) else { throw .outOfRange(allowed: allowed) }
        return x == 0.5 && y == 0.5 ? .center : .focus(x: x, y: y)
    }

    var canonical: String {
        switch self {
        case .compass(let compass): compass.rawValue
        case .focus(let x, let y): "\(x)x\(y)"
        case .interest(let interest, otherwise: .center): interest.rawValue
        case .interest(let interest, let compass): "\(interest.rawValue),\(compass.rawValue)"
        case .stored(otherwise: .center): Self.storedName
        case .stored(let compass): "\(Self.storedName),\(compass.rawValue)"
        }
    }

    /// The place without looking at pixels, for `contain`.
    var place: Compass {
        switch self {
        case .compass(let compass), .interest(_, let compass), .stored(let compass): compass
        case .focus: .center
        }
    }
}
