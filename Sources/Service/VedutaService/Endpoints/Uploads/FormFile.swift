import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Reactor

/// What a request brings to be stored: its content, or the first file of a form.
enum FormFile {
    /// How many bytes a form may have beside its file: heads of parts, other fields, what stands before and behind.
    static let frameByteCount = 65_536

    /// Whether the content is a form (RFC 7578), by its media type.
    static func isForm(_ fields: Fields) -> Bool {
        guard let value = fields.first(.contentType) else { return false }
        return value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            .elementsEqual("multipart/form-data".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    /// Calls `body` with what is to be stored, and what the client calls it. Waits for the disk.
    static func withContent<Stored>(
        of request: Request, spoolFolder: String, byteLimit: Int,
        _ body: (_ content: UploadContent, _ fileName: String?) throws(EndpointError) -> Stored
    ) throws(EndpointError) -> Stored {
        guard isForm(request.head.fields) else {
            return try withExtendedLifetime(request) { () throws(EndpointError) in
                try body(UploadContent(request.content), nil)
            }
        }
        guard let value = request.head.fields.first(.contentType), let boundary = MultipartBoundary(contentType: value)
        else { throw .formWithoutFile }
        var extractor = Extractor(boundary, try spool(in: spoolFolder), byteLimit: byteLimit)
        try request.content.forEachPiece(failing: { .upload(UploadError($0)) }) { piece, _ throws(EndpointError) in
            try extractor.take(piece)
        }
        guard extractor.isComplete, let name = extractor.fileName else { throw .formWithoutFile }
        let (file, byteCount) = (extractor.file, extractor.byteCount)
        return try withExtendedLifetime(file) { () throws(EndpointError) in
            try body(.file(number: file.rawValue, byteCount: byteCount), name.isEmpty ? nil : name)
        }
    }

    private static func spool(in folder: String) throws(EndpointError) -> SharedFile {
        do throws(Errno) {
            return SharedFile(adopting: try FileDescriptor.openSpool(in: folder), byteCount: 0)
        } catch {
            throw .upload(UploadError(error))
        }
    }

    /// Writes the first file of a form to a file of its own.
    private struct Extractor {
        private var reader: MultipartReader
        let file: SharedFile
        private let byteLimit: Int
        private(set) var byteCount = 0
        /// The name of the file once it was found, which may be empty.
        private(set) var fileName: String?
        private var isInFile = false

        init(_ boundary: MultipartBoundary, _ file: SharedFile, byteLimit: Int) {
            reader = MultipartReader(boundary)
            self.file = file
            self.byteLimit = byteLimit
        }

        var isComplete: Bool { reader.isComplete }

        mutating func take(_ data: [UInt8]) throws(EndpointError) {
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
                case .failed: throw .formWithoutFile
                }
            }
        }

        private mutating func keep(_ data: ArraySlice<UInt8>) throws(EndpointError) {
            guard isInFile else { return }
            guard byteCount + data.count <= byteLimit else { throw .upload(.tooLarge(limit: byteLimit)) }
            do throws(Errno) { try file.write(Array(data), at: byteCount) } catch { throw .upload(UploadError(error)) }
            byteCount += data.count
        }
    }
}

extension UploadContent {
    fileprivate init(_ content: RequestContent) {
        self =
            switch content {
            case .none, .kept: .bytes(SharedBytes([]))
            case .bytes(let bytes): .bytes(bytes)
            case .file(let file): .file(number: file.rawValue, byteCount: file.byteCount)
            }
    }
}
