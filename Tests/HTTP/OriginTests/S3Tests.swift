import Bytes
import Digest
import HTTPMessage
import Reactor
import Testing
import FakeOrigin

@testable import Origin

/// Names, signatures and listings of S3, and requests as they reach a service.
@Suite(.timeLimit(.minutes(5))) struct S3Tests {
    @Test(arguments: [
        ("s3://abc/d", "abc", "d"), ("s3://my-bucket.1/a/b c+d%20?e#f", "my-bucket.1", "a/b c+d%20?e#f"),
        ("s3://abc//x//", "abc", "/x//"), ("s3://abc/.x/...", "abc", ".x/..."), ("s3://123/ü/😀", "123", "ü/😀"),
    ])
    func location_isRead(_ text: String, _ bucket: String, _ key: String) throws {
        let location = try S3Location(text)
        #expect((location.bucket, location.key, location.description) == (bucket, key, text))
    }

    @Test(
        arguments: [
            ("", .scheme), ("S3://abc/d", .scheme), ("https://abc/d", .scheme), ("s3:/abc/d", .scheme),
            ("s3://abc", .key),
            ("s3://abc/", .key), ("s3://ab/d", .bucket), ("s3:///d", .bucket), ("s3://Abc/d", .bucket),
            ("s3://a_c/d", .bucket), ("s3://-bc/d", .bucket), ("s3://ab-/d", .bucket), ("s3://a..c/d", .bucket),
            ("s3://a.-c/d", .bucket), ("s3://.abc/d", .bucket), ("s3://192.168.0.1/d", .bucket),
            ("s3://xn--abc/d", .bucket),
            ("s3://\(String(repeating: "a", count: 64))/d", .bucket), ("s3://a@b.c/d", .bucket),
            ("s3://abc/a\nb", .key),
            ("s3://abc/a\u{7F}", .key), ("s3://abc/a\u{0}", .key), ("s3://abc/\u{85}", .key), ("s3://abc/..", .key),
            ("s3://abc/a/../b", .key), ("s3://abc/./b", .key),
            ("s3://abc/\(String(repeating: "ü", count: 513))", .key),
        ] as [(String, S3LocationFault)])
    func wrongLocation_isRefused(_ text: String, _ fault: S3LocationFault) {
        #expect(throws: fault) { try S3Location(text) }
    }

    @Test func longestKey_isTaken() throws {
        let key = String(repeating: "ü", count: 512)
        let url = Self.service("http://127.0.0.1:1").url("abc", key: try S3Location("s3://abc/\(key)").key)
        #expect(url.target == "/abc/" + String(repeating: "%C3%BC", count: 512))
    }

    /// The two examples of Amazon's documentation in which nothing else is signed than here.
    @Test(arguments: [
        ([("lifecycle", "")], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ([("prefix", "J"), ("max-keys", "2")], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func signature_isThatOfTheDocumentation(_ query: [(String, String)], _ signature: String) throws {
        var service = Self.service("https://s3.amazonaws.com", bucket: "examplebucket")
        service.style = .virtualHost
        let keys = S3Credentials(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        let url = service.url("examplebucket", query: query.map { (name: $0.0, value: $0.1) })
        #expect(url.origin.description == "https://examplebucket.s3.amazonaws.com")
        let signed = service.signer(for: "examplebucket").signed(
            ExchangeRequest(url), by: keys, unixSeconds: 1_369_353_600)
        #expect(
            signed.fields.first(.authorization)
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=\(signature)")
        #expect(signed.fields.first("x-amz-date") == "20130524T000000Z")
    }

    @Test func requestElsewhere_isNotSigned() throws {
        let signer = Self.service("http://a.test").signer(for: "abc")
        for text in ["http://b.test/abc/k", "https://a.test/abc/k", "http://a.test:81/abc/k"] {
            let url = try OriginURL(text)
            #expect(
                signer.signed(ExchangeRequest(url), by: S3Credentials(id: "me", secret: "hush"), unixSeconds: 0).fields
                    .isEmpty)
        }
    }

    @Test func secrets_areNotInTexts() {
        let service = Self.service("http://a.test")
        var text = ""
        dump(service, to: &text)
        dump(service.signer(for: "abc"), to: &text)
        text += "\(service)\(service.signer(for: "abc"))" + String(reflecting: service)
        #expect(!text.contains("hush"))
    }

    // MARK: Requests

    private static func service(_ endpoint: String, bucket: String = "abc") -> S3Service {
        guard let url = try? OriginURL(endpoint) else { preconditionFailure("no URL") }
        return S3Service(endpoint: url, credentials: .keys(S3Credentials(id: "me", secret: "hush")), buckets: [bucket])
    }

    private static func withStorage(
        _ answer: @escaping @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step],
        _ body: (FakeOrigin, Fetcher, S3Storage) throws -> Void
    ) throws {
        try withTrialOrigin(answer) { origin in
            // The endpoint is not among the origins that ids may name.
            let fetcher = try Fetcher.onLoopback(["http://other.test"])
            defer { fetcher.stop() }
            try body(origin, fetcher, S3Storage(service(origin.url()), fetcher: fetcher))
        }
    }

    private static let odd = "a b/ü+%7E~/(x)*'!"
    private static let oddTarget = "/abc/a%20b/%C3%BC%2B%257E~/%28x%29%2A%27%21"

    @Test func writing_isOneSignedRequestEach() throws {
        try Self.withStorage({
            $0.method == "HEAD"
                ? [.text("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 9\r\n\r\n")]
                : .answer(200, "", "ETag: \"e\"")
        }) {
            (origin, _, storage) throws in
            let place = try S3Location("s3://abc/\(Self.odd)")
            let bytes = [UInt8](repeating: 7, count: 300_000)
            let tag = try wait {
                storage.put(
                    place, .bytes(SharedBytes(bytes)), contentType: "image/png", ifAbsent: true, completion: $0)
            }
            #expect(tag == "\"e\"")
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: bytes.count)
            try file.write(bytes, at: 0)
            _ = try wait { storage.put(place, .file(file), completion: $0) }
            _ = try wait { storage.delete(place, completion: $0) }
            #expect(try wait { storage.head(place, completion: $0) }.fields.first(.contentLength) == "9")
            let seen = origin.requests
            #expect(seen.map(\.method) == ["PUT", "PUT", "DELETE", "HEAD"])
            #expect(seen.allSatisfy { $0.target == Self.oddTarget })
            #expect(seen[0].content == bytes && seen[1].content == bytes)
            #expect(seen[0].fields["content-type"] == "image/png" && seen[0].fields["if-none-match"] == "*")
            #expect(seen[1].fields["content-type"] == nil && seen[1].fields["if-none-match"] == nil)
            for one in seen {
                #expect(one.fields["x-amz-content-sha256"] == SHA256.digest(of: one.content).hex)
                #expect(one.fields["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=me/") == true)
                #expect(one.fields["host"] == "127.0.0.1:\(origin.port)")
            }
        }
    }

    @Test func fileThatWasCut_isNotWritten() throws {
        try Self.withStorage({ _ in .answer() }) { (origin, _, storage) throws in
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: 10)
            let error = failure { storage.put(Self.place, .file(file), completion: $0) }
            #expect(error == .notKept)
            #expect(origin.requests.isEmpty)
        }
    }

    private static var place: S3Location {
        guard let place = try? S3Location("s3://abc/k") else { preconditionFailure("no location") }
        return place
    }

    @Test(
        arguments: [
            (404, .notFound), (403, .credentialsUnusable), (412, .status(412)), (301, .status(301)),
            (500, .status(500)),
        ] as [(Int, OriginError)])
    func refusal_isAnError(_ code: Int, _ error: OriginError) throws {
        try Self.withStorage({ _ in .answer(code, "<Error/>") }) { (origin, _, storage) throws in
            #expect(failure { storage.put(Self.place, .bytes(SharedBytes([1])), completion: $0) } == error)
            #expect(failure { storage.list("abc", completion: $0) } == error)
            #expect(failure { storage.delete(Self.place, completion: $0) } == (code == 404 ? nil : error))
            #expect(origin.requests.count == 3)
        }
    }

    @Test func otherBuckets_areNotAskedFor_inAnyWay() throws {
        try Self.withStorage({ _ in .answer() }) { (origin, fetcher, storage) throws in
            let other = try S3Location("s3://other/k")
            #expect(throws: OriginError.originNotAllowed) { try storage.fetchRequest(other, byteLimit: 1) }
            #expect(failure { storage.put(other, .bytes(SharedBytes([])), completion: $0) } == .originNotAllowed)
            #expect(failure { storage.delete(other, completion: $0) } == .originNotAllowed)
            #expect(failure { storage.head(other, completion: $0) } == .originNotAllowed)
            #expect(failure { storage.list("other", completion: $0) } == .originNotAllowed)
            // Nor is the endpoint open to those who know its URL.
            #expect(try fetcher.begin(origin.url("/abc/k")).error == .originNotAllowed)
            #expect(origin.requests.isEmpty)
        }
    }

    /// The endpoint is an address like any other.
    @Test func endpointAtAForbiddenAddress_isNotConnectedTo() throws {
        try withTrialOrigin({ _ in .answer() }) { origin in
            let fetcher = try Fetcher.onLoopback([]) { $0.addresses = AddressPolicy() }
            defer { fetcher.stop() }
            let storage = S3Storage(Self.service(origin.url()), fetcher: fetcher)
            #expect(failure { storage.head(Self.place, completion: $0) } == .addressForbidden)
            let pending = try fetcher.begin(storage.fetchRequest(Self.place, byteLimit: 1))
            #expect(pending.error == .addressForbidden)
            #expect(origin.connectionCount == 0)
        }
    }

    @Test func reading_isAnOrdinaryFetch_signedAtEachAttempt() throws {
        try Self.withStorage({ seen in
            seen.connection == 0
                ? [.text("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 9\r\n\r\nfir"), .close]
                : .answer(206, "st, on", "ETag: \"a\"", "Content-Range: bytes 3-8/9")
        }) { (origin, fetcher, storage) throws in
            let request = try storage.fetchRequest(try S3Location("s3://abc/\(Self.odd)"), byteLimit: 100)
            let pending = fetcher.begin(request)
            #expect(try pending.wait().get().byteCount == 9)
            #expect(pending.sink.text == "first, on")
            #expect(origin.requests.count == 2)
            #expect(origin.requests.allSatisfy { $0.target == Self.oddTarget && $0.fields["authorization"] != nil })
        }
    }

    /// #15: field lines of an identity were left out of requests that are signed, without a word.
    @Test func fieldsOfAnIdentity_areSentToS3_andSigned() throws {
        try withTrialOrigin({ _ in .answer(200, "object") }) { origin in
            let list = try OriginList(["http://127.0.0.1:\(origin.port)"])
            let fetcher = try Fetcher.onLoopback([]) { settings in
                settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
                var identity = OriginIdentity()
                identity.fields.lines = [
                    OriginField(name: "X-Tenant", value: "a"), OriginField(name: "User-Agent", value: "theirs"),
                    OriginField(name: "X-Amz-Request-Payer", value: " requester  too "),
                    // The signature's own are not replaced.
                    OriginField(name: "X-Amz-Date", value: "19700101T000000Z"),
                    OriginField(name: "Authorization", value: "Bearer x"),
                ]
                settings.identities.append(identity, for: list)
            }
            defer { fetcher.stop() }
            let storage = S3Storage(Self.service(origin.url()), fetcher: fetcher)
            let pending = try fetcher.begin(storage.fetchRequest(Self.place, byteLimit: 100))
            _ = try pending.wait().get()
            let seen = try #require(origin.requests.first)
            #expect(seen.fields["x-tenant"] == "a" && seen.fields["user-agent"] == "theirs")
            #expect(Set(seen.names).count == seen.names.count, "none is there twice")
            let signed = try #require(seen.fields["authorization"])
            #expect(signed.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-request-payer,"))
            #expect(seen.fields["x-amz-date"]?.hasPrefix("1970") == false)
        }
    }

    /// Values are signed without the spaces around them, and with one for several (AWS Signature Version 4).
    @Test func valuesAreTrimmedBeforeTheyAreSigned() throws {
        var request = ExchangeRequest(try OriginURL("http://a.test/abc/k"))
        request.fields.append("X-Amz-Meta-A", "a   b")
        #expect(S3Signer.canonical(request).text.contains("\nx-amz-meta-a:a b\n"))
    }

    @Test func redirect_isFollowedWithoutTheSignature_orNotAtAll() throws {
        try withTrialOrigin({ _ in .answer(200, "other") }) { other in
            for isListed in [true, false] {
                try withTrialOrigin({ _ in .redirect(other.url("/x"), 307) }) { origin in
                    let fetcher = try Fetcher.onLoopback(isListed ? ["http://127.0.0.1:\(other.port)"] : [])
                    defer { fetcher.stop() }
                    let storage = S3Storage(Self.service(origin.url()), fetcher: fetcher)
                    let pending = try fetcher.begin(storage.fetchRequest(Self.place, byteLimit: 100))
                    #expect(pending.error == (isListed ? nil : .originNotAllowed))
                }
            }
            #expect(other.requests.count == 1)
            #expect(
                other.requests.allSatisfy {
                    $0.fields.keys.allSatisfy { !$0.hasPrefix("x-amz") && $0 != "authorization" }
                })
        }
    }

    // MARK: Listings

    @Test func listing_goesOn_whereItBrokeOff() throws {
        try Self.withStorage({ seen in
            let isSecond = seen.target.contains("continuation-token=t%2B%3D")
            return .answer(
                200,
                "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                    + "<Name>abc</Name><!-- - --><Contents><Key>\(isSecond ? "c" : "a &amp; &#x62;&lt;")</Key>"
                    + "<ETag>&quot;e&quot;</ETag><Size>12</Size><Owner><Key>no</Key></Owner></Contents>"
                    + "<IsTruncated>\(isSecond ? "false" : "true")</IsTruncated>"
                    + (isSecond ? "" : "<NextContinuationToken>t+=</NextContinuationToken>")
                    + "<Prefix/></ListBucketResult>")
        }) { (origin, _, storage) throws in
            let first = try wait { storage.list("abc", prefix: "a/ü", limit: 7, completion: $0) }
            #expect(first.objects == [.init(key: "a & b<", byteCount: 12, entityTag: "\"e\"")])
            let second = try wait { storage.list("abc", prefix: "a/ü", after: first.next, completion: $0) }
            #expect(second.objects.map(\.key) == ["c"] && second.next == nil)
            #expect(
                origin.requests.map(\.target) == [
                    "/abc?list-type=2&max-keys=7&prefix=a%2F%C3%BC",
                    "/abc?continuation-token=t%2B%3D&list-type=2&max-keys=1000&prefix=a%2F%C3%BC",
                ])
        }
    }

    private static func list(_ inner: String) -> String {
        "<ListBucketResult>\(inner)<IsTruncated>false</IsTruncated></ListBucketResult>"
    }

    @Test(arguments: [
        "", "no XML", "<ListBucketResult>", "<Error><Code>x</Code></Error>", "<ListBucketResult></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        list("<Contents><Key>a</Key></Contents>"),
        list("<Contents><Size>1</Size></Contents>"), list("<Contents><Key>a</Key><Size>-1</Size></Contents>"),
        list("<Contents><Key>a</Contents></Key>"), list("<Name>&unknown;</Name>"), list("<Name>&#0;</Name>"),
        list("<Name>&#xD800;</Name>"), list("<Name>&amp</Name>"), list("<![CDATA[x]]>"), list("<Name") + ">",
        list("<a b=\"") + "\">",
        "<!DOCTYPE a [<!ENTITY b \"cccc\">]>" + list("<Name>&b;</Name>"), list("") + list(""), list("") + "x",
        String(repeating: "<a>", count: 100_000), "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">" + list(""),
        list("<?php x ?>"), list("<Name>\u{FFFF}".replacing("\u{FFFF}", with: "&#x110000;") + "</Name>"),
    ])
    func whatIsNoListing_isRefused(_ xml: String) {
        #expect(S3Listing(xml: Array(xml.utf8)) == nil)
    }

    @Test func emptyBucket_isListed() {
        let listing = S3Listing(
            xml: [0xEF, 0xBB, 0xBF] + Array((Self.list("<A b='>' /><c:D/>") + "\n<!-- x -->").utf8))
        #expect(listing?.objects == [] && listing?.next == nil)
    }
}

/// Waits for a completion on another thread.
func wait<Value: Sendable>(
    _ body: (@escaping @Sendable (Result<Value, OriginError>) -> Void) -> Void
) throws -> Value {
    let outcome = Monitor<Result<Value, OriginError>?>(nil)
    body { result in
        outcome.withLock { $0 = result }
        outcome.broadcast()
    }
    return try outcome.wait { $0 }.get()
}

/// The error that a completion is given; nil for a success.
func failure<Value: Sendable>(_ body: (@escaping @Sendable (Result<Value, OriginError>) -> Void) -> Void)
    -> OriginError?
{
    do {
        _ = try wait(body)
        return nil
    } catch {
        return error as? OriginError
    }
}
