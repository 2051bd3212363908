import HTTPMessage
package import AssetLibrary
package import ImagePlan
import Origin
import OriginCache
import Parameters

// What ids mean: `https://…` and `http://…` are of other servers, `s3://…` are objects in buckets, `~…` is an upload
// without a name, and all others are names of uploads or paths in the library. Where uploads are objects in a bucket, a
// file of the library comes first, as looking at it costs nothing.
extension Originals {
    /// The one spelling of `id`, if it can name an original. Touches no disk and no network.
    package func canonicalID(_ id: String) throws(OriginalError) -> String {
        if let source = try remoteSource(id) { return source.id }
        do throws(UploadError) { try UploadLibrary.checkID(id) } catch { throw OriginalError(error, id: id) }
        return id
    }

    /// nil: `id` names an original of another kind.
    /// - Throws: a fault of the id, or that its origin may not be asked.
    package func remoteSource(_ id: String) throws(OriginalError) -> RemoteSource? {
        if Self.webPrefixes.contains(where: { id.utf8.starts(with: $0) }) { return try webSource(id) }
        if id.utf8.starts(with: Self.objectPrefix) { return try objectSource(id) }
        guard let bucket else { return nil }
        do throws(UploadError) { try UploadLibrary.checkID(id) } catch { throw OriginalError(error, id: id) }
        if isInFolder(id) { return nil }
        return RemoteSource(id: id, url: bucket.endpoint, object: try bucket.location(id))
    }

    private func webSource(_ id: String) throws(OriginalError) -> RemoteSource {
        var url = try Self.address(id)
        // What took its place is the original from here on, in keys too.
        if let other = remote?.rewrites.rewritten(url.description) {
            if other.utf8.starts(with: Self.objectPrefix) { return try objectSource(other) }
            url = try Self.address(other)
        }
        guard let remote, remote.origins.contains(url.origin) else { throw .remote(.origin(.originNotAllowed)) }
        return RemoteSource(id: url.description, url: url)
    }

    private static func address(_ id: String) throws(OriginalError) -> OriginURL {
        do throws(OriginURLFault) { return try OriginURL(id) } catch { throw OriginalError(error, id: id) }
    }

    private func objectSource(_ id: String) throws(OriginalError) -> RemoteSource {
        let object: S3Location
        do throws(S3LocationFault) { object = try S3Location(id) } catch { throw OriginalError(error, id: id) }
        guard let remote, let service = remote.objects, remote.readableBuckets.contains(object.bucket)
        else { throw .remote(.origin(.originNotAllowed)) }
        return RemoteSource(id: object.description, url: service.endpoint(of: object.bucket), object: object)
    }

    /// The point that somebody stored for crops of the image, wherever the image is. Touches no disk and no network.
    package func focalPoint(of id: String) -> FocalPoint? { uploads?.focalPoint(of: id).map { FocalPoint($0) } }

    /// Whether it may have to be fetched.
    package func mayBeRemote(_ id: String) -> Bool { bucket != nil || ((try? remoteSource(id)) ?? nil) != nil }

    private func isInFolder(_ id: String) -> Bool {
        guard let library, !Self.isUpload(id) else { return false }
        return (try? library.isStateKnown(of: id)) != nil
    }

    /// Whether only an upload without a name can have this id.
    package static func isUpload(_ id: String) -> Bool { id.utf8.first == UInt8(ascii: "~") }

    private static let webPrefixes = ["https://", "http://", "HTTPS://", "HTTP://"].map { Array($0.utf8) }
    private static let objectPrefix = Array("s3://".utf8)
}

extension FocalPoint {
    package init(_ stored: StoredFocalPoint) {
        self.init(
            x: PlainDecimal(billionths: Int64(stored.xMillionths) * 1000),
            y: PlainDecimal(billionths: Int64(stored.yMillionths) * 1000))
    }
}
