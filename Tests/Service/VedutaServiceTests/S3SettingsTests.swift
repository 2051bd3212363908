import Foundation
import HTTPMessage
import Origin
import ServiceConfiguration
import Testing

@testable import VedutaService

/// Whose credentials each bucket gets.
@Suite(.timeLimit(.minutes(5))) struct S3SettingsTests {
    private static let own = S3CredentialSource.keys(S3Credentials(id: "own", secret: "hush"))

    /// Settings with the endpoint; with `keys`, those of ``own``.
    private static func configuration(
        _ choice: S3CredentialChoice = .keys, hasKeys: Bool = true
    ) throws -> Configuration {
        var configuration = Configuration()
        configuration.s3Endpoint = try OriginURL("http://127.0.0.1:1/")
        configuration.s3Credentials = choice
        if hasKeys { (configuration.s3KeyID, configuration.s3Secret) = (Secret("own"), Secret("hush")) }
        return configuration
    }

    /// What the settings and the members of one bucket come to.
    private static func objects(
        _ configuration: Configuration, bucket members: String, _ environment: [String: String] = [:]
    ) throws -> S3Service? {
        let path = FileManager.default.temporaryDirectory.appending(path: "veduta-identities-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = "[{\"origins\": [\"s3://abc\"], \"s3\": {\(members)}}]"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        var configuration = configuration
        configuration.remoteIdentities = path
        return try SettingFiles(configuration, environment: environment).objects
    }

    @Test(arguments: [S3CredentialChoice.keys, .auto]) func keysOfTheSettings_areInherited(
        _ choice: S3CredentialChoice
    ) throws {
        let configuration = try Self.configuration(choice)
        for members in [#""credentials": "keys""#, #""credentials": "auto""#, #""region": "eu-west-1""#] {
            let objects = try #require(try Self.objects(configuration, bucket: members))
            #expect(objects.credentials == Self.own)
            #expect(objects.others["abc"]?.credentials == Self.own, "\(members)")
        }
    }

    @Test func bucket_hasItsOwnCredentials() throws {
        let members = #""key_id": "other", "secret": "hush", "endpoint": "http://127.0.0.1:2", "style": "virtual-host""#
        for choice in [S3CredentialChoice.keys, .instance] {
            let configuration = try Self.configuration(choice, hasKeys: choice == .keys)
            let other = try #require(try Self.objects(configuration, bucket: members)?.others["abc"])
            #expect(other.credentials == .keys(S3Credentials(id: "other", secret: "hush")))
            #expect(other.endpoint.description == "http://127.0.0.1:2/" && other.region == "us-east-1")
            #expect(other.style == .virtualHost && other.buckets == ["abc"])
        }
        let instance = S3CredentialSource.instance(try OriginURL("http://169.254.169.254/").origin)
        var objects = try Self.objects(try Self.configuration(), bucket: #""credentials": "instance""#)
        #expect(objects?.credentials == Self.own && objects?.others["abc"]?.credentials == instance)
        objects = try Self.objects(try Self.configuration(.instance, hasKeys: false), bucket: #""region": "a""#)
        #expect(objects?.credentials == instance && objects?.others["abc"]?.credentials == instance)
    }

    @Test func whatContradicts_isRefused() throws {
        let combined = try Self.configuration(.instance)
        #expect(throws: ServiceError.credentials(cause: S3CredentialFault.combined.description)) {
            try Self.objects(combined, bucket: "")
        }
        var without = try Self.configuration()
        without.s3Endpoint = nil
        let error = #expect(throws: ServiceError.self) { try Self.objects(without, bucket: "") }
        #expect(error?.description.contains("need --s3-endpoint") == true)
    }

    @Test func check_readsTheVariables() throws {
        let configuration = try Self.configuration(.environment, hasKeys: false)
        #expect(throws: ServiceError.credentials(cause: "AWS_ACCESS_KEY_ID is not set")) {
            try Service.check(configuration, environment: [:])
        }
        try Service.check(configuration, environment: ["AWS_ACCESS_KEY_ID": "K", "AWS_SECRET_ACCESS_KEY": "hush"])
    }
}
