import ImagePlan
package import Parameters

extension CardTemplate {
    package static let byteLimit = 64 << 10
    /// Of a server, those of the program included.
    package static let countLimit = 256
    static let fieldLimit = 32
    /// Those in stacks included.
    static let elementLimit = 64
    static let pictureLimit = 8
    static let sides = 16...2400
    /// Device pixels of a side.
    static let sideLimitPx = 4096
    static let textLimits = 1...2000
    /// Pixels of an em.
    static let fontSizes = 4.0...400

    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d || byte == 0x5f
            }
    }

    /// What a request says besides the fields; in canonical order behind them.
    static let commonParameters: [ParameterTable.Parameter] =
        [.init("scale", aliases: ["dpr"])] + DrawnEncoding.parameters + [.init("explain")]

    /// What no field may be called: parameters, those of signatures, and what may become one.
    static let reservedNames =
        ["template", "sig", "expires", "allow", "width", "height", "preset", "id"]
        + commonParameters.flatMap { [$0.name] + $0.aliases }

    /// The parameters of a request for this template, in canonical order.
    package var table: ParameterTable {
        ParameterTable([.init("template")] + fields.map(\.name).sorted().map { .init($0) } + Self.commonParameters)
    }
}
