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

    package init(id: String, ifMatch: String?, ifNoneMatch: String?) {
        (self.id, self.ifMatch, self.ifNoneMatch) = (id, ifMatch, ifNoneMatch)
    }
}

extension ResumableRecord {
    init(of state: ResumableState) {
        self.init(length: state.length, metadata: state.metadata, isOpen: state.isOpen, target: state.target)
    }

    private static let firstLine = "veduta-resumable 1"
    static let byteLimit = 8 * UploadMetadata.byteLimit

    var text: String {
        var lines = [Self.firstLine, "length \(length)"]
        if metadata != .none { lines.append("metadata \(metadata.text)") }
        if isOpen { lines.append("open yes") }
        if let target {
            lines.append("name \(PercentEncoding.encoded(target.id))")
            if let text = target.ifMatch { lines.append("if-match \(text)") }
            if let text = target.ifNoneMatch { lines.append("if-none-match \(text)") }
        }
        if let assetID { lines.append("asset \(assetID)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// nil for what is no `text`.
    init?(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst() == Self.firstLine[...], lines.popLast() == "" else { return nil }
        var values: [Substring: Substring] = [:]
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, values.updateValue(words[1], forKey: words[0]) == nil else { return nil }
        }
        guard let length = values["length"].flatMap({ Int($0) }), length >= 0 else { return nil }
        self.length = length
        if let text = values["metadata"] {
            guard let metadata = UploadMetadata(String(text)) else { return nil }
            self.metadata = metadata
        } else {
            metadata = .none
        }
        isOpen = values["open"] != nil
        if let text = values["name"] {
            guard let bytes = PercentEncoding.decoded(text.utf8), let id = String(validating: bytes, as: UTF8.self)
            else { return nil }
            target = UploadTarget(
                id: id, ifMatch: values["if-match"].map(String.init),
                ifNoneMatch: values["if-none-match"].map(String.init))
        }
        assetID = values["asset"].map(String.init)
    }
}
