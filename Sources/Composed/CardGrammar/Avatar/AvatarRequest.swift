package import Colors
package import ImagePlan
package import Parameters

package struct AvatarPerson: Hashable, Sendable {
    /// Of an asset.
    package var id: String?
    package var name: String?
    package var seed: String?
    package var color: Color?

    package init(id: String? = nil, name: String? = nil) { (self.id, self.name) = (id, name) }

    /// What colors, patterns and a stable order follow from.
    package var identity: String { seed ?? id ?? name ?? "" }
}

package struct AvatarLetters: Hashable, Sendable {
    package var ink: Color
    package var isBold: Bool
    /// Of the size, for an em.
    package var share: PlainDecimal
}

/// A validated request for the avatar of a person or a group.
package struct AvatarRequest: Sendable {
    package enum Layout: String, CaseIterable, Sendable { case auto, grid, pie, stack, pair, orbit }

    package enum Shape: Hashable, Sendable {
        case circle, squircle, square
        /// CSS pixels.
        case rounded(Int)
    }

    package enum Fallback: Hashable, Sendable {
        case initials, identicon, retro, shape, silhouette
        /// The color alone, or nothing.
        case color, blank
        /// The request is answered with 404.
        case absent
        case asset(String)
    }

    package enum Palette: Hashable, Sendable {
        case calm, bold, grey
        case colors([Color])
    }

    package enum Status: String, CaseIterable, Sendable { case online, away, busy, offline }

    package enum Badge: Hashable, Sendable {
        case number(Int)
        case asset(String)
    }

    package struct Ring: Hashable, Sendable {
        /// Percent of the size.
        package var width: PlainDecimal
        package var color: Color
    }

    package var persons: [AvatarPerson] = []
    /// The names of the parameters that the ids of people and of fallbacks came from.
    var idParameters = (people: "person", fallbacks: "fallback")
    /// CSS pixels: the height, and the width but of `stack`.
    package var sizePx = Self.usualSize
    package var scale: PlainDecimal = 1
    package var shape = Shape.circle
    package var layout = Layout.auto
    package var cellLimit = 4
    /// How many people there are in truth.
    package var total: Int?
    package var isStable = false
    /// Percent of the size.
    package var gap: PlainDecimal = 2
    package var ring: Ring?
    package var background = Color.transparent
    /// In the order in which they are tried.
    package var fallbacks: [Fallback] = Self.usualFallbacks
    package var initialCount = 2
    /// Letters that are told apart from the name.
    package var spelledInitials: String?
    /// How the letters look, where the request says more of them than `/avatar` takes.
    package var letters: AvatarLetters?
    package var palette = Palette.calm
    package var status: Status?
    package var badge: Badge?
    package var gravity = Gravity.interest(.attention, otherwise: .center)
    package var encoding = DrawnEncoding()
    /// Whether the price and times are wanted instead of the image.
    package var isExplained = false

    package init() {}

    package static let personCounts = 1...50
    static let usualSize = 256
    static let usualFallbacks: [Fallback] = [.initials, .identicon]
    /// Device pixels.
    static let sideLimitPx = 2048
    /// Of a row, which is up to seven times as wide as high.
    static let rowLimitPx = 1024

    package func initials(of person: AvatarPerson) -> String {
        spelledInitials ?? Initials.of(person.name ?? "", initialCount)
    }

    /// Whether a person without a picture is a reason to answer with 404: no fallback is drawn before that.
    package var refusesWithoutPicture: Bool {
        fallbacks.first { if case .asset = $0 { false } else { true } } == .absent
    }

    /// The name of the parameter that the id of an asset came from.
    package func parameter(of id: String) -> String {
        if persons.contains(where: { $0.id == id }) { return idParameters.people }
        return badge == .asset(id) ? "badge" : idParameters.fallbacks
    }

    /// All that it may show.
    var pictureIDs: [String] {
        var ids = persons.compactMap(\.id)
        for case .asset(let id) in fallbacks { ids.append(id) }
        if case .asset(let id) = badge { ids.append(id) }
        return ids
    }

    /// Puts what `spelled` gives in the place of each id of an asset. A stable order follows the new ids; `digest` is as for `parse`.
    package mutating func respellIDs<Failure: Error>(
        digest: (String) -> String, _ spelled: (String) throws(Failure) -> String
    ) throws(Failure) {
        for index in persons.indices {
            if let id = persons[index].id { persons[index].id = try spelled(id) }
        }
        for index in fallbacks.indices {
            if case .asset(let id) = fallbacks[index] { fallbacks[index] = .asset(try spelled(id)) }
        }
        if case .asset(let id) = badge { badge = .asset(try spelled(id)) }
        sort(digest)
    }

    /// The people in the order in which they are shown, whatever the order of the request where it is to be stable. `/veduta.js`
    /// sorts in the same way.
    mutating func sort(_ digest: (String) -> String) {
        guard isStable else { return }
        let keyed = persons.map { person in
            let texts = [person.name, person.id, person.seed, person.color?.canonical].map { $0 ?? "" }
            return (key: digest(person.identity) + texts.joined(separator: "\n"), person: person)
        }
        persons = keyed.sorted { $0.key < $1.key }.map(\.person)
    }
}
