public import Foundation
import Parameters

extension PollURL {
    /// What can be voted for.
    public struct Option: Hashable, Sendable {
        /// Up to 120 characters.
        public var label: String
        /// 0–2⁵³; without votes anywhere the poll is one that nobody has voted in yet.
        public var votes: Int?
        /// Without transparency.
        public var color: URLColor?
        /// Whether the reader has voted for it.
        public var isChosen: Bool
        /// A sign before the label.
        public var icon: AssetID?
        /// Up to five people who chose it.
        public var faces: [Face]

        /// An option.
        public init(
            _ label: String, votes: Int? = nil, color: URLColor? = nil, isChosen: Bool = false, icon: AssetID? = nil,
            faces: [Face] = []
        ) {
            (self.label, self.votes, self.color, self.isChosen) = (label, votes, color, isChosen)
            (self.icon, self.faces) = (icon, faces)
        }

        var text: String {
            let parts = [
                votes.map { "votes:\($0)" }, color.map { "color:" + $0.text }, isChosen ? "chosen:1" : nil,
                icon.map { "icon:" + $0.rawValue },
                faces.isEmpty ? nil : "faces:" + faces.map { $0.id?.rawValue ?? "" }.joined(separator: ","),
                faces.isEmpty ? nil : "names:" + faces.map { $0.name ?? "" }.joined(separator: ","),
                "label:" + label,
            ]
            return parts.compactMap { $0 }.map(BarText.escaped).joined(separator: "|")
        }
    }

    /// Somebody who chose an option. Neither ids nor names have commas here.
    public struct Face: Hashable, Sendable {
        /// The photograph.
        public var id: AssetID?
        /// Whose initials stand there without a photograph.
        public var name: String?

        /// A face.
        public init(_ id: AssetID? = nil, name: String? = nil) { (self.id, self.name) = (id, name) }
    }

    /// How votes are shown.
    public enum Layout: String, Sendable, CaseIterable {
        /// Bars that grow to the right, up, or behind each other.
        case bars, columns, stacked
        /// Sectors.
        case donut, pie
        /// Labels with marks to tap.
        case list
    }

    /// How percents are rounded.
    public enum Percent: String, Sendable, CaseIterable {
        /// Their sum is 100.
        case largestRemainder = "largest-remainder"
        /// Each to the nearest, or not shown.
        case round, none
    }

    /// The language of the words around the options.
    public enum Language: String, Sendable, CaseIterable {
        /// As in BCP 47.
        case en, de, fr, es, it, pt, pl, ru, ar, hi, ja, zh
    }
}

extension PollURL {
    /// How votes are shown.
    public func layout(_ layout: Layout) -> PollURL { parameter("layout", layout.rawValue) }

    /// CSS pixels across, 240–1600; the height follows.
    public func width(_ pixels: Int) -> PollURL { parameter("width", "\(pixels)") }

    /// 1200 × 630 pixels, for previews of links.
    public func linkPreview() -> PollURL { parameter("card", "og") }

    /// Device pixels of a CSS pixel, 1–4.
    public func scale(_ scale: Double) -> PollURL { parameter("scale", scale.parameterText) }

    /// How many people have voted: percents are of them.
    public func voters(_ count: Int) -> PollURL { parameter("voters", "\(count)") }

    /// Everyone may vote for several options; with votes the number of people is needed too.
    public func multiple(voters count: Int? = nil) -> PollURL {
        let several = parameter("multiple", "1")
        return count.map { several.voters($0) } ?? several
    }

    /// When it ends, to the second; with `now` the picture says how long that is.
    public func closes(_ end: Date, now: Date? = nil) -> PollURL {
        parameter("closes", end.formatted(.iso8601)).parameter("now", now?.formatted(.iso8601))
    }

    /// Whether it has ended.
    public func closed(_ isClosed: Bool = true) -> PollURL { parameter("closed", isClosed ? "1" : nil) }

    /// Whether nobody sees who voted for what.
    public func anonymous(_ isAnonymous: Bool = true) -> PollURL { parameter("anonymous", isAnonymous ? "1" : nil) }

    /// Whether the options with most votes come first.
    public func sortedByVotes(_ isSorted: Bool = true) -> PollURL { parameter("sort", isSorted ? "votes" : nil) }

    /// Whether the option with most votes is bold.
    public func boldWinner(_ isBold: Bool) -> PollURL { parameter("winner", isBold ? nil : "none") }

    /// How percents are rounded.
    public func percent(_ percent: Percent) -> PollURL { parameter("percent", percent.rawValue) }

    /// By day, by night, or as the client prefers.
    public func theme(_ theme: MapURL.Theme) -> PollURL { parameter("theme", theme.rawValue) }

    /// The color of bars and marks, without transparency.
    public func accent(_ color: URLColor) -> PollURL { parameter("accent", color.text) }

    /// The language of the words around the options; without one English.
    public func language(_ language: Language) -> PollURL { parameter("language", language.rawValue) }

    /// Whether bars grow for 0.6 s, in WebP or an animated PNG.
    public func animated(_ isAnimated: Bool = true) -> PollURL { parameter("animate", isAnimated ? "1" : nil) }

    /// Filters of the finished picture.
    public func filter(_ filters: AssetURL.Filter...) -> PollURL {
        parameter("filter", filters.map(\.text).joined(separator: ","))
    }

    /// The format; without one the server chooses by `Accept`.
    public func format(_ format: MapURL.Format) -> PollURL { parameter("format", format.rawValue) }

    /// 1–100.
    public func quality(_ score: Int) -> PollURL { parameter("quality", "\(score)") }

    /// The name under which a browser saves the picture.
    public func download(as name: String) -> PollURL { parameter("download", name) }
}
