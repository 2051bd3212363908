import Parameters

extension AvatarURL {
    /// Who is shown; at least one of the values says who it is.
    public struct Person: Hashable, Sendable {
        /// The photograph.
        public var id: AssetID?
        /// Its initials stand where there is no photograph; up to 100 characters.
        public var name: String?
        /// What color and pattern follow from, in place of the id or the name.
        public var seed: String?
        /// The ground of initials and patterns, without transparency.
        public var color: URLColor?

        /// A person by a photograph, a name, or what else tells who it is.
        public init(_ id: AssetID? = nil, name: String? = nil, seed: String? = nil, color: URLColor? = nil) {
            (self.id, self.name, self.seed, self.color) = (id, name, seed, color)
        }

        var text: String {
            let parts = [
                id.map { "id:" + $0.rawValue }, seed.map { "seed:" + $0 }, color.map { "color:" + $0.text },
                name.map { "name:" + $0 },
            ].compactMap { $0 }
            // The parser refuses a person of whom nothing is known.
            return parts.isEmpty ? "name:" : parts.map(BarText.escaped).joined(separator: "|")
        }
    }

    /// The outline of the whole.
    public enum Shape: Hashable, Sendable {
        /// A disc.
        case circle
        /// Between a disc and a square.
        case squircle
        /// A square.
        case square
        /// A square whose corners have this radius in CSS pixels, 1–512.
        case rounded(Int)

        var text: String {
            switch self {
            case .circle: "circle"
            case .squircle: "squircle"
            case .square: "square"
            case .rounded(let radius): "rounded:\(radius)"
            }
        }
    }

    /// How several people share the picture.
    public enum Layout: String, Sendable, CaseIterable {
        /// Whole, halves, a half and two quarters, or quarters.
        case auto
        /// Rows of up to nine cells, or sectors.
        case grid, pie
        /// Overlapping discs in a row, or two of them on the diagonal.
        case stack, pair
        /// Discs around the middle.
        case orbit
    }

    /// What is shown of a person without a photograph.
    public enum Fallback: Hashable, Sendable {
        /// The initials of the name, if there is one.
        case initials
        /// A pattern.
        case identicon, retro
        /// A simple form.
        case shape
        /// A head and shoulders.
        case silhouette
        /// The color alone.
        case color
        /// Nothing.
        case blank
        /// The request is answered with 404.
        case absent
        /// Another image, whose id has no comma.
        case asset(AssetID)

        var text: String {
            switch self {
            case .initials: "initials"
            case .identicon: "identicon"
            case .retro: "retro"
            case .shape: "shape"
            case .silhouette: "silhouette"
            case .color: "color"
            case .blank: "blank"
            case .absent: "404"
            case .asset(let id): id.rawValue
            }
        }
    }

    /// The colors behind initials and patterns.
    public enum Palette: Hashable, Sendable {
        /// Of the server.
        case calm, bold, grey
        /// Up to 64, without transparency.
        case colors([URLColor])

        var text: String {
            switch self {
            case .calm: "calm"
            case .bold: "bold"
            case .grey: "grey"
            case .colors(let colors): colors.map(\.text).joined(separator: ",")
            }
        }
    }

    /// The dot at the edge.
    public enum Status: String, Sendable, CaseIterable {
        /// As in messengers.
        case online, away, busy, offline
    }

    /// Which part of a photograph its cell shows.
    public enum Focus: String, Sendable, CaseIterable {
        /// What stands out most, such as a face.
        case attention
        /// The middle.
        case center
    }
}

extension AvatarURL {
    /// One side in CSS pixels, 16–1024.
    public func size(_ pixels: Int) -> AvatarURL { parameter("size", "\(pixels)") }

    /// Device pixels of a CSS pixel, 1–4.
    public func scale(_ scale: Double) -> AvatarURL { parameter("scale", scale.parameterText) }

    /// The outline of the whole.
    public func shape(_ shape: Shape) -> AvatarURL { parameter("shape", shape.text) }

    /// How several people share the picture.
    public func layout(_ layout: Layout) -> AvatarURL { parameter("layout", layout.rawValue) }

    /// The most cells, 1–9.
    public func cells(atMost count: Int) -> AvatarURL { parameter("max", "\(count)") }

    /// How many people there are in truth: the last cell says how many are not shown.
    public func total(_ count: Int) -> AvatarURL { parameter("total", "\(count)") }

    /// Whether the same people give the same picture in whatever order they are given.
    public func stableOrder(_ isStable: Bool = true) -> AvatarURL { parameter("order", isStable ? "stable" : nil) }

    /// The room between cells in percent of the size, 0–20.
    public func gap(percent: Double) -> AvatarURL { parameter("gap", percent.parameterText) }

    /// A ring around it, as wide as this many percent of the size, 0–20.
    public func ring(percent: Double, color: URLColor) -> AvatarURL {
        parameter("ring", "\(percent.parameterText):\(color.text)")
    }

    /// What lies behind it.
    public func background(_ color: URLColor) -> AvatarURL { parameter("background", color.text) }

    /// What is tried in turn where there is no photograph, up to four.
    public func fallback(_ fallbacks: Fallback...) -> AvatarURL {
        parameter("fallback", fallbacks.map(\.text).joined(separator: ","))
    }

    /// The most letters of a name, 1–3.
    public func initials(atMost count: Int) -> AvatarURL { parameter("initials", "\(count)") }

    /// The colors behind initials and patterns.
    public func palette(_ palette: Palette) -> AvatarURL { parameter("palette", palette.text) }

    /// A dot cut into the edge.
    public func status(_ status: Status) -> AvatarURL { parameter("status", status.rawValue) }

    /// A number at the top right, 0–1,000,000.
    public func badge(_ number: Int) -> AvatarURL { parameter("badge", "\(number)") }

    /// An asset at the top right.
    public func badge(_ id: AssetID) -> AvatarURL { parameter("badge", id.rawValue) }

    /// Which part of a photograph its cell shows.
    public func focus(_ focus: Focus) -> AvatarURL { parameter("gravity", focus.rawValue) }

    /// Filters of the finished picture.
    public func filter(_ filters: AssetURL.Filter...) -> AvatarURL {
        parameter("filter", filters.map(\.text).joined(separator: ","))
    }

    /// The format; without one the server chooses by `Accept`.
    public func format(_ format: MapURL.Format) -> AvatarURL { parameter("format", format.rawValue) }

    /// 1–100.
    public func quality(_ score: Int) -> AvatarURL { parameter("quality", "\(score)") }

    /// The name under which a browser saves the picture.
    public func download(as name: String) -> AvatarURL { parameter("download", name) }
}
