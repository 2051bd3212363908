import Bytes
import HTTPMessage
import Reactor
import Testing

@testable import HTTPServer

/// Cutting an answer to ranges: nothing is copied, and what goes out is read back part by part.
@Suite(.timeLimit(.minutes(5))) struct ResponseRangesTests {
    private static let bytes = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ ($0 >> 6)) }

    private func response(_ content: ResponseContent) -> Response {
        var fields = FieldLines()
        fields.append(.cacheControl, literal: "no-cache")
        fields.append(.contentType, literal: "image/png")
        fields.append(.entityTag, "\"e\"")
        return Response(status: .ok, fields: fields, content: content)
    }

    private var whole: Response { response(.bytes(SharedBytes(Self.bytes))) }

    /// The bytes of content in memory.
    private func byteArray(_ content: ResponseContent?) -> [UInt8] {
        guard case .parts(let parts) = content else { return [] }
        return parts.flatMap { part in
            guard case .bytes(let bytes, let range) = part else { return [UInt8]() }
            return bytes.withUnsafeBytes { Array($0[range]) }
        }
    }

    private func text(_ fields: FieldLines) -> String { String(decoding: fields.bytes, as: UTF8.self) }

    @Test func oneRange_isAPlaceInTheContent() throws {
        let content = SharedBytes(Self.bytes)
        var response = response(.bytes(content))
        response.cut(to: [10..<20])
        #expect(response.status == .partialContent)
        #expect(text(response.fields) == text(whole.fields))
        #expect(text(response.ownFields) == "Content-Range: bytes 10-19/4000\r\n")
        guard case .parts(let parts) = response.content, parts.count == 1, case .bytes(let shared, 10..<20) = parts[0]
        else {
            Issue.record("not one part")
            return
        }
        #expect(shared === content)
    }

    @Test func severalRanges_arePartsWithTheirHeads() throws {
        var response = whole
        response.cut(to: [100..<110, 0..<1, 3990..<4000])
        #expect(response.status == .partialContent)
        let fields = text(response.fields)
        #expect(
            fields.hasPrefix("Cache-Control: no-cache\r\nETag: \"e\"\r\nContent-Type: multipart/byteranges; boundary="))
        #expect(response.ownFields.bytes.isEmpty)
        let boundary = try #require(fields.split(separator: "boundary=").last).dropLast()
        #expect((20...70).contains(boundary.utf8.count))
        var expected: [UInt8] = []
        for (range, text) in [(100..<110, "100-109"), (0..<1, "0-0"), (3990..<4000, "3990-3999")] {
            expected += "\(expected.isEmpty ? "" : "\r\n")--\(boundary)\r\n".utf8
            expected += "Content-Type: image/png\r\nContent-Range: bytes \(text)/4000\r\n\r\n".utf8
            expected += Self.bytes[range]
        }
        expected += "\r\n--\(boundary)--\r\n".utf8
        #expect(byteArray(response.content) == expected)
        #expect(response.content?.byteCount == expected.count)
    }

    @Test func sameParts_haveTheSameBoundary_andOthersAnother() {
        func boundary(_ ranges: [Range<Int>], _ tag: String) -> String {
            var response = whole
            response.fields.append(.entityTag, tag)
            response.cut(to: ranges)
            return text(response.fields)
        }
        let first = boundary([0..<1, 5..<6], "\"a\"")
        #expect(boundary([0..<1, 5..<6], "\"a\"") == first)
        #expect(boundary([0..<1, 5..<7], "\"a\"") != first)
        #expect(boundary([0..<1, 5..<6], "\"b\"").split(separator: "boundary=") != first.split(separator: "boundary="))
    }

    @Test func partsAsLongAsTheWhole_areTheWhole() {
        for byteCount in 0...400 {
            let content = SharedBytes([UInt8](repeating: 1, count: byteCount))
            for gap in 1...20 where byteCount > gap + 1 {
                var response = response(.bytes(content))
                response.cut(to: [0..<1, (1 + gap)..<byteCount])
                let count = response.content?.byteCount ?? 0
                #expect(response.status == .partialContent ? count < byteCount : count == byteCount)
                if response.status == .ok { #expect(text(response.fields) == text(whole.fields)) }
            }
        }
    }

    @Test func contentInPieces_isCutAcrossThem() throws {
        let bytes = SharedBytes(Array("0123456789".utf8))
        let pieces: [ContentPart] = [
            .bytes(bytes, 2..<5), .bytes(bytes, 0..<0), .bytes(bytes, 7..<10), .bytes(bytes, 0..<2),
        ]
        let all = Array("23478901".utf8)
        for start in 0..<8 {
            for end in (start + 1)...8 {
                var response = response(.parts(pieces))
                response.cut(to: [start..<end])
                #expect(byteArray(response.content) == Array(all[start..<end]))
                #expect(text(response.ownFields) == "Content-Range: bytes \(start)-\(end - 1)/8\r\n")
            }
        }
    }

    @Test func file_isCutByItsOffsets() throws {
        let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: 1000)
        var one = response(.file(file))
        one.cut(to: [100..<300])
        #expect(places(one.content) == ["file 100..<300"])
        var several = response(.parts([.file(file, 500..<1000), .bytes(SharedBytes(Self.bytes), 0..<4000)]))
        several.cut(to: [490..<510, 0..<1])
        #expect(several.status == .partialContent)
        #expect(
            places(several.content).filter { !$0.hasPrefix("lines") } == [
                "file 990..<1000", "bytes 0..<10", "file 500..<501",
            ])
    }

    private func places(_ content: ResponseContent?) -> [String] {
        guard case .parts(let parts) = content else { return [] }
        return parts.map { part in
            switch part {
            case .bytes(let bytes, let range): bytes.count == Self.bytes.count ? "bytes \(range)" : "lines"
            case .file(_, let range): "file \(range)"
            }
        }
    }

    @Test func contentThatIsBeingMade_isNotCut() {
        var response = response(.stream(ContentStream(pull: { $0.finish() })))
        response.cut(to: [0..<1])
        #expect(response.status == .ok)
        #expect(response.ownFields.bytes.isEmpty)
        var empty = Response(status: .noContent, fields: FieldLines())
        empty.cut(to: [0..<1])
        #expect(empty.status == .noContent)
    }

    @Test func lineIsTakenOut_whereverItStands() {
        var fields = FieldLines()
        fields.append(.contentType, literal: "a/b")
        fields.append("X-Type", literal: "Content-Type: c/d")
        fields.append(.entityTag, "\"e\"")
        for (name, value) in [("content-type", "a/b"), ("ETag", "\"e\""), ("ETag", nil), ("Content-Typ", nil)]
            as [(FieldName, String?)]
        {
            #expect(fields.remove(name) == value)
        }
        #expect(text(fields) == "X-Type: Content-Type: c/d\r\n")
        #expect(fields.remove("X-Type") == "Content-Type: c/d")
        #expect(fields.bytes.isEmpty)
        #expect(fields.remove("X-Type") == nil)
    }
}
