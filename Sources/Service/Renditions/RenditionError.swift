package import ClientBudgets

/// Why a rendition is not delivered. The steps decide by the case alone; the caller finds the words.
package enum RenditionError: Error, Sendable {
    /// The sources, or the work on them, failed.
    case failed(any RenditionFailure)
    /// It would take too much work; the broken limits are empty until they are known.
    case tooCostly(NeededWork, [LimitExcess])
    /// It was not ready in time. `afterSeconds`: how long work went on, where that is why it is not tried again.
    case timedOut(afterSeconds: Int? = nil)
    case busy
    /// Nothing is stored, and the request accepts nothing else (`only-if-cached`, RFC 9111 §5.2.1.7).
    case notStored
    /// The client has used up its budget.
    case overBudget(BudgetRefusal)
}

/// A failure of sources, or of the work on them.
package protocol RenditionFailure: Error {
    var kind: RenditionFailureKind { get }
    /// How long the rendition is not tried again; nil: the next request tries at once.
    var secondsRemembered: Int? { get }
}

/// What a failure means for earlier renditions and for the next try.
package enum RenditionFailureKind: Sendable {
    case absent
    /// No such rendition is made of this source.
    case refused
    /// The source is out of reach, or something broke: an older rendition is better than nothing.
    case unavailable
    /// The cached source was evicted during the request: worth one more try.
    case evicted
}

extension RenditionError {
    /// Whether the next try would fail too, so that earlier renditions no longer count.
    var isLasting: Bool {
        switch self {
        case .failed(let failure):
            switch failure.kind {
            case .absent, .refused: true
            case .unavailable, .evicted: false
            }
        case .tooCostly: true
        case .timedOut, .busy, .notStored, .overBudget: false
        }
    }

    var isEviction: Bool { if case .failed(let failure) = self { failure.kind == .evicted } else { false } }

    /// Whether another client may still have it rendered.
    var isBusy: Bool { if case .busy = self { true } else { false } }
    var isOverBudget: Bool { if case .overBudget = self { true } else { false } }

    /// Whether work did not end within a known time.
    var isTimeout: Bool { if case .timedOut(_?) = self { true } else { false } }

    /// How long a failed render is remembered. Want of room or time says nothing about the rendition.
    package var secondsRemembered: Int? {
        switch self {
        case .failed(let failure): failure.secondsRemembered
        case .tooCostly: 60
        case .timedOut, .busy, .notStored, .overBudget: nil
        }
    }
}
