import AssetLibrary
import Bytes
import Digest
import HTTPServer
import Reactor

/// What the content of one request must come to: the field Upload-Checksum.
struct UploadChecksum: Equatable, Sendable {
    /// How it is computed.
    enum Algorithm: String, CaseIterable, Sendable {
        case sha1, sha256
    }

    let algorithm: Algorithm
    let digest: [UInt8]

    /// Reads `algorithm base64`; nil when it is malformed or the algorithm is none of ours.
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

    /// Whether `content` comes to it. O(bytes); waits for the disk where they lie there.
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
    /// How many bytes are read at a time.
    private static let pieceByteCount = 1 << 18

    /// Calls `body` with the bytes that the server has collected, piece by piece, each with its place.
    func forEachPiece(_ body: ([UInt8], _ offset: Int) throws(Errno) -> Void) throws(Errno) {
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
                    do throws(Errno) {
                        return .success(try file.read(into: buffer, from: offset))
                    } catch {
                        return .failure(error)
                    }
                }
                guard try outcome.get() == piece.count else { throw .fileTooShort }
                try body(piece, offset)
                offset += piece.count
            }
        }
    }
}
