package import Origin

/// Tells a caller, once and on any thread, what became of its request.
package struct Waiter: Sendable {
    package let number: UInt64
    /// Whether it wants nothing that has to be fetched.
    let onlyIfCached: Bool
    let tell: @Sendable (FetchOutcome) -> Void
}

/// The promise of one caller to look for an item on the disk, and then at its origin.
package struct Assignment: Sendable {
    package let item: OriginItem
    /// Names the fetch.
    package let number: UInt64
    /// What is held of the item, but may not be used before the origin was asked.
    var held: CachedAnswer?
    var question: FetchQuestion
}

/// One request to an origin, which answers one or more assignments.
package struct PlannedFetch: Sendable {
    package var assignments: [Assignment]
    package var request: FetchRequest
    /// What the answer means for each assignment, in their order. Called on the fetch thread; nil: by the rules of a cache.
    package var read: (@Sendable (FetchAnswer) -> [FetchResult])?

    /// `request` gets the conditions of its assignment where there is no `read`.
    package init(
        _ assignments: [Assignment], _ request: FetchRequest, read: (@Sendable (FetchAnswer) -> [FetchResult])? = nil
    ) {
        self.assignments = assignments
        self.request = request
        self.read = read
    }
}
