import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Reactor

/// What a request brings to be stored: its content, or the first file of a form.
enum FormFile {
    /// How many bytes a form may have beside its file: heads of parts, other fields, what stands before and behind.
    static let frameByteCount = 65_536

    private static let pieceByteCount = 1 << 18

    /// Whether the content is a form (RFC 7578), by its media type.
    static func isForm(_ fields: Fields) -> Bool {
        guard let value = fields.first(.contentType) else { return false }
        return value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            .elementsEqual("multipart/form-data".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    /// Calls `body` with what is to be stored, and what the client calls it. Waits for the disk.
    static func withContent<Stored>(
        of request: Request, spoolFolder: String, byteLimit: Int,
        _ body: (_ content: UploadContent, _ fileName: String?) throws(Problem) -> Stored
    ) throws(Problem) -> Stored {
        guard isForm(request.head.fields) else {
            return try withExtendedLifetime(request) { () throws(Problem) in
                try body(try content(request.content), nil)
            }
        }
        guard let value = request.head.fields.first(.contentType), let boundary = MultipartBoundary(contentType: value)
        else { throw .formWithoutFile }
        do throws(FormFault) {
            var extractor = Extractor(boundary, try spool(in: spoolFolder), byteLimit: byteLimit)
            try read(request.content, into: &extractor)
            guard extractor.isComplete, let name = extractor.fileName else { throw .noFile }
            let (file, byteCount) = (extractor.file, extractor.byteCount)
            return try store(file, byteCount: byteCount, name: name, body)
        } catch {
            switch error {
            case .noFile: throw .formWithoutFile
            case .io(let error): throw Problem(UploadError(error))
            case .tooLarge(let limit): throw Problem(UploadError.tooLarge(limit: limit))
            case .problem(let problem): throw problem
            }
        }
    }

    private enum FormFault: Error {
        case noFile
        case tooLarge(limit: Int)
        case io(Errno)
        case problem(Problem)
    }

    private static func store<Stored>(
        _ file: SharedFile, byteCount: Int, name: String,
        _ body: (_ content: UploadContent, _ fileName: String?) throws(Problem) -> Stored
    ) throws(FormFault) -> Stored {
        do throws(Problem) {
            return try withExtendedLifetime(file) { () throws(Problem) in
                try body(.file(number: file.rawValue, byteCount: byteCount), name.isEmpty ? nil : name)
            }
        } catch {
            throw .problem(error)
        }
    }

    private static func content(_ content: RequestContent) throws(Problem) -> UploadContent {
        switch content {
        case .none, .kept: .bytes(SharedBytes([]))
        case .bytes(let bytes): .bytes(bytes)
        case .file(let file): .file(number: file.rawValue, byteCount: file.byteCount)
        }
    }

    private static func spool(in folder: String) throws(FormFault) -> SharedFile {
        do throws(Errno) {
            return SharedFile(adopting: try FileDescriptor.openSpool(in: folder), byteCount: 0)
        } catch {
            throw .io(error)
        }
    }

    private static func read(_ content: RequestContent, into extractor: inout Extractor) throws(FormFault) {
        switch content {
        case .none, .kept: throw .noFile
        case .bytes(let bytes): try extractor.take(bytes.withUnsafeBytes { Array($0) })
        case .file(let file):
            var offset = 0
            while offset < file.byteCount {
                var piece = [UInt8](repeating: 0, count: min(pieceByteCount, file.byteCount - offset))
                let outcome: Result<Int, Errno> = piece.withUnsafeMutableBytes { buffer in
                    do throws(Errno) { return .success(try file.read(into: buffer, from: offset)) } catch {
                        return .failure(error)
                    }
                }
                switch outcome {
                case .success(let count): piece.removeLast(piece.count - count)
                case .failure(let error): throw .io(error)
                }
                if piece.isEmpty { throw .noFile }
                try extractor.take(piece)
                offset += piece.count
            }
        }
    }

    /// Writes the first file of a form to a file of its own.
    private struct Extractor {
        private var reader: MultipartReader
        let file: SharedFile
        private let byteLimit: Int
        private(set) var byteCount = 0
        /// Its name once it was found, which may be empty.
        private(set) var fileName: String?
        private var isInFile = false

        init(_ boundary: MultipartBoundary, _ file: SharedFile, byteLimit: Int) {
            reader = MultipartReader(boundary)
            self.file = file
            self.byteLimit = byteLimit
        }

        /// Whether the form was whole.
        var isComplete: Bool { reader.isComplete }

        mutating func take(_ data: [UInt8]) throws(FormFault) {
            var rest = data[...]
            while true {
                switch reader.read(Array(rest).span.bytes) {
                case .needMore: return
                case .part(let part, let consumed):
                    isInFile = fileName == nil && part.fileName != nil
                    if isInFile { fileName = part.fileName }
                    rest = rest.dropFirst(consumed)
                case .content(let range, let consumed):
                    try keep(Array(rest)[range])
                    rest = rest.dropFirst(consumed)
                case .withheld(let data, let consumed):
                    try keep(data[...])
                    rest = rest.dropFirst(consumed)
                case .complete: return
                case .failed: throw .noFile
                }
            }
        }

        private mutating func keep(_ data: ArraySlice<UInt8>) throws(FormFault) {
            guard isInFile else { return }
            guard byteCount + data.count <= byteLimit else { throw .tooLarge(limit: byteLimit) }
            do throws(Errno) { try file.write(Array(data), at: byteCount) } catch { throw .io(error) }
            byteCount += data.count
        }
    }
}
