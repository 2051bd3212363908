import Glibc

/// A kd-tree of points in flat arrays. Answers come in the order of kdbush, since clusters depend on it.
struct PointTree {
    private static let nodeSize = 64

    private var indexes: [Int32]
    // Single precision as in the reference: it decides which of two points is nearer.
    private var coordinates: [SIMD2<Float>]

    /// O(n log n).
    init(_ points: [SIMD2<Float>]) {
        coordinates = points
        indexes = (0..<Int32(points.count)).map { $0 }
        var stack = [(left: 0, right: points.count - 1, axis: 0)]
        while let part = stack.popLast() {
            guard part.right - part.left > Self.nodeSize else { continue }
            let middle = (part.left + part.right) >> 1
            select(middle, in: part.left...part.right, axis: part.axis)
            stack.append((part.left, middle - 1, 1 - part.axis))
            stack.append((middle + 1, part.right, 1 - part.axis))
        }
    }

    func range(_ least: SIMD2<Double>, _ most: SIMD2<Double>) -> [Int] {
        search(least, most) { $0.x >= least.x && $0.x <= most.x && $0.y >= least.y && $0.y <= most.y }
    }

    func within(_ radius: Double, of place: SIMD2<Double>) -> [Int] {
        let squared = radius * radius
        return search(place - radius, place + radius) { point in
            let delta = point - place
            return delta.x * delta.x + delta.y * delta.y <= squared
        }
    }

    private func search(_ least: SIMD2<Double>, _ most: SIMD2<Double>, _ matches: (SIMD2<Double>) -> Bool) -> [Int] {
        var found: [Int] = []
        func test(_ index: Int) { if matches(SIMD2<Double>(coordinates[index])) { found.append(Int(indexes[index])) } }
        var stack = [(left: 0, right: coordinates.count - 1, axis: 0)]
        while let part = stack.popLast() {
            guard part.right - part.left > Self.nodeSize else {
                for index in stride(from: part.left, through: part.right, by: 1) { test(index) }
                continue
            }
            let middle = (part.left + part.right) >> 1
            test(middle)
            let place = Double(coordinates[middle][part.axis])
            if least[part.axis] <= place { stack.append((part.left, middle - 1, 1 - part.axis)) }
            if most[part.axis] >= place { stack.append((middle + 1, part.right, 1 - part.axis)) }
        }
        return found
    }

    /// Puts the point that belongs at `k` there, lesser ones before it (Floyd and Rivest).
    private mutating func select(_ k: Int, in range: ClosedRange<Int>, axis: Int) {
        var (left, right) = (range.lowerBound, range.upperBound)
        while right > left {
            if right - left > 600 {
                let n = Double(right - left + 1)
                let m = Double(k - left + 1)
                let z = log(n)
                let s = 0.5 * exp(2 * z / 3)
                let sd = 0.5 * (z * s * (n - s) / n).squareRoot() * (m - n / 2 < 0 ? -1 : 1)
                let newLeft = max(left, Int((Double(k) - m * s / n + sd).rounded(.down)))
                let newRight = min(right, Int((Double(k) + (n - m) * s / n + sd).rounded(.down)))
                select(k, in: newLeft...newRight, axis: axis)
            }
            let pivot = coordinates[k][axis]
            var (i, j) = (left, right)
            swap(left, k)
            if coordinates[right][axis] > pivot { swap(left, right) }
            while i < j {
                swap(i, j)
                i += 1
                j -= 1
                while coordinates[i][axis] < pivot { i += 1 }
                while coordinates[j][axis] > pivot { j -= 1 }
            }
            if coordinates[left][axis] == pivot {
                swap(left, j)
            } else {
                j += 1
                swap(j, right)
            }
            if j <= k { left = j + 1 }
            if k <= j { right = j - 1 }
        }
    }

    private mutating func swap(_ i: Int, _ j: Int) {
        indexes.swapAt(i, j)
        coordinates.swapAt(i, j)
    }
}
