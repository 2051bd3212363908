import Bytes
import Digest
import MapStyle
import Resources

/// The styles that maps are drawn in: `light` and `dark`, and one of the operator's.
struct MapStyles: Sendable {
    /// A style that has been read.
    struct Entry: Sendable {
        /// What `style=` calls it.
        let name: String
        let style: Style
        /// Changes with the document.
        let validator: String
    }

    /// The one that is used unless a request names another.
    let standard: Entry
    private let others: [Entry]

    /// The names, the default first.
    var names: [String] { [standard.name] + others.map(\.name) }

    /// Reads the built-in styles, and the document at `path` where there is one; it is called as its file is, without the
    /// ending. Throws `mapStyle` with all that is wrong in it.
    init(path: String?) throws(ServiceError) {
        let light = try Self.entry("light", Self.octets(Resources.lightStyle), path: "built in")
        let dark = try Self.entry("dark", Self.octets(Resources.darkStyle), path: "built in")
        guard let path else {
            standard = light
            others = [dark]
            return
        }
        let text: String
        do throws(ConfigurationError) {
            text = try ConfigurationFile.text(of: path, source: "--map-style")
        } catch {
            throw .mapStyle(path: path, cause: error.faults.first?.allowed ?? "it cannot be read")
        }
        let own = try Self.entry(Self.name(of: path), Array(text.utf8), path: path)
        standard = own
        others = [light, dark].filter { $0.name != own.name }
    }

    /// The style with a name; the default without one or where there is no such style.
    func entry(_ name: String?) -> Entry { others.first { $0.name == name } ?? standard }

    private static func octets(_ bytes: SharedBytes) -> [UInt8] { bytes.withUnsafeBytes { [UInt8]($0) } }

    private static func entry(_ name: String, _ octets: [UInt8], path: String) throws(ServiceError) -> Entry {
        do throws(StyleFailure) {
            let style = try Style.read(octets)
            return Entry(
                name: name, style: style, validator: SHA256.digest(of: octets).base64URL(octetCount: 12))
        } catch {
            let issues = error.issues.prefix(5).map { "\($0.path): \($0.message)" }.joined(separator: "; ")
            throw .mapStyle(path: path, cause: issues)
        }
    }

    /// What a style in this file is called.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        return String(stem.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }.prefix(64))
    }
}
