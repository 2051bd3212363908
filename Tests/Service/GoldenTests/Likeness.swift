import TestSupport

/// How far two pictures of one size are apart, per sample of premultiplied RGBA: what is transparent has no color.
struct Likeness {
    /// The mean difference, 0…255.
    private(set) var mean = 0.0
    /// The largest difference, 0…255.
    private(set) var worst = 0
    /// Opaque RGBA: the differences, eight times as strong, on black.
    private(set) var difference: [UInt8] = []

    /// nil when the sizes differ.
    init?(_ one: DecodedPicture, _ other: DecodedPicture) {
        guard one.widthPx == other.widthPx, one.heightPx == other.heightPx else { return nil }
        var sum = 0
        difference.reserveCapacity(one.samples.count)
        for start in stride(from: 0, to: one.samples.count, by: 4) {
            let (a, b) = (Self.premultiplied(one.samples, start), Self.premultiplied(other.samples, start))
            for band in 0..<4 {
                let distance = abs(a[band] - b[band])
                sum += distance
                worst = max(worst, distance)
                if band < 3 { difference.append(UInt8(clamping: (distance + abs(a[3] - b[3])) * 8)) }
            }
            difference.append(255)
        }
        mean = Double(sum) / Double(max(1, one.samples.count))
    }

    /// The samples of `picture` with color times alpha.
    static func premultiplied(_ picture: DecodedPicture) -> [UInt8] {
        stride(from: 0, to: picture.samples.count, by: 4).flatMap { start in
            let pixel = premultiplied(picture.samples, start)
            return (0..<4).map { UInt8(clamping: pixel[$0]) }
        }
    }

    private static func premultiplied(_ samples: [UInt8], _ start: Int) -> InlineArray<4, Int> {
        let alpha = Int(samples[start + 3])
        return [
            Int(samples[start]) * alpha / 255, Int(samples[start + 1]) * alpha / 255,
            Int(samples[start + 2]) * alpha / 255, alpha,
        ]
    }
}
