package import Colors
package import ImagePlan
package import Parameters

package enum CardLanguage: String, CaseIterable, Sendable {
    case en, de, fr, es, it, pt, pl, ru, ar, hi, ja, zh
}

package enum CardTheme: String, CaseIterable, Sendable {
    case light, dark
    /// As the client prefers.
    case auto
}

package struct PollOption: Equatable, Sendable {
    package var label: String
    /// nil: nobody has voted yet, or nobody for this one.
    package var votes: Int?
    package var color: Color?
    package var isChosen = false
    /// The asset of a sign before the label.
    package var iconID: String?
    /// Who chose it.
    package var faces: [AvatarPerson] = []

    package init(label: String, votes: Int? = nil) { (self.label, self.votes) = (label, votes) }
}

/// A validated request for a poll.
package struct PollRequest: Sendable {
    package enum Layout: String, CaseIterable, Sendable { case bars, columns, stacked, donut, pie, list }
    package enum Order: String, CaseIterable, Sendable { case given, votes }
    package enum Winner: String, CaseIterable, Sendable { case bold, none }

    package enum Percent: String, CaseIterable, Sendable {
        /// Sums to 100.
        case largestRemainder = "largest-remainder"
        case round, none
    }

    /// The asset that has the question and the options.
    package var dataID: String?
    package var question: String?
    package var options: [PollOption] = []
    package var layout = Layout.bars
    /// CSS pixels; the height follows.
    package var widthPx = Self.usualWidth
    /// 1200 × 630 pixels for previews of links, at scale 1.
    package var isPreview = false
    /// Device pixels per CSS pixel, 1…4.
    package var scale: PlainDecimal = 1
    package var isMultiple = false
    /// People, of whom each may have several votes.
    package var voters: Int?
    package var closes: Moment?
    package var now: Moment?
    package var isClosed = false
    package var isAnonymous = false
    package var order = Order.given
    package var winner = Winner.bold
    package var percent = Percent.largestRemainder
    package var theme = CardTheme.light
    package var accent: Color?
    /// nil: English words; the question tells the direction.
    package var language: CardLanguage?
    /// Whether bars grow until they are as long as they are.
    package var isAnimated = false
    package var encoding = DrawnEncoding()
    /// Whether the price and times are wanted instead of the image.
    package var isExplained = false

    package init() {}

    package enum Purpose: Sendable {
        case picture
        /// Where the options are.
        case positions
    }

    package static let optionCounts = 2...20
    package static let voteLimit = 1 << 53
    static let usualWidth = 600
    static let widths = 240...1600
    package static let previewWidth = 1200
    /// Device pixels.
    static let sideLimitPx = 2880
    static let questionLimit = 300
    static let labelLimit = 120
    /// Of one option.
    package static let faceLimit = 5

    /// Puts what `spelled` gives in the place of each id of an asset.
    package mutating func respellIDs<Failure: Error>(_ spelled: (String) throws(Failure) -> String) throws(Failure) {
        if let id = dataID { dataID = try spelled(id) }
        for index in options.indices {
            if let id = options[index].iconID { options[index].iconID = try spelled(id) }
            for face in options[index].faces.indices {
                if let id = options[index].faces[face].id { options[index].faces[face].id = try spelled(id) }
            }
        }
    }

    /// Of all icons and faces.
    package var pictureIDs: [String] {
        options.flatMap { option in [option.iconID].compactMap(\.self) + option.faces.compactMap(\.id) }
    }

    /// With the client's preferred theme in place of `theme=auto`.
    package func themed(prefersDark: Bool) -> PollRequest {
        var themed = self
        if theme == .auto { themed.theme = prefersDark ? .dark : .light }
        return themed
    }
}
