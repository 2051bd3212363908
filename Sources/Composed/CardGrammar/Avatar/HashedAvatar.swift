import Bytes
import ImagePlan
package import Parameters

/// `/avatar/HASH` as Gravatar and Libravatar have it, so that forums, wikis and forges can be pointed at this server.
package struct HashedAvatar: Sendable {
    /// In canonical order.
    package static let table = ParameterTable([
        .init("size", aliases: ["s"]), .init("default", aliases: ["d"]), .init("forcedefault", aliases: ["f"]),
        .init("rating", aliases: ["r"]), .init("name"), .init("initials"),
    ])

    /// The folder of the pictures, each named as the hash.
    private static let folder = "avatars/"
    private static let formats: [String: OutputFormat] = ["jpg": .jpeg, "jpeg": .jpeg, "png": .png, "webp": .webp]

    package let request: AvatarRequest
    /// What was asked for and is replaced by a pattern.
    package let replaced: String?

    /// `text` is the end of the path: the MD5 or SHA-256 of an address, maybe with the ending of a format.
    package static func parse(_ text: String, _ items: [QueryItem]) throws(ParameterFaults) -> HashedAvatar {
        var reader = ParameterReader(items, table: table)
        var request = AvatarRequest()
        request.shape = .square
        request.sizePx = reader.int("size", 1...2048) ?? 80
        let isForced = reader.choice("forcedefault", ["y", "n"]) == "y"
        // Whoever fills the library decides what may be shown. Redmine, Drupal and Stack Exchange write capitals.
        _ = reader.choice("rating", ["g", "pg", "r", "x", "G", "PG", "R", "X"])
        let name = reader.value("name") { text throws(Fault) in try CardText.parse(text, 100) }
        let initials = reader.value("initials") { text throws(Fault) in try CardText.parse(text, 3) }
        let wanted = reader.value("default", fallback)
        try reader.finish()
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map { $0.lowercased() }
        let hash = parts.first ?? ""
        let format = parts.count > 1 ? formats[parts[1]] : nil
        guard hash.utf8.count == 32 || hash.utf8.count == 64, hash.utf8.allSatisfy({ ASCII.hexValue($0) != nil }),
            parts.count == 1 || format != nil
        else {
            let allowed =
                "32 or 64 hexadecimal digits, the MD5 or SHA-256 of an address, maybe with .jpg, .png or .webp"
            throw ParameterFaults([
                ParameterFault(parameter: "hash", value: text, reason: .malformed(allowed: allowed))
            ])
        }
        request.encoding.format = format
        var person = AvatarPerson(id: isForced ? nil : folder + hash, name: initials ?? name)
        person.seed = hash
        request.persons = [person]
        request.idParameters = ("hash", "default")
        request.spelledInitials = initials.map(Initials.spelled)
        // The canonical text tells letters from a name by this.
        request.initialCount = initials == nil ? 2 : 3
        request.fallbacks = wanted?.fallbacks ?? [.silhouette]
        return HashedAvatar(request: request, replaced: wanted?.replaced)
    }

    private static func fallback(
        _ text: String
    ) throws(Fault) -> (fallbacks: [AvatarRequest.Fallback], replaced: String?) {
        switch text {
        case "404": ([.absent], nil)
        case "mp", "mm", "mystery": ([.silhouette], nil)
        case "identicon": ([.identicon], nil)
        case "retro": ([.retro], nil)
        case "monsterid", "wavatar", "robohash": ([.identicon], text)
        case "initials": ([.initials, .identicon], nil)
        case "color": ([.color], nil)
        case "blank": ([.blank], nil)
        case _ where text.hasPrefix("https://") || text.hasPrefix("http://"): ([.asset(text), .silhouette], nil)
        default:
            throw .malformed(
                allowed: "404, mp, identicon, retro, monsterid, wavatar, robohash, initials, color, blank or an address"
            )
        }
    }
}
