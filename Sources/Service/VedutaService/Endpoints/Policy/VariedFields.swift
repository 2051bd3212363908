import HTTPMessage
import ImagePlan

/// The fields of a request that have a say in pictures: `Accept` and, where the configuration wants it, client hints and
/// `Save-Data`.
struct VariedFields: Sendable {
    let usesHints: Bool

    /// The hints that browsers send only when they are told to (`Accept-CH`).
    static let askedHints: [FieldName] = ["Sec-CH-DPR", "Sec-CH-Width", "Sec-CH-Viewport-Width"]

    /// The field that says whether a client prefers dark pictures (Media Queries 5 §12.5); of maps alone.
    static let colorScheme: FieldName = "Sec-CH-Prefers-Color-Scheme"

    /// Whether a memo of a loop looks at all fields that `vary` names; it knows nothing of preferred colors.
    static func memoKnows(_ vary: String) -> Bool { !vary.contains(colorScheme.text) }

    /// The names beside `Accept`.
    var hintNames: [FieldName] { usesHints ? ["Save-Data"] + Self.askedHints : [] }

    /// The value of `Vary` for a request whose format is open or not; empty where nothing has a say.
    func vary(isFormatOpen: Bool) -> String {
        ((isFormatOpen ? ["Accept"] : []) + hintNames.map(\.text)).joined(separator: ", ")
    }

    /// What the hints among `fields` say; nothing where they do not count.
    func hints(_ fields: Fields) -> ClientHints {
        guard usesHints else { return .none }
        return ClientHints(
            saveData: fields.first("Save-Data"), pixelRatio: fields.first("Sec-CH-DPR"),
            width: fields.first("Sec-CH-Width"), viewportWidth: fields.first("Sec-CH-Viewport-Width"))
    }

    /// The value of `Accept-CH`.
    static let acceptCH = askedHints.map(\.text).joined(separator: ", ")
}
