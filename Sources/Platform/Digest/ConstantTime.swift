import CCrypto

/// The time taken depends on the lengths alone: for tokens and signatures.
package func constantTimeEquals(_ left: RawSpan, _ right: RawSpan) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
            unsafe ccrypto_equal(left.baseAddress, right.baseAddress, left.count) == 1
        }
    }
}

package func constantTimeEquals(_ left: String, _ right: String) -> Bool {
    unsafe constantTimeEquals(left.utf8Span.span.bytes, right.utf8Span.span.bytes)
}
