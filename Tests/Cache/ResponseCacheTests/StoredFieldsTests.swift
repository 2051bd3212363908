import Testing

@testable import ResponseCache

/// What is written to disk beside a picture is read as it was, and nothing else is.
@Suite(.timeLimit(.minutes(5))) struct StoredFieldsTests {
    private let fields = StoredFields(
        mediaType: "image/webp", entityTag: "\"abc\"", lastModifiedUnixSeconds: -5,
        head: Array("Content-Type: image/webp\r\nETag: \"abc\"\r\n".utf8))

    @Test func fields_areReadAsTheyWereWritten() {
        #expect(StoredFields(fields.bytes) == fields)
        var undated = fields
        undated.lastModifiedUnixSeconds = nil
        undated.head = []
        #expect(StoredFields(undated.bytes) == undated)
    }

    @Test func everyCutAndEveryExtension_isRefused() {
        let bytes = fields.bytes
        for count in bytes.indices { #expect(StoredFields(Array(bytes[..<count])) == nil) }
        #expect(StoredFields(bytes + [0]) == nil)
        #expect(StoredFields([]) == nil)
    }

    @Test func everyChangedByte_isRefused_orReadWithoutHarm() {
        let bytes = fields.bytes
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                guard let read = StoredFields(changed) else { continue }
                #expect(read.bytes == changed)
                #expect(read.head.suffix(2) == [0x0d, 0x0a])
            }
        }
    }

    @Test(arguments: [
        "A: b", "A: b\r", "A: b\n", "\r\n", "A: b\r\n\r\n", "A: b\r\n\r\nHTTP/1.1 200\r\n", "A: \u{7f}\r\n", "A: é\r\n",
        "A: b\rX\r\n", "A: b\r\r\n", "\nA: b\r\n",
    ])
    func headThatCouldEndAnother_isRefused(_ head: String) {
        var changed = fields
        changed.head = Array(head.utf8)
        #expect(StoredFields(changed.bytes) == nil)
    }
}
