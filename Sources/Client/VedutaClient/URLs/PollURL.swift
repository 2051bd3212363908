public import Foundation
import Parameters

/// The URL of a poll as a picture.
///
///     let url = PollURL("Lunch?", [.init("Pizza", votes: 12), .init("Sushi", votes: 7)]).layout(.donut).theme(.dark)
///
/// Every step gives a new value. Nothing is checked until the URL is asked for: ``url(for:)`` runs the parser of the server over
/// it and throws all faults at once.
public struct PollURL: PictureBuilder {
    static let scheme = "poll"
    private static let form = LocalForm(scheme: scheme, path: "/poll")

    private var parameters = ParameterList()

    /// Two to 20 options, and a question of up to 300 characters.
    public init(_ question: String? = nil, _ options: [Option]) {
        parameters.set("question", question)
        for option in options { parameters.append("option", option.text) }
    }

    /// A poll whose question and options are the JSON of an asset or of an address of another server.
    public init(data: AssetID) { parameters.set("data", data.rawValue) }

    /// Reads `poll://?…`, `poll://NAME/?…` or `https://…/poll?…`. A signature is left out.
    public init(parsing url: URL) throws(VedutaError) {
        parameters = try ParameterList(of: url, Self.form, "a poll")
        parameters = try ParameterList(try canonical)
    }

    /// The canonical query: full names, fixed order, no defaults. Equal polls have equal texts.
    public var canonical: String {
        get throws(VedutaError) {
            try CardQuery.checked { () throws(ParameterFaults) in try CardQuery.poll(parameters.queryItems) }
        }
    }

    /// Path and query, to be signed or written into a page.
    public var built: BuiltURL {
        get throws(VedutaError) { BuiltURL(path: Self.form.path, query: try canonical) }
    }

    /// Path and query of where the options are, and of the text for `alt`.
    var builtDescription: BuiltURL {
        get throws(VedutaError) {
            let query = try CardQuery.checked { () throws(ParameterFaults) in
                try CardQuery.pollDescription(parameters.queryItems)
            }
            return BuiltURL(path: "/poll.json", query: query)
        }
    }

    /// `poll://NAME/?…`, or `poll://?…` without a name. Faults are left for the load to tell.
    public func local(named service: String?) -> URL {
        Self.form.url((try? canonical) ?? parameters.text, service: service)
    }

    /// The same with a parameter given by name, as in a query.
    public func parameter(_ name: String, _ value: String?) -> PollURL {
        var copy = self
        copy.parameters.set(name, value)
        return copy
    }
}
