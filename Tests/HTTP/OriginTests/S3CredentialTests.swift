import FakeOrigin
import Glibc
import HTTPMessage
import Reactor
import Synchronization
import Testing

@testable import Origin

/// Credentials that are asked for: by a server on loopback that is S3 and gives the credentials for it.
@Suite(.timeLimit(.minutes(5))) struct S3CredentialTests {
    static let start: Int64 = 1_800_000_000
    static let role = "/latest/meta-data/iam/security-credentials/"
    private static let tokenPath = "/latest/api/token"
    private static let askers: Set<String> = [tokenPath, role, role + "media", "/given", "/sts"]

    /// What the server did and was told, with a clock that is moved by hand.
    final class World: Sendable {
        let ahead = Atomic<Int>(0)
        let faults = Monitor<[S3CredentialFault]>([])
        let count = Mutex(0)
        let isFailing = Atomic(false)
        let fetcher = Mutex<Fetcher?>(nil)

        var clock: Clock {
            Clock(
                monotonic: { Clock.system.monotonic() + .seconds(self.ahead.load(ordering: .acquiring)) },
                unixSeconds: { S3CredentialTests.start + Int64(self.ahead.load(ordering: .acquiring)) })
        }

        /// An hour from now, the n-th time with the id `KEYn`.
        func json(seconds: Int = 3_600) -> String {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let end = S3Signer.time(clock.unixSeconds() + Int64(seconds))
            let digits = Array(end)
            let text =
                "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
                + "T\(String(digits[9..<11])):\(String(digits[11..<13])):\(String(digits[13..<15]))Z"
            return """
                {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "KEY\(number)", "SecretAccessKey": "hush/\(number)",
                 "Token": "hush+\(number)=", "Expiration": "\(text)"}
                """
        }
    }

    /// `answer` gives credentials, where it is not nil; the rest is S3.
    static func with(
        _ source: (FakeOrigin) throws -> S3CredentialSource, world: World = World(),
        addresses: [String] = ["127.0.0.0/8"], total: Duration? = nil,
        answer: @escaping @Sendable (FakeOrigin.Seen, World) -> [FakeOrigin.Step]? = { _, _ in nil },
        _ body: (FakeOrigin, S3Storage, World) throws -> Void
    ) throws {
        try withTrialOrigin({ seen in
            if let steps = answer(seen, world) { return steps }
            if askers.contains(seen.target), world.isFailing.load(ordering: .acquiring) { return .answer(500, "hush") }
            switch seen.target {
            case tokenPath: return seen.method == "PUT" ? .answer(200, "to/ken==") : .answer(405, "")
            case role: return .answer(200, "media\n")
            case role + "media", "/given": return .answer(200, world.json())
            default: return .answer(200, "object")
            }
        }) { origin in
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"], clock: world.clock) { settings in
                settings.addresses = AddressPolicy(exceptions: addresses.compactMap(AddressRange.init))
                settings.bounds.connectionsPerHost = 64
                if let total { settings.limits.total = total }
                settings.credentialsFailed = { _, fault in
                    world.faults.withLock { $0.append(fault) }
                    world.faults.broadcast()
                }
            }
            defer { fetcher.stop() }
            world.fetcher.withLock { $0 = fetcher }
            let service = S3Service(
                endpoint: try OriginURL(origin.url()), credentials: try source(origin), buckets: ["abc"])
            try body(origin, S3Storage(service, fetcher: fetcher), world)
        }
    }

    static func instance(_ origin: FakeOrigin) throws -> S3CredentialSource {
        .instance(try OriginURL(origin.url()).origin)
    }

    static func container(_ origin: FakeOrigin) throws -> S3CredentialSource {
        .container(try OriginURL(origin.url("/given")), .none)
    }

    static func get(_ storage: S3Storage) -> OriginError? {
        failure { (done: @escaping @Sendable (Result<[UInt8], OriginError>) -> Void) in
            guard let place = try? S3Location("s3://abc/k") else { return }
            storage.get(place, byteLimit: 100, completion: done)
        }
    }

    static func objects(_ origin: FakeOrigin) -> [FakeOrigin.Seen] {
        origin.requests.filter { $0.target == "/abc/k" }
    }

    static func isSigned(_ seen: FakeOrigin.Seen?, by number: Int) -> Bool {
        seen?.fields["authorization"]?.contains("Credential=KEY\(number)/") == true
            && seen?.fields["x-amz-security-token"] == "hush+\(number)="
    }

    // MARK: Places

    @Test func instance_isAskedByTheSecondVersion() throws {
        try Self.with(Self.instance) { (origin, storage, _) throws in
            #expect(Self.get(storage) == nil)
            let seen = origin.requests
            #expect(seen.map(\.method) == ["PUT", "GET", "GET", "GET"])
            #expect(seen.map(\.target) == [Self.tokenPath, Self.role, Self.role + "media", "/abc/k"])
            #expect(seen[0].fields["x-aws-ec2-metadata-token-ttl-seconds"] == "60")
            #expect(seen[1...2].allSatisfy { $0.fields["x-aws-ec2-metadata-token"] == "to/ken==" })
            #expect(seen[3].fields["x-aws-ec2-metadata-token"] == nil)
            #expect(Self.isSigned(seen[3], by: 1))
            // Nobody else is sent over a connection to an address that is forbidden otherwise.
            #expect(Set(seen.map(\.connection)).count == 4)
        }
    }

    @Test func fetches_areSignedToo() throws {
        try Self.with(Self.instance) { (origin, storage, world) throws in
            let fetcher = try #require(world.fetcher.withLock { $0 })
            let request = try storage.fetchRequest(try S3Location("s3://abc/k"), byteLimit: 100)
            let pending = (0..<50).map { _ in fetcher.begin(request) }
            for one in pending { #expect(try one.wait().get().byteCount == 6) }
            #expect(origin.requests.count == 53)
            #expect(Self.objects(origin).allSatisfy { Self.isSigned($0, by: 1) })
        }
    }

    @Test func container_isShownTheTokenOfItsFile_asItIsNow() throws {
        let file = try TextFile("first\n")
        try Self.with({ .container(try OriginURL($0.url("/given")), .path(file.path)) }) {
            (origin, storage, world) throws in
            #expect(Self.get(storage) == nil)
            try file.write("Basic second")
            world.ahead.store(4_000, ordering: .releasing)
            #expect(Self.get(storage) == nil)
            let asked = origin.requests.filter { $0.target == "/given" }
            #expect(asked.map { $0.fields["authorization"] } == ["first", "Basic second"])
            #expect(Self.isSigned(Self.objects(origin).last, by: 2))
        }
    }

    private static func identity(_ path: String) -> (FakeOrigin) throws -> S3CredentialSource {
        {
            .webIdentity(
                tokenPath: path, role: "arn:aws:iam::1:role/a b", session: "veduta",
                endpoint: try OriginURL($0.url("/sts")))
        }
    }

    @Test func webIdentity_becomesARole() throws {
        let file = try TextFile("ey.J+\n")
        let xml = """
            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
            <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>KEY1</AccessKeyId>
            <SecretAccessKey>hush</SecretAccessKey><SessionToken>hush+1=</SessionToken>
            <Expiration>2027-01-15T09:00:00.000Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
            </AssumeRoleWithWebIdentityResponse>
            """
        try Self.with(
            Self.identity(file.path), answer: { seen, _ in seen.target == "/sts" ? .answer(200, xml) : nil }
        ) { (origin, storage, _) throws in
            #expect(Self.get(storage) == nil)
            let asked = try #require(origin.requests.first)
            #expect(asked.method == "POST" && asked.fields["authorization"] == nil)
            #expect(
                String(decoding: asked.content, as: UTF8.self)
                    == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fa%20b"
                    + "&RoleSessionName=veduta&WebIdentityToken=ey.J%2B")
            #expect(Self.isSigned(Self.objects(origin).first, by: 1))
        }
    }

    @Test func refusal_isTold_byItsCode() throws {
        let file = try TextFile("hush")
        let xml =
            "<ErrorResponse><Error><Code>ExpiredTokenException</Code><Message>hush</Message></Error></ErrorResponse>"
        try Self.with(
            Self.identity(file.path), answer: { seen, _ in seen.target == "/sts" ? .answer(400, xml) : nil }
        ) { (origin, storage, world) throws in
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(world.faults.withLock { $0 } == [.refused(status: 400, code: "ExpiredTokenException")])
            #expect(Self.objects(origin).isEmpty)
        }
    }

    @Test(arguments: [
        "", "[b]\naws_access_key_id=K\naws_secret_access_key=s\n", "[a]\naws_access_key_id=K\n",
        "[a]\naws_access_key_id=K\naws_secret_access_key=\n", "[a]\naws_access_key_id=K\naws_secret_access_key=ü\n",
        "[a\naws_access_key_id\n", "aws_access_key_id=K\naws_secret_access_key=s\n",
        "[a]\nrole_arn=x\naws_access_key_id=K\naws_secret_access_key=s\n",
        "[a]\nrole_arn=x\nsource_profile=b\n[b]\naws_access_key_id=K\naws_secret_access_key=s\n",
        String(repeating: "[a]\naws_access_key_id=K\naws_secret_access_key=s\n", count: 10_000),
    ])
    func fileWithoutTheKeys_isRefused(_ text: String) throws {
        let file = try TextFile(text)
        #expect(throws: S3CredentialFault.self) { try S3Credentials.read(profile: "a", path: file.path) }
        #expect(throws: S3CredentialFault.unreadable(path: "/")) { try S3Credentials.text(ofFile: "/") }
        #expect(throws: S3CredentialFault.unreadable(path: "/dev/zero")) { try S3Credentials.text(ofFile: "/dev/zero") }
    }

    @Test func emptySessionToken_isNone() throws {
        let file = try TextFile("[a]\naws_access_key_id=K\naws_secret_access_key=s\naws_session_token =\n")
        let read = try withExtendedLifetime(file) { try S3Credentials.read(profile: "a", path: file.path) }
        #expect(read == S3Credentials(id: "K", secret: "s"))
    }

    @Test func nameOfARole_isSentAsTheSDKsSendIt() throws {
        let target = Self.role + "a+b=c,d@e"
        try Self.with(
            Self.instance,
            answer: { seen, world in
                if seen.target == Self.role { return .answer(200, "a+b=c,d@e") }
                return seen.target == target ? .answer(200, world.json()) : nil
            }
        ) { (origin, storage, _) throws in
            #expect(Self.get(storage) == nil)
            #expect(origin.requests.contains { $0.target == target })
        }
    }

    @Test func emptyTokenOfAContainer_isNotSent() throws {
        let file = try TextFile(" \n")
        try Self.with({ .container(try OriginURL($0.url("/given")), .path(file.path)) }) {
            (origin, storage, world) throws in
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(origin.requests.isEmpty)
            #expect(world.faults.withLock { $0 } == [.invalid("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")])
        }
    }

    // MARK: Hostile answers

    private static let good = #""AccessKeyId":"K","SecretAccessKey":"hush","Token":"hush""#

    @Test(
        arguments: [
            (200, "", .malformed), (200, "no JSON", .malformed), (200, "[]", .malformed), (200, "{}", .malformed),
            (200, "{\(good)}", .malformed), (200, "{\(good),\"Expiration\":\"tomorrow\"}", .malformed),
            (200, "{\(good),\"Expiration\":\"2027-02-30T00:00:00Z\"}", .malformed),
            (200, "{\(good),\"Expiration\":\"-1-+1-1T-1:00:00Z\"}", .malformed),
            (200, "{\(good),\"Expiration\":\"2026-12-31T00:00:00Z\"}", .expired),
            (
                200,
                #"{"AccessKeyId":"K","SecretAccessKey":"s","Token":"a\r\nX: y","Expiration":"2030-01-01T00:00:00Z"}"#,
                .malformed
            ),
            (
                200, #"{"AccessKeyId":1,"SecretAccessKey":"s","Token":"t","Expiration":"2030-01-01T00:00:00Z"}"#,
                .malformed
            ),
            (
                200, #"{"Code":"AssumeRoleUnauthorizedAccess"}"#,
                .refused(status: 200, code: "AssumeRoleUnauthorizedAccess")
            ),
            (403, #"{"Code":"hush hush"}"#, .refused(status: 403, code: "")),
            (302, "", .refused(status: 302, code: "")),
            (200, String(repeating: "[", count: 60_000), .malformed),
        ] as [(Int, String, S3CredentialFault)])
    func noCredentials_areAnError_andAreNotAskedForAgainAndAgain(
        _ status: Int, _ text: String, _ fault: S3CredentialFault
    ) throws {
        try Self.with(
            Self.container,
            answer: { seen, _ in seen.target == "/given" ? .answer(status, text, "Location: /abc/k") : nil }
        ) { (origin, storage, world) throws in
            for _ in 0..<20 { #expect(Self.get(storage) == .credentialsUnusable) }
            #expect(origin.requests.count == 1)
            #expect(world.faults.withLock { $0 } == [fault])
            #expect(!world.faults.withLock { "\($0)\($0.map(\.description))" }.contains("hush"))
        }
    }

    @Test(
        arguments: [
            ([.text("HTTP/1.1 200 OK\r\n\r\n"), .endless], .failed(.tooLarge(limit: 65_536))),
            ([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .close], .failed(.broken)),
            ([.close], .failed(.broken)),
            // For ever.
            ([.wait("never")], .failed(.timedOut)),
            ([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .wait("never")], .failed(.timedOut)),
        ] as [([FakeOrigin.Step], S3CredentialFault)])
    func answerThatNeverEnds_isBrokenOff(_ steps: [FakeOrigin.Step], _ fault: S3CredentialFault) throws {
        try Self.with(Self.container, answer: { seen, _ in seen.target == "/given" ? steps : nil }) {
            (origin, storage, world) throws in
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(world.faults.withLock { $0 } == [fault])
            #expect(Self.objects(origin).isEmpty)
        }
    }

    @Test(arguments: ["", "two words", "ü", String(repeating: "a", count: 1_025)])
    func roleThatIsNoName_isNotAskedFor(_ name: String) throws {
        try Self.with(Self.instance, answer: { seen, _ in seen.target == Self.role ? .answer(200, name) : nil }) {
            (origin, storage, world) throws in
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(origin.requests.count == 2)
            #expect(world.faults.withLock { $0 } == [.malformed])
        }
    }

    /// A metadata service that knows the first version alone is not asked by it.
    @Test func instanceWithoutTokens_givesNone() throws {
        try Self.with(Self.instance, answer: { seen, _ in seen.method == "PUT" ? .answer(404, "") : nil }) {
            (origin, storage, world) throws in
            #expect(Self.get(storage) == .credentialsUnusable)
            #expect(origin.requests.count == 1)
            #expect(world.faults.withLock { $0 } == [.refused(status: 404, code: "")])
        }
    }

    // MARK: Addresses

    /// What is asked for credentials stays closed for everybody else.
    @Test func addressOfTheMetadata_isOpenForCredentialsAlone() throws {
        try Self.with(Self.instance, addresses: []) { (origin, storage, _) throws in
            #expect(Self.get(storage) == .addressForbidden)
            #expect(origin.requests.map(\.target) == [Self.tokenPath, Self.role, Self.role + "media"])
            #expect(Self.get(storage) == .addressForbidden)
            #expect(origin.requests.count == 3)
        }
        for text in ["169.254.169.254", "169.254.170.2", "fd00:ec2::254"] {
            let address = try #require(IPAddress(text))
            #expect(!AddressPolicy().permits(address) && AddressPolicy().withMetadata.permits(address))
            #expect(!AddressPolicy().withMetadata.permits(address, hasZone: true))
        }
        for text in ["169.254.169.253", "10.0.0.1", "fd00:ec2::255"] {
            #expect(!AddressPolicy().withMetadata.permits(try #require(IPAddress(text))))
        }
    }

    // MARK: Buckets

    @Test func buckets_haveTheirOwnCredentialsAndServers() throws {
        try withTrialOrigin({ _ in .answer(200, "other") }) { other in
            try withTrialOrigin({ _ in .answer(200, "own") }) { origin in
                let fetcher = try Fetcher.onLoopback([])
                defer { fetcher.stop() }
                func service(_ origin: FakeOrigin, _ id: String, _ bucket: String) throws -> S3Service {
                    S3Service(
                        endpoint: try OriginURL(origin.url()), region: id,
                        credentials: .keys(S3Credentials(id: id, secret: "hush")), buckets: [bucket])
                }
                var whole = try service(origin, "one", "abc")
                whole.buckets.insert("def")
                whole.others["def"] = try service(other, "two", "def")
                whole.others["ghi"] = try service(other, "three", "ghi")
                let storage = S3Storage(whole, fetcher: fetcher)
                for name in ["s3://abc/k", "s3://def/k"] {
                    let place = try S3Location(name)
                    _ = try wait { storage.get(place, byteLimit: 9, completion: $0) }
                }
                #expect(origin.requests.map(\.target) == ["/abc/k"] && other.requests.map(\.target) == ["/def/k"])
                #expect(origin.requests[0].fields["authorization"]?.contains("Credential=one/") == true)
                #expect(other.requests[0].fields["authorization"]?.contains("Credential=two/") == true)
                #expect(other.requests[0].fields["authorization"]?.contains("/two/s3/aws4_request") == true)
                // Credentials alone allow nothing.
                let third = try S3Location("s3://ghi/k")
                #expect(throws: OriginError.originNotAllowed) { try storage.fetchRequest(third, byteLimit: 9) }
            }
        }
    }

    @Test func secrets_areNotInTexts() throws {
        let url = try OriginURL("http://127.0.0.1/x")
        let sources: [S3CredentialSource] = [
            .keys(S3Credentials(id: "me", secret: "hush", sessionToken: "hush")), .container(url, .text("hush")),
            .instance(url.origin), .profile("a", path: "/b"),
        ]
        var text = ""
        for source in sources {
            dump(source, to: &text)
            text += "\(source)" + String(reflecting: source)
        }
        #expect(!text.contains("hush"))
    }
}

/// A file that ends with the test.
final class TextFile {
    let path = "/tmp/veduta-credentials-\(UInt64.random(in: 0...(.max)))"

    init(_ text: String) throws { try write(text) }
    deinit { unlink(path) }

    func write(_ text: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
}
