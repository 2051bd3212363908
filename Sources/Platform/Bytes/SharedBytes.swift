/// Immutable bytes that several threads share without locks or copies.
package final class SharedBytes: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: `base` and `count` never change after `init`, nothing writes through `base` while an
    // instance exists (the adopting initialiser takes over the only reference), and `release` runs once, in `deinit`.
    private let base: UnsafeRawPointer?
    private let release: @Sendable (UnsafeRawPointer) -> Void

    package let count: Int
    /// The descriptor of a file in memory that holds exactly these bytes, that nobody can change, and that another process can
    /// map. Valid while this instance lives.
    package let sealedFile: Int32?
    /// Whether a bound of memory counts these bytes while they live.
    package let isCounted: Bool

    /// Calls `release` with `base` when the last reference goes.
    package init(
        adopting base: UnsafeRawPointer?, count: Int, sealedFile: Int32? = nil, isCounted: Bool = false,
        release: @escaping @Sendable (UnsafeRawPointer) -> Void
    ) {
        self.sealedFile = base == nil ? nil : sealedFile
        self.isCounted = isCounted
        self.base = base
        self.count = base == nil ? 0 : count
        self.release = release
    }

    package convenience init(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else {
            self.init(adopting: nil, count: 0, release: { _ in })
            return
        }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: $0) }
        self.init(adopting: copy, count: bytes.count, release: { UnsafeMutableRawPointer(mutating: $0).deallocate() })
    }

    /// Clamps `range`; shares this object's memory.
    package func slice(_ range: Range<Int>) -> SharedBytes {
        let range = range.clamped(to: 0..<count)
        guard let base, !range.isEmpty else { return SharedBytes([]) }
        return SharedBytes(
            adopting: base + range.lowerBound, count: range.count, isCounted: isCounted,
            release: { _ in withExtendedLifetime(self) {} })
    }

    /// The same memory; `body` is called when the last reference to the result goes. `counting`: a bound of memory counts it
    /// until then.
    package func onRelease(counting: Bool = false, _ body: @escaping @Sendable () -> Void) -> SharedBytes {
        guard let base else { return self }
        return SharedBytes(
            adopting: base, count: count, sealedFile: sealedFile, isCounted: isCounted || counting,
            release: { _ in withExtendedLifetime(self) { body() } })
    }

    deinit { if let base { release(base) } }

    package var span: RawSpan {
        @_lifetime(borrow self)
        get {
            let buffer = UnsafeRawBufferPointer(start: base, count: count)
            let span = buffer.bytes
            return _overrideLifetime(span, borrowing: self)
        }
    }

    /// `body` must not keep the bytes.
    package func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// A copy.
    package var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}
