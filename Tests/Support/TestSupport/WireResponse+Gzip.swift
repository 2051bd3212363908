import CDeflate

extension WireResponse {
    /// The content without its coding; nil where it is no gzip.
    package var gunzipped: [UInt8]? {
        var content = [UInt8](repeating: 0, count: 8 << 20)
        var count = 0
        let room = content.count
        guard !self.content.isEmpty,
            cdeflate_gunzip(self.content, self.content.count, &content, room, &count) == CDEFLATE_DONE
        else { return nil }
        return Array(content.prefix(count))
    }
}
