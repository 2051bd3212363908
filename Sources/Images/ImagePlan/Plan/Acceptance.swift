/// The formats that a client accepts, normalised for keys: equal for all `Accept` fields that lead to the same choice.
package struct Acceptance: Hashable, Sendable, Codable {
    /// Groups of equal preference, the most preferred first; never empty. AVIF, WebP and JPEG XL must be named.
    package let tiers: [[OutputFormat]]

    package init(_ accepting: (OutputFormat) -> AcceptedQuality) {
        let named: [OutputFormat] = [.avif, .webp, .jxl]
        var byQuality: [(quality: Double, formats: [OutputFormat])] = []
        for format in OutputFormat.allCases where format != .tiff {
            let accepted = accepting(format)
            guard accepted.quality > 0, accepted.isExplicit || !named.contains(format) else { continue }
            if let index = byQuality.firstIndex(where: { $0.quality == accepted.quality }) {
                byQuality[index].formats.append(format)
            } else {
                byQuality.append((accepted.quality, [format]))
            }
        }
        let sorted = byQuality.sorted { $0.quality > $1.quality }.map(\.formats)
        tiers = sorted.isEmpty ? [[.jpeg, .png, .gif]] : sorted
    }

    package init(only format: OutputFormat) { tiers = [[format]] }

    /// `avif,webp;jpeg,png`, for keys.
    package var text: String { tiers.map { $0.map(\.rawValue).joined(separator: ",") }.joined(separator: ";") }
}

/// What an `Accept` field says about one media type.
package struct AcceptedQuality: Equatable, Sendable {
    /// The q-value, 0–1; 0 means not acceptable. 1 without an `Accept` field.
    package let quality: Double
    /// Whether the field names this very type, not only `image/*` or `*/*`.
    package let isExplicit: Bool

    package init(quality: Double, isExplicit: Bool) { (self.quality, self.isExplicit) = (quality, isExplicit) }
}
