import ImagePlan
import SeededRandom

/// One meaning of a parameter, and texts that all have it; "" is what leaves the parameter out.
struct Wording: Sendable {
    let meaning: String
    let texts: [String]

    init(_ meaning: String, _ texts: String...) {
        self.meaning = meaning
        self.texts = texts.isEmpty ? [meaning] : texts
    }

    init(_ meaning: String, _ texts: [String]) {
        self.meaning = meaning
        self.texts = texts
    }

    /// A whole number, with zeros before it.
    static func whole(_ number: Int) -> Wording { Wording("\(number)", "\(number)", "0\(number)", "000\(number)") }

    /// A decimal in shortest form, with zeros around it and with digits behind the ninth place.
    static func decimal(_ text: String) -> Wording {
        let isNegative = text.hasPrefix("-")
        let magnitude = isNegative ? String(text.dropFirst()) : text
        let sign = isNegative ? "-" : ""
        let padded = magnitude.contains(".") ? magnitude : magnitude + ".0"
        let zeros = String(repeating: "0", count: max(0, 9 - (padded.split(separator: ".").last?.count ?? 0)))
        var texts = [text, sign + "0" + magnitude, sign + padded + "0", sign + padded + zeros + "00004"]
        if magnitude.hasPrefix("0.") { texts.append(sign + magnitude.dropFirst()) }
        if magnitude == "0" { texts += ["-0", "-0.000", ".0"] }
        return Wording(text, texts)
    }
}

/// A picture that may be asked for in many ways: a wording for each parameter that has a say in it. Two of them mean the
/// same only if their meanings are equal.
struct RandomPicture {
    /// By full name, with all names.
    private(set) var parameters: [(names: [String], wording: Wording)] = []
    /// What `Accept` comes to, and values of the field that come to it, a line or more each.
    private(set) var accept = Wording("any", "")

    var meaning: String {
        parameters.map { "\($0.names[0])=\($0.wording.meaning)" }.joined(separator: "&") + " " + accept.meaning
    }

    mutating func append(_ names: [String], _ wording: Wording) { parameters.append((names, wording)) }

    mutating func accept(_ wording: Wording) { accept = wording }

    /// One of the ways to ask for it: a query as it stands in a request target.
    func query(_ numbers: inout SeededGenerator) -> String {
        var items: [String] = []
        for (names, wording) in parameters.shuffled(using: &numbers) {
            let text = wording.texts.randomElement(using: &numbers) ?? ""
            // A name without a value is as good as none.
            if text.isEmpty, Bool.random(using: &numbers) { continue }
            let name = names.randomElement(using: &numbers) ?? ""
            items.append(Self.encoded(name, &numbers) + "=" + Self.encoded(text, &numbers))
            if Int.random(in: 0..<8, using: &numbers) == 0 { items.append("") }
        }
        return items.joined(separator: "&")
    }

    /// One of the ways to say `Accept`: the lines of the field.
    func acceptLines(_ numbers: inout SeededGenerator) -> [String] {
        let value = accept.texts.randomElement(using: &numbers) ?? ""
        return value.isEmpty ? [] : value.split(separator: "\n").map(String.init)
    }

    /// `text` with some bytes escaped, in either case, and all that have to be.
    private static func encoded(_ text: String, _ numbers: inout SeededGenerator) -> String {
        let always = Set("&+#%=?\"<>".utf8)
        var result = ""
        for byte in text.utf8 {
            let mayStand = byte > 0x20 && byte < 0x7f && !always.contains(byte)
            if mayStand, Int.random(in: 0..<6, using: &numbers) > 0 {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else if byte == 0x20, Bool.random(using: &numbers) {
                result += "+"
            } else {
                let digits = String(byte, radix: 16, uppercase: Bool.random(using: &numbers))
                result += "%" + (byte < 16 ? "0" : "") + digits
            }
        }
        return result
    }
}

extension RandomPicture {
    /// Names of the folder that the tests make, and how `Accept` is taken for them where it names neither AVIF nor WebP.
    static let ids = ["a.png", "b.png", "ä b+c.png", "x/A.png"]

    private static let colors = [
        Wording("ff0000", "red", "Red", "f00", "F00", "#f00", "ff0000", "FF0000", "#Ff0000", "ff0000ff", "#FF0000FF"),
        Wording("ffffff", "white", "WHITE", "fff", "#FFFFFF", "ffffffff"),
        Wording("12345678", "12345678", "#12345678"), Wording("808080", "gray", "grey", "808080"),
    ]
    private static let transparent = Wording(
        "", "", "transparent", "Transparent", "00000000", "#00000000", "ff000000", "#12345600")
    private static let crops = [
        Wording("10,20,30,40", "10,20,30,40", "010,20,0030,40"), Wording("-5,0,50,60", "-5,0,50,60", "-05,00,50,060"),
        Wording("0.1,0.2,0.5,0.7", "0.1,0.2,0.5,0.7", ".10,.20,.50,.70", "00.1,0.2,0.50,0.700"),
        Wording("0.0,0.5,1.0,0.5", "0.0,0.5,1.0,0.5", "0,.5,1,0.50"),
        Wording("60x40,left", "60x40,left", "060x40,left"), Wording("60x40,center", "60x40,center"),
        Wording("16:9,top", "16:9,top", "32:18,top", "1.6:.9,top"),
        Wording("square,center", "square,center", "1:1,center"),
    ]
    private static let filters = [
        Wording("grayscale", "grayscale"), Wording("sharpen", "sharpen", "sharpen:1", "sharpen:1.0"),
        Wording("blur:1.5", "blur:1.5", "blur:1.50", "blur:01.5"), Wording("blur:2", "blur:2", "blur:2.0"),
        Wording("brightness:10", "brightness:10", "brightness:10.0"), Wording("contrast:-7.5", "contrast:-7.5"),
        Wording("", "brightness:0", "contrast:0", "contrast:-0.0"),
    ]
    private static let qualities = [Wording.whole(30), .whole(81), .whole(100)]

    /// A random picture of `/asset`, of few enough values that two are now and then the same.
    static func asset(_ numbers: inout SeededGenerator) -> RandomPicture {
        func one(_ wordings: [Wording]) -> Wording { wordings.randomElement(using: &numbers) ?? Wording("") }
        func happens(in chances: Int) -> Bool { Int.random(in: 0..<chances, using: &numbers) == 0 }
        var picture = RandomPicture()
        picture.append(["id"], one(ids.map { Wording($0) }))
        let sides = [Wording.whole(64), .whole(90), Wording("50p", "50p", "050.0p", "50.00p")]
        let width = happens(in: 2) ? one(sides) : Wording("", "")
        let height = happens(in: 2) ? one(sides) : Wording("", "")
        picture.append(["width", "w"], width)
        picture.append(["height", "h"], height)
        let hasSide = !width.meaning.isEmpty || !height.meaning.isEmpty
        let hasBox = !width.meaning.isEmpty && !height.meaning.isEmpty

        let list = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in one(filters) }
        let names = list.map(\.meaning).filter { !$0.isEmpty }
        let texts = (0..<4).map { _ in
            list.map { $0.texts.randomElement(using: &numbers) ?? "" }.joined(separator: ",")
        }
        picture.append(["filter"], Wording(names.joined(separator: ","), texts))
        let scales = [Wording("", "", "1", "1.0", "01"), .decimal("1.5"), .decimal("2"), .decimal("0.75")]
        let hasLength = hasSide || names.contains { $0.hasPrefix("blur") || $0.hasPrefix("sharpen") }
        picture.append(["scale", "dpr"], hasLength ? one(scales) : Wording("", scales.flatMap(\.texts)))
        picture.append(
            ["enlarge"], hasSide && happens(in: 3) ? Wording("1") : Wording("", hasSide ? ["", "0"] : ["", "0", "1"]))

        let fits = ["cover", "contain", "fill", "outside"]
        let inside = Wording("", "", "inside")
        let fit = hasBox ? one(fits.map { Wording($0) } + [inside]) : Wording("", inside.texts + fits)
        picture.append(["fit"], fit)
        let isPlaced = ["cover", "contain"].contains(fit.meaning)
        let gravities = ["top", "left", "bottom-right"]
        picture.append(
            ["gravity"],
            isPlaced
                ? one(gravities.map { Wording($0) } + [Wording("", "", "center")])
                : Wording("", ["", "center"] + gravities))
        picture.append(["crop"], happens(in: 2) ? one(crops) : Wording("", "", "0,0.0,1,1", "0.0,0.0,1.0,1.0"))
        picture.append(
            ["rotate"],
            one([
                Wording("", "", "auto", "0", "360", "-360", "0.0"), Wording("90", "90", "-270", "090.0"),
                Wording("180", "180", "-180"), Wording("none"),
            ]))
        picture.append(["flip"], one([Wording("", ""), Wording("h"), Wording("v"), Wording("hv")]))
        let background = happens(in: 2) ? one(colors) : transparent
        picture.append(["background", "bg"], background)
        picture.addFormat(accepts: acceptances, &numbers)
        return picture
    }

    /// A random picture of `/map`.
    static func map(_ numbers: inout SeededGenerator) -> RandomPicture {
        func one(_ wordings: [Wording]) -> Wording { wordings.randomElement(using: &numbers) ?? Wording("") }
        var picture = RandomPicture()
        picture.append(
            ["latitude", "lat"], one([.decimal("43.7696"), .decimal("-18"), .decimal("0"), .decimal("-0.5")]))
        picture.append(["longitude", "lon", "lng"], one([.decimal("11.2558"), .decimal("0"), .decimal("-179.5")]))
        picture.append(["zoom"], one([Wording("", ""), .decimal("0"), .decimal("1.5"), .decimal("3")]))
        for (name, alias) in [("width", "w"), ("height", "h")] {
            picture.append([name, alias], one([Wording("", "", "512", "0512"), .whole(64), .whole(100)]))
        }
        picture.append(["scale", "dpr"], one([Wording("", "", "1", "1.000"), .decimal("1.5"), .decimal("2")]))
        picture.addFormat(accepts: mapFormats, &numbers)
        return picture
    }

    /// What `Accept` comes to where the source is to have a say: the formats in the order in which they are liked.
    private static let acceptances = [
        Wording(
            "jpeg,png,gif", "", "*/*", "image/*", "text/html, */*;q=0.1", "image/webp;q=0, */*",
            "image/avif;q=0.0, image/*;q=0.5", "image/tiff;q=0.3, */*;q=0.2"),
        Wording("jpeg,png", "image/png, image/jpeg", "image/jpeg;q=0.4,image/PNG;q=0.4"),
        Wording("webp", "image/webp", "IMAGE/WebP", "text/html\nimage/webp;q=1"),
        Wording("webp;jpeg,png,gif", "image/webp, */*;q=0.8", "*/*;q=0.8,image/webp;q=1.000", "image/webp\n*/*;q=0.1"),
        Wording("webp;png", "image/webp;q=0.9 ,\timage/png;q=0.2"),
        Wording("avif;webp", "image/avif, image/webp;q=0.9", "Image/AVIF\nimage/webp;q=0.5"),
        Wording("avif;webp;jpeg,png,gif", "image/avif, image/webp;q=0.9, */*;q=0.8"),
    ]
    /// The same for a map, whose format is chosen from the field alone.
    private static let mapFormats = [
        Wording(
            "png", "", "*/*", "image/*", "text/html, */*;q=0.1", "image/png, image/jpeg", "image/webp;q=0, */*",
            "image/avif;q=0.0, image/*;q=0.5"),
        Wording(
            "webp", "image/webp", "IMAGE/WebP", "image/webp, */*;q=0.8", "*/*;q=0.8,image/webp;q=1.000",
            "image/webp;q=0.9 ,\timage/png;q=0.2", "image/webp\n*/*;q=0.1", "text/html\nimage/webp;q=1"),
        Wording(
            "avif", "image/avif", "image/avif, image/webp;q=0.9, */*;q=0.8", "image/avif;q=1, image/png;q=0.8",
            "Image/AVIF\nimage/webp;q=0.5"),
    ]

    /// `format`, `quality` and `Accept`, of which the last counts only where the first leaves it the choice.
    private mutating func addFormat(accepts: [Wording], _ numbers: inout SeededGenerator) {
        let formats: [OutputFormat] = [.jpeg, .png, .webp, .avif]
        let quality = Self.qualities.randomElement(using: &numbers) ?? .whole(1)
        let isDefault = Bool.random(using: &numbers)
        let names = ["quality", "q"]
        if Bool.random(using: &numbers), let format = formats.randomElement(using: &numbers) {
            append(["format"], Wording(format.rawValue))
            // PNG has no quality.
            let isUnused = format == .png
            // WebP and AVIF without a quality are something else than with any.
            let number = format.defaultQuality.flatMap { format.settled($0) == nil ? $0 : nil }
            let defaults = [""] + (number.map { ["\($0)", "0\($0)"] } ?? [])
            append(names, isUnused ? Wording("", ["", "7", "100"]) : isDefault ? Wording("", defaults) : quality)
            accept(Wording("", accepts.flatMap(\.texts)))
        } else {
            append(["format"], Wording("", "", "auto"))
            append(names, isDefault ? Wording("", "") : quality)
            accept(accepts.randomElement(using: &numbers) ?? accepts[0])
        }
    }
}
