import Bytes
import CDeflate
import Glibc

/// Unpacks streams of a PDF (ISO 32000-1 §7.4) within a bound, leniently: content before a fault counts.
@safe final class PDFStreamDecoder {
    private let room: Int
    /// Bytes that may still be cleared to measure damaged streams.
    private var damageRoom = 256 << 20
    private var scratch: UnsafeMutableRawPointer?

    init(room: Int) { self.room = room }

    deinit { unsafe free(scratch) }

    /// Nil for an image. `length` is the most that unfiltered content may take. Throws `tooComplex` over the bound or
    /// for more than one compressing filter.
    func content(_ packed: UnsafeRawBufferPointer, length: Int, _ filters: [String]) throws(ImageError) -> [UInt8]? {
        let tight = filters.count { ["FlateDecode", "Fl", "LZWDecode", "LZW"].contains($0) }
        guard tight <= 1, filters.count <= 4 else { throw .tooComplex(.expansion) }
        guard let first = filters.first else { return try unsafe bounded(Array(packed[..<min(length, packed.count)])) }
        let isDeflate = first == "FlateDecode" || first == "Fl"
        var content = isDeflate ? try unsafe inflated(packed) : unsafe Array(packed[..<min(length, packed.count)])
        let rest = filters.dropFirst(isDeflate ? 1 : 0)
        for filter in rest {
            switch filter {
            case "FlateDecode", "Fl":
                content = try unsafe SharedBytes(content).withUnsafeBytes { (bytes) throws(ImageError) in
                    try unsafe inflated(bytes)
                }
            case "LZWDecode", "LZW": content = try lzw(content)
            case "ASCIIHexDecode", "AHx": content = hexadecimal(content)
            case "ASCII85Decode", "A85": content = ascii85(content)
            case "RunLengthDecode", "RL": content = try runs(content)
            case "Crypt": break
            default: return nil
            }
        }
        return try bounded(content)
    }

    private func bounded(_ content: [UInt8]) throws(ImageError) -> [UInt8] {
        guard content.count <= room else { throw .tooComplex(.commands(limit: room)) }
        return content
    }

    private func inflated(_ packed: UnsafeRawBufferPointer) throws(ImageError) -> [UInt8] {
        guard let base = packed.baseAddress, packed.count > 2 else { return [] }
        if unsafe scratch == nil { unsafe scratch = malloc(room) }
        guard let scratch = unsafe scratch else { throw .outOfMemory }
        var count = 0
        switch unsafe cdeflate_unzlib(base, packed.count, scratch, room, &count) {
        case CDEFLATE_NO_ROOM: throw .tooComplex(.commands(limit: room))
        case CDEFLATE_NO_MEMORY: throw .outOfMemory
        case CDEFLATE_DONE: break
        default:
            // Encrypted content does not begin like this (RFC 1950 §2.2).
            guard unsafe packed[0] & 15 == 8, unsafe (Int(packed[0]) << 8 | Int(packed[1])) % 31 == 0 else { return [] }
            count = try unsafe damagedCount(UnsafeRawBufferPointer(rebasing: packed[2...]), scratch)
        }
        return unsafe Array(UnsafeRawBufferPointer(start: scratch, count: count))
    }

    /// How many bytes a damaged stream yields: those that do not depend on the previous buffer content.
    private func damagedCount(
        _ packed: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawPointer
    ) throws(ImageError) -> Int {
        let room = min(room, packed.count.multipliedReportingOverflow(by: 1032).partialValue)
        damageRoom -= 2 * room
        guard damageRoom >= 0 else { throw .tooComplex(.expansion) }
        guard let other = unsafe malloc(room) else { throw .outOfMemory }
        defer { unsafe free(other) }
        unsafe memset(scratch, 0, room)
        unsafe memset(other, 0xff, room)
        unsafe cdeflate_inflate_head(packed.baseAddress, packed.count, scratch, room)
        unsafe cdeflate_inflate_head(packed.baseAddress, packed.count, other, room)
        let (left, right) = unsafe (
            UnsafeRawBufferPointer(start: scratch, count: room), UnsafeRawBufferPointer(start: other, count: room)
        )
        var step = 0
        while step < room {
            let count = min(4096, room - step)
            guard unsafe memcmp(scratch + step, other + step, count) == 0 else { break }
            step += count
        }
        while step < room, unsafe left[step] == right[step] { step += 1 }
        guard step < self.room else { throw .tooComplex(.commands(limit: self.room)) }
        return step
    }

    private func hexadecimal(_ text: [UInt8]) -> [UInt8] {
        var (content, high): ([UInt8], UInt8?) = ([], nil)
        for byte in text {
            if byte == UInt8(ascii: ">") { break }
            guard let digit = ASCII.hexValue(byte) else { continue }
            if let first = high {
                content.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        if let high { content.append(high << 4) }
        return content
    }

    private func ascii85(_ text: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var (group, count) = (UInt32(0), 0)
        func bytes(_ group: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: group >> UInt32($0)) }
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "z") where count == 0: content += [0, 0, 0, 0]
            case UInt8(ascii: "!")...UInt8(ascii: "u"):
                group = group &* 85 &+ UInt32(byte - UInt8(ascii: "!"))
                count += 1
                guard count == 5 else { continue }
                content += bytes(group)
                (group, count) = (0, 0)
            case UInt8(ascii: "~"):
                guard count > 1 else { return content }
                for _ in count..<5 { group = group &* 85 &+ 84 }
                return content + bytes(group).prefix(count - 1)
            default: continue
            }
        }
        return content
    }

    private func runs(_ packed: [UInt8]) throws(ImageError) -> [UInt8] {
        var content: [UInt8] = []
        var index = 0
        while index + 1 < packed.count, packed[index] != 128, content.count <= room {
            let length = Int(packed[index])
            if length < 128 {
                content += packed[(index + 1)..<min(packed.count, index + 2 + length)]
                index += 2 + length
            } else {
                content += [UInt8](repeating: packed[index + 1], count: 257 - length)
                index += 2
            }
        }
        return try bounded(content)
    }

    /// Codes of 9 to 12 bits, which grow one code early as a rule (§7.4.4).
    private func lzw(_ packed: [UInt8]) throws(ImageError) -> [UInt8] {
        var content: [UInt8] = []
        // Where in the content the string of each code stands.
        var texts: [(start: Int, count: Int)] = []
        var (bits, bitCount, width) = (UInt32(0), 0, 9)
        var last: (start: Int, count: Int)?
        for byte in packed {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            guard bitCount >= width else { continue }
            bitCount -= width
            let code = Int(bits >> UInt32(bitCount)) & ((1 << width) - 1)
            bits &= (1 << UInt32(bitCount)) - 1
            if code == 257 { break }
            if code == 256 {
                (texts, width, last) = ([], 9, nil)
                continue
            }
            let start = content.count
            if code < 256 {
                content.append(UInt8(code))
            } else if code - 258 < texts.count {
                let text = texts[code - 258]
                content += content[text.start..<(text.start + text.count)]
            } else if let last, code - 258 == texts.count {
                content += content[last.start..<(last.start + last.count)]
                content.append(content[last.start])
            } else {
                break
            }
            if let last, texts.count < 3838 { texts.append((last.start, last.count + 1)) }
            last = (start, content.count - start)
            width = texts.count + 259 >= 2048 ? 12 : texts.count + 259 >= 1024 ? 11 : texts.count + 259 >= 512 ? 10 : 9
            if content.count > room { break }
        }
        return try bounded(content)
    }
}
