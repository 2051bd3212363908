/// libvips 8.14 writes an EXIF chunk even when told to strip. Metadata is last in the container (RFC 9649 §2.7).
enum WebPTrim {
    private static let metadataFlags: UInt8 = 0x0c

    /// Corrects the header in place; returns the new length, `file.count` if there is nothing to cut.
    static func cutMetadata(_ file: UnsafeMutableRawBufferPointer) -> Int {
        // RIFF (12), then VP8X: name, length 10, flags.
        guard file.count > 30, unsafe name(file, 12) == "VP8X" else { return file.count }
        var offset = 12
        while offset + 8 <= file.count {
            let chunk = unsafe name(file, offset)
            if chunk == "EXIF" || chunk == "XMP " {
                unsafe file[20] &= ~metadataFlags
                let riffCount = UInt32(clamping: offset - 8)
                unsafe file.storeBytes(of: riffCount.littleEndian, toByteOffset: 4, as: UInt32.self)
                return offset
            }
            let length = unsafe Int(
                UInt32(littleEndian: file.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)))
            offset += 8 + length + length % 2
        }
        return file.count
    }

    private static func name(_ file: UnsafeMutableRawBufferPointer, _ offset: Int) -> String {
        unsafe String(decoding: file[offset..<(offset + 4)], as: UTF8.self)
    }
}
