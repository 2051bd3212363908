import CardGrammar
import CardPlan
import Eviction
import Synchronization

/// Layouts of avatars in memory, by style: the shapes of groups that look alike are worked out once.
final class AvatarLayouts: Sendable {
    private let kept: Mutex<BoundedMap<AvatarLayout.Style, AvatarLayout>>

    init(byteCapacity: Int = 1 << 20) { kept = Mutex(BoundedMap(capacity: byteCapacity)) }

    var byteCount: Int { kept.withLock { $0.weight } }

    func layout(of request: AvatarRequest, isCut: Bool) -> AvatarLayout {
        let style = AvatarLayout.Style(request, isCut: isCut)
        if let known = kept.withLock({ $0.find(style) }) { return known.showing(request) }
        let made = AvatarLayout(request, isCut: isCut)
        // Without its people.
        let bare = made.showing(AvatarRequest())
        // Freed outside the lock.
        let evicted = kept.withLock { $0.insert(bare, for: style, weight: bare.byteCount) }
        withExtendedLifetime(evicted) {}
        return made
    }
}
