/// Leads from keys to slots by open addressing, four bytes a place: the lower bits of a word are the slot plus one, 0 where
/// there is none, and what is left above them is of the key, so that hardly ever a slot is looked at in vain.
///
/// A place is on the way from a key's home to the first empty place. At most three quarters of them are taken.
@usableFromInline
struct SlotTable: Sendable {
    @usableFromInline var words: [UInt32]
    /// The number of places, a power of two, less one; also the bits of a word that are the slot's.
    @usableFromInline let mask: Int

    /// A table with room for twice `slotCount` slots at the least.
    @inlinable
    init(slotCount: Int = 0) {
        var size = 64
        while size / 4 * 3 <= slotCount + 1 { size *= 2 }
        words = Array(repeating: 0, count: size)
        mask = size - 1
    }

    @inlinable var byteCount: Int { words.capacity * 4 + 32 }

    /// Whether it has no room for slots up to this number.
    @inlinable
    func isFull(slotCount: Int) -> Bool {
        slotCount > words.count / 4 * 3
    }

    @inlinable
    func home(of key: EvictionKey) -> Int {
        Int(truncatingIfNeeded: key.high) & mask
    }

    @inlinable
    func place(after place: Int) -> Int { (place + 1) & mask }

    @inlinable
    func place(before place: Int) -> Int { (place - 1) & mask }

    @inlinable
    func slot(at place: Int) -> Int32? {
        let word = words[place]
        return word == 0 ? nil : Int32(Int(word) & mask) - 1
    }

    /// The next slot on the way that may be that of `key`; `place` is past it then.
    @inlinable
    func nextSlot(maybeOf key: EvictionKey, from place: inout Int) -> Int32? {
        let print = print(of: key)
        while true {
            let word = words[place]
            if word == 0 { return nil }
            place = self.place(after: place)
            if Int(word) & ~mask == print { return Int32(Int(word) & mask) - 1 }
        }
    }

    /// Takes in a slot that is not in the table.
    @inlinable
    mutating func insert(_ slot: Int32, _ key: EvictionKey) {
        var place = home(of: key)
        while words[place] != 0 { place = self.place(after: place) }
        words[place] = UInt32(print(of: key) | Int(slot) + 1)
    }

    /// Whether what is at `place` is still found if it is at `hole` instead, which comes before it.
    @inlinable
    func mayMove(homeOf key: EvictionKey, from place: Int, to hole: Int) -> Bool {
        (place - home(of: key)) & mask >= (place - hole) & mask
    }

    @inlinable
    mutating func move(from place: Int, to hole: Int) {
        words[hole] = words[place]
    }

    @inlinable
    mutating func clear(_ place: Int) {
        words[place] = 0
    }

    /// The bits of `key` that a word has room for: others than those that choose the home.
    @inlinable
    func print(of key: EvictionKey) -> Int {
        Int(key.low >> 32) & ~mask
    }
}
