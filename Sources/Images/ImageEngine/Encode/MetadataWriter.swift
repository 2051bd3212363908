import Bytes
import ImagePlan
import PNGCoding

/// Adds metadata and a color profile to files encoded without, because libvips would write EXIF of its own as well.
enum MetadataWriter {
    /// Adds the profile to JPEG, PNG and WebP alone; nothing to AVIF and GIF. Sides are those of one frame. Leaves out
    /// what does not fit a JPEG segment.
    static func adding(
        _ content: SharedBytes, _ format: OutputFormat, _ metadata: ImageMetadata, profile: [UInt8]?, widthPx: Int,
        heightPx: Int
    ) -> SharedBytes {
        guard !metadata.isEmpty || profile != nil else { return content }
        func file() -> [UInt8] { unsafe content.withUnsafeBytes { unsafe Array($0) } }
        switch format {
        case .jpeg: return SharedBytes(jpeg(file(), metadata, profile))
        case .png: return PNGCoding.inserting(profile: profile, exif: metadata.exif, xmp: metadata.xmp, into: content)
        case .webp: return SharedBytes(webp(file(), metadata, profile, widthPx: widthPx, heightPx: heightPx))
        case .tiff: return tiff(content, metadata)
        case .jxl: return JXLContainer.dressed(content, metadata)
        case .avif, .gif: return content
        }
    }

    /// Adds segments APP1 and APP2 after the JFIF one (ITU-T T.81 B.2.4.6, ICC.1 Annex B.4).
    private static func jpeg(_ file: [UInt8], _ metadata: ImageMetadata, _ profile: [UInt8]?) -> [UInt8] {
        var place = 2
        if file.count > 6, file[2] == 0xff, file[3] == 0xe0 {
            place = min(file.count, 4 + (Int(file[4]) << 8 | Int(file[5])))
        }
        let segment = JPEGSegment.written
        var added: [UInt8] = []
        if let exif = metadata.exif { added += segment(0xe1, Array("Exif\0\0".utf8) + exif) }
        if let xmp = metadata.xmp { added += segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp) }
        if let iptc = metadata.iptc { added += segment(0xed, IPTCBlock.segment(iptc)) }
        if let profile {
            let room = 65_000
            let count = (profile.count + room - 1) / room
            for number in 0..<count where count < 256 {
                let part = profile[(number * room)..<min(profile.count, (number + 1) * room)]
                added += segment(0xe2, Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)] + part)
            }
        }
        return Array(file[..<place]) + added + Array(file[place...])
    }

    /// Appends a new first directory, with all entries of the old one (TIFF 6.0 §2).
    private static func tiff(_ content: SharedBytes, _ metadata: ImageMetadata) -> SharedBytes {
        guard let reader = ExifReader(tiff: content.span), let start = reader.number(4),
            let entries = reader.directory(at: start)
        else { return content }
        var directory = metadata.exif.map(TIFFDirectory.init(exif:)) ?? TIFFDirectory()
        if let xmp = metadata.xmp { directory.add(TIFFDirectory.xmp, xmp) }
        if let iptc = metadata.iptc { directory.add(TIFFDirectory.iptc, iptc, asNumbers: true) }
        let place = content.count + content.count % 2
        let padding = [UInt8](repeating: 0, count: place - content.count)
        let added =
            padding
            + directory.written(at: place, isBigEndian: reader.isBigEndian, beside: entries.bytes, next: entries.next)
        guard !directory.isEmpty, let offset = UInt32(exactly: place), place <= 1 << 32 - added.count else {
            return content
        }
        let head = reader.isBigEndian ? offset.bigEndian : offset.littleEndian
        return unsafe content.followed(by: added) { file in
            unsafe file.storeBytes(of: head, toByteOffset: 4, as: UInt32.self)
        }
    }

    /// Chunks in the order of RFC 9649 §2.7: VP8X, ICCP, the picture, EXIF, XMP.
    private static func webp(
        _ file: [UInt8], _ metadata: ImageMetadata, _ profile: [UInt8]?, widthPx: Int, heightPx: Int
    ) -> [UInt8] {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + littleEndian(content.count, 4) + content
                + [UInt8](repeating: 0, count: content.count % 2)
        }
        guard file.count > 30 else { return file }
        var flags: UInt8 = 0
        var body = file[12...]
        if file[12..<16].elementsEqual(Array("VP8X".utf8)) {
            flags = file[20]
            body = file[30...]
        } else if file[12..<16].elementsEqual(Array("VP8L".utf8)) {
            // The bit after 14 + 14 bits of the sides says whether alpha is used (§3.4).
            flags = file[24] & 0x10
        }
        if profile != nil { flags |= 0x20 }
        if metadata.exif != nil { flags |= 0x08 }
        if metadata.xmp != nil { flags |= 0x04 }
        var content = Array("WEBP".utf8)
        content += chunk("VP8X", [flags, 0, 0, 0] + littleEndian(widthPx - 1, 3) + littleEndian(heightPx - 1, 3))
        if let profile { content += chunk("ICCP", profile) }
        content += body
        if let exif = metadata.exif { content += chunk("EXIF", exif) }
        if let xmp = metadata.xmp { content += chunk("XMP ", xmp) }
        return Array("RIFF".utf8) + littleEndian(content.count, 4) + content
    }
}

extension SharedBytes {
    fileprivate func followed(by tail: [UInt8], mend: (UnsafeMutableRawBufferPointer) -> Void) -> SharedBytes {
        let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: count + tail.count, alignment: 16)
        unsafe withUnsafeBytes { unsafe whole.copyMemory(from: $0) }
        unsafe whole[count...].copyBytes(from: tail)
        unsafe mend(whole)
        return unsafe SharedBytes(adopting: whole.baseAddress, count: whole.count) {
            unsafe UnsafeMutableRawPointer(mutating: $0).deallocate()
        }
    }
}
