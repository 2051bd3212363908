import Bytes
import Testing

@Suite(.timeLimit(.minutes(5))) struct ByteCursorTests {
    @Test func varint_readsEveryLength() throws {
        for shift in 0..<64 {
            let value = UInt64(1) << UInt64(shift)
            var encoded: [UInt8] = []
            var rest = value
            while rest > 0x7f {
                encoded.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            encoded.append(UInt8(rest))
            let shared = SharedBytes(encoded)
            var cursor = ByteCursor(shared.span)
            let decoded = try cursor.readVarint()
            let left = cursor.remaining
            #expect(decoded == value)
            #expect(left == 0)
        }
    }

    @Test func varint_overflowAndTruncation_areErrors() {
        #expect(varintError([UInt8](repeating: 0xff, count: 10)) == .malformedVarint(offset: 0))
        #expect(varintError([UInt8](repeating: 0x80, count: 9)) == .truncated(offset: 9))
        #expect(varintError([]) == .truncated(offset: 0))
    }

    @Test func span_isBoundedByWhatIsLeft() throws {
        let shared = SharedBytes([1, 2, 3, 4, 5])
        var cursor = ByteCursor(shared.span)
        let first = try cursor.readByte()
        let partCount = try cursor.readSpan(count: 2).byteCount
        let last = [try cursor.readByte(), try cursor.readByte()]
        #expect(first == 1)
        #expect(partCount == 2)
        #expect(last == [4, 5])
        for count in [-1, 1, Int.max] {
            do throws(ByteError) {
                try cursor.skip(count)
                Issue.record("skipped \(count) past the end")
            } catch {
                #expect(error == .truncated(offset: 5))
            }
        }
    }

    private func varintError(_ bytes: [UInt8]) -> ByteError? {
        let shared = SharedBytes(bytes)
        var cursor = ByteCursor(shared.span)
        do throws(ByteError) {
            _ = try cursor.readVarint()
            return nil
        } catch { return error }
    }
}
