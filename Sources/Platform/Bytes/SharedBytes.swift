/// An immutable run of bytes that several threads may hold at once: a rendered picture, a cached answer, a tile.
///
/// It either owns memory that a C library handed over (released by `release` with the last reference) or borrows
/// memory that lives as long as the process. Reading is free of locks and copies.
package final class SharedBytes: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: `base` and `count` never change after `init`, nothing writes through `base`
    // while an instance exists (the adopting initialiser takes over the only reference), and `release` runs once,
    // in `deinit`, after the last reference on any thread is gone.
    private let base: UnsafeRawPointer?
    private let release: @Sendable (UnsafeRawPointer) -> Void

    package let count: Int

    /// Takes over `base[0..<count]`; `release` is called with `base` once, when the last reference goes.
    package init(adopting base: UnsafeRawPointer?, count: Int, release: @escaping @Sendable (UnsafeRawPointer) -> Void)
    {
        self.base = base
        self.count = base == nil ? 0 : count
        self.release = release
    }

    /// Refers to `base[0..<count]`, which must live, unchanged, as long as the process.
    package convenience init(immortal base: UnsafeRawPointer, count: Int) {
        self.init(adopting: base, count: count, release: { _ in })
    }

    /// Copies `bytes`.
    package convenience init(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else {
            self.init(adopting: nil, count: 0, release: { _ in })
            return
        }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: $0) }
        self.init(adopting: copy, count: bytes.count, release: { UnsafeMutableRawPointer(mutating: $0).deallocate() })
    }

    /// The bytes in `range`, cut at the end, which share this object's memory and keep it alive.
    package func slice(_ range: Range<Int>) -> SharedBytes {
        let range = range.clamped(to: 0..<count)
        guard let base, !range.isEmpty else { return SharedBytes([]) }
        return SharedBytes(
            adopting: base + range.lowerBound, count: range.count, release: { _ in withExtendedLifetime(self) {} })
    }

    deinit {
        if let base { release(base) }
    }

    /// The bytes, valid as long as the borrow of this object.
    package var span: RawSpan {
        @_lifetime(borrow self)
        get {
            let buffer = UnsafeRawBufferPointer(start: base, count: count)
            let span = buffer.bytes
            return _overrideLifetime(span, borrowing: self)
        }
    }

    /// Calls `body` with the bytes; they must not be kept past the call.
    package func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(start: base, count: count))
    }
}
