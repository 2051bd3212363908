import HTTPMessage
import Origin
import Testing

@testable import ServiceConfiguration

@Suite(.timeLimit(.minutes(5))) struct IdentityFileTests {
    private static let pin = "sha256//" + String(repeating: "A", count: 43) + "="

    @Test func everyKind_isRead_andTheFirstMatchCounts() throws {
        let text = """
            [
                {"origins": ["https://a.example.org"], "basic": {"user": "u", "password": "p:q"}},
                {"origins": ["https://*.example.org"], "fields": {"X-Api-Key": "k"}, "pins": ["\(Self.pin)"]},
                {"origins": ["http://10.0.0.1:8080"], "ca": "/ca.pem", "certificate": "/c.pem", "key": "/k.pem",
                 "token": {"url": "https://t.example.org/token", "client_id": "i", "client_secret": "s", "scope": "x"}}
            ]
            """
        let identities = try IdentityFile.identities(of: text)
        func identity(_ url: String) throws -> OriginIdentity { identities.identity(for: try OriginURL(url).origin) }
        guard case .basic("u", "p:q") = try identity("https://a.example.org/x").secret else {
            Issue.record("no password")
            return
        }
        let fields = try identity("https://b.example.org/x")
        #expect(fields.fields.lines == [OriginField(name: "X-Api-Key", value: "k")])
        #expect(fields.pinnedKeys == Self.pin)
        let token = try identity("http://10.0.0.1:8080/")
        guard case .token(let endpoint) = token.secret else {
            Issue.record("no token")
            return
        }
        #expect(endpoint.scope == "x" && endpoint.clientID == "i")
        #expect((token.trustFile, token.certificateFile, token.keyFile) == ("/ca.pem", "/c.pem", "/k.pem"))
        guard case .none = try identity("https://example.com/").secret else {
            Issue.record("a secret for a stranger")
            return
        }
    }

    @Test(arguments: [
        ("", "it is not JSON"), ("{}", "not a JSON array"), ("[{}]", "entry 1: origins is missing"),
        (#"["hush"]"#, "entry 1: the value has the wrong type"),
        (
            #"[{"origins": [], "basic": {"user": 1, "password": "hush"}}]"#,
            "entry 1, basic, user: the value has the wrong type"
        ),
        (#"[{"origins": [], "fields": {"a": null}}]"#, "entry 1, fields: the value has the wrong type"),
        (#"[{"origins": []}, {"orgins": []}]"#, "orgins must be one of origins, basic"),
        (#"[{"origins": ["https://a/x"]}]"#, "entry 1: `https://a/x` is not an origin"),
        (#"[{"origins": [], "basic": {"user": "a:b", "password": "hush"}}]"#, "colon"),
        (
            #"[{"origins": [], "basic": {"user": "a", "password": "hush"}, "token": {"url": "https://a", "client_id": "a", "client_secret": "hush"}}]"#,
            "cannot be combined"
        ),
        (#"[{"origins": [], "fields": {"HOST": "hush"}}]"#, "`HOST`"),
        (#"[{"origins": [], "fields": {"Content-Length": "hush"}}]"#, "sets `Content-Length` itself"),
        (#"[{"origins": [], "fields": {"Via": "hush"}}]"#, "sets `Via` itself"),
        (#"[{"origins": [], "fields": {"Host": "hush"}}]"#, "sets `Host` itself"),
        (#"[{"origins": [], "fields": {"range": "hush"}}]"#, "sets `range` itself"),
        (#"[{"origins": [], "fields": {"range": "hush"}}]"#, "sets `range` itself"),
        (#"[{"origins": [], "fields": {"X-Key": "hush", "x-key": "hush"}}]"#, "twice"),
        (
            #"[{"origins": [], "basic": {"user": "a", "password": "hush"}, "fields": {"authorization": "hush"}}]"#,
            "makes `authorization` from"
        ),
        (#"[{"origins": [], "fields": {"a b": "hush"}}]"#, "`a b`"),
        (#"[{"origins": [], "fields": {"a": "hush\r\nB: c"}}]"#, "`a`"),
        (#"[{"origins": [], "token": {"url": "hush", "client_id": "a", "client_secret": "hush"}}]"#, "token.url"),
        (#"[{"origins": [], "token": {"url": "https://a", "client_id": "a"}}]"#, "client_secret is missing"),
        (#"[{"origins": [], "certificate": "/c"}]"#, "must be given together"),
        (#"[{"origins": [], "pins": ["sha256//hush"]}]"#, "sha256// and a digest"),
    ])
    func faults_sayWhere_andTellNoSecret(_ text: String, _ expected: String) {
        do throws(IdentityFault) {
            _ = try IdentityFile.identities(of: text)
            Issue.record("accepted")
        } catch {
            #expect(error.text.contains(expected), "\(error.text)")
            #expect(!error.text.contains("hush"))
        }
    }

    /// #15.14
    @Test func fields_mayStandBesideBasicOrToken() throws {
        let text = """
            [{"origins": ["https://a"], "basic": {"user": "u", "password": "p"}, "fields": {"User-Agent": "x"}},
             {"origins": ["https://b"], "fields": {"User-Agent": "y"},
              "token": {"url": "https://t/token", "client_id": "i", "client_secret": "s"}}]
            """
        let identities = try IdentityFile.identities(of: text)
        let basic = identities.identity(for: try OriginURL("https://a/").origin)
        let token = identities.identity(for: try OriginURL("https://b/").origin)
        #expect("\(basic.secret), \(token.secret)" == "basic, token")
        #expect(basic.fields.lines == [OriginField(name: "User-Agent", value: "x")])
        #expect(token.fields.lines == [OriginField(name: "User-Agent", value: "y")])
    }

    @Test func buckets_areRead_andTheFirstCounts() throws {
        let text = """
            [{"origins": ["s3://archive"], "s3": {"key_id": "K", "secret": "s", "session_token": "t", "region": "eu-west-1",
              "endpoint": "https://s3.example.org", "style": "virtual-host"}},
             {"origins": ["s3://media", "s3://archive"], "s3": {"credentials": "profile:media"}},
             {"origins": ["s3://press"], "s3": {"region": "us-west-2"}}]
            """
        let buckets = try IdentityFile.identities(of: text).buckets
        #expect(buckets.count == 3)
        let archive = try #require(buckets["archive"])
        #expect(archive.keys == S3Credentials(id: "K", secret: "s", sessionToken: "t"))
        #expect(archive.credentials == nil && archive.choice(orElse: .instance) == .keys)
        #expect(archive.region == "eu-west-1" && archive.style == .virtualHost)
        #expect(archive.endpoint?.description == "https://s3.example.org/")
        let media = try #require(buckets["media"])
        #expect(media.keys == nil && media.choice(orElse: .instance) == .profile("media"))
        let press = try #require(buckets["press"])
        #expect(press.keys == nil && press.choice(orElse: .instance) == .instance && press.region == "us-west-2")
    }

    @Test(arguments: [
        (#"{"origins": ["https://a"], "s3": {}}"#, "`https://a` is not a bucket"),
        (#"{"origins": ["s3://abc/x"], "s3": {}}"#, "`s3://abc/x` is not a bucket"),
        (#"{"origins": ["s3://abc"], "s3": {}, "fields": {}}"#, "fields must be one of origins, s3"),
        (#"{"origins": ["s3://abc"], "s3": {"secret": "hush"}}"#, "key_id is missing"),
        (#"{"origins": ["s3://abc"], "s3": {"key_id": "K"}}"#, "secret is missing"),
        (#"{"origins": ["s3://abc"], "s3": {"session_token": "hush"}}"#, "key_id is missing"),
        (#"{"origins": ["s3://abc"], "s3": {"key_id": "K", "secret": "hush hush"}}"#, "visible characters"),
        (#"{"origins": ["s3://abc"], "s3": {"credentials": "auto", "secret": "hush"}}"#, "secret must be one of"),
        (#"{"origins": ["s3://abc"], "s3": {"credentials": "imds"}}"#, "credentials must be keys"),
        (#"{"origins": ["s3://abc"], "s3": {"endpoint": "https://a/b"}}"#, "endpoint must be"),
        (#"{"origins": ["s3://abc"], "s3": {"region": ""}}"#, "region must be a word"),
        (#"{"origins": ["s3://abc"], "s3": {"region": "a/b"}}"#, "region must be a word"),
        (#"{"origins": ["s3://abc"], "s3": {"style": "host"}}"#, "style must be path or virtual-host"),
    ])
    func faultsOfBuckets_sayWhere(_ text: String, _ expected: String) {
        faults_sayWhere_andTellNoSecret("[\(text)]", expected)
    }

    @Test func missingFile_stopsTheStart() {
        #expect(throws: SettingFileError(path: "/nowhere", cause: "it cannot be read")) {
            try IdentityFile.read("/nowhere")
        }
    }
}
