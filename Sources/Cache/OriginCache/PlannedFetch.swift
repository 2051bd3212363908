package import Origin
import Reactor

/// Hears the outcome of its request, once and on any thread.
package struct Waiter: Sendable {
    package let number: UInt64
    /// Whether it wants nothing that has to be fetched.
    let onlyIfCached: Bool
    /// The servers of this program that its request came through; see ``Via``.
    var via: [String] = []
    /// Nil: the server itself.
    var client: ClientNetwork?
    let tell: @Sendable (FetchOutcome) -> Void
}

/// One caller's promise to look for an item on the disk, and then at its origin.
package struct Assignment: Sendable {
    package let item: OriginItem
    package let number: UInt64
    /// The held answer that must not be used before the origin was asked.
    var held: CachedAnswer?
    var question: FetchQuestion
}

/// One request to an origin, for one or more assignments.
package struct PlannedFetch: Sendable {
    package var assignments: [Assignment]
    package var request: FetchRequest
    /// What the answer means for each assignment, in order. Called on the fetch thread; nil: by the rules of a cache.
    package var read: (@Sendable (FetchAnswer) -> [FetchResult])?
    /// The servers that `Via` names before this one, which come of the request of one client; nil: the rules have all fields.
    var via: [String]?
    /// Clients take turns at each origin; nil: the server itself.
    var client: ClientNetwork?
    /// The meter that the fetched bytes are charged to.
    var meter: WorkMeter?

    /// Without `read`, `request` gets the conditions of its assignment.
    package init(
        _ assignments: [Assignment], _ request: FetchRequest, read: (@Sendable (FetchAnswer) -> [FetchResult])? = nil
    ) {
        self.assignments = assignments
        self.request = request
        self.read = read
    }
}
