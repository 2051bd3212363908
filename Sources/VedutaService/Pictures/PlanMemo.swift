import HTTPMessage

// Clients ask for the same picture with the same octets over and over. What was parsed, validated and made canonical once
// is found again by the octets of query and Accept; the source is looked at each time all the same.

/// The plans of the latest distinct requests of one loop.
struct PlanMemo {
    /// A plan, and its identity for the latest state of its source.
    final class Entry {
        let plan: PicturePlan
        private var latest: PictureIdentity

        init(_ plan: PicturePlan, _ identity: PictureIdentity) {
            self.plan = plan
            latest = identity
        }

        /// The identity while the source is in the state of `validator`; made anew only when that has changed.
        func identity(
            of validator: SourceValidator, make: (PicturePlan, SourceValidator) -> PictureIdentity
        ) -> PictureIdentity {
            if latest.validator != validator { latest = make(plan, validator) }
            return latest
        }
    }

    private struct Key: Hashable {
        let route: Route
        /// The query, a line end, which no query holds, and the values of Accept.
        let octets: [UInt8]
    }

    /// How many plans are kept, and how long the octets of one may be: with what a plan holds, under 8 MB a loop.
    private static let countLimit = 2048
    private static let octetLimit = 1024

    private var entries: [Key: Entry] = [:]

    /// The plan of an earlier request that asked for the same with the same octets.
    func entry(for head: RequestHead, _ route: Route) -> Entry? {
        guard let key = Self.key(head, route) else { return nil }
        return entries[key]
    }

    /// Keeps `plan` for requests like `head`; a full memo starts over.
    mutating func insert(_ plan: PicturePlan, _ identity: PictureIdentity, for head: RequestHead, _ route: Route) {
        guard let key = Self.key(head, route) else { return }
        if entries.count >= Self.countLimit { entries.removeAll(keepingCapacity: true) }
        entries[key] = Entry(plan, identity)
    }

    private static func key(_ head: RequestHead, _ route: Route) -> Key? {
        let query = head.target.queryOctets
        guard query.byteCount <= octetLimit else { return nil }
        var octets: [UInt8] = []
        octets.reserveCapacity(query.byteCount + 64)
        query.withUnsafeBytes { octets.append(contentsOf: $0) }
        var line = head.fields.firstIndex(of: .accept)
        while let index = line {
            octets.append(UInt8(ascii: "\n"))
            head.fields.valueOctets(at: index).withUnsafeBytes { octets.append(contentsOf: $0) }
            guard octets.count <= octetLimit else { return nil }
            line = head.fields.firstIndex(of: .accept, from: index + 1)
        }
        return Key(route: route, octets: octets)
    }
}
