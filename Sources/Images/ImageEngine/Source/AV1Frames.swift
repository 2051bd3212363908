/// The frames of an AV1 image, by the headers of its OBUs (AV1 bitstream specification §5.3, §5.5, §5.9).
enum AV1Frames {
    /// Sequence headers have up to 32 operating points of 12 bytes.
    private static let sequenceByteCount = 512
    private static let frameByteCount = 32

    /// Looks at all OBUs: an image of several frames may show the last alone, and each may follow a header of its own.
    static func find(
        _ data: HEIFData, in file: RawSpan, counting units: inout CodedUnits
    ) throws(ImageError) -> CodedFrames {
        var frames = CodedFrames()
        var sequence: AV1Sequence?
        var place = 0
        while place < data.count {
            try units.next()
            let head = data.bytes(file, from: place, count: 10)
            guard let unit = readUnit(head, upTo: data.count - place) else { break }
            let start = place + unit.headCount
            place = start + unit.count
            switch unit.type {
            case 1:
                let content = data.bytes(file, from: start, count: min(unit.count, sequenceByteCount))
                guard let found = AV1Sequence(content) else {
                    throw .corrupt(log: "a sequence header of AV1 that breaks off")
                }
                frames.note(widthPx: found.widthPx, heightPx: found.heightPx)
                sequence = found
            // The header of a frame, or that with its tiles. Without a sequence header dav1d refuses them.
            case 3, 6:
                guard let sequence else { continue }
                let content = data.bytes(file, from: start, count: min(unit.count, frameByteCount))
                let frame = sequence.frame(content)
                if frame.isShownAgain { continue }
                frames.count += 1
                // The most that the frame can say; dav1d does not compare it with the sequence header.
                if frame.hasOwnSize { frames.note(widthPx: sequence.mostWidthPx, heightPx: sequence.mostHeightPx) }
            default: break
            }
        }
        return frames
    }

    /// The OBU that begins with `head`; nil unless all of it lies within `end` bytes.
    private static func readUnit(_ head: [UInt8], upTo end: Int) -> (type: Int, headCount: Int, count: Int)? {
        guard let first = head.first else { return nil }
        let type = Int(first >> 3) & 15
        var place = first & 4 == 0 ? 1 : 2
        guard place <= end else { return nil }
        // Without a size it ends with the data.
        guard first & 2 != 0 else { return (type, place, end - place) }
        var count = 0
        for index in 0..<8 {
            guard place < head.count else { return nil }
            let byte = Int(head[place])
            place += 1
            count |= (byte & 0x7f) << (index * 7)
            if byte & 0x80 == 0 { break }
        }
        guard count <= end - place else { return nil }
        return (type, place, count)
    }
}

/// A sequence header (§5.5), up to what says how frames begin.
struct AV1Sequence {
    let widthPx: Int
    let heightPx: Int
    /// What frames that have a size of their own have at most.
    let mostWidthPx: Int
    let mostHeightPx: Int

    private let isReduced: Bool
    /// Bits in the header of a shown frame.
    private var timeBitCount = 0
    private var numberBitCount = 0
    /// 0, 1, or 2 where each frame tells.
    private var screenTools = 2
    private var wholeMotion = 2

    init?(_ content: [UInt8]) {
        var bits = BitReader(content)
        // The profile, and whether it is a still picture.
        bits.skip(4)
        isReduced = bits.flag()
        if isReduced { bits.skip(5) } else { timeBitCount = Self.readTimes(&bits) }
        let (widthBits, heightBits) = (bits.number(4) + 1, bits.number(4) + 1)
        (mostWidthPx, mostHeightPx) = (1 << widthBits, 1 << heightBits)
        (widthPx, heightPx) = (bits.number(widthBits) + 1, bits.number(heightBits) + 1)
        if !isReduced {
            if bits.flag() {
                // Parts of a sum, read in this order.
                let difference = bits.number(4) + 2
                numberBitCount = difference + bits.number(3) + 1
            }
            // Seven tools of blocks.
            bits.skip(7)
            let isOrdered = bits.flag()
            if isOrdered { bits.skip(2) }
            screenTools = bits.flag() ? 2 : bits.number(1)
            if screenTools > 0 { wholeMotion = bits.flag() ? 2 : bits.number(1) }
        }
        guard !bits.isPastEnd else { return nil }
    }

    /// Times and operating points. Returns the bits of a time in the header of a shown frame.
    private static func readTimes(_ bits: inout BitReader) -> Int {
        var (hasModel, isEven) = (false, false)
        var (delayBitCount, timeBitCount) = (0, 0)
        if bits.flag() {
            bits.skip(64)
            isEven = bits.flag()
            if isEven { _ = bits.exponential() }
            hasModel = bits.flag()
            if hasModel {
                delayBitCount = bits.number(5) + 1
                bits.skip(32 + 5)
                timeBitCount = bits.number(5) + 1
            }
        }
        let hasDelays = bits.flag()
        for _ in 0...bits.number(5) {
            bits.skip(12)
            if bits.number(5) > 7 { bits.skip(1) }
            if hasModel, bits.flag() { bits.skip(2 * delayBitCount + 1) }
            if hasDelays, bits.flag() { bits.skip(4) }
        }
        return hasModel && !isEven ? timeBitCount : 0
    }

    /// What the header of a frame (§5.9.2) says: whether it shows an earlier one, with nothing to decode, and whether it has a
    /// size of its own.
    func frame(_ content: [UInt8]) -> (isShownAgain: Bool, hasOwnSize: Bool) {
        if isReduced { return (false, false) }
        var bits = BitReader(content)
        if bits.flag() { return (true, false) }
        let type = bits.number(2)
        let isShown = bits.flag()
        bits.skip(isShown ? timeBitCount : 1)
        let (isKey, isSwitch) = (type == 0, type == 3)
        // Whether it resists errors, and whether probabilities stay.
        if !isSwitch, !(isKey && isShown) { bits.skip(1) }
        bits.skip(1)
        let hasScreenTools = screenTools == 2 ? bits.flag() : screenTools == 1
        if hasScreenTools, wholeMotion == 2 { bits.skip(1) }
        bits.skip(numberBitCount)
        return (false, isSwitch || bits.flag())
    }
}
