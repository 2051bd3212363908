import HTTPMessage
import Testing

@testable import Origin

/// Where the variables of the SDKs lead.
@Suite(.timeLimit(.minutes(5))) struct AWSEnvironmentTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "KEY", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "t"]
    private static let identity = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:x"]
    private static let container = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x"]
    private static let nowhere = ["HOME": "/nonexistent"]
    private static let file = "/nonexistent/.aws/credentials"

    private static func source(
        _ choice: String, _ variables: [String: String], keys: S3Credentials? = nil, region: String = "eu-west-1"
    ) throws -> S3CredentialSource {
        try AWSEnvironment(nowhere.merging(variables) { $1 }).source(
            try #require(S3CredentialChoice(choice)), keys: keys, region: region)
    }

    @Test(arguments: S3CredentialChoice.words + ["profile:a b"])
    func choice_isRead(_ text: String) { #expect(S3CredentialChoice(text)?.description == text) }

    @Test(arguments: ["", "Keys", "profile:", "profile:a]", "profile:a\n", "imds", "keys "])
    func wrongChoice_isRefused(_ text: String) { #expect(S3CredentialChoice(text) == nil) }

    @Test func places_areLookedAtInTheOrderOfTheSDKs() throws {
        let own = S3Credentials(id: "own", secret: "hush")
        var all = Self.keys.merging(Self.identity) { $1 }.merging(Self.container) { $1 }
        #expect(try Self.source("auto", all, keys: own) == .keys(own))
        #expect(try Self.source("auto", all) == .keys(S3Credentials(id: "KEY", secret: "hush", sessionToken: "t")))
        all["AWS_ACCESS_KEY_ID"] = ""
        let identity = S3CredentialSource.webIdentity(
            tokenPath: "/token", role: "arn:x", session: "veduta",
            endpoint: try OriginURL("https://sts.eu-west-1.amazonaws.com/"))
        #expect(try Self.source("auto", all) == identity)
        all["AWS_WEB_IDENTITY_TOKEN_FILE"] = nil
        #expect(try Self.source("auto", all) == .container(try OriginURL("http://169.254.170.2/v2/x"), .none))
        all["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = nil
        #expect(try Self.source("auto", all) == .instance(try OriginURL("http://169.254.169.254").origin))
        all["AWS_EC2_METADATA_DISABLED"] = "true"
        #expect(throws: S3CredentialFault.nowhere) { try Self.source("auto", all) }
        // A profile that is named must be there.
        all["AWS_PROFILE"] = "media"
        #expect(throws: S3CredentialFault.unreadable(path: Self.file)) { try Self.source("auto", all) }
        all["AWS_PROFILE"] = nil
        all["AWS_SHARED_CREDENTIALS_FILE"] = "/nonexistent"
        #expect(throws: S3CredentialFault.unreadable(path: "/nonexistent")) { try Self.source("auto", all) }
    }

    @Test func eachPlace_isReadByItsVariables() throws {
        let identity = try Self.source(
            "web-identity",
            Self.identity.merging(["AWS_ROLE_SESSION_NAME": "me", "AWS_ENDPOINT_URL_STS": "http://127.0.0.1:1/sts"]) {
                $1
            })
        #expect(
            identity
                == .webIdentity(
                    tokenPath: "/token", role: "arn:x", session: "me", endpoint: try OriginURL("http://127.0.0.1:1/sts")
                ))
        #expect(
            "\(try Self.source("web-identity", Self.identity, region: "cn-north-1"))".contains(
                "https://sts.cn-north-1.amazonaws.com.cn"))
        let full = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials"]
        #expect(
            try Self.source("container", full.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "/t"]) { $1 })
                == .container(try OriginURL("http://169.254.170.23/v1/credentials"), .path("/t")))
        #expect(
            try Self.source("container", full.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": "hush"]) { $1 })
                == .container(try OriginURL("http://169.254.170.23/v1/credentials"), .text("hush")))
        #expect(
            try Self.source("instance", ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://[fd00:ec2::254]"])
                == .instance(try OriginURL("http://[fd00:ec2::254]").origin))
    }

    @Test(
        arguments: [
            ("environment", [:], .notSet(["AWS_ACCESS_KEY_ID"])),
            ("environment", ["AWS_ACCESS_KEY_ID": "KEY"], .notSet(["AWS_SECRET_ACCESS_KEY"])),
            ("web-identity", ["AWS_WEB_IDENTITY_TOKEN_FILE": "/t"], .notSet(["AWS_ROLE_ARN"])),
            (
                "container", [:],
                .notSet(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"])
            ),
            // A token in clear, to anybody.
            (
                "container", ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://example.org/x"],
                .invalid("AWS_CONTAINER_CREDENTIALS_FULL_URI")
            ),
            // Nor to the service of the virtual machine, or to another server than the one that a path belongs to.
            (
                "container", ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.169.254/x"],
                .invalid("AWS_CONTAINER_CREDENTIALS_FULL_URI")
            ),
            ("container", ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "/x"], .invalid("AWS_CONTAINER_CREDENTIALS_FULL_URI")),
            (
                "container", ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "https://example.org/x"],
                .invalid("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
            ),
            (
                "container", ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "file:///x"],
                .invalid("AWS_CONTAINER_CREDENTIALS_FULL_URI")
            ),
            (
                "instance", ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://10.0.0.1"],
                .invalid("AWS_EC2_METADATA_SERVICE_ENDPOINT")
            ),
            ("profile", ["HOME": ""], .notSet(["HOME"])),
            ("profile:x", [:], .unreadable(path: "/nonexistent/.aws/credentials")),
        ] as [(String, [String: String], S3CredentialFault)])
    func missingVariables_areNamed(_ choice: String, _ variables: [String: String], _ fault: S3CredentialFault) {
        #expect(throws: fault) { try Self.source(choice, variables) }
        #expect(!fault.description.isEmpty)
    }

    @Test func keysOfSettings_areNotSetBesideAnotherPlace() {
        #expect(throws: S3CredentialFault.combined) {
            try Self.source("instance", [:], keys: S3Credentials(id: "own", secret: "hush"))
        }
    }
}
