/// All that is stored for one URI, each answer with its content: what a store that keeps whole answers in memory needs.
///
/// Not synchronised. `Content` is whatever holds the bytes; it is never looked at.
package struct StoredVariants<Content: Sendable>: Sendable {
    package struct Variant: Sendable {
        /// What the rules need to know.
        package var entry: StoredExchange
        /// The content that came with it; no 304 changes it.
        package var content: Content
    }

    /// The answers; decisions have indices into them.
    package private(set) var variants: [Variant] = []

    package init() {}

    package var entries: [StoredExchange] { variants.map(\.entry) }

    package var isEmpty: Bool { variants.isEmpty }

    /// Does what the engine decided about an answer with `content`; `.invalidate` is for who has all URIs.
    ///
    /// - Returns: the answer that a 304 stands for, freshened, whether it stays or not.
    @discardableResult
    package mutating func take(_ outcome: CacheOutcome, content: @autoclosure () -> Content) -> Variant? {
        switch outcome {
        case .store(let entry, let replaced):
            remove(replaced)
            variants.append(Variant(entry: entry, content: content()))
            return nil
        case .update(let updates, let removed, let serving):
            var served: Variant?
            for update in updates {
                guard variants.indices.contains(update.index) else { continue }
                let fresh = Variant(entry: update.entry, content: variants[update.index].content)
                if update.index == serving { served = fresh }
                if update.fate == .kept { variants[update.index] = fresh }
            }
            remove(removed + updates.filter { $0.fate == .removed }.map(\.index))
            return served
        case .none(_, let removed):
            remove(removed)
            return nil
        case .invalidate, .repeatWithoutConditions: return nil
        }
    }

    private mutating func remove(_ indices: [Int]) {
        for index in Set(indices).sorted(by: >) where variants.indices.contains(index) { variants.remove(at: index) }
    }
}
