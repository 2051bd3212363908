import Bytes

/// What lies beside the bytes of an upload, as lines of text.
struct ResumableRecord: Equatable {
    /// In bytes, when it is complete; of an open one the most that it may have.
    var length: Int
    let metadata: UploadMetadata
    /// Its client has not said yet how long it will be.
    var isOpen = false
    /// What it is to replace; nil: it becomes an asset under its digest.
    var target: UploadTarget?
    /// The asset that it has become.
    var assetID: String?
}

/// The name that an upload is to be stored under, and the preconditions of its first request (RFC 9110 §13.1), as they were sent.
package struct UploadTarget: Equatable, Sendable {
    package let id: String
    package let ifMatch: String?
    package let ifNoneMatch: String?
    package let ifUnmodifiedSince: String?

    package init(id: String, ifMatch: String?, ifNoneMatch: String?, ifUnmodifiedSince: String? = nil) {
        (self.id, self.ifMatch, self.ifNoneMatch) = (id, ifMatch, ifNoneMatch)
        self.ifUnmodifiedSince = ifUnmodifiedSince
    }
}

extension ResumableRecord {
    init(of state: ResumableState) {
        self.init(length: state.length, metadata: state.metadata, isOpen: state.isOpen, target: state.target)
    }

    private static let firstLine = "veduta-resumable 1"
    /// Conditions are as long as a head may be, in which each byte that is not UTF-8 has become three.
    static let byteLimit = 32 * UploadMetadata.byteLimit

    var text: String {
        var lines = [Self.firstLine, "length \(length)"]
        if metadata != .none { lines.append("metadata \(metadata.text)") }
        if isOpen { lines.append("open yes") }
        if let target {
            lines.append("name \(PercentEncoding.encoded(target.id))")
            if let text = target.ifMatch { lines.append("if-match \(text)") }
            if let text = target.ifNoneMatch { lines.append("if-none-match \(text)") }
            if let text = target.ifUnmodifiedSince { lines.append("if-unmodified-since \(text)") }
        }
        if let assetID { lines.append("asset \(assetID)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// nil for what is no `text`.
    init?(_ text: String) {
        // By bytes: a mark that combines with the space before it makes one character of both.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(Self.firstLine.utf8) == true, lines.popLast()?.isEmpty == true else {
            return nil
        }
        var values: [String: String] = [:]
        for line in lines {
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            let (name, value) = (Substring(line[..<space]), Substring(line[line.index(after: space)...]))
            guard values.updateValue(String(value), forKey: String(name)) == nil else { return nil }
        }
        guard let length = values["length"].flatMap({ Int($0) }), length >= 0 else { return nil }
        self.length = length
        if let text = values["metadata"] {
            guard let metadata = UploadMetadata(text) else { return nil }
            self.metadata = metadata
        } else {
            metadata = .none
        }
        isOpen = values["open"] != nil
        if let text = values["name"] {
            guard let bytes = PercentEncoding.decoded(text.utf8), let id = String(validating: bytes, as: UTF8.self)
            else { return nil }
            target = UploadTarget(
                id: id, ifMatch: values["if-match"], ifNoneMatch: values["if-none-match"],
                ifUnmodifiedSince: values["if-unmodified-since"])
        }
        assetID = values["asset"]
    }
}
