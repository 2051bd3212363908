import Bytes

extension VectorLayer {
    /// Decodes the geometry of `feature` into `geometry`. Coordinates beyond 32 bits are clamped; rings of fewer than
    /// three points are left out. O(bytes of the geometry). Throws ``TileError/malformedTile(_:offset:)`` for unknown
    /// commands, wrong counts and missing parameters; the buffer is then empty. MVT 2.1 §4.3.
    package func geometry(of feature: VectorFeature, into geometry: inout TileGeometry) throws(TileError) {
        geometry.removeAll()
        let start = Int(feature.geometryStart)
        let bytes = content.span
        var cursor = MessageCursor(bytes, range: start..<(start + Int(feature.geometryByteCount)))
        if geometry.points.capacity < cursor.remaining / 2 { geometry.points.reserveCapacity(cursor.remaining / 2) }
        do throws(TileError) {
            switch feature.kind {
            case .point: try Self.readPoints(&cursor, into: &geometry)
            case .line, .unknown: try Self.readLines(&cursor, into: &geometry, kind: feature.kind, version: version)
            case .polygon: try Self.readRings(&cursor, into: &geometry)
            }
        } catch {
            geometry.removeAll()
            throw error
        }
    }

    private static func readPoints(_ cursor: inout MessageCursor, into geometry: inout TileGeometry) throws(TileError) {
        var pen = Pen()
        while !cursor.isAtEnd {
            let command = try GeometryCommand(&cursor)
            guard command.code == GeometryCommand.moveTo else { throw .malformedTile(.command, offset: command.offset) }
            try pen.draw(command, &cursor, into: &geometry.points)
        }
        geometry.partEnds.append(Int32(geometry.points.count))
    }

    private static func readLines(
        _ cursor: inout MessageCursor, into geometry: inout TileGeometry, kind: GeometryKind, version: Int
    ) throws(TileError) {
        var pen = Pen()
        var lineStart = 0
        while !cursor.isAtEnd {
            let command = try GeometryCommand(&cursor)
            switch command.code {
            case GeometryCommand.moveTo where command.count == 1 || kind == .unknown:
                if geometry.points.count > lineStart { geometry.partEnds.append(Int32(geometry.points.count)) }
                lineStart = geometry.points.count
                try pen.draw(command, &cursor, into: &geometry.points)
            case GeometryCommand.lineTo where geometry.points.count > lineStart:
                try pen.draw(command, &cursor, into: &geometry.points)
            case GeometryCommand.closePath
            where version == 1 && command.count == 1 && geometry.points.count > lineStart:
                // Tiles of version 1 with closed lines exist; version 2 forbids them.
                geometry.points.append(geometry.points[lineStart])
            default: throw .malformedTile(.command, offset: command.offset)
            }
        }
        if geometry.points.count > lineStart { geometry.partEnds.append(Int32(geometry.points.count)) }
    }

    private static func readRings(_ cursor: inout MessageCursor, into geometry: inout TileGeometry) throws(TileError) {
        var pen = Pen()
        while !cursor.isAtEnd {
            let ringStart = geometry.points.count
            let move = try GeometryCommand(&cursor)
            guard move.code == GeometryCommand.moveTo, move.count == 1 else {
                throw .malformedTile(.command, offset: move.offset)
            }
            try pen.draw(move, &cursor, into: &geometry.points)
            var command = try GeometryCommand(&cursor)
            while command.code == GeometryCommand.lineTo {
                try pen.draw(command, &cursor, into: &geometry.points)
                command = try GeometryCommand(&cursor)
            }
            guard command.code == GeometryCommand.closePath, command.count == 1 else {
                throw .malformedTile(.command, offset: command.offset)
            }
            // Some encoders repeat the first point before they close.
            if geometry.points.count - ringStart > 1, geometry.points.last == geometry.points[ringStart] {
                geometry.points.removeLast()
            }
            if geometry.points.count - ringStart < 3 {
                geometry.points.removeSubrange(ringStart...)
            } else {
                geometry.partEnds.append(Int32(geometry.points.count))
            }
        }
    }
}

/// MVT 2.1 §4.3.1.
private struct GeometryCommand {
    static let moveTo: UInt32 = 1
    static let lineTo: UInt32 = 2
    static let closePath: UInt32 = 7

    let code: UInt32
    let count: Int
    let offset: Int

    init(_ cursor: inout MessageCursor) throws(TileError) {
        offset = cursor.offset
        let integer = try cursor.readUInt32()
        code = integer & 7
        count = Int(integer >> 3)
    }
}

/// The cursor of MVT 2.1 §4.3.2. In 64 bits its sums cannot overflow: a tile has fewer than 2^28 steps of 2^31.
private struct Pen {
    private var x = 0, y = 0

    mutating func draw(
        _ command: GeometryCommand, _ cursor: inout MessageCursor, into points: inout [TilePoint]
    ) throws(TileError) {
        guard command.count > 0 else { throw .malformedTile(.command, offset: command.offset) }
        guard command.count <= cursor.remaining / 2 else {
            throw .malformedTile(.commandParameters, offset: command.offset)
        }
        guard command.count > 1 else {
            points.append(try step(&cursor))
            return
        }
        // Room for all points of the command at once, then plain stores.
        let first = points.count
        points.append(contentsOf: repeatElement(TilePoint(x: 0, y: 0), count: command.count))
        try unsafe points.withUnsafeMutableBufferPointer { buffer throws(TileError) in
            for index in first..<buffer.count { unsafe buffer[index] = try step(&cursor) }
        }
    }

    @inline(__always) private mutating func step(_ cursor: inout MessageCursor) throws(TileError) -> TilePoint {
        x &+= Self.unzigzag(try cursor.readUInt32())
        y &+= Self.unzigzag(try cursor.readUInt32())
        return TilePoint(x: Int32(clamping: x), y: Int32(clamping: y))
    }

    @inline(__always) private static func unzigzag(_ value: UInt32) -> Int {
        Int(Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1))
    }
}
