// `format=auto` is decided from the request alone, before the source is opened: the entity tag names the format and has to be
// known before any pixel is touched. What the source might hold is guessed from the id's ending.

import Parameters

/// What an `Accept` field says about one media type.
package struct AcceptedQuality: Equatable, Sendable {
    /// The q-value, 0–1; 0 means not acceptable. 1 where the request has no `Accept`.
    package let quality: Double
    /// Whether the field names this very type, not only `image/*` or `*/*`.
    package let isExplicit: Bool

    /// Makes an answer.
    package init(quality: Double, isExplicit: Bool) {
        self.quality = quality
        self.isExplicit = isExplicit
    }
}

extension ImageRequest {
    /// The format to send: the one asked for, else the best that `accepting` allows.
    ///
    /// AVIF and WebP are sent only to clients that name them, for a wildcard is also sent by clients that cannot show
    /// them. Beside them stands one baseline format: PNG where alpha may matter, else JPEG. The highest q-value wins;
    /// of equal ones AVIF, then WebP, then the baseline. If none of these is acceptable, the other of JPEG and PNG is
    /// taken, then whatever a wildcard allows, then the baseline all the same (RFC 9110 §12.4.1 permits that).
    ///
    /// Alpha may matter unless the background is opaque. `hasAlpha` says whether the source has alpha; where that is not
    /// known, ids that end in `.png`, `.gif`, `.webp` or `.svg` may have it, others have not.
    package func outputFormat(
        accepting: (OutputFormat) -> AcceptedQuality, hasAlpha: Bool? = nil
    ) -> OutputFormat {
        if let format { return format }
        let baseline: OutputFormat = mayShowThrough(hasAlpha: hasAlpha) ? .png : .jpeg
        var best: OutputFormat?
        var bestQuality = 0.0
        for candidate in [OutputFormat.avif, .webp, baseline] {
            let accepted = accepting(candidate)
            guard accepted.isExplicit || candidate == baseline, accepted.quality > bestQuality else { continue }
            best = candidate
            bestQuality = accepted.quality
        }
        if let best { return best }
        let others: [OutputFormat] = [baseline == .png ? .jpeg : .png, .webp, .avif]
        return others.first { accepting($0).quality > 0 } ?? baseline
    }

    private func mayShowThrough(hasAlpha: Bool?) -> Bool {
        guard !background.isOpaque else { return false }
        if let hasAlpha { return hasAlpha }
        let ending = id.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return ["png", "gif", "webp", "svg"].contains(ending)
    }
}
