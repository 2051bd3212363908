import Foundation
import Glibc
import Reactor
import TestSupport

/// An answer that is taken bit by bit and compared with the content that it must have.
final class SlowDownload {
    private let socket: FileDescriptor
    private let content: [UInt8]
    private var head: [UInt8] = []
    private var headIsOver = false
    /// How much of the content has come.
    private(set) var byteCount = 0
    /// Whether all that came is as it must be.
    private(set) var isRight = true
    /// Whether the connection has ended.
    private(set) var isOver = false

    /// Asks for `target` and takes nothing yet.
    init(_ target: String, from client: Client, expecting content: [UInt8]) throws {
        socket = try client.send(target)
        self.content = content
    }

    /// Whether the whole content came, and nothing else.
    var isWhole: Bool { isOver && isRight && byteCount == content.count }

    /// Takes at most so many bytes.
    func take(_ limit: Int) {
        guard !isOver else { return }
        var buffer = [UInt8](repeating: 0, count: limit)
        switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
        case .bytes(let count): note(buffer[..<count])
        case .closed: isOver = true
        case .wouldBlock, .failed:
            isOver = true
            isRight = false
        }
    }

    private func note(_ bytes: ArraySlice<UInt8>) {
        guard !headIsOver else { return compare(bytes) }
        head += bytes
        guard let end = head.indices.dropFirst(3).first(where: { head[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) })
        else { return }
        headIsOver = true
        isRight = head.starts(with: "HTTP/1.1 200 ".utf8)
        compare(head[(end + 1)...])
    }

    private func compare(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= content.count - byteCount else { return isRight = false }
        let isEqual = bytes.withUnsafeBytes { came in
            content.withUnsafeBytes { expected in
                guard let left = came.baseAddress, let right = expected.baseAddress else { return came.isEmpty }
                return memcmp(left, right + byteCount, came.count) == 0
            }
        }
        if !isEqual { isRight = false }
        byteCount += bytes.count
    }
}

/// A library with one picture of noise, which no encoder makes smaller than 30 MB.
struct NoiseLibrary {
    /// What to ask for.
    static let target = "/asset?id=noise.tiff&format=png"
    /// What to ask for when a small answer is wanted.
    static let small = "/asset?id=noise.tiff&width=64&format=png"
    private static let sidePx = 3200

    let library: TestLibrary
    /// Removed with its last reference.
    private let pictures: PictureFolder

    init() throws {
        pictures = try PictureFolder()
        try pictures.add("noise.tiff", try Self.noise())
        library = TestLibrary(
            folder: URL(filePath: pictures.path), mapArchive: nil, photo: "noise.tiff", photoWidthPx: Self.sidePx,
            photoHeightPx: Self.sidePx, translucent: "a.png")
    }

    /// A TIFF of one strip, not compressed, 8 bits for each of three bands.
    private static func noise() throws -> [UInt8] {
        let pixelByteCount = sidePx * sidePx * 3
        let bitsOffset = 8 + pixelByteCount
        var bytes: [UInt8] = Array("II".utf8) + [42, 0] + little(bitsOffset + 6, 4)
        bytes.reserveCapacity(bitsOffset + 140)
        bytes += try randomBytes(pixelByteCount)
        bytes += [8, 0, 8, 0, 8, 0]
        // Tag, type (3: two bytes, 4: four), count, value: width, height, bits, no compression, RGB, strip, bands.
        let entries = [
            (256, 4, 1, sidePx), (257, 4, 1, sidePx), (258, 3, 3, bitsOffset), (259, 3, 1, 1), (262, 3, 1, 2),
            (273, 4, 1, 8), (277, 3, 1, 3), (278, 4, 1, sidePx), (279, 4, 1, pixelByteCount),
        ]
        bytes += little(entries.count, 2)
        for (tag, type, count, value) in entries {
            bytes += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
        }
        return bytes + little(0, 4)
    }

    private static func randomBytes(_ count: Int) throws -> [UInt8] {
        guard let source = fopen("/dev/urandom", "r") else { throw Client.Failure(description: "no noise") }
        defer { fclose(source) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = fread(buffer.baseAddress, 1, count, source)
        }
    }

    private static func little(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
