/// The first names of a folder in the order of ids. They are found among all of them, which come in no order.
struct FirstNames {
    let limit: Int
    private let bound: [UInt8]
    private let way: [UInt8]?
    /// No later key is among the first; nil: none was left out yet.
    private var last: [UInt8]?

    /// In order once `finish` was called.
    private(set) var entries: [FolderRun.Entry] = []
    /// For tests.
    private(set) var sortCount = 0

    /// Keeps `count` names after `bound`, and the folder with the key `way`, which comes before them.
    init(_ count: Int, after bound: [UInt8], orThrough way: [UInt8]?) {
        limit = way == nil ? count : count + 1
        self.bound = bound
        self.way = way
    }

    /// Whether no name after `bound` was left out.
    var isWhole: Bool { last == nil }

    mutating func add(_ name: String, isFolder: Bool) {
        // A folder's key comes after its name.
        if let last, last.lexicographicallyPrecedes(name.utf8) { return }
        guard isFolder || bound.lexicographicallyPrecedes(name.utf8) else { return }
        let key = Array(name.utf8) + (isFolder ? [UInt8(ascii: "/")] : [])
        guard bound.lexicographicallyPrecedes(key) || isFolder && key == way else { return }
        entries.append(FolderRun.Entry(key: key, isFolder: isFolder))
        if entries.count > 2 * limit { finish() }
    }

    /// Puts the names in order, and drops those that are not among the first.
    mutating func finish() {
        entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
        sortCount += 1
        guard entries.count > limit else { return }
        entries.removeLast(entries.count - limit)
        last = entries.last?.key
    }
}
