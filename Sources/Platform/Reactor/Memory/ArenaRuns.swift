import Glibc

// Runs of units of 16 bytes, used or free, side by side. The first 8 bytes of each hold its length and that of the one
// before; a free run continues with its neighbours in the list of runs of about its length (two-level segregated fit,
// Masmano and others, 2004). Lengths are 31 bits, so no offset overflows.

/// Not synchronised. A free run keeps its first unit and gives its other whole pages back: resident are the pages below
/// `top` without those of free runs, to a page or two at the top.
struct ArenaRuns {
    static let unit = 16
    private static let headByteCount = 8
    private static let pageByteCount = 4096
    private static let binCount = 448
    /// Runs of a bin that are tried, as they may be too short.
    private static let trialCount = 8
    private static let none = UInt32.max

    /// In units.
    private struct Run {
        var start: Int
        var length: Int
        var end: Int { start + length }

        /// Touched by the run alone, without its first unit.
        var innerPages: Range<Int> {
            let first = ((start + 1) * unit + pageByteCount - 1) / pageByteCount
            return first..<max(first, end * unit / pageByteCount)
        }
    }

    private let base: UInt
    private let unitCapacity: Int
    /// Start of what was never handed out, and the length of the run before.
    private var top = 0
    private var lastLength = 0
    private var innerPageCount = 0
    private(set) var usedByteCount = 0
    private var bins = [UInt32](repeating: none, count: binCount)
    private var filledBins: [7 of UInt64] = .init(repeating: 0)

    init?(reserving byteCount: Int) {
        // Larger pages, as some kernels for arm64 have, could not be given back one by one.
        guard sysconf(Int32(_SC_PAGESIZE)) == Self.pageByteCount else { return nil }
        unitCapacity = min(max(byteCount, 1) / Self.pageByteCount + 1, (1 << 23) - 1) * (Self.pageByteCount / Self.unit)
        let length = unitCapacity * Self.unit
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let memory = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        // A huge page would make one content resident with all that lies around it.
        _ = unsafe madvise(memory, length, Int32(MADV_NOHUGEPAGE))
        base = UInt(bitPattern: memory)
    }

    /// Nothing may be used any more.
    func release() { _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: base), unitCapacity * Self.unit) }

    var residentByteCount: Int {
        let pageCount = (top * Self.unit + Self.pageByteCount - 1) / Self.pageByteCount
        return (pageCount - innerPageCount) * Self.pageByteCount
    }

    static func unitCount(_ count: Int) -> Int { (count + headByteCount + unit - 1) / unit }

    mutating func allocate(_ count: Int) -> UInt? {
        guard count < unitCapacity * Self.unit else { return nil }
        let length = Self.unitCount(count)
        let run: Run
        if let start = freeRun(ofAtLeast: length) {
            let found = Run(start: start, length: Int(head(start).length))
            removeFree(found)
            run = Run(start: start, length: length)
            setHead(start, Head(length: UInt32(length), previousLength: head(start).previousLength, isFree: false))
            let rest = Run(start: run.end, length: found.length - length)
            if rest.length > 0 { addFree(rest, previousLength: length) }
        } else {
            guard length <= unitCapacity - top else { return nil }
            run = Run(start: top, length: length)
            setHead(top, Head(length: UInt32(length), previousLength: UInt32(lastLength), isFree: false))
            top = run.end
            lastLength = length
        }
        usedByteCount += length * Self.unit
        return base + UInt(run.start * Self.unit + Self.headByteCount)
    }

    /// A run being freed: neither used nor free while its pages go back to the system.
    struct Return {
        fileprivate let base: UInt
        fileprivate let start: Int
        fileprivate let pages: Range<Int>

        /// They read as zeros when they are touched again.
        func giveBack() {
            guard !pages.isEmpty else { return }
            let first = unsafe UnsafeMutableRawPointer(bitPattern: base + UInt(pages.lowerBound * pageByteCount))
            _ = unsafe madvise(first, pages.count * pageByteCount, Int32(MADV_DONTNEED))
        }
    }

    /// Then call `Return.giveBack`, which enters the kernel, without a lock, and `finish`.
    mutating func free(_ address: UInt) -> Return {
        let start = Int(address - base) / Self.unit
        usedByteCount -= Int(head(start).length) * Self.unit
        return join(start)
    }

    /// Nil, or a larger run if a neighbour was freed meanwhile: that goes back too.
    mutating func finish(_ run: Return) -> Return? {
        let own = head(run.start)
        let found = Run(start: run.start, length: Int(own.length))
        if isFree(before: run.start, own) || isFree(at: found.end) { return join(run.start) }
        if found.end == top {
            top = found.start
            lastLength = Int(own.previousLength)
        } else {
            addFree(found, previousLength: Int(own.previousLength))
        }
        return nil
    }

    private mutating func join(_ start: Int) -> Return {
        let own = head(start)
        var run = Run(start: start, length: Int(own.length))
        // Where pages at either end are given back already.
        var givenBackTo: Int?
        var givenBackFrom: Int?
        if isFree(before: start, own) {
            let before = Run(start: start - Int(own.previousLength), length: Int(own.previousLength))
            if !before.innerPages.isEmpty { givenBackTo = before.innerPages.upperBound }
            removeFree(before)
            run = Run(start: before.start, length: before.length + run.length)
        }
        if isFree(at: run.end) {
            let after = Run(start: run.end, length: Int(head(run.end).length))
            if !after.innerPages.isEmpty { givenBackFrom = after.innerPages.lowerBound }
            removeFree(after)
            run.length += after.length
        }
        if run.end == top {
            // To the end of its page: that would stay resident otherwise, and be counted by nobody.
            let pageLength = Self.pageByteCount / Self.unit
            top = min((top / pageLength + 1) * pageLength, unitCapacity)
            run.length = top - run.start
        }
        let previousLength = head(run.start).previousLength
        setHead(run.start, Head(length: UInt32(run.length), previousLength: previousLength, isFree: false))
        tellNext(run)
        let first = givenBackTo ?? run.innerPages.lowerBound
        return Return(
            base: base, start: run.start, pages: first..<max(first, givenBackFrom ?? run.innerPages.upperBound))
    }

    private func isFree(before start: Int, _ own: Head) -> Bool {
        own.previousLength > 0 && head(start - Int(own.previousLength)).isFree
    }

    private func isFree(at start: Int) -> Bool { start < top && head(start).isFree }

    private mutating func tellNext(_ run: Run) {
        if run.end == top {
            lastLength = run.length
        } else {
            var next = head(run.end)
            next.previousLength = UInt32(run.length)
            setHead(run.end, next)
        }
    }

    // MARK: Free runs

    private mutating func addFree(_ run: Run, previousLength: Int) {
        setHead(run.start, Head(length: UInt32(run.length), previousLength: UInt32(previousLength), isFree: true))
        tellNext(run)
        let bin = Self.bin(run.length)
        let first = bins[bin]
        setLinks(run.start, Links(next: first, previous: Self.none))
        if first != Self.none { setLinks(Int(first), Links(next: links(Int(first)).next, previous: UInt32(run.start))) }
        bins[bin] = UInt32(run.start)
        filledBins[bin / 64] |= 1 << UInt64(bin % 64)
        innerPageCount += run.innerPages.count
    }

    private mutating func removeFree(_ run: Run) {
        let own = links(run.start)
        let bin = Self.bin(run.length)
        if own.previous == Self.none {
            bins[bin] = own.next
            if own.next == Self.none { filledBins[bin / 64] &= ~(1 << UInt64(bin % 64)) }
        } else {
            setLinks(Int(own.previous), Links(next: own.next, previous: links(Int(own.previous)).previous))
        }
        if own.next != Self.none {
            setLinks(Int(own.next), Links(next: links(Int(own.next)).next, previous: own.previous))
        }
        innerPageCount -= run.innerPages.count
    }

    /// From its own bin if found soon, else from a higher one.
    private func freeRun(ofAtLeast length: Int) -> Int? {
        let bin = Self.bin(length)
        var candidate = bins[bin]
        for _ in 0..<Self.trialCount where candidate != Self.none {
            if head(Int(candidate)).length >= UInt32(length) { return Int(candidate) }
            candidate = links(Int(candidate)).next
        }
        let higher = bin + 1
        for word in higher / 64..<filledBins.count {
            let below = word == higher / 64 ? (UInt64(1) << UInt64(higher % 64)) - 1 : 0
            let filled = filledBins[word] & ~below
            if filled != 0 { return Int(bins[word * 64 + filled.trailingZeroBitCount]) }
        }
        return nil
    }

    /// Sixteen bins for each power of two.
    private static func bin(_ length: Int) -> Int {
        if length < 16 { return length }
        let power = Int.bitWidth - 1 - length.leadingZeroBitCount
        return power * 16 + (length >> (power - 4) & 15) - 48
    }

    // MARK: In the memory itself

    private struct Head {
        var length: UInt32
        var previousLength: UInt32
        var isFree: Bool
    }

    private struct Links {
        var next: UInt32
        var previous: UInt32
    }

    private func word(_ start: Int, _ index: Int) -> UnsafeMutablePointer<UInt64>? {
        unsafe UnsafeMutablePointer(bitPattern: base + UInt(start * Self.unit + index * 8))
    }

    private func head(_ start: Int) -> Head {
        let bits = unsafe word(start, 0)?.pointee ?? 0
        return Head(
            length: UInt32(truncatingIfNeeded: bits) >> 1, previousLength: UInt32(truncatingIfNeeded: bits >> 32),
            isFree: bits & 1 != 0)
    }

    private func setHead(_ start: Int, _ head: Head) {
        unsafe word(start, 0)?.pointee =
            UInt64(head.previousLength) << 32 | UInt64(head.length) << 1 | (head.isFree ? 1 : 0)
    }

    private func links(_ start: Int) -> Links {
        let bits = unsafe word(start, 1)?.pointee ?? 0
        return Links(next: UInt32(truncatingIfNeeded: bits), previous: UInt32(truncatingIfNeeded: bits >> 32))
    }

    private func setLinks(_ start: Int, _ links: Links) {
        unsafe word(start, 1)?.pointee = UInt64(links.previous) << 32 | UInt64(links.next)
    }
}
