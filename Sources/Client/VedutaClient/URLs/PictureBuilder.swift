public import Foundation

/// What builds the URL of a picture in steps, each of which gives a new value: ``AssetURL``, ``MapURL``, ``AvatarURL`` and
/// ``PollURL``.
public protocol PictureBuilder: PictureURL, Hashable {
    /// Path and query, to be signed or written into a page. Throws every fault of the parameters.
    var built: BuiltURL { get throws(VedutaError) }
    /// Device pixels of a CSS pixel.
    func scale(_ ratio: Double) -> Self
    /// The URL in the scheme of the picture, for the loading system of an app: the service registered as `service` answers it, or
    /// the default one. Faults are left for the load to tell.
    func local(named service: String?) -> URL
}

extension PictureBuilder {
    /// The URL at `service`, signed if it has a key.
    public func url(for service: VedutaEndpoint) throws(VedutaError) -> URL {
        try service.url(try service.signed(try built.target))
    }

    /// The URL in the scheme of the picture, such as `asset://?…`: the service registered as default answers it.
    public var local: URL { local(named: nil) }

    /// The text of an `srcset` attribute with a picture for each number of device pixels of a CSS pixel, 1–4, and for images from
    /// 0.5 on. Without a service the URLs are paths.
    public func srcset(densities: [Double], for service: VedutaEndpoint? = nil) throws(VedutaError) -> String {
        var entries: [String] = []
        for density in densities {
            entries.append("\(try scale(density).built.reference(for: service)) \(density.parameterText)x")
        }
        return entries.joined(separator: ", ")
    }
}
