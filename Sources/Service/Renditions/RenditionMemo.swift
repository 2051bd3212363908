import Bytes
package import HTTPMessage
package import Reactor
package import ResponseCache

// Clients ask for the same rendition with the same bytes over and over. What was parsed and made canonical once is
// found again by the bytes of query, Accept and, where they count, client hints. A table of sets of two, without
// chains: requests that are made to collide push each other out and cost no more than any new one.

package struct RenditionMemo {
    /// A rendition, and the source as this loop last knew it.
    package final class Entry {
        package let rendition: Rendition
        private let hash: UInt64
        private let bytes: [UInt8]
        // Only the thread of the memo's loop touches these, and changes them by themselves.
        @exclusivity(unchecked) package private(set) var state: SourceState
        /// Until then the state will do.
        @exclusivity(unchecked) private var unwatched: MonotonicInstant

        fileprivate init(_ rendition: Rendition, _ state: SourceState, unwatched: MonotonicInstant, _ key: Key) {
            self.rendition = rendition
            self.hash = key.hash
            self.bytes = key.bytes
            self.state = state
            self.unwatched = unwatched
        }

        /// The state, if it will do at `now` for a request without special wishes, and its rendition was not purged since.
        ///
        /// Hits ask this, not `state`: other modules have accesses to that checked at run time.
        package func current(at now: MonotonicInstant, _ purges: PurgeLedger) -> SourceState? {
            guard now < unwatched, !rendition.isPurged(state.identity, since: state.epoch, by: purges) else {
                return nil
            }
            return state
        }

        package func observed(_ state: SourceState, unwatched: MonotonicInstant) {
            self.state = state
            self.unwatched = unwatched
        }

        fileprivate func matches(
            _ hash: UInt64, _ target: RequestTarget, _ fields: Fields, route: Int, hints: [FieldName]
        ) -> Bool {
            guard hash == self.hash, route == rendition.route.index else { return false }
            let known = self.bytes
            let bytes = known.span.bytes
            let query = target.queryBytes
            var offset = query.byteCount
            guard offset <= bytes.byteCount, bytes.extracting(0..<offset).hasSameBytes(as: query) else { return false }
            guard Self.matches(bytes, from: &offset, fields, .accept, mark: RenditionMemo.mark) else { return false }
            var mark = RenditionMemo.mark
            for name in hints {
                mark &+= 1
                guard Self.matches(bytes, from: &offset, fields, name, mark: mark) else { return false }
            }
            guard offset == bytes.byteCount else { return false }
            // Descriptions alone depend on it: images do not pay for reading the field.
            return rendition.takesGzip.map { $0 == AcceptEncoding.takesGzip(fields) } ?? true
        }

        /// Whether the lines of `name` are at `offset`, which moves past them.
        private static func matches(
            _ bytes: RawSpan, from offset: inout Int, _ fields: Fields, _ name: FieldName, mark: UInt8
        ) -> Bool {
            var line = fields.firstIndex(of: name)
            while let index = line {
                let value = fields.valueBytes(at: index)
                let end = offset + 1 + value.byteCount
                guard end <= bytes.byteCount, bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == mark,
                    bytes.extracting((offset + 1)..<end).hasSameBytes(as: value)
                else { return false }
                offset = end
                line = fields.firstIndex(of: name, from: index + 1)
            }
            return true
        }
    }

    fileprivate struct Key {
        let hash: UInt64
        /// The query, then a mark and the value of each line of Accept and of each hint. Each name has a control
        /// character as its mark, which neither queries nor values contain.
        let bytes: [UInt8]
    }

    /// With what renditions hold, under 8 MB a loop.
    private static let countLimit = 2048
    private static let byteLimit = 1024

    /// Of Accept; those of the hints follow it.
    fileprivate static let mark: UInt8 = 0x0a

    private let hints: [FieldName]
    private var entries = [Entry?](repeating: nil, count: countLimit)
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// The fields named `hints`, five at most, decide something besides Accept.
    package init(hints: [FieldName] = []) { self.hints = hints }

    /// The entry of an earlier request for this route with the same bytes. No allocation.
    package func entry(for head: RequestHead, route: Int) -> Entry? {
        let (target, fields) = (head.target, head.fields)
        let hash = hash(of: target, fields)
        let set = Self.set(of: hash)
        if let entry = entries[set], entry.matches(hash, target, fields, route: route, hints: hints) { return entry }
        if let entry = entries[set + 1], entry.matches(hash, target, fields, route: route, hints: hints) {
            return entry
        }
        return nil
    }

    /// Keeps `rendition` for requests like `head`, in place of the older of two.
    package mutating func insert(
        _ rendition: Rendition, _ state: SourceState, unwatched: MonotonicInstant, for head: RequestHead
    ) {
        let (target, fields) = (head.target, head.fields)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.queryBytes.byteCount + 64)
        target.queryBytes.withUnsafeBytes { bytes.append(contentsOf: $0) }
        for (offset, name) in ([.accept] + hints).enumerated() {
            var line = fields.firstIndex(of: name)
            while let index = line {
                bytes.append(Self.mark &+ UInt8(truncatingIfNeeded: offset))
                fields.valueBytes(at: index).withUnsafeBytes { bytes.append(contentsOf: $0) }
                line = fields.firstIndex(of: name, from: index + 1)
            }
        }
        guard bytes.count <= Self.byteLimit else { return }
        let key = Key(hash: hash(of: target, fields), bytes: bytes)
        let set = Self.set(of: key.hash)
        entries[set + 1] = entries[set]
        entries[set] = Entry(rendition, state, unwatched: unwatched, key)
    }

    private static func set(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(countLimit / 2)) * 2 }

    private func hash(of target: RequestTarget, _ fields: Fields) -> UInt64 {
        var hash = target.queryBytes.hash(seed: seed)
        var line = fields.firstIndex(of: .accept)
        while let index = line {
            hash = fields.valueBytes(at: index).hash(seed: hash)
            line = fields.firstIndex(of: .accept, from: index + 1)
        }
        for name in hints {
            var line = fields.firstIndex(of: name)
            while let index = line {
                hash = fields.valueBytes(at: index).hash(seed: hash)
                line = fields.firstIndex(of: name, from: index + 1)
            }
        }
        return hash
    }
}
