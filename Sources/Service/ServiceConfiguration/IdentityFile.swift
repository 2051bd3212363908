import FoundationEssentials
import HTTPMessage
package import Origin

/// The file of what is shown to origins and wanted of them: a JSON array, of whose elements the first that names an origin
/// counts. Nothing of it is ever logged.
package enum IdentityFile {
    /// Reads the file at `path`; without one there are no identities.
    ///
    /// - Throws: when it cannot be read, or with what is wrong in it, without its secrets.
    package static func read(_ path: String?) throws(SettingFileError) -> OriginIdentities {
        guard let path else { return OriginIdentities() }
        do {
            let text = try ConfigurationFile.text(of: path, source: "--remote-identities")
            return try identities(of: text)
        } catch let fault as IdentityFault {
            throw SettingFileError(path: path, cause: fault.text)
        } catch {
            throw SettingFileError(path: path, cause: "it cannot be read")
        }
    }

    /// The identities of a file's text.
    static func identities(of text: String) throws(IdentityFault) -> OriginIdentities {
        let entries: [IdentityEntry]
        do {
            entries = try JSONDecoder().decode([IdentityEntry].self, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw IdentityFault(error)
        } catch {
            throw IdentityFault(text: "it is not a JSON array of identities")
        }
        var identities = OriginIdentities()
        for (index, entry) in entries.enumerated() {
            do throws(IdentityFault) {
                identities.append(try entry.identity, for: try entry.list)
            } catch {
                throw IdentityFault(text: "entry \(index + 1): \(error.text)")
            }
        }
        return identities
    }
}

/// What is wrong with a file of identities; safe to show.
struct IdentityFault: Error, Equatable {
    let text: String
}

extension IdentityFault {
    /// Where in the file, never what stands there.
    fileprivate init(_ error: DecodingError) {
        func place(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "entry \($0 + 1)" } ?? $0.stringValue }.joined(separator: ", ")
        }
        switch error {
        case .keyNotFound(let key, let context): text = "\(place(context)): \(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            text = "\(place(context)): the value has the wrong type"
        case .dataCorrupted(let context):
            text = context.codingPath.isEmpty ? "it is not JSON" : "\(place(context)): \(context.debugDescription)"
        @unknown default: text = "it is not a JSON array of identities"
        }
    }
}

/// One element of the array.
private struct IdentityEntry: Decodable {
    var origins: [String]
    var basic: Basic?
    var token: Token?
    var fields: [String: String]?
    var ca: String?
    var certificate: String?
    var key: String?
    var pins: [String]?

    struct Basic: Decodable {
        var user: String
        var password: String
    }

    struct Token: Decodable {
        var url: String
        var clientID: String
        var clientSecret: String
        var scope: String?

        enum CodingKeys: String, CodingKey {
            case url, scope
            case clientID = "client_id"
            case clientSecret = "client_secret"
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case origins, basic, token, fields, ca, certificate, key, pins
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        // A misspelt name would leave a request without its credentials.
        for name in try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        where CodingKeys(rawValue: name) == nil {
            let allowed = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(name) must be one of \(allowed)"))
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        origins = try values.decode([String].self, forKey: .origins)
        basic = try values.decodeIfPresent(Basic.self, forKey: .basic)
        token = try values.decodeIfPresent(Token.self, forKey: .token)
        fields = try values.decodeIfPresent([String: String].self, forKey: .fields)
        ca = try values.decodeIfPresent(String.self, forKey: .ca)
        certificate = try values.decodeIfPresent(String.self, forKey: .certificate)
        key = try values.decodeIfPresent(String.self, forKey: .key)
        pins = try values.decodeIfPresent([String].self, forKey: .pins)
    }

    /// For whom it is.
    var list: OriginList {
        get throws(IdentityFault) {
            do throws(OriginListFault) {
                return try OriginList(origins)
            } catch {
                throw IdentityFault(text: "`\(error.entry)` is not an origin such as https://images.example.com")
            }
        }
    }

    var identity: OriginIdentity {
        get throws(IdentityFault) {
            guard basic == nil || token == nil else { throw IdentityFault(text: "basic and token cannot be combined") }
            guard (certificate == nil) == (key == nil) else {
                throw IdentityFault(text: "certificate and key must be given together")
            }
            var identity = OriginIdentity()
            identity.secret = try secret
            identity.fields = try secretFields
            (identity.trustFile, identity.certificateFile, identity.keyFile) = (ca, certificate, key)
            if let pins {
                guard !pins.isEmpty, pins.allSatisfy(Self.isPin) else {
                    throw IdentityFault(text: "a pin must be sha256// and a digest in base64")
                }
                identity.pinnedKeys = pins.joined(separator: ";")
            }
            return identity
        }
    }

    private var secret: OriginIdentity.Secret {
        get throws(IdentityFault) {
            if let basic {
                guard !basic.user.contains(":"), Self.isText(basic.user), Self.isText(basic.password) else {
                    throw IdentityFault(
                        text: "the user must not contain a colon, nor user or password a control character")
                }
                return .basic(user: basic.user, password: basic.password)
            }
            if let token {
                guard let url = try? OriginURL(token.url) else { throw IdentityFault(text: "token.url is not a URL") }
                return .token(
                    TokenEndpoint(
                        url: url, clientID: token.clientID, clientSecret: token.clientSecret, scope: token.scope ?? ""))
            }
            return .none
        }
    }

    private var secretFields: SecretFields {
        get throws(IdentityFault) {
            var lines: [OriginField] = []
            for (name, value) in (fields ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let field = FieldName(name), Self.isText(value) else {
                    throw IdentityFault(text: "`\(name)` is not a field name, or its value is not text")
                }
                guard !SecretFields.isReserved(field) else {
                    throw IdentityFault(text: "the server sets `\(name)` itself; leave it out of fields")
                }
                guard field != .authorization || basic == nil && token == nil else {
                    throw IdentityFault(text: "the server makes `\(name)` from basic or token; leave it out of fields")
                }
                guard !lines.contains(where: { FieldName($0.name) == field }) else {
                    throw IdentityFault(text: "`\(name)` is in fields twice")
                }
                lines.append(OriginField(name: name, value: value))
            }
            return SecretFields(lines)
        }
    }

    private static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    private static func isPin(_ text: String) -> Bool {
        text.hasPrefix("sha256//") && Data(base64Encoded: String(text.dropFirst(8)))?.count == 32
    }
}
