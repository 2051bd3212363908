package import Bytes
package import Digest
import Glibc
package import Reactor

package enum UploadContent: Sendable {
    case bytes(SharedBytes)
    /// The first `byteCount` bytes of a file that is open for reading under `number`, and stays so and unchanged until
    /// the upload is over. One without a name, open for writing too and on the library's file system, is taken as it is
    /// instead of being copied.
    case file(number: Int32, byteCount: Int)

    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let byteCount): byteCount
        }
    }

    private static let pieceByteCount = 1 << 18

    func forEachPiece(_ body: (RawSpan, _ offset: Int) throws(Errno) -> Void) throws(Errno) {
        switch self {
        case .bytes(let bytes): try body(bytes.span, 0)
        case .file(let number, let byteCount):
            var piece = [UInt8](repeating: 0, count: min(byteCount, Self.pieceByteCount))
            var offset = 0
            while offset < byteCount {
                let wanted = min(piece.count, byteCount - offset)
                let count = try Errno.check { pread(number, &piece, wanted, off_t(offset)) }
                // It is shorter than announced.
                if count == 0 { throw Errno(code: EIO) }
                try body(piece.span.bytes.extracting(first: count), offset)
                offset += count
            }
        }
    }

    package func examine() throws(Errno) -> ExaminedContent { try examine { _ in true } }

    /// `goesOn` gets the number of bytes of each piece that was read; false ends it with `ECANCELED`.
    func examine(_ goesOn: (Int) -> Bool) throws(Errno) -> ExaminedContent {
        var hash = SHA256()
        var head: [UInt8] = []
        try forEachPiece { piece, _ throws(Errno) in
            guard goesOn(piece.byteCount) else { throw Errno(code: ECANCELED) }
            hash.update(piece)
            if head.count < UploadSettings.sniffedByteCount {
                let count = min(piece.byteCount, UploadSettings.sniffedByteCount - head.count)
                piece.extracting(first: count).withUnsafeBytes { head += $0 }
            }
        }
        return ExaminedContent(digest: hash.digest(), head: SharedBytes(head))
    }
}

package struct ExaminedContent {
    package let digest: Digest256
    /// At most `UploadSettings.sniffedByteCount` bytes, which tell the media type.
    package let head: SharedBytes
}
