import HTTPMessage
import ImagePlan

/// The request fields that decide something about images: `Accept` and, where the configuration wants it, client hints
/// and `Save-Data`.
struct VariedFields: Sendable {
    let usesHints: Bool

    /// Browsers send these hints only if asked to (`Accept-CH`).
    static let askedHints: [FieldName] = ["Sec-CH-DPR", "Sec-CH-Width", "Sec-CH-Viewport-Width"]

    /// Whether a client prefers dark images (Media Queries 5 §12.5); for maps alone.
    static let colorScheme: FieldName = "Sec-CH-Prefers-Color-Scheme"

    /// Whether memos look at all fields of `vary`; they know no preferred colors.
    static func memoKnows(_ vary: String) -> Bool { !vary.contains(colorScheme.text) }

    /// Besides `Accept`.
    var hintNames: [FieldName] { usesHints ? ["Save-Data"] + Self.askedHints : [] }

    /// The value of `Vary`; may be empty.
    func vary(isFormatOpen: Bool) -> String {
        ((isFormatOpen ? ["Accept"] : []) + hintNames.map(\.text)).joined(separator: ", ")
    }

    func hints(_ fields: Fields) -> ClientHints {
        guard usesHints else { return .none }
        return ClientHints(
            saveData: fields.first("Save-Data"), pixelRatio: fields.first("Sec-CH-DPR"),
            width: fields.first("Sec-CH-Width"), viewportWidth: fields.first("Sec-CH-Viewport-Width"))
    }

    static let acceptCH = askedHints.map(\.text).joined(separator: ", ")
}
