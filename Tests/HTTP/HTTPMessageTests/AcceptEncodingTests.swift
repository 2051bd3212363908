import HTTPMessage
import Testing

@Suite(.timeLimit(.minutes(5))) struct AcceptEncodingTests {
    @Test(arguments: [
        (["gzip"], true), (["deflate, gzip;q=1.0, *;q=0.5"], true), (["br", "x-gzip"], true), (["GZIP"], true),
        (["*"], true),
        ([], false), ([""], false), (["br"], false), (["identity"], false), (["gzip;q=0"], false),
        (["gzip; q=0.000, *"], false),
        (["*;q=0"], false), (["gzip;q=0.001"], true), (["gzipped"], false),
    ])
    func gzipIsTakenWhereItIsNamed(values: [String], expected: Bool) {
        var fields = Fields()
        for value in values { fields.append("Accept-Encoding", value) }
        #expect(AcceptEncoding.takesGzip(fields) == expected)
    }
}
