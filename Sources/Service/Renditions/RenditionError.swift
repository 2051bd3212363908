/// Why a rendition is not delivered. What the steps do about it depends on the case alone; wording it is the caller's business.
package enum RenditionError: Error, Sendable {
    /// The sources, or the work on them, failed.
    case failed(any RenditionFailure)
    /// It would take so much work; the limits that this breaks are empty until they are known.
    case tooCostly(NeededWork, [LimitExcess])
    /// It was not ready in time. `afterSeconds` is for how long work on it went on, where that is why it is not tried again.
    case timedOut(afterSeconds: Int? = nil)
    /// As many jobs wait as may.
    case busy
    /// Nothing is stored of it, and the request wants nothing else (`only-if-cached`, RFC 9111 §5.2.1.7).
    case notStored
}

/// A failure of sources, or of the work on them, in the words of whoever knows them.
package protocol RenditionFailure: Error {
    var kind: RenditionFailureKind { get }
    /// For how many seconds the rendition is not tried again; nil: a next request tries at once.
    var secondsRemembered: Int? { get }
}

/// What a failure says of earlier renditions and of the next try.
package enum RenditionFailureKind: Sendable {
    /// The source does not exist.
    case absent
    /// No rendition is made of this source, or none that is as asked for.
    case refused
    /// The source is out of reach, or something broke: it may work later, and an older rendition is better than nothing.
    case unavailable
    /// What was held of the source left the cache since the request looked at it: worth one more try.
    case evicted
}

extension RenditionError {
    /// Whether a next try would fail too, and earlier renditions do not count any more.
    var isLasting: Bool {
        switch self {
        case .failed(let failure):
            switch failure.kind {
            case .absent, .refused: true
            case .unavailable, .evicted: false
            }
        case .tooCostly: true
        case .timedOut, .busy, .notStored: false
        }
    }

    /// Whether what was held of the source is gone since the request looked at it.
    var isEviction: Bool {
        if case .failed(let failure) = self { failure.kind == .evicted } else { false }
    }

    /// Whether it says that work did not end within a known time.
    var isTimeout: Bool {
        if case .timedOut(_?) = self { true } else { false }
    }

    /// For how many seconds it is remembered when a render ends with it. Want of room or time says nothing about the rendition.
    package var secondsRemembered: Int? {
        switch self {
        case .failed(let failure): failure.secondsRemembered
        case .tooCostly: 60
        case .timedOut, .busy, .notStored: nil
        }
    }
}
