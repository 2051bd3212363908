import Bytes

/// Gets the ranges of glyphs of one picture, and waits for other servers at most ``limit`` for all of them: one label may
/// name hundreds. Belongs to one thread.
final class GlyphWait {
    static let limit = Duration.seconds(20)

    private let resources: NotedResources
    private let shouldStop: () -> Bool
    private let now: () -> ContinuousClock.Instant
    private var waited = Duration.zero

    init(
        _ resources: NotedResources, shouldStop: @escaping () -> Bool,
        now: @escaping () -> ContinuousClock.Instant = { ContinuousClock().now }
    ) {
        (self.resources, self.shouldStop, self.now) = (resources, shouldStop, now)
    }

    /// nil when there is nothing, nobody waits for the picture any more, or the time is over: then what is not at hand is a
    /// passing fault of the picture, as of a server that does not answer.
    func bytes(at address: String) -> SharedBytes? {
        if shouldStop() { return nil }
        let (start, left) = (now(), Self.limit - waited)
        defer { waited += start.duration(to: now()) }
        do throws(ResourceError) {
            return try resources.bytes(
                at: address, shouldStop: { self.shouldStop() || start.duration(to: self.now()) >= left })
        } catch {
            if error == .cancelled, !shouldStop() {
                resources.faults.add(address, .unavailable("the glyphs of a map did not arrive in time"))
            }
            return nil
        }
    }
}
