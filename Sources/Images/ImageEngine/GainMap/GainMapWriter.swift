import Bytes

/// Puts a JPEG and its gain map into one file.
enum GainMapWriter {
    /// `content`, a JPEG, with what says how it is applied as a map.
    static func map(_ content: SharedBytes, _ metadata: GainMapMetadata) -> SharedBytes {
        guard let parts = Parts(content) else { return content }
        return SharedBytes(parts.head + metadata.segments() + parts.tail)
    }

    /// `first`, a JPEG, followed by `map`, with the directories that say so.
    static func joined(_ first: SharedBytes, _ map: MadeGainMap) -> SharedBytes? {
        guard let parts = Parts(first) else { return nil }
        var added = xmp(parts.xmp, map)
        added += map.metadata.versionSegment()
        let offset = parts.head.count + added.count
        let count = offset + MultiPicture.byteCount + parts.tail.count
        guard let _ = UInt32(exactly: count + map.content.count) else { return nil }
        var file = parts.head
        file.reserveCapacity(count + map.content.count)
        file += added
        file += MultiPicture.segment(first: count, second: map.content.count, at: offset)
        file += parts.tail
        unsafe map.content.withUnsafeBytes { unsafe file.append(contentsOf: $0) }
        return SharedBytes(file)
    }

    /// The most bytes that the directories add to the first picture.
    static let directoryByteCount = 1024

    /// One packet with the directory and what `packet` says.
    private static func xmp(_ packet: [UInt8]?, _ map: MadeGainMap) -> [UInt8] {
        let version = map.metadata.properties[.version]?.first
        guard let version else { return packet.map(GainMapMetadata.xmp) ?? [] }
        let directory = GainMapXMP.directory(version: version, mapByteCount: map.content.count)
        if let packet, let place = packet.lastRange(of: Array("</rdf:RDF>".utf8)) {
            let both = packet[..<place.lowerBound] + Array(directory.utf8) + packet[place.lowerBound...]
            let segment = GainMapMetadata.xmp(Array(both))
            if !segment.isEmpty { return segment }
        }
        return GainMapMetadata.xmp(GainMapXMP.packet(directory))
    }

    /// A JPEG around the place after its application segments.
    private struct Parts {
        /// Without XMP.
        private(set) var head: [UInt8]
        let tail: [UInt8]
        private(set) var xmp: [UInt8]?

        init?(_ content: SharedBytes) {
            let span = content.span
            guard let segments = JPEGSegment.beforeScan(span) else { return nil }
            head = span.array(0..<2)
            var end = 2
            for segment in segments.prefix(while: \.isApplication) {
                end = segment.range.upperBound
                if segment.isApplication(1, GainMapMetadata.xmpMark, in: span) {
                    let start = segment.content.lowerBound + GainMapMetadata.xmpMark.utf8CodeUnitCount
                    xmp = span.array(start..<segment.content.upperBound)
                } else {
                    head += span.array(segment.range)
                }
            }
            tail = span.array(end..<span.byteCount)
        }
    }
}

extension [UInt8] {
    fileprivate func lastRange(of pattern: [UInt8]) -> Range<Int>? {
        guard count >= pattern.count else { return nil }
        return (0...(count - pattern.count)).last { self[$0..<($0 + pattern.count)].elementsEqual(pattern) }
            .map { $0..<($0 + pattern.count) }
    }
}
