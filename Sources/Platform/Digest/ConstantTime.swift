import CCrypto

/// Whether two runs of bytes are the same, in a time that tells nothing about where they differ.
///
/// For tokens and signatures. Only the lengths may be learnt from the time taken.
package func constantTimeEquals(_ left: RawSpan, _ right: RawSpan) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
            unsafe ccrypto_equal(left.baseAddress, right.baseAddress, left.count) == 1
        }
    }
}

/// Whether the UTF-8 of two texts is the same, in a time that tells nothing about where they differ.
package func constantTimeEquals(_ left: String, _ right: String) -> Bool {
    unsafe constantTimeEquals(left.utf8Span.span.bytes, right.utf8Span.span.bytes)
}
