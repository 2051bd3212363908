import Bytes
import CardGrammar
import ImagePlan
import JSON
import MapGrammar
import Parameters
import Resources

/// `/veduta.js`: an ES module that builds URLs for web pages. Its lists of names are the tables of the parser.
enum ScriptModule {
    static let text = String(decoding: Resources.script.array, as: UTF8.self)
        .replacing("/*ASSET*/[]", with: names(ImageRequest.table.parameters.map(\.name)))
        .replacing("/*MAP*/[]", with: names(MapRequest.table.parameters.map(\.name)))
        .replacing("/*AVATAR*/[]", with: names(AvatarRequest.table.parameters.map(\.name)))
        .replacing("/*POLL*/[]", with: names(PollRequest.table(.picture).parameters.map(\.name)))
        .replacing("/*REPEATED*/[]", with: names(repeated))

    private static let repeated =
        [ImageRequest.table, MapRequest.table, AvatarRequest.table, PollRequest.table(.picture)].flatMap(\.parameters)
        .filter(\.isRepeatable).map(\.name)

    static var content: SharedBytes { SharedBytes(Array(text.utf8)) }

    private static func names(_ names: [String]) -> String {
        var json = JSONText()
        json.array { json in for name in names { json.string(name) } }
        return json.text
    }
}
