import HTTPMessage
import ResponseCache

/// How a flight ended: the picture and what it took, or what all who waited for it get instead.
typealias FlightOutcome = Result<DeliveredPicture, FailedPicture>

/// A picture that is ready to be sent.
struct DeliveredPicture: Sendable {
    /// How it came about.
    enum Origin: Sendable {
        /// It was kept in one of the tiers.
        case cache
        /// It was made, because the cache was of no use; whether it is kept now.
        case made(CacheStatus.Forward, isKept: Bool)
    }

    let kept: KeptAnswer
    let origin: Origin
    /// The source as it was seen when it was made, or before it was found.
    let sighting: Sighting
    var timings: [(name: StaticString, duration: Duration)] = []
}

/// A picture that could not be made.
struct FailedPicture: Error, Sendable {
    var problem: Problem
    /// Why the cache was of no use; nil if nobody tried to make it.
    var reason: CacheStatus.Forward?
    /// Whether that it failed is remembered for a while.
    var isRemembered = false
    /// What is remembered of an earlier flight, if this is its failure.
    var known: Remembrance?
    /// The last picture that could be made, and what was seen of its source then.
    var standIn: StandIn?

    /// How long ago it failed, and for how long that still holds.
    struct Remembrance: Sendable {
        let ageSeconds: Int
        let timeToLiveSeconds: Int
    }
}

/// A picture of an earlier state of the source.
struct StandIn: Sendable {
    let kept: KeptAnswer
    let sighting: Sighting
}
