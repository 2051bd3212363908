package struct S3Listing: Sendable, Equatable {
    package struct Object: Sendable, Equatable {
        package var key: String
        package var byteCount: Int
        package var entityTag: String
    }

    package var objects: [Object] = []
    /// The next listing begins here; nil at the end.
    package var next: String?

    /// A thousand keys of 1,024 bytes, each escaped, fit in.
    static let byteLimit = 8 << 20

    /// Reads the answer to ListObjectsV2; nil if malformed.
    init?(xml: [UInt8]) {
        var path: [String] = []
        var text = ""
        var object: Object?
        var isTruncated: Bool?
        var token: String?
        var isSeen = false
        let isRead = XMLReader.read(xml) { event in
            switch event {
            case .open(let name):
                path.append(name)
                text = ""
                if path.count == 1 { isSeen = name == "ListBucketResult" }
                if path == ["ListBucketResult", "Contents"] { object = Object(key: "", byteCount: -1, entityTag: "") }
                return path.count <= 8 && isSeen
            case .text(let more):
                text += more
                return true
            case .close(let name):
                guard path.last == name else { return false }
                defer {
                    path.removeLast()
                    text = ""
                }
                switch path {
                case ["ListBucketResult", "Contents", "Key"]: object?.key = text
                case ["ListBucketResult", "Contents", "Size"]: object?.byteCount = Int(text) ?? -1
                case ["ListBucketResult", "Contents", "ETag"]: object?.entityTag = text
                case ["ListBucketResult", "IsTruncated"]:
                    guard text == "true" || text == "false" else { return false }
                    isTruncated = text == "true"
                case ["ListBucketResult", "NextContinuationToken"]: token = text
                case ["ListBucketResult", "Contents"]:
                    guard let whole = object, !whole.key.isEmpty, whole.byteCount >= 0 else { return false }
                    objects.append(whole)
                    object = nil
                default: break
                }
                return true
            }
        }
        guard isRead, isSeen, path.isEmpty, let isTruncated, !isTruncated || token?.isEmpty == false else { return nil }
        next = isTruncated ? token : nil
    }
}
