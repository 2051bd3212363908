import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import HTTPServer
import Reactor

/// What a request of the tus protocol says in its head; nothing is looked up for it.
enum ResumableUploadRequest: Equatable {
    /// An upload of `length` bytes is to begin, perhaps with the first of them.
    case create(length: Int, UploadMetadata, UploadChecksum?)
    case append(token: String, offset: Int, UploadChecksum?)
    /// What is there of the upload?
    case look(token: String)
    /// The upload is to be forgotten.
    case end(token: String)

    /// Reads `head`, whose resource has the method.
    init(_ head: RequestHead, _ endpoint: Endpoint) throws(EndpointError) {
        guard head.fields.count(of: .tusResumable) == 1, head.fields.first(.tusResumable) == "\(Tus.version)" else {
            throw .tusVersion
        }
        let checksum = try Self.checksum(head.fields)
        if endpoint == .uploads {
            guard !head.fields.contains("Upload-Defer-Length") else {
                throw .tusField("Upload-Defer-Length", allowed: "left out")
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

    private static func number(_ name: FieldName, _ fields: Fields) throws(EndpointError) -> Int {
        // `Int` would take a sign.
        guard fields.count(of: name) == 1, let text = fields.first(name), let number = Int(text),
            text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { throw .tusField(name.text, allowed: "a number of bytes") }
        return number
    }

    private static func metadata(_ fields: Fields) throws(EndpointError) -> UploadMetadata {
        guard let text = fields.first(.uploadMetadata), !text.isEmpty else { return .none }
        guard fields.count(of: .uploadMetadata) == 1, let metadata = UploadMetadata(text) else {
            throw .tusField(
                FieldName.uploadMetadata.text,
                allowed: "keys, each once and with a value in base64, up to \(UploadMetadata.byteLimit) bytes in total")
        }
        return metadata
    }

    private static func checksum(_ fields: Fields) throws(EndpointError) -> UploadChecksum? {
        guard let text = fields.first(.uploadChecksum) else { return nil }
        guard fields.count(of: .uploadChecksum) == 1, let checksum = UploadChecksum(text) else {
            let algorithms = UploadChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: " or ")
            throw .tusField(FieldName.uploadChecksum.text, allowed: "\(algorithms), a space and the digest in base64")
        }
        return checksum
    }

    private static func checkMediaType(_ fields: Fields) throws(EndpointError) {
        let essence = fields.first(.contentType)?.prefix { $0 != ";" && $0 != " " }
        guard fields.count(of: .contentType) == 1, essence?.lowercased() == Tus.mediaType,
            !fields.contains(.contentEncoding)
        else { throw .tusMediaType }
    }
}

/// The names and fixed values of the tus protocol, version 1.0.0.
enum Tus {
    static let version: StaticString = "1.0.0"
    /// What is done beyond the core protocol.
    static let extensions: StaticString = "creation,creation-with-upload,termination,expiration,checksum"
    /// Of the content that an upload grows by.
    static let mediaType = "application/offset+octet-stream"

    /// The method that a request is taken for. A client that can send neither PATCH nor DELETE sends POST to an upload and
    /// names one of them in a field, which counts nowhere else.
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

    /// What the answer to a refused request has besides its problem.
    static func append(to lines: inout FieldLines, of error: EndpointError) {
        lines.append(.tusResumable, literal: version)
        if case .tusVersion = error { lines.append(.tusVersion, literal: version) }
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

/// The field Upload-Checksum: what the content of one request must come to.
struct UploadChecksum: Equatable, Sendable {
    enum Algorithm: String, CaseIterable, Sendable { case sha1, sha256 }

    let algorithm: Algorithm
    let digest: [UInt8]

    /// Reads `algorithm base64`; nil when it is malformed or the algorithm is unknown.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let algorithm = Algorithm(rawValue: String(words[0])),
            let digest = Base64.bytes(words[1].utf8)
        else { return nil }
        let byteCount =
            switch algorithm {
            case .sha1: SHA1.byteCount
            case .sha256: Digest256.byteCount
            }
        guard digest.count == byteCount else { return nil }
        self.algorithm = algorithm
        self.digest = digest
    }

    /// O(bytes); waits for the disk where they are there.
    func matches(_ content: RequestContent) throws(Errno) -> Bool {
        switch algorithm {
        case .sha1:
            var hash = SHA1()
            try content.forEachPiece { piece, _ throws(Errno) in hash.update(piece.span.bytes) }
            return hash.digest() == digest
        case .sha256:
            var hash = SHA256()
            try content.forEachPiece { piece, _ throws(Errno) in hash.update(piece.span.bytes) }
            return hash.digest().bytes == digest
        }
    }
}

extension RequestContent {
    private static let pieceByteCount = 1 << 18

    /// Calls `body` with the collected bytes, piece by piece, each with its place.
    func forEachPiece(_ body: ([UInt8], _ offset: Int) throws(Errno) -> Void) throws(Errno) {
        try forEachPiece(failing: { $0 }, body)
    }
    /// The same for a `body` with errors of its own; `failing` names those of reading.
    func forEachPiece<Failure: Error>(
        failing: (Errno) -> Failure, _ body: ([UInt8], _ offset: Int) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .none, .kept: break
        case .bytes(let bytes):
            var offset = 0
            while offset < bytes.count {
                let end = min(bytes.count, offset + Self.pieceByteCount)
                try body(bytes.withUnsafeBytes { Array($0[offset..<end]) }, offset)
                offset = end
            }
        case .file(let file):
            var offset = 0
            while offset < file.byteCount {
                var piece = [UInt8](repeating: 0, count: min(Self.pieceByteCount, file.byteCount - offset))
                let outcome: Result<Int, Errno> = piece.withUnsafeMutableBytes { buffer in
                    Result { () throws(Errno) in try file.read(into: buffer, from: offset) }
                }
                switch outcome {
                case .success(piece.count): try body(piece, offset)
                case .success: throw failing(.fileTooShort)
                case .failure(let error): throw failing(error)
                }
                offset += piece.count
            }
        }
    }
}
