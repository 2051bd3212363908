import HTTPMessage

/// The state of all that a picture is made of: names it in keys and tags, and dates it.
enum SourceValidator: Equatable, Sendable {
    /// An original of the library, and the picture that is laid over it.
    case asset(OriginalState, overlay: OriginalState? = nil)
    /// The picture that is shown because the one asked for cannot be had, and the status that tells so: 404, or that of the
    /// origin's failure.
    case fallback(OriginalState, overlay: OriginalState? = nil, status: Status = .notFound)
    /// The sources of a map and the style it is drawn in, and the pictures of the library that are on it; whether something is
    /// missing that may be there soon.
    case map(String, icons: [OriginalState] = [], isIncomplete: Bool = false)

    /// Text that changes whenever one of the sources does.
    var text: String {
        switch self {
        case .asset(let state, nil): state.validator
        case .asset(let state, let overlay?): "\(state.validator)+\(overlay.validator)"
        case .fallback(let state, let overlay, let status):
            (status == .notFound ? "instead " : "instead of \(status.code) ") + state.validator
                + (overlay.map { "+" + $0.validator } ?? "")
        case .map(let text, let icons, let isIncomplete):
            ([text] + icons.map(\.validator)).joined(separator: "+") + (isIncomplete ? " incomplete" : "")
        }
    }

    /// When the latest of the sources was last changed, in seconds since 1970, if that is known. What is shown instead of
    /// a missing picture has no date: it says nothing of that picture.
    var lastModified: Int64? {
        switch self {
        case .asset(let state, let overlay):
            // A source without a date leaves the whole without one.
            state.lastModified.flatMap { date in
                guard let overlay else { return date }
                return overlay.lastModified.map { max(date, $0) }
            }
        case .fallback, .map: nil
        }
    }

    /// Whether it is another picture than the one that was asked for.
    var isFallback: Bool { status != .ok || isIncomplete }

    /// Whether the picture is made of less than there is, and is worth keeping briefly at most.
    var isIncomplete: Bool {
        if case .map(_, _, true) = self { true } else { false }
    }

    /// The same state for a picture that lacks something; nil where pictures never do.
    var incomplete: SourceValidator? {
        if case .map(let text, let icons, _) = self { .map(text, icons: icons, isIncomplete: true) } else { nil }
    }

    /// With what status its pictures are sent.
    var status: Status {
        switch self {
        case .fallback(_, _, let status): status
        case .asset, .map: .ok
        }
    }
}
