import Bytes
import HTTPMessage
import JSON
package import Origin

/// The file of credentials, certificates and pins for origins: a JSON array, of which the first element that names an
/// origin counts. Nothing of it is ever logged.
package enum IdentityFile {
    /// Without a path there are no identities.
    /// - Throws: what is wrong, without secrets.
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

    static func identities(of text: String) throws(IdentityFault) -> OriginIdentities {
        guard let json = try? JSONReader.read(text) else { throw IdentityFault(text: "it is not JSON") }
        guard let elements = json.elements else { throw IdentityFault(text: "it is not a JSON array of identities") }
        var identities = OriginIdentities()
        for (index, element) in elements.enumerated() {
            let place = "entry \(index + 1)"
            let members = try Members(element, place: place)
            if members.object["s3"] != nil {
                try BucketEntry(members).add(to: &identities)
                continue
            }
            let entry = try IdentityEntry(members)
            do throws(IdentityFault) {
                identities.append(try entry.identity, for: try entry.list)
            } catch {
                throw IdentityFault(text: "\(place): \(error.text)")
            }
        }
        return identities
    }
}

/// Safe to show.
struct IdentityFault: Error, Equatable { let text: String }

/// The members of one object. Faults say where it is, never what is there.
struct Members {
    let object: OrderedObject<JSONValue>
    let place: String

    init(_ value: JSONValue, place: String) throws(IdentityFault) {
        guard let object = value.object else { throw Self.wrongType(at: place) }
        self.object = object
        self.place = place
    }

    private static func wrongType(at place: String) -> IdentityFault {
        IdentityFault(text: "\(place): the value has the wrong type")
    }

    /// nil where there is no such member or it is null.
    func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(IdentityFault) -> Value? {
        guard let value = object[name], value != .null else { return nil }
        guard let value = read(value) else { throw Self.wrongType(at: "\(place), \(name)") }
        return value
    }

    func required<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(IdentityFault) -> Value {
        guard let value = try optional(name, read) else { throw IdentityFault(text: "\(place): \(name) is missing") }
        return value
    }

    /// A misspelt name would leave a request without its credentials.
    func allow(_ names: [String]) throws(IdentityFault) {
        if let unknown = object.members.first(where: { !names.contains($0.name) }) {
            throw IdentityFault(text: "\(place): \(unknown.name) must be one of \(names.joined(separator: ", "))")
        }
    }

    func members(_ name: String) throws(IdentityFault) -> Members? {
        guard let value = try optional(name, { $0 }) else { return nil }
        return try Members(value, place: "\(place), \(name)")
    }

    static func text(_ value: JSONValue) -> String? { value.text }

    static func texts(_ value: JSONValue) -> [String]? {
        guard let elements = value.elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    static func textsByName(_ value: JSONValue) -> [(name: String, text: String)]? {
        guard let object = value.object else { return nil }
        let texts = object.members.compactMap { member in member.value.text.map { (name: member.name, text: $0) } }
        return texts.count == object.members.count ? texts : nil
    }
}

private struct IdentityEntry {
    private let origins: [String]
    private let basic: (user: String, password: String)?
    private let token: (url: String, clientID: String, clientSecret: String, scope: String?)?
    private let fields: [(name: String, text: String)]
    private let ca, certificate, key: String?
    private let pins: [String]?

    private static let names = ["origins", "basic", "token", "fields", "ca", "certificate", "key", "pins", "s3"]

    init(_ members: Members) throws(IdentityFault) {
        try members.allow(Self.names)
        origins = try members.required("origins", Members.texts)
        if let basic = try members.members("basic") {
            self.basic = (try basic.required("user", Members.text), try basic.required("password", Members.text))
        } else {
            basic = nil
        }
        if let token = try members.members("token") {
            self.token = (
                try token.required("url", Members.text), try token.required("client_id", Members.text),
                try token.required("client_secret", Members.text), try token.optional("scope", Members.text)
            )
        } else {
            token = nil
        }
        fields = try members.optional("fields", Members.textsByName) ?? []
        ca = try members.optional("ca", Members.text)
        certificate = try members.optional("certificate", Members.text)
        key = try members.optional("key", Members.text)
        pins = try members.optional("pins", Members.texts)
    }

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
            for (name, value) in fields.sorted(by: { $0.name < $1.name }) {
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
        text.hasPrefix("sha256//") && text.utf8.count == 52 && Base64.bytes(text.utf8.dropFirst(8))?.count == 32
    }
}
