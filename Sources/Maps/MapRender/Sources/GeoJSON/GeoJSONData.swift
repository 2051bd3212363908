import Bytes
import JSON
import MapStyle

struct GeoJSONData {
    private let written: JSONValue
    /// nil for data written in the style.
    private let bytes: SharedBytes?
    let key: ContentKey

    /// nil when there is nothing at the source's address.
    init?(
        _ source: GeoJSONSource, _ resources: any MapResources, shouldStop: () -> Bool
    ) throws(ResourceError) {
        written = source.data
        if case .string(let address) = written {
            guard let found = try resources.bytes(at: address, shouldStop: shouldStop) else { return nil }
            bytes = found
            key = ContentKey(address: address, content: found)
        } else {
            bytes = nil
            key = ContentKey(written)
        }
    }

    func json() throws(GeoJSONError) -> JSONValue {
        guard let bytes else { return written }
        do throws(JSONError) {
            return try JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) })
        } catch {
            throw .malformed
        }
    }
}
