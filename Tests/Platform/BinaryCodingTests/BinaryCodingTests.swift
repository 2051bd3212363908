import BinaryCoding
import Testing

private enum Shape: Codable, Equatable {
    case none
    case circle(radius: Double)
    case named(String, index: Int?)
}

private struct Drawing: Codable, Equatable {
    var shapes: [Shape] = []
    var title: String?
    var count: Int?
    var bytes: [UInt8] = []
    var isOpen = false
    var table: [Shape.Kind: Int] = [:]
    var duration = Duration.zero
}

extension Shape {
    enum Kind: String, Codable { case round, square }
}

@Suite(.timeLimit(.minutes(5))) struct BinaryCodingTests {
    private static let drawings = [
        Drawing(),
        Drawing(
            shapes: [.circle(radius: -1.5), .none, .named("ü", index: nil), .named("", index: -7)], title: "a",
            count: 0,
            bytes: [0, 255], isOpen: true, table: [.round: 1, .square: -(1 << 50)], duration: .milliseconds(-1501)),
    ]

    @Test(arguments: drawings.indices) func values_comeBackAsTheyWere(_ index: Int) throws {
        let bytes = try BinaryEncoder.bytes(of: Self.drawings[index])
        #expect(try BinaryDecoder.value(Drawing.self, from: bytes[...]) == Self.drawings[index])
    }

    @Test func everyCutAndEveryFlippedByte_isAnErrorOrAValue() throws {
        let bytes = try BinaryEncoder.bytes(of: Self.drawings[1])
        for end in 0..<bytes.count {
            #expect(throws: BinaryCodingError.malformed) { try BinaryDecoder.value(Drawing.self, from: bytes[..<end]) }
        }
        for index in bytes.indices {
            for value in [UInt8(0), 1, 0x7f, 0x80, 0xff] {
                var damaged = bytes
                damaged[index] = value
                _ = try? BinaryDecoder.value(Drawing.self, from: damaged[...])
            }
        }
    }

    @Test func numbersThatCouldOverflowSums_areRefused() throws {
        for number in [Int.max, Int.min, 1 << 51] {
            let bytes = try BinaryEncoder.bytes(of: [number])
            #expect(throws: BinaryCodingError.malformed) { try BinaryDecoder.value([Int].self, from: bytes[...]) }
        }
    }

    /// The components of a longer one are more seconds than an `Int64` holds.
    @Test func durationsWithoutComponents_areRefused() throws {
        for duration in [Duration.seconds(1 << 50), .seconds(Int64.max) * 10, .zero - .seconds(1 << 51)] {
            let bytes = try BinaryEncoder.bytes(of: [duration])
            #expect(throws: BinaryCodingError.malformed) { try BinaryDecoder.value([Duration].self, from: bytes[...]) }
        }
        let longest = [Duration.seconds((1 << 50) - 1), .zero - .nanoseconds(1)]
        let bytes = try BinaryEncoder.bytes(of: longest)
        #expect(try BinaryDecoder.value([Duration].self, from: bytes[...]) == longest)
    }

    @Test func listsThatPromiseMoreThanThereIs_areRefusedAtOnce() {
        #expect(throws: BinaryCodingError.malformed) {
            try BinaryDecoder.value([String].self, from: [0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 65])
        }
    }
}
