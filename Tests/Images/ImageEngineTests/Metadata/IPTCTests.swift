import SeededRandom
import Testing

@testable import ImageEngine

/// One data set of IPTC-IIM.
func dataSet(_ record: UInt8, _ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    [0x1c, record, number, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
}

/// Who made it, and a city that nobody is to know.
let everyRecord =
    dataSet(1, 90, [0x1b, 0x25, 0x47]) + dataSet(2, 0, [0, 4]) + dataSet(2, 80, Array("Žofie".utf8))
    + dataSet(2, 80, Array("Second".utf8)) + dataSet(2, 90, Array("SECRETCITY".utf8))
    + dataSet(2, 110, Array("Agency".utf8)) + dataSet(2, 115, Array("Archive".utf8))
    + dataSet(2, 116, Array("(c) Žofie".utf8)) + dataSet(2, 120, Array("SECRETWORDS".utf8))

/// Photoshop's resources with `records` among others.
func resources(_ records: [UInt8]) -> [UInt8] {
    func resource(_ number: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
        var bytes = Array("8BIM".utf8) + [4, number, UInt8(name.utf8.count)] + Array(name.utf8)
        if bytes.count % 2 != 0 { bytes.append(0) }
        bytes += [0, 0, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
        return bytes + [UInt8](repeating: 0, count: value.count % 2)
    }
    return Array("Photoshop 3.0\0".utf8) + resource(0x0c, "", Array("SECRETTHUMBNAIL".utf8))
        + resource(0x25, "abcd", [1, 2, 3]) + resource(4, "ab", records) + resource(9, "", [9])
}

@Suite(.timeLimit(.minutes(5))) struct IPTCTests {
    private let expected = Credits(
        creators: ["Žofie", "Second"], rights: [.init(language: "x-default", text: "(c) Žofie")], credit: "Agency",
        source: "Archive")

    @Test func recordsAreFoundInResources() {
        #expect(IPTCBlock.records(in: everyRecord) == everyRecord)
        #expect(IPTCBlock.records(in: resources(everyRecord)) == everyRecord)
        #expect(IPTCBlock.records(in: Array(resources(everyRecord).dropFirst(14))) == everyRecord)
        #expect(IPTCBlock.records(in: IPTCBlock.segment(everyRecord)) == everyRecord)
        #expect(IPTCBlock.records(in: []) == nil)
        #expect(IPTCBlock.records(in: resources([])) == nil)
    }

    @Test func creditsAreRead_andNothingElseIsWritten() throws {
        #expect(IPTCBlock.credits(of: everyRecord) == expected)
        let written = try #require(IPTCBlock.records(for: expected))
        #expect(IPTCBlock.credits(of: written) == expected)
        #expect(!String(decoding: written, as: UTF8.self).contains("SECRET"))
        #expect(IPTCBlock.records(for: Credits(webStatement: "x")) == nil)
    }

    @Test func textsThatAreNoUTF8AreLatin1_unlessTheySayThatTheyAre() {
        let name = dataSet(2, 80, [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72])
        #expect(IPTCBlock.credits(of: name)?.creators == ["Müller"])
        #expect(IPTCBlock.credits(of: dataSet(1, 90, [0x1b, 0x25, 0x47]) + name) == nil)
        #expect(IPTCBlock.credits(of: dataSet(2, 80, Array("Müller".utf8)))?.creators == ["Müller"])
    }

    @Test func longLengthsAreRead_andLiesAreNot() {
        let text = Array("Ada".utf8)
        #expect(IPTCBlock.credits(of: [0x1c, 2, 80, 0x80, 4, 0, 0, 0, 3] + text)?.creators == ["Ada"])
        for length: [UInt8] in [
            [0x80, 4, 0xff, 0xff, 0xff, 0xff], [0xff, 0xff], [0x80, 5, 0, 0, 0, 0, 3], [0x7f, 0xff],
        ] {
            #expect(IPTCBlock.credits(of: [0x1c, 2, 80] + length + text) == nil)
        }
    }

    /// Padding may follow; a data set that breaks off is a block that breaks off.
    @Test func blocksThatBreakOffAreNothing() {
        #expect(IPTCBlock.credits(of: everyRecord + [0, 0, 0]) == expected)
        var starts: Set<Int> = [0]
        var offset = 0
        while offset < everyRecord.count {
            offset += 5 + Int(everyRecord[offset + 3]) << 8 + Int(everyRecord[offset + 4])
            starts.insert(offset)
        }
        for count in 0..<everyRecord.count where !starts.contains(count) {
            #expect(IPTCBlock.credits(of: Array(everyRecord[..<count])) == nil)
        }
        let whole = resources(everyRecord)
        for count in 0..<whole.count {
            let records = IPTCBlock.records(in: Array(whole[..<count]))
            #expect(records == nil || records == everyRecord)
        }
    }

    @Test func damageIsNoHarm() {
        var random = SeededGenerator(state: 12)
        for _ in 0..<4000 {
            guard let records = IPTCBlock.records(in: damaged(resources(everyRecord), &random)),
                let credits = IPTCBlock.credits(of: records), let written = IPTCBlock.records(for: credits)
            else { continue }
            #expect(written.count < 19 * (IPTCBlock.textByteLimit + 5) + 20)
            #expect(IPTCBlock.credits(of: written) == credits)
        }
    }

    @Test func theLongestBlockStaysSmall() throws {
        let long = dataSet(2, 80, [UInt8](repeating: 0x61, count: 30_000))
        var block: [UInt8] = []
        while block.count + long.count <= IPTCBlock.byteLimit { block += long }
        let credits = try #require(IPTCBlock.credits(of: block))
        #expect(credits.creators.count == Credits.creatorLimit)
        #expect(try #require(IPTCBlock.records(for: credits)).count < 17_000)
        #expect(IPTCBlock.credits(of: block + long + long) == nil, "over the limit")
        let many = (0..<10_001).flatMap { _ in dataSet(2, 80, []) }
        #expect(IPTCBlock.credits(of: many) == nil)
    }
}
