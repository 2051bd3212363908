import HTTPMessage
import Reactor
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct ContentIntakeSizeTests {
    /// Takes `bytes` in as they come in runs of `readByteCount`; the content, or nil when it is still waited for at the end.
    private func content(
        of bytes: [UInt8], _ framing: Framing, readByteCount: Int, _ settings: ServerSettings
    ) throws -> RequestContent? {
        let intake = ContentIntake(ContentRule(byteLimit: 1 << 20), framing, settings: settings)
        let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: 0)
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + readByteCount)
            offset += try intake.consume(bytes[offset..<end].span.bytes)
            if case .needsStoring = intake.turn {
                let part = intake.takePart()
                try file.write(part.bytes, at: part.offset)
                intake.stored(in: file)
            }
        }
        guard case .complete(let content) = intake.turn else { return nil }
        return content
    }

    @Test(arguments: [1, 999, 1000, 1001, 1999, 2000, 2001, 5000], [7, 250, 999, 1000, 1001, 10_000])
    func content_isComplete_whereverItEndsInTheBuffer(_ byteCount: Int, _ readByteCount: Int) throws {
        var settings = ServerSettings()
        settings.contentBufferByteCount = 1000
        settings.spoolFolder = "/tmp"
        let bytes = [UInt8](repeating: 0x61, count: byteCount)
        let whole = try content(of: bytes, .length(byteCount), readByteCount: readByteCount, settings)
        #expect(whole?.byteCount == byteCount)
        let size = String(byteCount, radix: 16)
        let chunks = Array("\(size)\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8)
        let decoded = try content(of: chunks, .chunked, readByteCount: readByteCount, settings)
        #expect(decoded?.byteCount == byteCount)
    }
}
