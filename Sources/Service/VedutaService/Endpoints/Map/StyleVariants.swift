import MapOverlays
import MapGrammar
import MapRender
import MapSources
import MapStyle

/// Styles as requests want them, compiled once each and kept in bounded memory: what the filters of a style accept is
/// remembered with its layers, so one style for all pictures of a look is worth having.
final class StyleVariants: Sendable {
    private struct Key: Hashable, Sendable {
        let style: String
        let validator: String
        let look: MapLook
    }

    /// Bytes that variants may take: some dozens of a style with many layers, fewer where lists are long.
    static let byteCapacity = 16 << 20

    private let kept = SharedCache<Key, Style>(byteCapacity: byteCapacity)

    /// Bytes that they take.
    var byteCount: Int { kept.byteCount }

    /// `entry` without labels or points of interest, or with names of other languages, as `look` says; as it is where that
    /// cannot be read any more.
    func style(_ entry: MapStyleEntry, _ look: MapLook) -> Style {
        guard look.changesStyle else { return entry.style }
        var look = look
        // These two have no part in the document.
        look.attribution = .bottomRight
        look.below = nil
        return kept.value(for: Key(style: entry.name, validator: entry.validator, look: look)) {
            let style = (try? MapAppearance.variant(of: entry.document, look)) ?? entry.style
            return .init(style, byteCount: style.layers.reduce(4096) { $0 + $1.byteCount })
        }
    }
}
