import HTTPMessage

/// Request methods that a resource takes, besides OPTIONS, which all take.
struct MethodSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let get = MethodSet(rawValue: 1)
    static let head = MethodSet(rawValue: 2)
    static let post = MethodSet(rawValue: 4)
    static let put = MethodSet(rawValue: 8)
    static let patch = MethodSet(rawValue: 16)
    static let delete = MethodSet(rawValue: 32)

    static let reading: MethodSet = [.get, .head]

    /// The set with `method` alone; empty for methods that no resource takes.
    init(_ method: Method) {
        switch method {
        case .get: self = .get
        case .head: self = .head
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        case .options, .trace, .connect, .other: self = []
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether `method` is one of these.
    func has(_ method: Method) -> Bool { !isDisjoint(with: MethodSet(method)) }

    /// The value of `Allow` (RFC 9110 §10.2.1), with OPTIONS at the end.
    var allow: String {
        let order: [Method] = [.get, .head, .post, .put, .patch, .delete]
        return order.filter(has).map { "\($0.name), " }.joined() + "OPTIONS"
    }
}
