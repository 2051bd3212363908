import HTTPMessage
import HTTPServer

/// The names and fixed values of the tus protocol, version 1.0.0.
enum Tus {
    /// The version that is spoken.
    static let version: StaticString = "1.0.0"
    /// What is done beyond the core protocol.
    static let extensions: StaticString = "creation,creation-with-upload,termination,expiration,checksum"
    /// The media type of the content that an upload grows by.
    static let mediaType = "application/offset+octet-stream"
    /// The method that a request is to be taken for. A client that can send neither PATCH nor DELETE sends POST to an upload
    /// and names one of them in a field, which counts nowhere else.
    static func method(of head: RequestHead) -> Method {
        guard head.method == .post, head.target.hasPathPrefix("/uploads/"),
            let text = head.fields.first(.methodOverride)
        else { return head.method }
        let method = head.fields.count(of: .methodOverride) == 1 ? Method(text) : .other
        return method == .patch || method == .delete ? method : .other
    }

    /// What the answer to OPTIONS tells.
    static func appendAbilities(byteLimit: Int, to lines: inout FieldLines) {
        lines.append(.tusResumable, literal: version)
        lines.append(.tusVersion, literal: version)
        lines.append(.tusExtension, literal: extensions)
        lines.append(.tusMaxSize, byteLimit)
        lines.append(.tusChecksumAlgorithm, UploadChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: ","))
    }
}

extension FieldName {
    static let methodOverride: FieldName = "X-HTTP-Method-Override"
    static let tusChecksumAlgorithm: FieldName = "Tus-Checksum-Algorithm"
    static let tusExtension: FieldName = "Tus-Extension"
    static let tusMaxSize: FieldName = "Tus-Max-Size"
    static let tusResumable: FieldName = "Tus-Resumable"
    static let tusVersion: FieldName = "Tus-Version"
    static let uploadChecksum: FieldName = "Upload-Checksum"
    static let uploadExpires: FieldName = "Upload-Expires"
    static let uploadLength: FieldName = "Upload-Length"
    static let uploadMetadata: FieldName = "Upload-Metadata"
    static let uploadOffset: FieldName = "Upload-Offset"
    /// The id of the asset that an upload has become.
    static let vedutaAsset: FieldName = "Veduta-Asset"
}
