import HTTPMessage
import Origin
import Testing

@testable import Originals

/// Ids that only look the same.
@Suite(.timeLimit(.minutes(5))) struct RemoteSourceTests {
    @Test func idsAreBytes() throws {
        let url = try OriginURL("https://s3.example.org/")
        let (composed, decomposed) = ("s3://abc/\u{E9}.jpg", "s3://abc/e\u{301}.jpg")
        #expect(composed == decomposed)
        let sources = try [composed, decomposed].map { RemoteSource(id: $0, url: url, object: try S3Location($0)) }
        #expect(sources[0] != sources[1])
        #expect(Set(sources).count == 2)
        #expect(try S3Location(composed) != S3Location(decomposed))
    }
}
