/// The header of a PMTiles v3 archive, checked against the size of the archive (PMTiles v3 §3).
struct PMTilesHeader {
    static let byteCount = 127
    /// Header and root directory lie within the first 16 KiB (PMTiles v3 §2).
    static let rootRegionByteCount: UInt64 = 16384

    struct Section {
        let offset, byteCount: UInt64
        /// The header's check keeps the sum from overflowing.
        var range: Range<UInt64> { offset..<offset + byteCount }
    }

    let rootDirectory, metadata, leafDirectories, tileData: Section
    /// Tiles with content, and different contents; 0 if not counted.
    let addressedTileCount: UInt64
    let compressesDirectories, compressesTiles: Bool
    let tileType: PMTilesArchive.TileType
    let minZoom, maxZoom: Int
    let bounds: PMTilesArchive.Bounds
    let centre: PMTilesArchive.Centre

    init(_ bytes: RawSpan, archiveByteCount: UInt64) throws(TileError) {
        try Self.checkMagic(bytes)
        guard bytes.byteCount >= Self.byteCount else { throw .malformedHeader(.length) }
        func integer(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func byte(_ offset: Int) -> Int { Int(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
        func degrees(_ offset: Int) -> Double {
            let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int32.self)
            return Double(Int32(littleEndian: value)) / 10_000_000
        }
        rootDirectory = Section(offset: integer(8), byteCount: integer(16))
        metadata = Section(offset: integer(24), byteCount: integer(32))
        leafDirectories = Section(offset: integer(40), byteCount: integer(48))
        tileData = Section(offset: integer(56), byteCount: integer(64))
        addressedTileCount = integer(72)
        compressesDirectories = try Self.isGzip(byte(97))
        compressesTiles = try Self.isGzip(byte(98))
        guard let type = PMTilesArchive.TileType(rawValue: UInt8(truncatingIfNeeded: byte(99))) else {
            throw .unsupportedTileType(code: byte(99))
        }
        tileType = type
        minZoom = byte(100)
        maxZoom = byte(101)
        bounds = PMTilesArchive.Bounds(west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114))
        centre = PMTilesArchive.Centre(longitude: degrees(119), latitude: degrees(123), zoom: byte(118))
        try check(archiveByteCount: archiveByteCount)
    }

    private static func checkMagic(_ bytes: RawSpan) throws(TileError) {
        let magic: StaticString = "PMTiles"
        // Versions 1 and 2 begin with "PM" and a 16-bit version instead.
        guard bytes.byteCount >= 8 else { throw .notPMTiles }
        func byte(_ offset: Int) -> UInt8 { unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
        guard byte(0) == UInt8(ascii: "P"), byte(1) == UInt8(ascii: "M") else { throw .notPMTiles }
        if byte(2) == 1 || byte(2) == 2, byte(3) == 0 { throw .unsupportedVersion(Int(byte(2))) }
        for index in 2..<magic.utf8CodeUnitCount {
            guard unsafe byte(index) == magic.utf8Start[index] else { throw .notPMTiles }
        }
        guard byte(7) == 3 else { throw .unsupportedVersion(Int(byte(7))) }
    }

    private static func isGzip(_ code: Int) throws(TileError) -> Bool {
        switch code {
        case 1: false
        case 2: true
        default: throw .unsupportedCompression(code: code)
        }
    }

    private func check(archiveByteCount: UInt64) throws(TileError) {
        func isInside(_ section: Section) -> Bool {
            section.offset <= archiveByteCount && section.byteCount <= archiveByteCount - section.offset
        }
        guard isInside(rootDirectory), rootDirectory.byteCount > 0,
            rootDirectory.offset + rootDirectory.byteCount <= Self.rootRegionByteCount
        else { throw .malformedHeader(.rootDirectory) }
        guard isInside(metadata) else { throw .malformedHeader(.metadata) }
        guard leafDirectories.byteCount == 0 || isInside(leafDirectories) else {
            throw .malformedHeader(.leafDirectories)
        }
        guard minZoom <= maxZoom, maxZoom <= TileID.maximumZoom else { throw .malformedHeader(.zoom) }
        let areDegrees =
            abs(bounds.west) <= 180 && abs(bounds.east) <= 180 && abs(bounds.south) <= 90 && abs(bounds.north) <= 90
            && abs(centre.longitude) <= 180 && abs(centre.latitude) <= 90
        guard areDegrees else { throw .malformedHeader(.bounds) }
    }
}
