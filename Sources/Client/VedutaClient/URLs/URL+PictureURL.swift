public import Foundation

extension URL: PictureURL {
    /// The URL itself, or, of `asset` and `map`, the one of `service` that it stands for.
    public func url(for service: VedutaEndpoint) throws(VedutaError) -> URL {
        switch scheme?.lowercased() {
        case AssetURL.scheme: try AssetURL(parsing: self).url(for: service)
        case MapURL.scheme: try MapURL(parsing: self).url(for: service)
        case "http", "https": self
        default:
            throw .invalidURL([
                Fault(parameter: "", value: absoluteString, message: "The scheme of the URL is unknown.")
            ])
        }
    }
}
