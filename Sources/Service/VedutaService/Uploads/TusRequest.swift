import AssetLibrary
import HTTPMessage

/// What a request of the tus protocol says in its head; nothing is looked up for it.
enum TusRequest: Equatable {
    /// An upload of `length` bytes is to begin, perhaps with the first of them.
    case create(length: Int, UploadMetadata, UploadChecksum?)
    /// The upload is to go on at `offset`.
    case append(token: String, offset: Int, UploadChecksum?)
    /// What is there of the upload?
    case look(token: String)
    /// The upload is to be forgotten.
    case end(token: String)

    /// Reads `head`, whose resource has the method.
    init(_ head: RequestHead, _ route: Endpoint) throws(Problem) {
        guard head.fields.count(of: .tusResumable) == 1, head.fields.first(.tusResumable) == "\(Tus.version)" else {
            throw .tusVersion
        }
        let checksum = try Self.checksum(head.fields)
        if route == .uploads {
            guard !head.fields.contains("Upload-Defer-Length") else {
                throw .tusField("Upload-Defer-Length", "left out")
            }
            let length = try Self.number(.uploadLength, head.fields)
            if head.hasContent { try Self.checkMediaType(head.fields) }
            self = .create(length: length, try Self.metadata(head.fields), checksum)
            return
        }
        let token = String(head.target.path.dropFirst("/uploads/".utf8.count))
        switch Tus.method(of: head) {
        case .patch:
            try Self.checkMediaType(head.fields)
            self = .append(token: token, offset: try Self.number(.uploadOffset, head.fields), checksum)
        case .delete: self = .end(token: token)
        case .get, .head, .post, .put, .options, .trace, .connect, .other: self = .look(token: token)
        }
    }

    private static func number(_ name: FieldName, _ fields: Fields) throws(Problem) -> Int {
        // `Int` would take a sign.
        guard fields.count(of: name) == 1, let text = fields.first(name), let number = Int(text),
            text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { throw .tusField(name.text, "a number of bytes") }
        return number
    }

    private static func metadata(_ fields: Fields) throws(Problem) -> UploadMetadata {
        guard let text = fields.first(.uploadMetadata), !text.isEmpty else { return .none }
        guard fields.count(of: .uploadMetadata) == 1, let metadata = UploadMetadata(text) else {
            throw .tusField(
                FieldName.uploadMetadata.text,
                "keys, each once and with a value in base64, up to \(UploadMetadata.byteLimit) bytes in total")
        }
        return metadata
    }

    private static func checksum(_ fields: Fields) throws(Problem) -> UploadChecksum? {
        guard let text = fields.first(.uploadChecksum) else { return nil }
        guard fields.count(of: .uploadChecksum) == 1, let checksum = UploadChecksum(text) else {
            let algorithms = UploadChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: " or ")
            throw .tusField(FieldName.uploadChecksum.text, "\(algorithms), a space and the digest in base64")
        }
        return checksum
    }

    private static func checkMediaType(_ fields: Fields) throws(Problem) {
        let essence = fields.first(.contentType)?.prefix { $0 != ";" && $0 != " " }
        guard fields.count(of: .contentType) == 1, essence?.lowercased() == Tus.mediaType,
            !fields.contains(.contentEncoding)
        else { throw .tusMediaType }
    }
}
