import Bytes
import HTTPMessage
import Parameters

/// The path `/assets/{id}`: the id is the rest and may have slashes, encoded or not. The last part of
/// `/assets/{id}/original`, `/assets/{id}/pages` and `/assets/{id}/focus` is not encoded, so that an asset may have such a name too.
enum DescribedPath {
    private static let prefix = "/assets/"
    static let original = AssetAddress.original
    static let pages = AssetAddress.pages
    static let focus = AssetAddress.focus

    /// Whether the path, which begins with `/assets/`, has an id before `suffix`.
    static func hasID(_ target: RequestTarget, before suffix: String) -> Bool {
        let path = target.path
        return path.utf8.count > prefix.utf8.count + suffix.utf8.count && path.hasSuffix(suffix)
    }

    /// The id before `suffix`.
    /// - Throws: the faults of a query, which this resource does not take, or of a path that is no text.
    static func id(_ target: RequestTarget, before suffix: String = "") throws(EndpointError) -> String {
        try id(target, before: suffix, ParameterTable([])) { _ in }
    }

    /// As above, where `read` reads the parameters of `table`.
    static func id(
        _ target: RequestTarget, before suffix: String, _ table: ParameterTable,
        read: (inout ParameterReader) -> Void
    ) throws(EndpointError) -> String {
        do throws(ParameterFaults) {
            var reader = ParameterReader(try QueryItems.parse(target.query ?? ""), table: table)
            read(&reader)
            try reader.finish()
        } catch {
            throw .parameters(error)
        }
        let encoded = String(target.path.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count))
        guard let id = decoded(encoded) else {
            throw .parameters(ParameterFaults([ParameterFault(parameter: "id", value: encoded, reason: .badEncoding)]))
        }
        return id
    }

    /// nil for what is not UTF-8. `+` is `+` here.
    static func decoded(_ path: String) -> String? {
        PercentEncoding.decoded(path.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
