import Bytes
import HTTPMessage
import Parameters

/// The path `/assets/{id}`, where the id is all that follows and may have slashes, encoded or not; `/assets/{id}/original` and
/// `/assets/{id}/pages` have a last part that is not encoded, so that an asset may be called so too.
enum DescribedPath {
    private static let prefix = "/assets/"
    /// The last parts of the paths of what an asset has.
    static let original = "/original"
    static let pages = "/pages"

    /// Whether the path of `target`, which begins with `/assets/`, ends in `suffix` and has an id before it.
    static func hasID(_ target: RequestTarget, before suffix: String) -> Bool {
        let path = target.path
        return path.utf8.count > prefix.utf8.count + suffix.utf8.count && path.hasSuffix(suffix)
    }

    /// The id that the path of `target` holds, before `suffix`.
    ///
    /// - Throws: the faults of a query, which this resource does not take, or of a path that is no text.
    static func id(_ target: RequestTarget, before suffix: String = "") throws(Problem) -> String {
        try id(target, before: suffix, ParameterTable([])) { _ in }
    }

    /// As above, of a resource that takes the parameters of `table`; `read` reads them.
    static func id(
        _ target: RequestTarget, before suffix: String, _ table: ParameterTable,
        read: (inout ParameterReader) -> Void
    ) throws(Problem) -> String {
        do throws(ParameterFaults) {
            var reader = ParameterReader(try QueryItems.parse(target.query ?? ""), table: table)
            read(&reader)
            try reader.finish()
        } catch {
            throw Problem(error)
        }
        let encoded = String(target.path.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count))
        guard let id = decoded(encoded) else {
            let fault = ParameterFault(parameter: "id", value: encoded, reason: .badEncoding)
            throw Problem(ParameterFaults([fault]))
        }
        return id
    }

    /// The text that the escapes of a path stand for; nil where that is not UTF-8. `+` is `+` here.
    static func decoded(_ path: String) -> String? {
        PercentEncoding.decoded(path.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
