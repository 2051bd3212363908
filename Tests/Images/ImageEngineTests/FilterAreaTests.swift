import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

/// Filters that look at neighbours or at the whole picture, by numbers.
@Suite(.timeLimit(.minutes(5))) struct FilterAreaTests {
    @Test func pixelate_takesMeansByVisibility() throws {
        let scene = FilterSubject.scene(50, 31)
        let squares = try scene.after(.pixelate(size: 8))
        for (left, top) in [(0, 0), (8, 16), (48, 24)] {
            let columns = left..<min(left + 8, 50), rows = top..<min(top + 8, 31)
            for band in 0..<3 {
                var total = 0
                for y in rows { for x in columns { total += scene[x, y][band] } }
                let count = rows.count * columns.count
                for y in rows { for x in columns { #expect(squares[x, y][band] == (total + count / 2) / count) } }
            }
        }
        let half = FilterSubject(4, 4) { x, _ in x < 2 ? [200, 0, 0, 255] : [0, 255, 0, 0] }
        #expect(try half.after(.pixelate(size: 4))[3, 3] == [200, 0, 0, 128])
    }

    @Test(arguments: [1, 2, 10])
    func median_isThatOfTheSquare(_ radius: Int) throws {
        let scene = FilterSubject.scene(29, 23)
        for source in [scene, scene.widened] {
            let image = try source.after(.median(radius: radius))
            for (x, y) in [(0, 0), (28, 22), (14, 11), (3, 20), (27, 1)] {
                for band in 0..<3 {
                    var values: [Int] = []
                    for v in -radius...radius {
                        for u in -radius...radius {
                            values.append(source[min(max(0, x + u), 28), min(max(0, y + v), 22)][band])
                        }
                    }
                    #expect(image[x, y][band] == values.sorted()[values.count / 2])
                }
            }
        }
    }

    @Test func median_removesSaltAndPepper() throws {
        let clean = FilterSubject(40, 40) { x, y in [x * 3 + y] }
        let dirty = FilterSubject(40, 40) { x, y in (x * 7 + y * 13) % 23 == 0 ? [(x + y) % 2 * 255] : clean[x, y] }
        let image = try dirty.after(.median(radius: 1))
        #expect(zip(image.samples, clean.samples).allSatisfy { abs($0 - $1) <= 8 })
    }

    @Test func median_passesOverWhatCannotBeSeen() throws {
        let source = FilterSubject(9, 9) { x, _ in x < 3 ? [77, 88, 99, 255] : [255, 0, 255, 0] }
        let image = try source.after(.median(radius: 3))
        #expect(image[2, 4] == [77, 88, 99, 255] && image[4, 4] == [77, 88, 99, 0])
        #expect(image[8, 4] == source[8, 4])
    }

    @Test func sharpen_steepensEdgesWithinBoundsAndKeepsEvenAreas() throws {
        let edge = FilterSubject(64, 8) { x, _ in [min(200, max(60, 130 + (x - 32) * 40)), 90, 70] }
        let sharp = try edge.after(.sharpen(sigma: 2))
        #expect(sharp[5, 4] == edge[5, 4] && sharp[60, 4] == edge[60, 4])
        #expect((sharp.band(0).max() ?? 0) > 200 && (sharp.band(0).min() ?? 0) < 60)
        // Luma alone: every color moves by as much.
        for x in 0..<64 { #expect(abs((sharp[x, 4][1] - 90) - (sharp[x, 4][2] - 70)) <= 1) }
        let hard = FilterSubject(64, 8) { x, _ in [x < 32 ? 80 : 180] }
        let halo = try hard.after(.sharpen(sigma: 10)).samples
        #expect((halo.max() ?? 0) <= 220 && (halo.min() ?? 0) >= 20)
        let noise = FilterSubject(40, 40) { x, y in [100 + (x + y) % 2] }
        #expect(try noise.after(.sharpen(sigma: 1)) == noise)
    }

    @Test func unsharp_addsTheAmountOfWhatIsOverTheThreshold() throws {
        let edge = FilterSubject(64, 8) { x, _ in [x < 32 ? 80 : 160] }
        let soft = try edge.after(.blur(sigma: 3))
        let sharp = try edge.after(.unsharp(radius: 3, amount: 1, threshold: 0))
        for x in 0..<64 {
            #expect(abs(sharp[x, 4][0] - (2 * edge[x, 4][0] - soft[x, 4][0])) <= 1)
        }
        #expect(try edge.after(.unsharp(radius: 3, amount: 2, threshold: 60)) == edge)
        #expect(try edge.after(.unsharp(radius: 3, amount: 0, threshold: 0)) == edge)
    }

    @Test func colorUnderTransparency_doesNotBleed() throws {
        let source = FilterSubject(32, 8) { x, _ in x < 16 ? [100, 100, 100, 255] : [255, 0, 255, 0] }
        for filter in [
            ImageFilter.blur(sigma: 3), .blur(sigma: 10), .unsharp(radius: 3, amount: 2, threshold: 0),
            .sharpen(sigma: 3),
        ] {
            for subject in [source, source.widened] {
                let image = try subject.after(filter)
                let unit = subject.isWide ? 257 : 1
                for x in 0..<16 {
                    #expect((0..<3).allSatisfy { abs(image[x, 4][$0] - 100 * unit) <= 2 * unit }, "\(filter) \(x)")
                }
            }
        }
    }

    @Test func edges_areWhiteWhereLumaSteps() throws {
        let step = FilterSubject(40, 20) { x, y in x < 20 ? [0, 0, 0] : [255, 255, 255] }
        let lines = try step.after(.edges)
        #expect(lines.bands == 1)
        #expect(lines[19, 10] == [255] && lines[20, 10] == [255])
        #expect(lines[10, 10] == [0] && lines[30, 10] == [0] && lines[0, 0] == [0] && lines[39, 19] == [0])
        let small = FilterSubject(40, 20) { x, y in [y < 10 ? 100 : 120] }
        #expect(abs(try small.after(.edges)[5, 9][0] - 40) <= 1)
    }

    @Test func emboss_isLitFromTheTopLeft() throws {
        let plate = FilterSubject(30, 30) { x, y in
            (10..<20).contains(x) && (10..<20).contains(y) ? [150, 140, 130] : [100, 90, 80]
        }
        let relief = try plate.after(.emboss)
        #expect(relief[2, 2] == plate[2, 2] && relief[15, 15] == plate[15, 15])
        #expect(relief[9, 15][0] > 100 && relief[15, 9][0] > 100)
        #expect(relief[20, 15][0] < 100 && relief[15, 20][0] < 100)
    }

    @Test func normalize_usesTheWholeRange() throws {
        let pale = FilterSubject(100, 20) { x, _ in [90 + x / 2, 90 + x / 2, 90 + x / 2] }
        let image = try pale.after(.normalize)
        #expect(image.samples.min() == 0 && image.samples.max() == 255)
        #expect(abs(image[50, 3][0] - 130) <= 4)
        let speck = FilterSubject(100, 20) { x, y in (x, y) == (3, 3) ? [255] : [100 + x / 4] }
        #expect(try speck.after(.normalize)[90, 2][0] > 200)
        let even = FilterSubject(9, 9) { _, _ in [77, 80, 90] }
        #expect(try even.after(.normalize) == even)
    }

    @Test func equalize_flattensTheHistogram() throws {
        let dark = FilterSubject(256, 64) { x, y in [x * x / 255 * (y + 64) / 127] }
        let image = try dark.after(.equalize).samples
        for tenth in 0..<10 {
            let share = image.filter { $0 * 10 / 256 == tenth }.count
            #expect(abs(Double(share) / Double(image.count) - 0.1) < 0.04, "\(tenth)")
        }
        let scene = FilterSubject.scene()
        let even = try scene.after(.equalize)
        let sorted = zip(scene.luma, even.luma).sorted { $0.0 < $1.0 }.map(\.1)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 + 2.5 })
    }

    @Test func clahe_limitsContrastAndReachesNeighbourhoods() throws {
        let flat = FilterSubject(256, 256) { x, y in [100 + (x / 16 + y / 16) % 2 * 2 + x / 64] }
        let image = try flat.after(.clahe)
        // 3 times the slope, and 1 for what was cut off and spread.
        #expect((image.samples.max() ?? 0) - (image.samples.min() ?? 0) <= 7 * 4 + 2)
        #expect(abs(image[8, 8][0] - image[24, 8][0]) > 2)
        let halves = FilterSubject(256, 128) { x, y in [x < 128 ? 20 + y / 16 + x % 7 : 200 + y / 16 + x % 7] }
        let reached = try halves.after(.clahe)
        func spread(_ columns: Range<Int>) -> Int {
            let values = (0..<128).flatMap { y in columns.map { reached[$0, y][0] } }
            return (values.max() ?? 0) - (values.min() ?? 0)
        }
        #expect(spread(0..<100) > 25 && spread(160..<256) > 25)
    }
}
