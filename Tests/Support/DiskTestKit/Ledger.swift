/// What a writer has said about its work, and hence what must be found after its death.
package struct Ledger: Sendable {
    private struct Expectation {
        /// No version before this one may be found.
        var floor = 0
        /// Whether an entry must be there. If not, one may be: the writer can have died before it could say so.
        var mustExist = false
    }

    private var expectations: [Int: Expectation] = [:]
    /// How many entries were reported as stored.
    package private(set) var storedCount = 0
    /// How many were reported as not stored.
    package private(set) var refusedCount = 0
    /// What writers themselves found wrong.
    package private(set) var complaints: [String] = []

    package init() {}

    /// Takes in the lines of a writer; a last line that is cut off does not count.
    package mutating func take(_ lines: [UInt8]) {
        guard let end = lines.lastIndex(of: 0x0a) else { return }
        for line in lines[..<end].split(separator: 0x0a) {
            if line.first == 0x21 {
                complaints.append(String(decoding: line, as: UTF8.self))
                continue
            }
            let words = line.dropFirst(2).split(separator: 0x20).map(Self.number)
            guard let kind = line.first, let first = words.first else { continue }
            take(kind, first, words.count > 1 ? words[1] : 0)
        }
    }

    /// Letters: S stored, F refused; J removing, R removed; I purging, P purged; W emptying, E emptied.
    private mutating func take(_ kind: UInt8, _ number: Int, _ version: Int) {
        switch UnicodeScalar(kind) {
        case "S":
            storedCount += 1
            expectations[number] = Expectation(floor: version, mustExist: true)
        case "F":
            refusedCount += 1
            expectations[number, default: Expectation()].mustExist = false
        case "J": expectations[number, default: Expectation()].mustExist = false
        case "R": expectations[number] = Expectation(floor: version + 1)
        case "I": for number in Self.members(of: number) { expectations[number]?.mustExist = false }
        case "P": for number in Self.members(of: number) { expectations[number] = Expectation(floor: version + 1) }
        case "W": for number in Array(expectations.keys) { expectations[number]?.mustExist = false }
        case "E":
            for number in Array(expectations.keys) { expectations[number] = Expectation(floor: version + 1) }
        default: complaints.append("a line of the kind \(kind)")
        }
    }

    /// What is found for `number`, or nil, is held against what is expected; from now on that is expected.
    package mutating func settle(_ number: Int, found version: Int?) throws(Complaint) {
        let expected = expectations[number] ?? Expectation()
        if let version {
            if version < expected.floor {
                throw Complaint("\(number): version \(version), when \(expected.floor) is the least that it can be")
            }
            expectations[number] = Expectation(floor: version, mustExist: true)
        } else {
            if expected.mustExist { throw Complaint("\(number): version \(expected.floor) is lost") }
            expectations[number] = Expectation(floor: expected.floor)
        }
    }

    /// The entry `number` has been damaged: unless it is written again, nothing must be found.
    package mutating func forget(_ number: Int) {
        let floor = expectations[number]?.floor ?? 0
        expectations[number] = Expectation(floor: floor + 1)
    }

    /// Entries may be missing from now on, whatever was said.
    package mutating func excuseLosses() {
        for number in Array(expectations.keys) { expectations[number]?.mustExist = false }
    }

    private static func members(of group: Int) -> Range<Int> {
        group * TestEntry.groupSize..<(group + 1) * TestEntry.groupSize
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 } }
}
