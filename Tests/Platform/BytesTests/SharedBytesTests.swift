import Bytes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SharedBytesTests {
    @Test func adoptedMemory_isReleasedOnceByTheLastHolder() {
        final class Count: Sendable {
            let value = Atomic(0)
        }
        let count = Count()
        let base = UnsafeMutableRawPointer.allocate(byteCount: 3, alignment: 1)
        base.copyMemory(from: [7, 8, 9] as [UInt8], byteCount: 3)
        var first: SharedBytes? = SharedBytes(adopting: base, count: 3) { pointer in
            UnsafeMutableRawPointer(mutating: pointer).deallocate()
            count.value.add(1, ordering: .relaxed)
        }
        var second = first
        first = nil
        let bytes = second?.withUnsafeBytes { Array($0) }
        #expect(bytes == [7, 8, 9])
        #expect(count.value.load(ordering: .relaxed) == 0)
        second = nil
        #expect(count.value.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 70000])
    func copiedBytes_readBackTheSame(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let shared = SharedBytes(bytes)
        #expect(shared.count == count)
        #expect(shared.withUnsafeBytes { Array($0) } == bytes)
        let spanCount = shared.span.byteCount
        #expect(spanCount == count)
    }

    @Test func noMemory_isNoBytes() {
        let shared = SharedBytes(adopting: nil, count: 12, release: { _ in })
        #expect(shared.count == 0)
        #expect(shared.withUnsafeBytes { $0.isEmpty })
    }
}

@Suite(.timeLimit(.minutes(5))) struct ASCIITests {
    @Test func classes_holdExactlyTheirBytes() {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(ASCII.isTokenByte(byte) == token.contains(byte))
            #expect(ASCII.isDigit(byte) == (0x30...0x39).contains(byte))
            let scalar = Unicode.Scalar(byte)
            let isUpper = ("A"..."Z").contains(scalar)
            #expect(ASCII.lowercased(byte) == (isUpper ? byte + 32 : byte))
            let digit = byte < 0x80 ? Int(String(scalar), radix: 16) : nil
            #expect(ASCII.hexValue(byte).map(Int.init) == digit)
        }
    }
}
