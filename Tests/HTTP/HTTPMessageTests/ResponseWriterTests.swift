import HTTPMessage
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResponseWriterTests {
    private let date = DateLine(784_111_777).bytes

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func head_isWrittenWhole() throws {
        var buffer = byteArray("before")
        ResponseWriter.begin(.ok, dateLine: date, into: &buffer)
        try ResponseWriter.append(.contentType, "image/jpeg", into: &buffer)
        try ResponseWriter.append(.vary, "Accept", into: &buffer)
        ResponseWriter.appendContentLength(1234, into: &buffer)
        ResponseWriter.end(.close, into: &buffer)
        #expect(
            text(buffer) == """
                beforeHTTP/1.1 200 OK\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                Content-Type: image/jpeg\r
                Vary: Accept\r
                Content-Length: 1234\r
                Connection: close\r
                \r\n
                """)
    }

    @Test func pieces_areWrittenInOrder() throws {
        var buffer: [UInt8] = []
        ResponseWriter.begin(.notModified, dateLine: date, into: &buffer)
        ResponseWriter.append(.age, 0, into: &buffer)
        ResponseWriter.append(.contentLength, Int.max, into: &buffer)
        ResponseWriter.append(.server, literal: "veduta", into: &buffer)
        ResponseWriter.append(.lastModified, date: 0, into: &buffer)
        try ResponseWriter.append(.entityTag, byteArray("\"x\""), into: &buffer)
        ResponseWriter.append(.entityTag, try #require(EntityTag("W/\"y\"")), into: &buffer)
        ResponseWriter.end(.keepAlive, into: &buffer)
        #expect(
            text(buffer) == """
                HTTP/1.1 304 Not Modified\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                Age: 0\r
                Content-Length: 9223372036854775807\r
                Server: veduta\r
                Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT\r
                ETag: "x"\r
                ETag: W/"y"\r
                Connection: keep-alive\r
                \r\n
                """)
    }

    @Test func numbers_areWrittenInFull() {
        for number in [0, 1, 9, 10, 19, 99, 100, 101, 1_000_000, Int.max, -1, -10, Int.min] {
            var buffer: [UInt8] = []
            ResponseWriter.append(.age, number, into: &buffer)
            #expect(text(buffer) == "Age: \(number)\r\n")
        }
    }

    @Test func interimAnswer_hasNoDate() {
        var buffer: [UInt8] = []
        ResponseWriter.begin(.continue, dateLine: [], into: &buffer)
        ResponseWriter.end(.implied, into: &buffer)
        #expect(text(buffer) == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test func everyControlByteInAValue_isRefusedAndNothingIsWritten() {
        for byte in UInt8.min...UInt8.max {
            var buffer = byteArray("kept")
            var thrown: ResponseError?
            do throws(ResponseError) {
                try ResponseWriter.append(.location, byteArray("/a") + [byte] + byteArray("b"), into: &buffer)
            } catch { thrown = error }
            let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7f
            #expect((thrown == .invalidFieldValue(name: "Location")) == isControl)
            #expect((buffer == byteArray("kept")) == isControl)
        }
    }

    @Test(arguments: ["/a\r\nSet-Cookie: x=1", "/a\nX: y", "/a\r", "\u{0}", "\r\n\r\n<html>"])
    func injectedFields_areRefused(_ value: String) {
        var buffer = byteArray("kept")
        #expect(throws: ResponseError.invalidFieldValue(name: "Location")) {
            try ResponseWriter.append(.location, value, into: &buffer)
        }
        #expect(buffer == byteArray("kept"))
    }

    @Test func controlBytesInLiterals_becomeSpaces() {
        var buffer: [UInt8] = []
        ResponseWriter.append(.server, literal: "a\r\nX: b", into: &buffer)
        ResponseWriter.append("a\r\nb", literal: "c", into: &buffer)
        #expect(text(buffer) == "Server: a  X: b\r\na--b: c\r\n")
    }

    @Test func writtenHead_isReadBackByOurParser() throws {
        var fields = Fields()
        fields.append(.contentType, "text/plain; charset=utf-8")
        fields.append("X-Name", "caf\u{e9}")
        var buffer = byteArray("GET / HTTP/1.1\r\nHost: a\r\n")
        for line in fields.lines {
            try ResponseWriter.append(try #require(FieldName(line.name)), line.value, into: &buffer)
        }
        ResponseWriter.end(.implied, into: &buffer)
        let head = try #require(parseHeads([buffer[...]]).heads.first)
        #expect(
            head.fields.all(.contentType) + head.fields.all("x-name") == ["text/plain; charset=utf-8", "caf\u{e9}"])
    }

    @Test func dateLine_isRenewedWhenTheSecondChanges() {
        var line = DateLine(0)
        #expect(text(line.bytes) == "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n")
        line.update(0)
        #expect(text(line.bytes) == "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n")
        line.update(1)
        #expect(text(line.bytes) == "Date: Thu, 01 Jan 1970 00:00:01 GMT\r\n")
    }

    @Test func statuses_areWellFormed() {
        #expect(Status.uriTooLong.description == "414 URI Too Long")
        #expect(Status(code: 99) == .internalServerError)
        #expect(Status(code: 1000) == .internalServerError)
        #expect(Status(code: 299).description == "299 ")
        #expect(Status.notModified.forbidsContent)
        #expect(!Status.ok.forbidsContent)
    }
}
