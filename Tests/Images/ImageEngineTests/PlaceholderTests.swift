import Bytes
import Testing

@testable import ImageEngine

/// The texts that the reference encoders give: PyPI `thumbhash-python` 1.0.1 and `blurhash-python` 1.2.2, of the same
/// pixels, for BlurHash laid on white.
@Suite(.timeLimit(.minutes(5))) struct PlaceholderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let widthPx: Int
        let heightPx: Int
        let hasAlpha: Bool
        let thumbHash: String
        let blurHash: String
        var testDescription: String { "\(widthPx)×\(heightPx)" }
    }

    static let cases = [
        Case(
            widthPx: 32, heightPx: 24, hasAlpha: false, thumbHash: "HQkKHZAwZ3gyiXiFeWd4h6cODpd6",
            blurHash: "LlHo2Q1ZVrxBR5Q=xaO=R}sqTbm;"),
        Case(
            widthPx: 20, heightPx: 40, hasAlpha: false, thumbHash: "nBgKHA5gFoYol6SHaIf5ihYX+Q==",
            blurHash: "TcF={p6boY5~rYjwl@i*g4aKgye:"),
        Case(
            widthPx: 24, heightPx: 24, hasAlpha: true, thumbHash: "4AiGDQQmopeAi7NnidUfDX7ucHeHiId4eA==",
            blurHash: "LfODtN?^-C%fnhw5pGnnick;j1e,"),
        Case(
            widthPx: 40, heightPx: 12, hasAlpha: true, thumbHash: "XymGGoImMo9yi5VmXwxnfwVrd4iHd4g=",
            blurHash: "LfOgA.bc?w-m-hj1tTb;f3a%kCaw"),
        Case(
            widthPx: 1, heightPx: 1, hasAlpha: false, thumbHash: "AAgCBwAAAAAAAAAAAAAAAAAAAAAAAAAA",
            blurHash: "L00000fQfQfQfQfQfQfQfQfQfQfQ"),
        Case(
            widthPx: 3, heightPx: 50, hasAlpha: false, thumbHash: "EroJGQqFgFiHg4pnj0BhF/g=",
            blurHash: "TSAx,@*8S05SNLo3utm;fPU%Z-fR"),
    ]

    private func picture(_ item: Case) -> ThumbnailPixels {
        var samples: [UInt8] = []
        for y in 0..<item.heightPx {
            for x in 0..<item.widthPx {
                let alpha = item.hasAlpha ? x * 8 + y : 255
                samples += [x * 7 + y * 3, y * 9 + x * x / 4, x * y, alpha].map { UInt8($0 % 256) }
            }
        }
        return ThumbnailPixels(widthPx: item.widthPx, heightPx: item.heightPx, samples: samples)
    }

    @Test(arguments: cases) func thumbHashIsThatOfTheReference(_ item: Case) {
        #expect(Base64.text(of: ThumbHash.bytes(of: picture(item))) == item.thumbHash)
    }

    @Test(arguments: cases) func blurHashIsThatOfTheReference(_ item: Case) {
        let isStanding = item.heightPx > item.widthPx
        let text = BlurHash.text(of: picture(item), columns: isStanding ? 3 : 4, rows: isStanding ? 4 : 3)
        #expect(text == item.blurHash)
    }

    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64IsThatOfTheStandard(_ bytes: String, _ text: String) {
        #expect(Base64.text(of: Array(bytes.utf8)) == text)
    }
}
