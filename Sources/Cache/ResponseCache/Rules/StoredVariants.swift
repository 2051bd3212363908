/// All that is stored for one URI with contents, in memory. Not synchronised.
package struct StoredVariants<Content: Sendable>: Sendable {
    package struct Variant: Sendable {
        package var entry: StoredExchange
        /// No 304 changes it.
        package var content: Content
    }

    /// Decisions have indices into these.
    package private(set) var variants: [Variant] = []

    package init() {}
    package var entries: [StoredExchange] { variants.map(\.entry) }
    package var isEmpty: Bool { variants.isEmpty }

    /// The caller handles `.invalidate`. Returns the freshened response that a 304 stands for, stored or not.
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
