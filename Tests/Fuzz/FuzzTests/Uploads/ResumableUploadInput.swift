import HTTPMessage

@testable import AssetLibrary
@testable import VedutaService

// The first byte of an input says what the rest is: field lines, metadata, a record, or an id.

/// What `scripts/fuzz tus` runs: requests of resumable uploads, what is stored beside them, and names of assets.
enum ResumableUploadInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let text = String(decoding: input.rest(), as: UTF8.self)
        switch selector & 3 {
        case 0: try checkRequest(text, selector: selector)
        case 1: try checkMetadata(text)
        case 2: try checkRecord(text)
        default: try checkID(text)
        }
    }

    private static let methods = ["POST", "PATCH", "HEAD", "DELETE", "GET", "PUT"]

    private static func checkRequest(_ lines: String, selector: UInt8) throws(BrokenInvariant) {
        let isNew = selector & 4 != 0
        let method = methods[Int(selector >> 3) % methods.count]
        let version = selector & 0x80 == 0 ? "Tus-Resumable: 1.0.0\r\n" : ""
        let head = "\(method) /uploads\(isNew ? "" : "/token") HTTP/1.1\r\nHost: a\r\n\(version)\(lines)\r\n\r\n"
        var parser = RequestHeadParser(limits: HTTPLimits())
        guard case .complete(let read, _) = parser.parse(Array(head.utf8).span.bytes) else { return }
        guard let request = try? ResumableUploadRequest(read, isNew ? .uploads : .upload) else { return }
        switch request {
        case .create(let length, let metadata, let checksum):
            try BrokenInvariant.require(length >= 0 && isNew, "\(request)")
            try checkAgain(metadata, length: length)
            try checkDigest(checksum)
        case .append(let token, let offset, let checksum):
            try BrokenInvariant.require(offset >= 0 && token == "token", "\(request)")
            try checkDigest(checksum)
        case .look(let token), .end(let token): try BrokenInvariant.require(token == "token", "\(request)")
        }
    }

    private static func checkDigest(_ checksum: UploadChecksum?) throws(BrokenInvariant) {
        guard let checksum else { return }
        let count = checksum.algorithm == .sha1 ? 20 : 32
        try BrokenInvariant.require(checksum.digest.count == count, "\(checksum)")
    }

    private static func checkMetadata(_ text: String) throws(BrokenInvariant) {
        guard let metadata = UploadMetadata(text) else { return }
        _ = metadata.fileName
        // Field values have neither blanks at their ends nor line ends.
        guard text.utf8.allSatisfy({ $0 >= 0x20 }), text.first != " ", text.last != " " else { return }
        try checkAgain(metadata, length: text.utf8.count)
    }

    /// What is stored of an upload is what is read after a restart.
    private static func checkAgain(_ metadata: UploadMetadata, length: Int) throws(BrokenInvariant) {
        for asset in [nil, "~id", "a/b c"] {
            let record = ResumableRecord(length: length, metadata: metadata, assetID: asset)
            let again = ResumableRecord(record.text)
            try BrokenInvariant.require(again == record, "\(record) became \(String(describing: again))")
            try BrokenInvariant.require(record.text.utf8.count <= ResumableRecord.byteLimit, "a record over its limit")
            try BrokenInvariant.require(again?.metadata.fileName == metadata.fileName, "another file name")
        }
    }

    private static func checkRecord(_ text: String) throws(BrokenInvariant) {
        guard let record = ResumableRecord(text) else { return }
        try BrokenInvariant.require(record.length >= 0, "\(record)")
        let again = ResumableRecord(record.text)
        try BrokenInvariant.require(again == record, "\(record) became \(String(describing: again))")
    }

    /// An id never leads out of its folder, and is written as it is read.
    private static func checkID(_ text: String) throws(BrokenInvariant) {
        if let path = try? LibraryPath(id: text) {
            for name in path.components {
                let isPlain =
                    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2f }
                try BrokenInvariant.require(isPlain, "\(text) has the component \(name)")
            }
            try BrokenInvariant.require(
                path.components.joined(separator: "/").utf8.elementsEqual(text.utf8),
                "\(text) became \(path.components)")
        }
        guard let id = try? UploadID(text) else { return }
        let names = id.path.utf8.split(separator: 0x2f, omittingEmptySubsequences: false)
        try BrokenInvariant.require(["names", "objects"].contains(id.folders.first), "\(text) is stored at \(id.path)")
        try BrokenInvariant.require(
            names.allSatisfy { !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8) },
            "\(text) is stored at \(id.path)")
    }
}
