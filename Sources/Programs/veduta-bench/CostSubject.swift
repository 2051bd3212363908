import Glibc
import ImageEngine
import ImagePlan
import Parameters

/// What a pixel takes in each encoder at each effort, in the unit of `CostTable`: decoding one pixel of a JPEG.
enum CostSubject {
    private static let widths = [400, 800, 1600]
    /// Above this width the efforts that take minutes are left out.
    private static let slowWidth = 800
    /// Encodings of one kind are made until they have taken this long, in milliseconds of processor time.
    private static let enough = 60.0

    /// Writes a line for every photograph, width, format and effort. Processor time of all threads.
    static func run(_ photos: [String]) throws {
        try ImageEngine.start(program: "veduta-bench", enabling: [.jxl])
        for photo in photos {
            let source = try QualitySubject.contents(of: photo)
            for width in widths {
                let request = try ImageRequest.parse(QueryItems.parse("id=x&width=\(width)"))
                let survey = try EncoderBenchmark(of: source, request)
                try measure(survey, photo)
            }
        }
    }

    private static func measure(_ survey: borrowing EncoderBenchmark, _ photo: String) throws {
        let jpeg = try survey.encoded(as: .jpeg, quality: 80)
        let unit = try milliseconds { try survey.decode(jpeg, .jpeg) }
        func write(_ kind: String, _ milliseconds: Double) {
            print(
                """
                {"subject": "costs", "photo": "\(photo)", "width": \(survey.widthPx), "height": \(survey.heightPx), \
                "kind": "\(kind)", "units": \(milliseconds / unit), \
                "ns": \(milliseconds * 1e6 / Double(survey.widthPx * survey.heightPx))}
                """)
            fflush(nil)
        }
        write("decode jpeg", unit)
        write("score", try milliseconds { _ = try survey.score(of: jpeg, .jpeg) })
        for format in OutputFormat.allCases where ImageEngine.canWrite(format) {
            for kind in kinds(of: format) {
                let efforts = format.knowsEffort ? kind.efforts : []
                for effort in [nil] + efforts.map(Optional.some) where survey.widthPx <= slowWidth || effort ?? 0 <= 7 {
                    let spent = try milliseconds {
                        _ = try survey.encoded(
                            as: format, isLossless: kind.isLossless, isProgressive: kind.isProgressive, effort: effort)
                    }
                    write("encode \(format.rawValue)\(kind.name)\(effort.map { " \($0)" } ?? "")", spent)
                }
            }
        }
    }

    private struct Kind {
        var name = ""
        var isLossless = false
        var isProgressive = false
        var efforts: [Int] = Array(1...10)
    }

    private static func kinds(of format: OutputFormat) -> [Kind] {
        switch format {
        case .jpeg: [Kind(), Kind(name: " progressive", isProgressive: true)]
        case .png: [Kind(), Kind(name: " interlaced", isProgressive: true)]
        case .webp, .jxl: [Kind(), Kind(name: " lossless", isLossless: true)]
        case .avif: [Kind(), Kind(name: " lossless", isLossless: true, efforts: Array(1...7))]
        case .gif, .tiff: [Kind()]
        }
    }

    /// Of one call, as the least of a few where it is short.
    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        var (least, all) = (Double.infinity, 0.0)
        while all < enough {
            let before = QualitySubject.processorMilliseconds()
            try body()
            let spent = QualitySubject.processorMilliseconds() - before
            least = min(least, spent)
            all += max(spent, 0.01)
        }
        return least
    }
}
