public import Foundation

extension URL: PictureURL {
    /// The URL itself, or, of `asset`, `map`, `avatar` and `poll`, the one of `service` that it stands for.
    public func url(for service: VedutaEndpoint) throws(VedutaError) -> URL {
        if let local = LocalScheme(self) { return try local.url(self, for: service) }
        guard ["http", "https"].contains(scheme?.lowercased()) else {
            throw .invalidURL([
                Fault(parameter: "", value: absoluteString, message: "The scheme of the URL is unknown.")
            ])
        }
        return self
    }
}
