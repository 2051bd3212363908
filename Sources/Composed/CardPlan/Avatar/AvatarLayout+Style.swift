package import CardGrammar
import Parameters

extension AvatarLayout {
    /// What the places and shapes of cells follow from. Who is shown is no part of it.
    package struct Style: Hashable, Sendable {
        private let layout: AvatarRequest.Layout
        private let shape: AvatarRequest.Shape
        private let sizePx: Int
        private let gap: PlainDecimal
        private let ringWidth: PlainDecimal?
        private let cellCount: Int
        private let hasMore: Bool
        private let hasStatus: Bool
        private let hasBadge: Bool
        private let isCut: Bool

        package init(_ request: AvatarRequest, isCut: Bool) {
            let contents = request.cellContents
            (layout, shape, sizePx) = (request.layout, request.shape, request.sizePx)
            (gap, ringWidth) = (request.gap, request.ring?.width)
            cellCount = contents.count
            hasMore = if case .more? = contents.last { true } else { false }
            (hasStatus, hasBadge) = (request.status != nil, request.badge != nil)
            self.isCut = isCut
        }
    }

    /// Of the memory for its shapes, and of what holds them.
    package var byteCount: Int {
        let shapes = cells.map(\.shape) + ringShapes.flatMap { [$0.outer, $0.inner] }
        return shapes.flatMap(\.rings).reduce(1024 + cells.count * 256) {
            $0 + 64 + $1.capacity * MemoryLayout<SIMD2<Double>>.stride
        }
    }
}
