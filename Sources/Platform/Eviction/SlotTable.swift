/// Open addressing, four bytes a place. The lower bits of a word are the slot plus one, 0 if empty; the upper ones are
/// of the key, so that hardly any slot is looked at in vain. At most three quarters of the places are taken.
@usableFromInline struct SlotTable: Sendable {
    @usableFromInline var words: [UInt32]
    /// The number of places, a power of two, less one; also the slot's bits in a word.
    @usableFromInline let mask: Int

    @inlinable init(slotCount: Int = 0) {
        var size = 64
        while size / 4 * 3 <= slotCount + 1 { size *= 2 }
        words = Array(repeating: 0, count: size)
        mask = size - 1
    }

    @inlinable var byteCount: Int { words.capacity * 4 + 32 }
    @inlinable func isFull(slotCount: Int) -> Bool { slotCount > words.count / 4 * 3 }
    @inlinable func home(of key: EvictionKey) -> Int { Int(truncatingIfNeeded: key.high) & mask }
    @inlinable func place(after place: Int) -> Int { (place + 1) & mask }
    @inlinable func place(before place: Int) -> Int { (place - 1) & mask }

    @inlinable func slot(at place: Int) -> Int32? {
        let word = words[place]
        return word == 0 ? nil : Int32(Int(word) & mask) - 1
    }

    /// Moves `place` past the slot found.
    @inlinable func nextSlot(maybeOf key: EvictionKey, from place: inout Int) -> Int32? {
        let print = print(of: key)
        while true {
            let word = words[place]
            if word == 0 { return nil }
            place = self.place(after: place)
            if Int(word) & ~mask == print { return Int32(Int(word) & mask) - 1 }
        }
    }

    @inlinable mutating func insert(_ slot: Int32, _ key: EvictionKey) {
        var place = home(of: key)
        while words[place] != 0 { place = self.place(after: place) }
        words[place] = UInt32(print(of: key) | Int(slot) + 1)
    }

    /// Whether the slot at `place` is still found at `hole`, which comes before it.
    @inlinable func mayMove(homeOf key: EvictionKey, from place: Int, to hole: Int) -> Bool {
        (place - home(of: key)) & mask >= (place - hole) & mask
    }

    @inlinable mutating func move(from place: Int, to hole: Int) { words[hole] = words[place] }
    @inlinable mutating func clear(_ place: Int) { words[place] = 0 }

    /// Bits other than those that choose the home.
    @inlinable func print(of key: EvictionKey) -> Int { Int(key.low >> 32) & ~mask }
}
