import Bytes
import Glibc
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Laws that tie pictures to each other, whatever each of them looks like.
    @Suite struct MetamorphicTests {
        private static let size = PixelSize(widthPx: 96, heightPx: 64)

        /// Smooth, and without any symmetry.
        private static func smooth(_ x: Int, _ y: Int) -> [UInt8] {
            [
                UInt8(clamping: 40 + 2 * x), UInt8(clamping: 20 + 3 * y),
                UInt8(clamping: Int(128 + 60 * sin(Double(x) / 9) * cos(Double(y) / 13))), 255,
            ]
        }

        /// The picture that looks like `color`, stored with this orientation.
        private func stored(_ exif: Int, _ color: (Int, Int) -> [UInt8]) throws -> SharedBytes {
            let orientation = Orientation(exif: exif)
            let stored = orientation.inverse.applied(to: Self.size)
            let jpeg = try picture(stored.widthPx, stored.heightPx, .jpeg, quality: 98) { x, y in
                let place = orientation.applied(to: PixelRect(x: x, y: y, widthPx: 1, heightPx: 1), within: stored)
                return color(place.x, place.y)
            }
            return withOrientation(exif, jpeg)
        }

        private func difference(_ left: Decoded, _ right: Decoded) -> (mean: Double, worst: Int) {
            guard left.samples.count == right.samples.count, left.widthPx == right.widthPx else { return (999, 999) }
            let differences = zip(left.samples, right.samples).map { abs(Int($0) - Int($1)) }
            return (Double(differences.reduce(0, +)) / Double(differences.count), differences.max() ?? 0)
        }

        private func decoded(_ source: SharedBytes, _ query: String) throws -> Decoded {
            try Decoded(render(source, query).content)
        }

        @Test(arguments: [
            "", "crop=8,16,48,32", "crop=8,16,48,32&width=24", "crop=square,right",
            "width=40&height=40&fit=cover&gravity=left",
            "rotate=90", "rotate=180&flip=h", "rotate=270&flip=v&crop=16,8,32,48", "flip=hv&width=31",
            "rotate=90&crop=top-right&width=20&height=30", "rotate=20", "rotate=-20,straighten",
            "radius=10&mask=ellipse",
            "width=120&height=90&fit=contain&background=ff0000", "crop=0.25x0.75&width=24&height=24",
            "flip=h&crop=attention&width=30&height=60",
        ])
        func everyStoredOrientationGivesOnePicture(_ query: String) throws {
            var first: Decoded?
            for exif in 1...8 {
                let image = try decoded(stored(exif, Self.smooth), query)
                let difference = difference(image, first ?? image)
                #expect(difference.mean < 1.2 && difference.worst < 24, "\(exif) \(difference)")
                if first == nil { first = image }
            }
        }

        /// A white border with a mark in another corner than the one that is seen at the top left: #15.18.
        @Test(arguments: [(88, 56), (88, 0), (0, 56)]) func everyStoredOrientationHasOneBorder(_ mark: (Int, Int))
            throws
        {
            func seen(_ x: Int, _ y: Int) -> [UInt8] {
                if (mark.0..<(mark.0 + 8)).contains(x), (mark.1..<(mark.1 + 8)).contains(y) { return [0, 0, 0, 255] }
                return (24..<72).contains(x) && (16..<48).contains(y) ? [20, 120, 60, 255] : [255, 255, 255, 255]
            }
            let columns = min(mark.0, 24)..<max(mark.0 + 8, 72)
            let rows = min(mark.1, 16)..<max(mark.1 + 8, 48)
            let part = "crop=\(columns.lowerBound),\(rows.lowerBound),\(columns.count),\(rows.count)"
            for exif in 1...8 {
                let source = try stored(exif, seen)
                let difference = difference(try decoded(source, "trim=60"), try decoded(source, part))
                #expect(difference.worst == 0, "EXIF \(exif): \(difference)")
            }
        }

        /// All of the eight with every quarter turn, flip and kind of crop.
        @Test(arguments: ["", "&crop=8,16,40,24", "&crop=square,bottom"], ["", "&flip=h", "&flip=v", "&flip=hv"])
        func orientationsTurnsFlipsAndCropsGiveOnePicture(_ crop: String, _ flip: String) throws {
            let size = PixelSize(widthPx: 96, heightPx: 64)
            let stored = try (1...8).map { exif in
                let orientation = Orientation(exif: exif)
                let stored = orientation.inverse.applied(to: size)
                let jpeg = try picture(stored.widthPx, stored.heightPx, .jpeg, quality: 98) { x, y in
                    let place = orientation.applied(to: PixelRect(x: x, y: y, widthPx: 1, heightPx: 1), within: stored)
                    return Self.smooth(place.x, place.y)
                }
                return withOrientation(exif, jpeg)
            }
            for turn in [0, 90, 180, 270] {
                let images = try stored.map { try decoded($0, "rotate=\(turn)" + flip + crop) }
                for (index, image) in images.enumerated() {
                    let difference = difference(image, images[0])
                    #expect(difference.mean < 1.2 && difference.worst < 24, "\(index + 1) \(turn) \(difference)")
                }
            }
        }

        @Test func turnsAndFlipsCloseUp() throws {
            let source = try picture(37, 23, .png) { x, y in Self.smooth(x, y) }
            let whole = try Decoded(source).samples
            var turned = source
            for _ in 0..<4 { turned = try render(turned, "rotate=90").content }
            #expect(try Decoded(turned).samples == whole)
            for flip in ["h", "v", "hv"] {
                let once = try render(source, "flip=\(flip)").content
                #expect(try decoded(once, "flip=\(flip)").samples == whole)
            }
            #expect(try decoded(source, "rotate=180").samples == decoded(source, "flip=hv").samples)
            #expect(try decoded(source, "rotate=90&flip=h").samples == decoded(source, "rotate=270&flip=v").samples)
            #expect(try decoded(source, "rotate=-90").samples == decoded(source, "rotate=270").samples)
        }

        @Test func aTurnThereAndBackIsThePicture() throws {
            let source = try picture(96, 64, .png) { x, y in Self.smooth(x, y) }
            let there = try render(source, "rotate=17").content
            let canvas = try Decoded(there)
            let back = try decoded(there, "rotate=-17")
            let (dx, dy) = ((back.widthPx - 96) / 2, (back.heightPx - 64) / 2)
            #expect(canvas.bands == 4)
            var sum = 0
            for y in 4..<60 {
                for x in 4..<92 {
                    sum += zip(back[x + dx, y + dy], Self.smooth(x, y)).map { abs(Int($0) - Int($1)) }.max() ?? 0
                }
            }
            #expect(Double(sum) / (56 * 88) < 4)
            // Turning a mirrored picture is mirroring one that is turned the other way.
            let left = try decoded(source, "flip=h&rotate=17")
            let right = try decoded(render(source, "rotate=-17").content, "flip=h")
            let difference = difference(left, right)
            #expect(difference.worst <= 1)
        }

        @Test func cropsOfCropsAreCrops() throws {
            let source = try texture(90, 70, .png)
            let twice = try decoded(render(source, "crop=10,20,60,40").content, "crop=5,6,20,30")
            #expect(try twice.samples == decoded(source, "crop=15,26,20,30").samples)
            let padded = try render(source, "width=120&height=120&fit=contain&background=blue").content
            #expect(try decoded(padded, "crop=15,25,90,70").samples == Decoded(source).samples)
        }

        /// Cutting and then shrinking is shrinking and then cutting, but for the border, where the kernel ends.
        @Test(arguments: [OutputFormat.png, .jpeg])
        func cropsAndResizesChangePlaces(_ format: OutputFormat) throws {
            let source = try picture(320, 240, format) { x, y in Self.smooth(x / 3, y / 4) }
            let first = try decoded(source, "crop=64,32,160,128&width=40")
            let second = try decoded(render(source, "width=80").content, "crop=16,8,40,32")
            #expect(first.widthPx == 40 && first.heightPx == 32)
            var worst = 0
            for y in 3..<29 {
                for x in 3..<37 {
                    worst = max(worst, zip(first[x, y], second[x, y]).map { abs(Int($0) - Int($1)) }.max() ?? 0)
                }
            }
            #expect(worst <= 3)
        }

        @Test func hiddenColorsNeverShow() throws {
            let source = try picture(80, 80, .png) { x, y in
                (x / 4 + y / 4) % 2 == 0 ? [0, 0, 255, 255] : [0, 0, 0, 0]
            }
            for query in [
                "width=33", "width=200&enlarge=1", "rotate=33", "filter=blur:3", "width=50&rotate=7&radius=9",
            ] {
                let image = try decoded(source, query)
                for index in stride(from: 0, to: image.samples.count, by: 4) where image.samples[index + 3] > 16 {
                    #expect(image.samples[index] < 8 && image.samples[index + 2] > 240, "\(query)")
                }
            }
        }

        @Test func equalRequestsGiveEqualBytes() throws {
            let source = try texture(200, 150, .jpeg)
            for query in ["width=90&crop=entropy&height=30", "rotate=9&radius=20", "trim=10&filter=noise:20,sharpen"] {
                #expect(try render(source, query).content.array == render(source, query).content.array, "\(query)")
            }
        }
    }
}
