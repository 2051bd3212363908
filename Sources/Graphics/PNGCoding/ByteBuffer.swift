import Bytes
import Glibc

/// Uninitialised memory of a fixed size, freed with the value.
@safe struct ByteBuffer: ~Copyable {
    let base: UnsafeMutablePointer<UInt8>
    let count: Int

    /// Nil if memory is short.
    init?(count: Int) {
        guard count >= 0, let memory = unsafe malloc(max(1, count)) else { return nil }
        unsafe self.base = memory.bindMemory(to: UInt8.self, capacity: max(1, count))
        self.count = count
    }

    @unsafe init(adopting memory: UnsafeMutablePointer<UInt8>, count: Int) {
        unsafe self.base = memory
        self.count = count
    }

    deinit { unsafe free(base) }

    /// Copies `bytes`, which must fit, to `offset`; returns where they end.
    func put(_ bytes: [UInt8], at offset: Int) -> Int {
        precondition(offset >= 0 && bytes.count <= count - offset)
        for (index, byte) in bytes.enumerated() { unsafe base[offset + index] = byte }
        return offset + bytes.count
    }

    /// The first `used` bytes, at least 1; frees the rest.
    consuming func shared(_ used: Int) -> SharedBytes {
        let memory = unsafe realloc(base, used) ?? UnsafeMutableRawPointer(base)
        discard self
        return unsafe SharedBytes(adopting: memory, count: used) { unsafe free(UnsafeMutableRawPointer(mutating: $0)) }
    }
}
