import Bytes
import JSON
import MapStyle

/// The data of a source before it is read: from the style or from an address.
struct GeoJSONData {
    private enum Form {
        case inline(JSONValue)
        case bytes(SharedBytes)
    }

    private let form: Form
    /// What is made of it is kept under this.
    let key: ContentKey

    /// The data of `source`; nil when there is nothing at its address.
    init?(_ source: GeoJSONSource, _ resources: any MapResources) throws(ResourceError) {
        if case .string(let address) = source.data {
            guard let bytes = try resources.bytes(at: address) else { return nil }
            form = .bytes(bytes)
            key = ContentKey(address: address, content: bytes)
        } else {
            form = .inline(source.data)
            key = ContentKey(source.data)
        }
    }

    func json() throws(GeoJSONError) -> JSONValue {
        switch form {
        case .inline(let json): return json
        case .bytes(let bytes):
            do throws(JSONError) {
                return try JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) })
            } catch {
                throw .malformed
            }
        }
    }
}
