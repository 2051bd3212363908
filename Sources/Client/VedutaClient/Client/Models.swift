public import Foundation

/// A JSON value.
public enum JSONMember: Hashable, Sendable, Codable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONMember])
    /// An object.
    case object([String: JSONMember])

    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let array = try? value.decode([JSONMember].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONMember].self))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number):
            if let whole = Int64(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
        case .string(let text): try container.encode(text)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }

    /// The number, if it is one.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    /// The number, if it is a whole one.
    public var integer: Int? { number.flatMap { Int(exactly: $0) } }
    /// The text, if it is one.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The truth value, if it is one.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The elements, if it is an array.
    public var array: [JSONMember]? { if case .array(let array) = self { array } else { nil } }
    /// A member of an object.
    public subscript(name: String) -> JSONMember? { if case .object(let object) = self { object[name] } else { nil } }
}

/// An object that a server sends: whatever it holds is kept, also what this version does not know.
public protocol JSONModel: Codable, Sendable, Hashable {
    /// Every member.
    var members: [String: JSONMember] { get }
    /// The names of the members that have properties.
    static var known: Set<String> { get }
    /// The names of the members without which it is refused.
    static var required: Set<String> { get }
    /// Takes members that hold what is required.
    init(members: [String: JSONMember])
}

extension JSONModel {
    /// The members that this version has no properties for.
    public var extra: [String: JSONMember] { members.filter { !Self.known.contains($0.key) } }

    /// Reads an object; throws where a required member is absent.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.singleValueContainer().decode([String: JSONMember].self)
        if let absent = Self.required.sorted().first(where: { members[$0] == nil }) {
            throw DecodingError.valueNotFound(
                JSONMember.self,
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "`\(absent)` is absent"))
        }
        self.init(members: members)
    }

    /// Writes every member.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
    }
}

/// What is known of an asset without looking into it.
public struct AssetRecord: JSONModel {
    /// Where an asset is from.
    public enum Origin: String, Sendable {
        /// Uploaded without a name, uploaded under one, or a file of the library folder.
        case upload, name, folder
    }

    /// Every member.
    public let members: [String: JSONMember]
    /// The names of the members that have properties.
    public static let known: Set = ["id", "origin", "bytes", "mediaType", "sha256", "created", "modified", "fileName"]
    /// The names of the members without which it is refused.
    public static let required: Set = ["id", "bytes"]

    /// Takes members that hold what is required.
    public init(members: [String: JSONMember]) { self.members = members }

    /// Its id.
    public var id: AssetID { AssetID(members["id"]?.string ?? "") }
    /// Where it is from.
    public var origin: Origin? { members["origin"]?.string.flatMap { Origin(rawValue: $0) } }
    /// Bytes of the original.
    public var byteCount: Int { members["bytes"]?.integer ?? 0 }
    /// The type that its first bytes indicate.
    public var mediaType: String? { members["mediaType"]?.string }
    /// The digest of its bytes, in hexadecimal.
    public var sha256: String? { members["sha256"]?.string }
    /// What the uploader called the file.
    public var fileName: String? { members["fileName"]?.string }
    /// When the id was first given.
    public var created: Date? { Self.date(members["created"]) }
    /// When the content was last replaced.
    public var modified: Date? { Self.date(members["modified"]) }

    private static func date(_ member: JSONMember?) -> Date? {
        guard let text = member?.string else { return nil }
        return (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }
}

/// What is known of an asset by looking into it.
public struct AssetFacts: JSONModel {
    /// Every member.
    public let members: [String: JSONMember]
    /// The names of the members that have properties.
    public static let known: Set = [
        "id", "format", "bytes", "width", "height", "pages", "hasAlpha", "dominantColor", "palette", "thumbHash",
        "blurHash", "focalPoint", "exif",
    ]
    /// The names of the members without which it is refused.
    public static let required: Set = ["id", "format", "width", "height"]

    /// Takes members that hold what is required.
    public init(members: [String: JSONMember]) { self.members = members }

    /// Its id.
    public var id: AssetID { AssetID(members["id"]?.string ?? "") }
    /// `jpeg`, `png`, `heic`, …
    public var format: String { members["format"]?.string ?? "" }
    /// Bytes of the file.
    public var byteCount: Int { members["bytes"]?.integer ?? 0 }
    /// Pixels across, as it is shown.
    public var width: Int { members["width"]?.integer ?? 0 }
    /// Pixels down, as it is shown.
    public var height: Int { members["height"]?.integer ?? 0 }
    /// Pages or frames.
    public var pages: Int { members["pages"]?.integer ?? 1 }
    /// Whether something shows through.
    public var hasAlpha: Bool { members["hasAlpha"]?.bool ?? false }
    /// Six hexadecimal digits.
    public var dominantColor: String? { members["dominantColor"]?.string }
    /// At most six colors in hexadecimal digits, the most common first.
    public var palette: [String] { members["palette"]?.array?.compactMap { $0["color"]?.string } ?? [] }
    /// A placeholder to show while the image loads.
    public var thumbHash: ThumbHash? { members["thumbHash"]?.string.flatMap { ThumbHash(base64: $0) } }
    /// A placeholder of another kind.
    public var blurHash: String? { members["blurHash"]?.string }
    /// The point that a crop should keep, in fractions of width and height.
    public var focalPoint: (x: Double, y: Double)? {
        guard let x = members["focalPoint"]?["x"]?.number, let y = members["focalPoint"]?["y"]?.number else {
            return nil
        }
        return (x, y)
    }
    /// What the camera noted.
    public var exif: JSONMember? { members["exif"] }
}

/// What a map shows, and where places are on it.
public struct MapFacts: JSONModel {
    /// A place and where it is on the image.
    public struct Position: Sendable, Hashable {
        /// The place.
        public let coordinate: Coordinate
        /// CSS pixels from the top left corner; nil behind the horizon.
        public let x: Double?
        /// CSS pixels from the top left corner; nil behind the horizon.
        public let y: Double?
        /// Whether it is on the image.
        public let isVisible: Bool
    }

    /// Every member.
    public let members: [String: JSONMember]
    /// The names of the members that have properties.
    public static let known: Set = [
        "canonical", "center", "zoom", "bearing", "pitch", "width", "height", "scale", "style", "bounds",
        "metersPerPixel", "attribution", "points",
    ]
    /// The names of the members without which it is refused.
    public static let required: Set = ["center", "zoom", "points"]

    /// Takes members that hold what is required.
    public init(members: [String: JSONMember]) { self.members = members }

    /// The query of the map in its one spelling, with the style that a theme means.
    public var canonical: String? { members["canonical"]?.string }
    /// The middle.
    public var center: Coordinate {
        Coordinate(
            latitude: members["center"]?["latitude"]?.number ?? 0,
            longitude: members["center"]?["longitude"]?.number ?? 0)
    }
    /// Of the world of 256 pixels.
    public var zoom: Double { members["zoom"]?.number ?? 0 }
    /// CSS pixels across.
    public var width: Int { members["width"]?.integer ?? 0 }
    /// CSS pixels down.
    public var height: Int { members["height"]?.integer ?? 0 }
    /// Metres on the ground of one CSS pixel in the middle.
    public var metersPerPixel: Double? { members["metersPerPixel"]?.number }
    /// Who has to be named beside the map.
    public var attribution: [String] { members["attribution"]?.array?.compactMap(\.string) ?? [] }
    /// The places that were asked for.
    public var points: [Position] {
        (members["points"]?.array ?? []).map { point in
            Position(
                coordinate: Coordinate(
                    latitude: point["latitude"]?.number ?? 0, longitude: point["longitude"]?.number ?? 0),
                x: point["x"]?.number, y: point["y"]?.number, isVisible: point["visible"]?.bool ?? false)
        }
    }
}

/// Where the options of a poll are on its picture, and what it tells.
public struct PollFacts: JSONModel {
    /// An option, and the area to tap for it in CSS pixels from the top left corner.
    public struct Option: Sendable, Hashable {
        /// Its text.
        public let label: String
        /// nil before anyone has voted.
        public let votes: Int?
        /// nil before anyone has voted, or where the poll shows none.
        public let percent: Int?
        /// From the left.
        public let x: Double
        /// From the top.
        public let y: Double
        /// Across.
        public let width: Double
        /// Down.
        public let height: Double

        /// Whether a tap there is one on this option.
        public func contains(x: Double, y: Double) -> Bool {
            x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
        }
    }

    /// Every member.
    public let members: [String: JSONMember]
    /// The names of the members that have properties.
    public static let known: Set = ["width", "height", "question", "votes", "options", "alt"]
    /// The names of the members without which it is refused.
    public static let required: Set = ["width", "height", "options"]

    /// Takes members that hold what is required.
    public init(members: [String: JSONMember]) { self.members = members }

    /// CSS pixels across.
    public var width: Int { members["width"]?.integer ?? 0 }
    /// CSS pixels down.
    public var height: Int { members["height"]?.integer ?? 0 }
    /// What is asked.
    public var question: String? { members["question"]?.string }
    /// Of all options; nil before anyone has voted.
    public var votes: Int? { members["votes"]?.integer }
    /// A text for those who do not see the picture.
    public var alt: String { members["alt"]?.string ?? "" }
    /// In the order in which they were given.
    public var options: [Option] {
        (members["options"]?.array ?? []).map { option in
            Option(
                label: option["label"]?.string ?? "", votes: option["votes"]?.integer,
                percent: option["percent"]?.integer, x: option["x"]?.number ?? 0, y: option["y"]?.number ?? 0,
                width: option["width"]?.number ?? 0, height: option["height"]?.number ?? 0)
        }
    }
}

/// How many entries a purge removed.
public struct Purged: Codable, Sendable, Hashable {
    /// Of the memory tier.
    public let memory: Int
    /// Of the disk tier.
    public let disk: Int
}
