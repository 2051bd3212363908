import ImagePlan

/// A tiny picture whose pixels are labels, to carry out plans by hand and compare where every pixel went.
struct PixelGrid: Equatable {
    var rows: [[Int]]

    init(_ rows: [[Int]]) { self.rows = rows }

    /// A picture in which every pixel is different.
    init(labelled size: PixelSize) {
        rows = (0..<size.heightPx).map { y in (0..<size.widthPx).map { x in 100 * y + x } }
    }

    var size: PixelSize { PixelSize(widthPx: rows.first?.count ?? 0, heightPx: rows.count) }

    /// A picture of `size` whose pixel at (x, y) is the pixel of this one at `place(x, y)`.
    func moved(to size: PixelSize, _ place: (Int, Int) -> (Int, Int)) -> PixelGrid {
        PixelGrid(
            (0..<size.heightPx).map { y in
                (0..<size.widthPx).map { x in
                    let (column, row) = place(x, y)
                    return rows[row][column]
                }
            })
    }

    /// Made upright as the EXIF standard words it: which side of the picture row 0 and column 0 are.
    func upright(exif: Int) -> PixelGrid {
        let right = size.widthPx - 1
        let bottom = size.heightPx - 1
        switch exif {
        case 2: return moved(to: size) { (right - $0, $1) }
        case 3: return moved(to: size) { (right - $0, bottom - $1) }
        case 4: return moved(to: size) { ($0, bottom - $1) }
        case 5: return moved(to: size.transposed) { ($1, $0) }
        case 6: return moved(to: size.transposed) { ($1, bottom - $0) }
        case 7: return moved(to: size.transposed) { (right - $1, bottom - $0) }
        case 8: return moved(to: size.transposed) { (right - $1, $0) }
        default: return self
        }
    }

    func flipped(_ flip: Flip?) -> PixelGrid {
        switch flip {
        case nil: self
        case .horizontal: PixelGrid(rows.map { $0.reversed() })
        case .vertical: PixelGrid(rows.reversed())
        case .both: PixelGrid(rows.map { $0.reversed() }.reversed())
        }
    }

    func turnedClockwise(_ quarterTurns: Int) -> PixelGrid {
        var grid = self
        for _ in 0..<quarterTurns {
            let bottom = grid.size.heightPx - 1
            grid = grid.moved(to: grid.size.transposed) { ($1, bottom - $0) }
        }
        return grid
    }

    func cut(_ rect: PixelRect) -> PixelGrid? {
        let columns = rect.x..<(rect.x + rect.widthPx)
        let lines = rect.y..<(rect.y + rect.heightPx)
        guard rect.x >= 0, rect.y >= 0, columns.upperBound <= size.widthPx, lines.upperBound <= size.heightPx,
            !columns.isEmpty, !lines.isEmpty
        else { return nil }
        return PixelGrid(rows[lines].map { Array($0[columns]) })
    }

    /// Carries out `plan`; resizing takes the nearest pixel. nil where a step breaks a promise of `ImageStep`.
    func carryingOut(_ plan: ImagePlan) -> PixelGrid? {
        var grid = self
        for step in plan.steps {
            switch step {
            case .extract(let rect), .crop(let rect):
                guard rect.size != grid.size, let part = grid.cut(rect) else { return nil }
                grid = part
            case .resize(let target):
                guard target != grid.size else { return nil }
                grid = grid.moved(to: target) { [size = grid.size] x, y in
                    (x * size.widthPx / target.widthPx, y * size.heightPx / target.heightPx)
                }
            case .orient(let orientation):
                guard orientation != .identity else { return nil }
                grid = grid.flipped(orientation.isMirrored ? .horizontal : nil)
                    .turnedClockwise(orientation.quarterTurns)
            case .pad(let canvas, let x, let y, _), .surround(let canvas, let x, let y):
                guard x >= 0, y >= 0, x + grid.size.widthPx <= canvas.widthPx,
                    y + grid.size.heightPx <= canvas.heightPx, canvas != grid.size
                else { return nil }
                var padded = PixelGrid(labelled: canvas).rows.map { $0.map { _ in -1 } }
                for (row, pixels) in grid.rows.enumerated() {
                    padded[y + row].replaceSubrange(x..<(x + pixels.count), with: pixels)
                }
                grid = PixelGrid(padded)
            case .filter, .flatten, .overlay, .mask: break
            case .rotate: return nil
            }
        }
        return grid.size == PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx) ? grid : nil
    }
}
