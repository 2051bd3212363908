public import Foundation
import Parameters

/// The URL of the picture of a person or a group.
///
///     let url = AvatarURL(.init("anna.jpg", name: "Anna Bell"), .init(name: "Bo Li")).layout(.pair).size(128)
///
/// Every step gives a new value. Nothing is checked until the URL is asked for: ``url(for:)`` runs the parser of the server over
/// it and throws all faults at once.
public struct AvatarURL: PictureBuilder {
    static let scheme = "avatar"
    private static let form = LocalForm(scheme: scheme, path: "/avatar")

    private var parameters = ParameterList()

    /// One to 50 people.
    public init(_ people: [Person]) {
        for person in people { parameters.append("person", person.text) }
    }

    /// One to 50 people.
    public init(_ people: Person...) { self.init(people) }

    /// Reads `avatar://?…`, `avatar://NAME/?…` or `https://…/avatar?…`. A signature is left out.
    public init(parsing url: URL) throws(VedutaError) {
        parameters = try ParameterList(of: url, Self.form, "an avatar")
        parameters = try ParameterList(try canonical)
    }

    /// The canonical query: full names, fixed order, no defaults. Equal avatars have equal texts.
    public var canonical: String {
        get throws(VedutaError) {
            try CardQuery.checked { () throws(ParameterFaults) in try CardQuery.avatar(parameters.queryItems) }
        }
    }

    /// Path and query, to be signed or written into a page.
    public var built: BuiltURL {
        get throws(VedutaError) { BuiltURL(path: Self.form.path, query: try canonical) }
    }

    /// `avatar://NAME/?…`, or `avatar://?…` without a name. Faults are left for the load to tell.
    public func local(named service: String?) -> URL {
        Self.form.url((try? canonical) ?? parameters.text, service: service)
    }

    /// The same with a parameter given by name, as in a query.
    public func parameter(_ name: String, _ value: String?) -> AvatarURL {
        var copy = self
        copy.parameters.set(name, value)
        return copy
    }
}
