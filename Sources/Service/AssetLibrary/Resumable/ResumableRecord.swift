/// What lies beside the bytes of an upload, as lines of text.
struct ResumableRecord: Equatable {
    /// In bytes, when it is complete.
    let length: Int
    let metadata: UploadMetadata
    /// The asset that it has become.
    var assetID: String?

}

extension ResumableRecord {
    private static let firstLine = "veduta-resumable 1"
    static let byteLimit = 2 * UploadMetadata.byteLimit

    var text: String {
        var lines = [Self.firstLine, "length \(length)"]
        if metadata != .none { lines.append("metadata \(metadata.text)") }
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
        assetID = values["asset"].map(String.init)
    }
}
