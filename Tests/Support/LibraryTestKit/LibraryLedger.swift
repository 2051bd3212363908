import DiskTestKit

/// What a writer has said about its work, and hence what may be found after its death.
struct LibraryLedger {
    /// What may be found for each number: versions, or nothing (nil). Without an entry: nothing.
    private var expected: [Int: Set<Int?>] = [:]
    /// How many uploads and deletes were acknowledged.
    private(set) var acknowledgedCount = 0
    private(set) var complaints: [String] = []

    /// Takes in the lines of a writer; a last line that is cut off does not count.
    mutating func take(_ lines: [UInt8]) {
        guard let end = lines.lastIndex(of: 0x0a) else { return }
        for line in lines[..<end].split(separator: 0x0a) {
            let text = String(decoding: line, as: UTF8.self)
            let words = text.split(separator: " ")
            guard words.count > 1, let number = Int(words[1]) else {
                complaints.append(text)
                continue
            }
            let version = words.count > 2 ? Int(words[2]) : nil
            switch words[0] {
            case "s", "r": expected[number, default: [nil]].insert(version)
            case "S", "R":
                expected[number] = [version]
                acknowledgedCount += 1
            default: complaints.append(text)
            }
        }
    }

    /// What is found for `number`, or nil, is held against what is expected; from now on that is expected.
    mutating func settle(_ number: Int, found version: Int?) throws(Complaint) {
        let allowed = expected[number] ?? [nil]
        guard allowed.contains(version) else {
            let names = allowed.map { $0.map(String.init) ?? "nothing" }.sorted()
            throw Complaint(
                "\(number): \(version.map(String.init) ?? "nothing"), not \(names.joined(separator: " or "))")
        }
        expected[number] = [version]
    }
}
