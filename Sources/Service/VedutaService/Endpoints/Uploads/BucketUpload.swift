import AssetLibrary
import Digest
import HTTPMessage
import HTTPServer
import JSON
import Origin
import Originals
import Parameters
import Reactor

/// What is to be an object in a bucket.
struct BucketUpload: Sendable {
    let id: String
    let content: ExchangeContent
    let mediaType: String
    private let digest: Digest256
    private let fileName: String?

    init(_ content: UploadContent, id: String?, name: String?) throws(EndpointError) {
        let examined: ExaminedContent
        do throws(Errno) {
            examined = try content.examine()
            self.content =
                switch content {
                case .bytes(let bytes): .bytes(bytes)
                case .file(let number, let byteCount):
                    .file(SharedFile(adopting: try FileDescriptor.duplicate(number), byteCount: byteCount))
                }
        } catch {
            throw .upload(UploadError(error))
        }
        guard let mediaType = SourceMedia.readable(examined.head) else { throw .upload(.unknownMedia) }
        self.mediaType = mediaType
        digest = examined.digest
        let ownID = "~" + digest.base64URL()
        // The id of a digest is that of no other content.
        if let id, Originals.isUpload(id), id != ownID { throw .upload(.invalidID(.reservedPrefix), id: id) }
        self.id = id ?? ownID
        fileName = name
    }

    /// `entityTag`: the bucket's.
    func response(_ status: Status, _ entityTag: String?, _ context: RequestContext) -> Response {
        let json = JSONText.line { json in
            json.member("id", id)
            json.member("origin", Originals.isUpload(id) ? "upload" : "name")
            json.member("bytes", content.byteCount)
            json.member("mediaType", mediaType)
            json.member("sha256", digest.hex)
            json.member("fileName", fileName)
        }
        var response = context.json(json, status: status)
        if let tag = entityTag.flatMap({ EntityTag($0) }) { response.ownFields.append(.entityTag, tag) }
        if status == .created { response.ownFields.append(.location, AssetAddress.path(id)) }
        return response
    }
}
