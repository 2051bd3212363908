/// Entries within a bound of bytes; those that were not used for longest leave first.
struct RecentEntries<Value> {
    private struct Entry {
        var value: Value
        var byteCount: Int
        var use: UInt64
    }

    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0
    private(set) var byteCount = 0
    /// The most bytes; after setting it, `trim` makes it true.
    var byteLimit: Int

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var keys: some Collection<String> { entries.keys }

    /// The value of a key, which is not used by that.
    subscript(key: String) -> Value? { entries[key]?.value }

    mutating func value(for key: String) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].use = clock
        return entries.values[index].value
    }

    /// Adds or replaces an entry. Gives the keys of what had to leave: only its own where it is over the bound by itself.
    mutating func insert(_ value: Value, for key: String, byteCount: Int) -> [String] {
        remove(key)
        guard byteCount <= byteLimit else { return [key] }
        clock += 1
        entries[key] = Entry(value: value, byteCount: byteCount, use: clock)
        self.byteCount += byteCount
        return trim(sparing: key)
    }

    /// Removes entries until the rest is within the bound. Gives their keys.
    mutating func trim(sparing key: String? = nil) -> [String] {
        guard byteCount > byteLimit else { return [] }
        // Down to less than the bound, so that not every addition has to sort.
        var evicted: [String] = []
        for (other, _) in entries.map({ ($0.key, $0.value.use) }).sorted(by: { $0.1 < $1.1 }) where other != key {
            guard byteCount > byteLimit / 16 * 15 else { break }
            evicted.append(other)
            remove(other)
        }
        return evicted
    }

    @discardableResult
    mutating func remove(_ key: String) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        byteCount -= entry.byteCount
        return entry.value
    }
}
