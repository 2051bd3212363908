import HTTPMessage

/// The paths of a resource.
enum PathTemplate: Sendable {
    case exactly(StaticString)
    /// Every path that begins so; the resource reads the rest. `documented` are the templates of the contract.
    case below(StaticString, documented: [String])
    /// `/assets/{id}` and this behind it. Ids may have slashes.
    case asset(String)

    /// Whether the path of `target` is one of these; compared as sent, no allocation but for ``asset(_:)``.
    func matches(_ target: RequestTarget) -> Bool {
        switch self {
        case .exactly(let path): target.hasPath(path)
        case .below(let prefix, _): target.hasPathPrefix(prefix)
        case .asset(let suffix):
            target.hasPathPrefix("/assets/") && (suffix.isEmpty || DescribedPath.hasID(target, before: suffix))
        }
    }

    /// The templates of the contract (`openapi.yaml`).
    var documented: [String] {
        switch self {
        case .exactly(let path): ["\(path)"]
        case .below(_, let templates): templates
        case .asset(let suffix): ["/assets/{id}" + suffix]
        }
    }
}
