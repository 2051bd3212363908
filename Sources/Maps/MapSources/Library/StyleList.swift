import Parameters

/// The sources that a library has by name.
enum SourceList {
    /// The default archive, those of the maps file, and the built-in world.
    static func named(_ settings: MapLibrarySettings, _ file: MapsFile) -> [SourceSettings] {
        var sources = file.sources
        if let path = settings.archive {
            let place: SourceSettings.Place =
                SourceReader.isRemote(path) ? .remoteArchive(address: path) : .file(path: path)
            let label = SourceReader.isRemote(path) ? "the default archive" : path
            sources.removeAll { $0.name == SourceAddress.standardName }
            sources.insert(SourceSettings(name: SourceAddress.standardName, label: label, place: place), at: 0)
        } else if !sources.contains(where: { $0.name == SourceAddress.standardName }) {
            sources.insert(
                SourceSettings(name: SourceAddress.standardName, label: "the built-in world", place: .builtIn), at: 0)
        }
        let name = worldName(beside: sources)
        sources.append(SourceSettings(name: name, label: "the built-in world", place: .builtIn))
        return sources
    }

    /// The name of the built-in world beside sources of these names: `world`, or where one has that, the first that is free of
    /// `built-in-world`, `built-in-world-2` and so on.
    private static func worldName(beside sources: [SourceSettings]) -> String {
        let taken = Set(sources.map(\.name))
        var name = SourceAddress.worldName
        var number = 1
        while taken.contains(name) {
            name = "built-in-\(SourceAddress.worldName)" + (number > 1 ? "-\(number)" : "")
            number += 1
        }
        return name
    }

    /// What contradicts itself between the settings and the maps file.
    static func problems(_ settings: MapLibrarySettings, _ file: MapsFile) -> [SourceProblem] {
        guard settings.archive != nil, file.sources.contains(where: { $0.name == SourceAddress.standardName }) else {
            return []
        }
        return [
            SourceProblem(
                name: "\(settings.maps ?? ""): sources.\(SourceAddress.standardName)",
                cause:
                    "the setting map-archive (VEDUTA_MAP_ARCHIVE) also names the default archive; remove one of the two"
            )
        ]
    }
}

/// The styles that a library has by name.
struct StyleList {
    /// The default first; each name once.
    let styles: [StyleSettings]
    /// Where the default is none of them.
    let problem: SourceProblem?

    /// The styles of the maps file and of the settings, plain ones for sources of pictures and heights, and those built in.
    init(settings: MapLibrarySettings, file: MapsFile, order: [String], kinds: [String: SourceKind]) {
        var styles: [StyleSettings] = []
        func add(_ style: StyleSettings) {
            if !styles.contains(where: { $0.name == style.name }) { styles.append(style) }
        }
        var standard = file.standard
        if let path = settings.style {
            let own = StyleSettings(name: MapName.ofFile(path), place: .file(path: path))
            add(own)
            standard = standard ?? own.name
        }
        file.styles.forEach(add)
        for name in order where MapName.isValid(name) {
            if let kind = kinds[name], kind != .vector { add(StyleSettings(name: name, place: .plain(source: name))) }
        }
        add(StyleSettings(name: "light", place: .light, dark: "dark"))
        add(StyleSettings(name: "dark", place: .dark))
        if let kind = kinds[SourceAddress.standardName], kind != .vector {
            standard = standard ?? SourceAddress.standardName
        }
        let first = standard ?? "light"
        if let index = styles.firstIndex(where: { $0.name == first }) {
            styles.insert(styles.remove(at: index), at: 0)
            problem = nil
        } else {
            let hint = Suggestion.nearest(to: first, among: styles.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
            problem = SourceProblem(
                name: "\(settings.maps ?? ""): default", cause: "there is no style '\(first)'\(hint)")
        }
        self.styles = styles
    }
}
