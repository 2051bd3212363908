import Bytes
public import Foundation
import HTTPMessage
import ImagePlan
import Parameters

/// The URL of an image of the library, sized, cropped, turned, filtered and encoded.
///
/// Every step gives a new value. Nothing is checked until the URL is asked for: ``url(for:)`` runs the parser of the server
/// over it and throws all faults at once, in the words that the server would answer with.
///
///     let url = AssetURL("lagoon.jpg").size(width: 800, height: 600).fit(.cover, .attention).format(.avif)
public struct AssetURL: PictureBuilder {
    static let scheme = "asset"
    private static let form = LocalForm(scheme: scheme, path: "/asset")

    var parameters = ParameterList()

    /// The asset as it is.
    public init(_ id: AssetID) { parameters.set("id", id.rawValue) }

    /// Reads `asset://?…`, `asset://NAME/?…` or `https://…/asset?…`. A signature is left out.
    public init(parsing url: URL) throws(VedutaError) {
        parameters = try ParameterList(of: url, Self.form, "an image")
        parameters = try ParameterList(try canonical)
    }

    /// The canonical query: full names, fixed order, no defaults. Equal images have equal texts. What a preset means only the server
    /// knows, so beside one values stay as they are written.
    public var canonical: String {
        get throws(VedutaError) {
            do throws(ParameterFaults) {
                return try ImageRequest.writtenQuery(of: parameters.queryItems, idSpelling: OriginURL.oneSpelling)
            } catch {
                throw VedutaError(error)
            }
        }
    }

    /// Path and query, to be signed or written into a page.
    public var built: BuiltURL { get throws(VedutaError) { BuiltURL(path: "/asset", query: try canonical) } }

    /// `asset://NAME/?…`, or `asset://?…` without a name. Faults are left for the load to tell.
    public func local(named service: String?) -> URL {
        Self.form.url((try? canonical) ?? parameters.text, service: service)
    }

    /// The text of an `srcset` attribute with an image for each width in CSS pixels; a height in pixels keeps its ratio.
    /// Without a service the URLs are paths.
    public func srcset(widths: [Int], for service: VedutaEndpoint? = nil) throws(VedutaError) -> String {
        var entries: [String] = []
        let ratio = parameters.value("width").flatMap { Int($0) }.flatMap { width in
            parameters.value("height").flatMap { Int($0) }.map { Double($0) / Double(max(1, width)) }
        }
        for width in widths {
            let height = ratio.map { ratio in Int(held: (Double(width) * ratio).rounded(), in: 1...8192) }
            let sized = height.map { size(width: width, height: $0) } ?? size(width: width)
            entries.append("\(try sized.built.reference(for: service)) \(width)w")
        }
        return entries.joined(separator: ", ")
    }

    /// The same with a parameter given by name, as in a query.
    public func parameter(_ name: String, _ value: String?) -> AssetURL {
        var copy = self
        copy.parameters.set(name, value)
        return copy
    }
}
