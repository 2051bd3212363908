package import Bytes

extension PNGCoding {
    /// `file` with chunks for what is given, behind its header: iCCP, eXIf and an iTXt with the packet of XMP (§11.3.2.3,
    /// PNG third edition §11.3.3.4). As it is where it has no header.
    package static func inserting(
        profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?, into file: SharedBytes
    ) -> SharedBytes {
        guard file.count > 33 else { return file }
        var added: [UInt8] = []
        if let profile, let stream = compressed(profile) {
            added += chunk("iCCP", Array("ICC profile".utf8) + [0, 0] + stream)
        }
        if let exif { added += chunk("eXIf", exif) }
        if let xmp { added += chunk("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + xmp) }
        let bytes = unsafe file.withUnsafeBytes { unsafe Array($0) }
        return SharedBytes(Array(bytes[..<33]) + added + bytes[33...])
    }
}
