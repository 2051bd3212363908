import AssetLibrary
import Testing

@Suite(.timeLimit(.minutes(5))) struct UploadMetadataTests {
    @Test(
        arguments: [
            ("filename Y2F0LmpwZw==", "cat.jpg"), ("is_confidential,filename Y2F0", "cat"), ("name ZG9n", "dog"),
            ("name ZG9n,filename Y2F0", "cat"), ("filename", nil), ("filename ", nil), ("filename /w==", nil),
            ("a Yg==", nil),
            ("filename 0LrQvtGC", "кот"), ("a,b,c", nil),
        ] as [(String, String?)])
    func fileName_isTold(_ text: String, _ name: String?) throws {
        let metadata = try #require(UploadMetadata(text))
        #expect(metadata.fileName == name && metadata.text == text)
    }

    @Test(arguments: [
        "", ",", "a,", "a,,b", "a a a", "a ?", "a Y", "a Yh==", "a,a", "a YQ==,a Yg==", "k\u{e9}y YQ==", "\u{7f} YQ==",
    ])
    func malformedMetadata_isRefused(_ text: String) { #expect(UploadMetadata(text) == nil) }

    @Test func lengthIsBounded() {
        let key = "k " + String(repeating: "A", count: UploadMetadata.byteLimit - 2)
        #expect(UploadMetadata(key) != nil)
        #expect(UploadMetadata(key + "A") == nil)
    }
}
