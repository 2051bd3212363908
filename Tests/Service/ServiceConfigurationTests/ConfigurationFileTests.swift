import Foundation
import Testing

@testable import ServiceConfiguration

@Suite(.timeLimit(.minutes(5))) struct ConfigurationFileTests {
    private func file(_ text: String) -> ConfigurationFile { ConfigurationFile(path: "v.conf", text: text) }

    private func load(
        _ text: String, options: [String: String] = [:], environment: [String: String] = [:]
    ) throws -> Configuration {
        try Configuration.load(options: options, environment: environment, file: file(text))
    }

    @Test func everySetting_isReadFromAFile() throws {
        for setting in Setting.all {
            let value = ConfigurationTests.values[setting.name]?.good ?? ""
            let byOption = try Configuration.load(options: [setting.name: value], environment: [:])
            #expect(try load("\(setting.variable)=\(value)") == byOption, "\(setting.name)")
        }
    }

    @Test func commentsBlanksAndQuotationMarks_areUnderstood() throws {
        let configuration = try load(
            """
            # a comment = not a setting

              VEDUTA_QUEUE = 9
            \tVEDUTA_LIBRARY\t=\t"/my photos#1 "
            VEDUTA_MAP_ARCHIVE='/a "b".pmtiles'
            VEDUTA_WORKERS=
            VEDUTA_CACHE_CONTROL="no-store\r\nVEDUTA_LOOPS=3
            """)
        #expect(configuration.queue == 9)
        #expect(configuration.library == "/my photos#1 ")
        #expect(configuration.mapArchive == "/a \"b\".pmtiles")
        #expect(configuration.workers == 0)
        #expect(configuration.cacheControl == "\"no-store")
        #expect(configuration.loops == 3)
    }

    @Test func optionsWinOverTheEnvironment_whichWinsOverTheFile() throws {
        let text = "VEDUTA_QUEUE=3\nVEDUTA_LOOPS=3\nVEDUTA_WORKERS=3"
        let configuration = try load(
            text, options: ["queue": "1", "loops": ""], environment: ["VEDUTA_QUEUE": "2", "VEDUTA_LOOPS": "2"])
        #expect(configuration.queue == 1)
        #expect(configuration.loops == 2)
        #expect(configuration.workers == 3)
    }

    private static let keys =
        "id:key, with an id of up to 32 letters, digits, - and _, and a key of 32 to 256 bytes in base64; `openssl rand -base64 32` makes one; up to 8, separated by commas, the one that signs first"

    @Test func allFaults_nameFileLineVariableValueAndWhatIsAllowed() throws {
        let text = """
            VEDUTA_QUEU=5
            nonsense
            VEDUTA_QUEUE=0
            VEDUTA_LOOPS=2
            VEDUTA_LOOPS=3
            VEDUTA_KEYS=secret
            VEDUTA_ACCESS_LOG=yes
            """
        let error = try #require(throws: ConfigurationError.self) {
            try load(text, options: ["workers": "x"], environment: ["VEDUTA_HEAD_TIMEOUT": "0"])
        }
        #expect(
            error.description.split(separator: "\n") == [
                "v.conf, line 1: VEDUTA_QUEU=5 is invalid: not a setting; did you mean VEDUTA_QUEUE?",
                "v.conf, line 2: nonsense= is invalid: a line must be NAME=value, a comment (#) or empty",
                "v.conf, line 5: VEDUTA_LOOPS=3 is invalid: already set on line 4",
                "--workers=x is invalid: a whole number from 0 to 256",
                "v.conf, line 3: VEDUTA_QUEUE=0 is invalid: a whole number from 1 to 65536",
                "VEDUTA_HEAD_TIMEOUT=0 is invalid: a whole number from 1 to 3600",
                "v.conf, line 7: VEDUTA_ACCESS_LOG=yes is invalid: one of off, json, common",
                "v.conf, line 6: VEDUTA_KEYS=(not shown) is invalid: \(Self.keys)",
            ])
    }

    @Test(arguments: [
        "VEDUTA_TOKEN=sec ret", "VEDUTA_TOKN=secret", "VEDUTA_TOKEN secret", "VEDUTA_TOKEN: secret",
        "VEDUTA_KEYS=secret",
        "VEDUTA_TOKEN=a\nVEDUTA_TOKEN=secret", "veduta_token=secret", "VEDUTA_ACCESS_TOKEN=secret",
    ])
    func secrets_areInNoMessage_howeverTheyAreMisspelt(_ text: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try load(text) }
        #expect(!error.description.contains("ret"), "\(error.description)")
        #expect(error.description.contains("v.conf, line "))
    }

    @Test func fileThatCannotBeRead_isNamedWithTheOtherFaults() throws {
        let source = ConfigurationSource(
            options: ["queue": "x"], environment: ["VEDUTA_CONFIG": "/nonexistent/veduta.conf"])
        let error = try #require(throws: ConfigurationError.self) { try source.load() }
        #expect(error.faults.map(\.source) == ["VEDUTA_CONFIG", "--queue"])
        #expect(error.description.contains("/nonexistent/veduta.conf") && error.description.contains("No such file"))
    }

    @Test(arguments: [[0xff, 0xfe], [0x41, 0x00], [UInt8](repeating: 0x23, count: ConfigurationFile.byteLimit + 1)])
    func fileThatIsNoText_isRefused(_ bytes: [UInt8]) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString).conf")
        try Data(bytes).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let source = ConfigurationSource(options: ["config": path.path], environment: [:])
        let error = try #require(throws: ConfigurationError.self) { try source.load() }
        #expect(error.faults.map(\.source) == ["--config"])
    }

    @Test func optionForTheFile_winsOverItsVariable() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString).conf")
        try Data("VEDUTA_QUEUE=7\n".utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let source = ConfigurationSource(options: ["config": path.path], environment: ["VEDUTA_CONFIG": "/nonexistent"])
        #expect(try source.load().queue == 7)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ConfigurationChangeTests {
    @Test func everySetting_isEitherAppliedOrPostponed() throws {
        for setting in Setting.all {
            let value = ConfigurationTests.values[setting.name]?.good ?? ""
            let wanted = try Configuration.load(options: [setting.name: value], environment: [:])
            let change = ConfigurationChange(from: Configuration(), to: wanted)
            #expect(change.applied == (setting.isReloadable ? [setting.name] : []))
            #expect(change.postponed == (setting.isReloadable ? [] : [setting.name]))
            #expect(change.configuration == (setting.isReloadable ? wanted : Configuration()))
        }
    }

    @Test func postponedSettings_areNamedAgainNextTime() throws {
        var wanted = Configuration()
        wanted.library = "/x"
        wanted.headTimeout = 3
        let first = ConfigurationChange(from: Configuration(), to: wanted)
        let second = ConfigurationChange(from: first.configuration, to: wanted)
        #expect(second.postponed == ["library"])
        #expect(second.applied.isEmpty)
        #expect(second.configuration.headTimeout == 3)
    }
}
