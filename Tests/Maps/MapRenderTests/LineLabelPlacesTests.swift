import MapStyle
import Testing

@testable import MapRender

private func line(_ places: (Int16, Int16)...) -> [TileVertex] { places.map { TileVertex(x: $0.0, y: $0.1) } }

@Suite(.timeLimit(.minutes(5))) struct LineLabelPlacesTests {
    private func anchors(spacing: Double, length: Double = 2, hasText: Bool = true, maxAngle: Double = .pi / 4)
        -> LineAnchors
    {
        LineAnchors(spacing: spacing, maxAngle: maxAngle, shapedLength: length, hasText: hasText, boxScale: 1)
    }

    @Test func labelsKeepTheirDistanceAlongALine() {
        // The first one is half its length and two ems after the start.
        let places = anchors(spacing: 100, length: 10).spread(line((10, 50), (310, 50)))
        #expect(places.map(\.x) == [63, 163, 263])
        #expect(places.allSatisfy { $0.y == 50 && $0.angle == 0 && $0.segment == 0 })
    }

    @Test func linesFromOtherTilesBeginHalfASpacingIn() {
        let places = anchors(spacing: 100).spread(line((0, 50), (180, 50), (180, 250)))
        #expect(places.map { [$0.x, $0.y] } == [[50, 50], [150, 50], [180, 120], [180, 220]])
        #expect(places.map(\.segment) == [0, 0, 1, 1])
    }

    @Test func shortLinesHaveTheirLabelInTheMiddle() {
        let places = anchors(spacing: 250).spread(line((20, 20), (40, 20)))
        #expect(places.map(\.x) == [30])
        #expect(anchors(spacing: 250, length: 30).spread(line((20, 20), (40, 20))).isEmpty)
    }

    @Test func longLabelsGetMoreRoom() {
        let places = anchors(spacing: 100, length: 200).spread(line((0, 50), (1000, 50)))
        // 225 from one to the next, where 100 would have them on each other.
        #expect(places.map(\.x) == [113, 338, 563, 788])
    }

    @Test func labelsDoNotTurnTooMuch() {
        let corner = line((10, 10), (60, 10), (60, 60))
        #expect(anchors(spacing: 250, length: 20).center(corner) == nil)
        #expect(anchors(spacing: 250, length: 20, hasText: false).center(corner)?.x == 60)
        #expect(anchors(spacing: 250, length: 20, maxAngle: 1.6).center(corner)?.x == 60)
    }

    @Test(arguments: [0, -5, Double.nan, .infinity, 1e-300])
    func spacingsThatAreNoneEnd(_ spacing: Double) {
        let places = anchors(spacing: spacing, length: 0, hasText: false).spread(line((1, 1), (8000, 8000)))
        #expect(places.count <= LineAnchors.limit)
    }

    @Test func linesAreCutAtTheSidesOfTheirTile() {
        let pieces = LineClipper.clip(
            [line((-10, 5), (10, 5), (10, 200), (20, 20)), line((-5, -5), (-5, 50)), line((7, 7))], extent: 100)
        #expect(pieces == [line((0, 5), (10, 5), (10, 100)), line((16, 100), (20, 20))])
    }

    @Test func streetsInPiecesBecomeOne() throws {
        func feature(_ index: Int, _ text: String?, _ line: [TileVertex]) -> SymbolFeature {
            SymbolFeature(
                index: index, kind: .lineString, text: text.map { FormattedText($0) }, icon: nil, lines: [line])
        }
        let merged = try LineMerger.merge([
            feature(0, "a", line((0, 0), (1, 1))), feature(1, "a", line((4, 4), (5, 5), (6, 6))),
            feature(2, nil, line((1, 1), (4, 4))), feature(3, "b", line((1, 1), (2, 0))),
            feature(4, "a", line((1, 1), (4, 4))), feature(5, "b", line((0, 2), (1, 1))),
            feature(6, "a", line((6, 6), (9, 9))),
        ])
        #expect(merged.map(\.index) == [0, 2, 3])
        #expect(merged[0].lines == [line((0, 0), (1, 1), (4, 4), (5, 5), (6, 6), (9, 9))])
        #expect(merged[2].lines == [line((0, 2), (1, 1), (2, 0))])
    }

    @Test func aRingOfOneTextMeetsItself() throws {
        let ring = SymbolFeature(
            index: 0, kind: .polygon, text: FormattedText("a"), icon: nil, lines: [line((0, 0), (5, 0), (0, 0))])
        #expect(try LineMerger.merge([ring, ring]).count == 1)
    }

    /// A street that grew from its start was moved with each of its pieces.
    @Test func streetsGrowAtBothEndsAlike() throws {
        let count = 10_000
        let vertices = (0...count).map { TileVertex(x: Int16($0 / 200), y: Int16($0 % 200)) }
        let pieces = (0..<count).map { index in
            SymbolFeature(
                index: index, kind: .lineString, text: FormattedText("a"), icon: nil,
                lines: [[vertices[index], vertices[index + 1]]])
        }
        let even = pieces.filter { $0.index % 2 == 0 }
        let odd = pieces.filter { $0.index % 2 == 1 }
        // Each second piece joins a new one to all that follow.
        var towardsTheStart: [SymbolFeature] = []
        for index in (0..<count / 2).reversed() { towardsTheStart += [pieces[2 * index], pieces[2 * index + 1]] }
        let orders: [(pieces: [SymbolFeature], first: Int)] = [
            (pieces, 0), (Array(pieces.reversed()), count - 1), (even + odd, 0), (even + Array(odd.reversed()), 0),
            (towardsTheStart, 0),
        ]
        for order in orders {
            let merger = try LineMerger(order.pieces)
            #expect(merger.merged.map(\.index) == [order.first])
            #expect(merger.merged.first?.lines == [vertices])
            // None is moved more often than a line doubles.
            #expect(merger.movedCount <= count * 16)
        }
    }

    @Test func joiningStreetsCanBeStopped() {
        let piece = SymbolFeature(
            index: 0, kind: .lineString, text: FormattedText("a"), icon: nil, lines: [line((0, 0), (5, 0))])
        let pieces = Array(repeating: piece, count: 5000)
        var count = 0
        #expect(throws: MapError.cancelled) {
            try LineMerger.merge(pieces) {
                count += 1
                return count == 2
            }
        }
        #expect(count == 2)
    }

    @Test func labelsOfAreasStandWhereThereIsRoom() throws {
        // A large square with a thin arm: the middle of the whole is not the best place.
        let area = line((0, 0), (400, 0), (400, 400), (800, 400), (800, 410), (0, 410), (0, 0))
        let place = try #require(PoleOfInaccessibility.find([area], precision: 1))
        #expect(abs(place.x - 202) < 6 && abs(place.y - 205) < 6)
        let hole = line((100, 100), (100, 300), (300, 300), (300, 100), (100, 100))
        let beside = try #require(PoleOfInaccessibility.find([area, hole], precision: 1))
        #expect(!(beside.x > 100 && beside.x < 300 && beside.y > 100 && beside.y < 300))
        #expect(PoleOfInaccessibility.find([line((3, 4), (3, 4), (3, 4))], precision: 1)?.x == 3)
        #expect(PoleOfInaccessibility.find([], precision: 1) == nil)
        // A sliver would be covered by ever so many squares.
        #expect(PoleOfInaccessibility.find([line((-32768, 0), (32767, 0), (0, 1))], precision: 16) != nil)
    }

    @Test func ringsAreToldApartByTheirDirection() {
        let outer = line((0, 0), (9, 0), (9, 9), (0, 9))
        let hole = line((1, 1), (1, 2), (2, 2), (2, 1))
        let flat = line((0, 0), (5, 0), (0, 0))
        #expect(PolygonRings.group([outer, hole, flat, outer]) == [[outer, hole], [outer]])
    }
}
