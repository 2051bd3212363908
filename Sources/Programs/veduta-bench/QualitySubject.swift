import Bytes
import Glibc
import ImageEngine
import ImagePlan
import Parameters

/// Bytes, likeness and time of qualities and formats; pixels are scored against themselves: losses by encoding alone.
enum QualitySubject {
    private static let queries = ["width=300&height=300&fit=cover", "width=800", "width=1600"]
    private static let qualities = [10, 20, 30, 40, 50, 60, 65, 70, 75, 80, 85, 90, 95]
    /// Where efforts are compared: what makes photographs look about as JPEG of quality 80.
    private static let effortQualities: [(OutputFormat, [Int])] = [(.avif, [50, 60, 70]), (.webp, [70, 80, 85])]

    private static let efforts = 1...7
    /// Where chroma of AVIF is compared, up to thumbnails and beyond.
    private static let chromaWidths = [100, 150, 200, 250, 300, 400, 800, 1600]
    private static let chromaQualities = [40, 50, 55, 60, 65, 72, 80, 84, 86, 88, 89, 90, 92, 94, 97, 100]

    /// Writes a line for every photograph, size, format and quality; where the first of `arguments` is `efforts`, for every
    /// effort of AVIF and WebP at 800 pixels; where it is `chroma`, for AVIF with all and with a quarter of its chroma; where
    /// it is `jpeg`, for JPEG of the photographs as they are, and for what mozjpeg made of them.
    static func run(_ arguments: [String]) throws {
        try ImageEngine.start(program: "veduta-bench", enabling: [.jxl])
        let step = arguments.first.flatMap { ["efforts", "chroma", "jpeg"].contains($0) ? $0 : nil }
        for photo in arguments.dropFirst(step == nil ? 0 : 1) {
            let source = try contents(of: photo)
            for query in requests(of: step) {
                let request = try ImageRequest.parse(QueryItems.parse("id=x&" + query))
                let survey = try EncoderBenchmark(of: source, request)
                switch step {
                case "efforts": try measureEfforts(survey, photo)
                case "chroma": try measureChroma(survey, photo)
                case "jpeg": try measureJPEG(survey, photo)
                default: try measureQualities(survey, photo)
                }
            }
        }
    }

    private static func requests(of step: String?) -> [String] {
        switch step {
        case "efforts": ["width=800"]
        case "chroma": chromaWidths.map { "width=\($0)" }
        case "jpeg": ["format=png"]
        default: queries
        }
    }

    /// At the qualities of which `scripts/benchmarks/peers/mozjpeg_peer.c` wrote a JPEG beside the photograph.
    private static func measureJPEG(_ survey: borrowing EncoderBenchmark, _ photo: String) throws {
        for quality in 1...100 {
            let path = "\(photo).\(quality).jpg"
            guard access(path, F_OK) == 0 else { continue }
            for isProgressive in [false, true] {
                try measure(survey, photo, as: .jpeg, quality: quality, isProgressive: isProgressive)
            }
            let fields = "\"quality\": \(quality), \"way\": \"mozjpeg\""
            try report(try contents(of: path), of: survey, at: photo, as: .jpeg, fields: fields)
        }
    }

    private static func measureChroma(_ survey: borrowing EncoderBenchmark, _ photo: String) throws {
        for quality in chromaQualities {
            for isFull in [false, true] {
                try measure(survey, photo, as: .avif, quality: quality, hasFullChroma: isFull)
            }
        }
    }

    private static func measureQualities(_ survey: borrowing EncoderBenchmark, _ photo: String) throws {
        for format in [OutputFormat.jpeg, .webp, .avif, .jxl] where ImageEngine.canWrite(format) {
            for quality in qualities { try measure(survey, photo, as: format, quality: quality) }
        }
    }

    private static func measureEfforts(_ survey: borrowing EncoderBenchmark, _ photo: String) throws {
        for (format, qualities) in effortQualities {
            for quality in qualities {
                for effort in efforts { try measure(survey, photo, as: format, quality: quality, effort: effort) }
            }
        }
    }

    private static func measure(
        _ survey: borrowing EncoderBenchmark, _ photo: String, as format: OutputFormat, quality: Int,
        effort: Int? = nil, hasFullChroma: Bool? = nil, isProgressive: Bool = false
    ) throws {
        let before = processorMilliseconds()
        let content = try survey.encoded(
            as: format, quality: quality, isProgressive: isProgressive, effort: effort, hasFullChroma: hasFullChroma)
        let spent = processorMilliseconds() - before
        let fields = """
            "quality": \(quality), "effort": \(effort ?? 0), "chroma": "\(hasFullChroma == true ? "4:4:4" : "4:2:0")", \
            "way": "\(isProgressive ? "progressive" : "usual")", "cpu_ms": \(spent)
            """
        try report(content, of: survey, at: photo, as: format, fields: fields)
    }

    /// Writes a line for an encoding; `fields` are the further ones, in JSON.
    private static func report(
        _ content: SharedBytes, of survey: borrowing EncoderBenchmark, at photo: String, as format: OutputFormat,
        fields: String
    ) throws {
        guard let score = try survey.score(of: content, format) else { throw BenchError.refusedInput }
        print(
            """
            {"subject": "quality", "photo": "\(photo)", "width": \(survey.widthPx), "height": \(survey.heightPx), \
            "format": "\(format.rawValue)", \(fields), "bytes": \(content.count), "score": \(score)}
            """)
        fflush(nil)
    }

    /// Of all threads: encoders have some of their own.
    static func processorMilliseconds() -> Double { Double(Meter.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) / 1e6 }

    static func contents(of path: String) throws -> SharedBytes {
        guard let file = fopen(path, "rb") else { throw BenchError.unknown(path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return SharedBytes(bytes)
    }
}
