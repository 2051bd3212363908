import Bytes
import HTTPMessage
import JSON
import Reactor

// Credentials as files and servers write them.
extension S3Credentials {
    /// Nil where a request could not hold them.
    package init?(_ id: String?, _ secret: String?, _ sessionToken: String?) {
        guard let id, let secret, [id, secret, sessionToken ?? "-"].allSatisfy(CredentialRequests.isVisible),
            max(id.utf8.count, secret.utf8.count) <= 1_024, (sessionToken ?? "").utf8.count <= 16_384
        else { return nil }
        self.init(id: id, secret: secret, sessionToken: sessionToken)
    }

    /// Credentials of an answer. Expired ones hold for `grace` seconds more; 0: not at all.
    static func read(
        _ members: [String: String], unixSeconds: Int64, grace: Int = 0
    ) throws(S3CredentialFault) -> Renewed<S3Credentials> {
        guard let id = members["AccessKeyId"], let token = members["Token"] ?? members["SessionToken"],
            let read = S3Credentials(id, members["SecretAccessKey"], token),
            let end = members["Expiration"].flatMap(seconds)
        else { throw .malformed }
        let lifetime = end > unixSeconds ? Int(clamping: end - unixSeconds) : grace
        guard lifetime > 0 else { throw .expired }
        return Renewed(value: read, lifetime: lifetime)
    }

    /// The texts at the top of a JSON object; nil if it is none.
    static func members(json: [UInt8]) -> [String: String]? {
        guard let object = (try? JSONReader.read(json, depthLimit: 8))?.object else { return nil }
        return [String: String](
            object.members.compactMap { member in member.value.text.map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The texts of the elements of an XML document, by name; nil if it is malformed.
    static func members(xml: [UInt8]) -> [String: String]? {
        var members: [String: String] = [:]
        var text = ""
        let isRead = XMLReader.read(xml) { event in
            switch event {
            case .open: text = ""
            case .text(let more): text += more
            case .close(let name):
                if members[name] == nil { members[name] = text }
                text = ""
            }
            return true
        }
        return isRead ? members : nil
    }

    /// Since 1970, of `2026-11-27T08:30:14Z`; parts of a second are dropped.
    static func seconds(_ text: String) -> Int64? {
        let parts = text.dropLast().split(omittingEmptySubsequences: false) { "-T:.".contains($0) }
        guard text.last == "Z", (6...7).contains(parts.count), parts.allSatisfy({ (1...9).contains($0.utf8.count) })
        else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == parts.count, (0...23).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...60).contains(numbers[5]),
            let day = CivilDay.daysSince1970(year: Int(numbers[0]), month: Int(numbers[1]), day: Int(numbers[2]))
        else { return nil }
        return ((Int64(day) * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
    }

    // MARK: Files

    static let fileLimit = 256 << 10

    /// A file of at most ``fileLimit`` bytes of text, without the white space around it.
    static func text(ofFile path: String) throws(S3CredentialFault) -> String {
        var buffer = [UInt8](repeating: 0, count: fileLimit + 1)
        guard !path.utf8.contains(0), let opened = try? FileDescriptor.openFile(path) else {
            throw .unreadable(path: path)
        }
        let file = SharedFile(adopting: opened, byteCount: fileLimit)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe (try? file.read(into: $0, from: 0)) ?? 0 }
        guard (1...fileLimit).contains(count), let text = String(validating: buffer[..<count], as: UTF8.self) else {
            throw .unreadable(path: path)
        }
        return String(text.trimmed(\.isWhitespace))
    }

    /// Reads a file such as `~/.aws/credentials`: `[name]`, then lines `key = value`. Of one key twice the last counts.
    static func read(profile: String, path: String) throws(S3CredentialFault) -> S3Credentials {
        var members: [Substring: String] = [:]
        var isInProfile = false
        for line in try text(ofFile: path).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isInProfile = line.dropFirst().prefix { $0 != "]" }.trimmed() == profile
            } else if isInProfile, line.first != " ", line.first != "\t", let equals = line.firstIndex(of: "=") {
                // No value holds a space, so a comment may follow.
                let value = line[line.index(after: equals)...].trimmed().prefix { $0 != " " && $0 != "\t" }
                members[line[..<equals].trimmed()] = String(value)
            }
        }
        // Without the role the keys would be those of somebody else.
        guard members["role_arn"] == nil else { throw .role(profile, path: path) }
        guard
            let read = S3Credentials(
                members["aws_access_key_id"], members["aws_secret_access_key"],
                members["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 })
        else { throw .noProfile(profile, path: path) }
        return read
    }
}
