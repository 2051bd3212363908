/// The path of a walk through the library, rewritten at each link and each `..`. Every rewriting keeps it beneath the
/// root; what would leave it ends the walk as if nothing were there.
struct LinkRoute {
    static let linkLimit = 32
    /// With the next one it bounds the work for links that point at each other: each rewriting is another walk.
    static let stepUpLimit = 64
    static let componentLimit = 512

    /// Components beneath the root; `..` may be among them once a link was met.
    private(set) var components: [String]
    private var linksLeft = Self.linkLimit
    private var stepsUpLeft = Self.stepUpLimit

    init(_ components: [String]) { self.components = components }

    /// Puts `target` in the place of the link at `index`. An absolute target is beneath the root if it begins with one
    /// of `rootSpellings`.
    /// - Throws: `LibraryError.notFound` if the path leaves the root, or links or components are too many;
    /// `.notRegularFile` if it is the root itself.
    mutating func follow(
        _ target: [String], isAbsolute: Bool, at index: Int, rootSpellings: [[String]]
    ) throws(LibraryError) {
        guard linksLeft > 0 else { throw .notFound }
        linksLeft -= 1

        var route = components[..<index]
        var rest = target[...]
        if isAbsolute {
            guard let root = rootSpellings.first(where: { target.starts(with: $0) }) else { throw .notFound }
            route = []
            rest = rest.dropFirst(root.count)
        }
        try replace(by: route + rest + components[(index + 1)...])
    }

    /// Takes out the `..` at `index` and the folder before it.
    /// - Throws: `LibraryError.notFound` if there is none before it, or it happens too often; `.notRegularFile` if
    /// nothing is left but the root.
    mutating func stepUp(at index: Int) throws(LibraryError) {
        guard index > 0, stepsUpLeft > 0 else { throw .notFound }
        stepsUpLeft -= 1
        try replace(by: components[..<(index - 1)] + components[(index + 1)...])
    }

    private mutating func replace(by route: ArraySlice<String>) throws(LibraryError) {
        guard route.count <= Self.componentLimit else { throw .notFound }
        guard !route.isEmpty else { throw .notRegularFile }
        components = Array(route)
    }
}
