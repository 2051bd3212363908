import Bytes
import HTTPMessage
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct ResponseFramingTests {
    private static let stream = ResponseContent.stream(ContentStream(pull: { _ in }))

    @Test(arguments: [nil, HTTPVersion.http10, .http11])
    func knownLength_isTold_toEveryVersion(_ version: HTTPVersion?) {
        let bytes = SharedBytes([1, 2, 3, 4])
        let parts = ResponseContent.parts([.bytes(bytes, 1..<3), .bytes(bytes, 0..<0), .bytes(bytes, 3..<4)])
        #expect(ResponseFraming(.bytes(bytes), version: version) == .length(4))
        #expect(ResponseFraming(parts, version: version) == .length(3))
        #expect(ResponseFraming(.parts([]), version: version) == .length(0))
    }

    @Test func unknownLength_isChunked_butNotForHTTP10() {
        #expect(ResponseFraming(Self.stream, version: .http11) == .chunked)
        #expect(ResponseFraming(Self.stream, version: .http10) == .untilClose)
    }
}
