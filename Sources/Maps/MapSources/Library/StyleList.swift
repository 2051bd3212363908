import Parameters

enum SourceList {
    /// The default archive, those of the maps file, and the built-in world.
    static func named(_ settings: MapLibrarySettings, _ file: MapsFile) -> [SourceSettings] {
        let (standard, worldLabel) = (SourceAddress.standardName, "the built-in world")
        var sources = file.sources
        if let path = settings.archive {
            let isRemote = SourceAddress.isRemote(path)
            sources.removeAll { $0.name == standard }
            sources.insert(
                SourceSettings(
                    name: standard, label: isRemote ? "the default archive" : path,
                    location: isRemote ? .remoteArchive(address: path) : .file(path: path)), at: 0)
        } else if !sources.contains(where: { $0.name == standard }) {
            sources.insert(SourceSettings(name: standard, label: worldLabel, location: .builtIn), at: 0)
        }
        return sources + [SourceSettings(name: worldName(avoiding: sources), label: worldLabel, location: .builtIn)]
    }

    /// The first free name of `world`, `built-in-world`, `built-in-world-2` and so on.
    private static func worldName(avoiding sources: [SourceSettings]) -> String {
        let taken = Set(sources.map(\.name))
        var name = SourceAddress.worldName
        var number = 1
        while taken.contains(name) {
            name = "built-in-\(SourceAddress.worldName)" + (number > 1 ? "-\(number)" : "")
            number += 1
        }
        return name
    }

    /// Contradictions between the settings and the maps file.
    static func problems(_ settings: MapLibrarySettings, _ file: MapsFile) -> [SourceProblem] {
        let name = SourceAddress.standardName
        guard settings.archive != nil, file.sources.contains(where: { $0.name == name }) else { return [] }
        let cause = "the setting map-archive (VEDUTA_MAP_ARCHIVE) also names the default archive; remove one of the two"
        return [SourceProblem(name: "\(settings.maps ?? ""): sources.\(name)", cause: cause)]
    }
}

struct StyleList {
    /// The default first; each name once.
    let styles: [StyleSettings]
    /// Set if the default is none of them.
    let problem: SourceProblem?

    /// The styles of settings and maps file, plain ones for sources of images and heights, and the built-in ones.
    init(settings: MapLibrarySettings, file: MapsFile, order: [String], kinds: [String: SourceKind]) {
        var styles: [StyleSettings] = []
        func add(_ style: StyleSettings) {
            if !styles.contains(where: { $0.name == style.name }) { styles.append(style) }
        }
        func hasPlainStyle(_ source: String) -> Bool { kinds[source].map { $0 != .vector } ?? false }
        var standard = file.defaultStyle
        if let path = settings.style {
            let own = StyleSettings(name: MapName.ofFile(path), location: .file(path: path))
            add(own)
            standard = standard ?? own.name
        }
        file.styles.forEach(add)
        for name in order where MapName.isValid(name) && hasPlainStyle(name) {
            add(StyleSettings(name: name, location: .plain(source: name)))
        }
        add(StyleSettings(name: "light", location: .light, dark: "dark"))
        add(StyleSettings(name: "dark", location: .dark))
        if hasPlainStyle(SourceAddress.standardName) { standard = standard ?? SourceAddress.standardName }
        let first = standard ?? "light"
        if let index = styles.firstIndex(where: { $0.name == first }) {
            styles.insert(styles.remove(at: index), at: 0)
            problem = nil
        } else {
            let hint = Suggestion.hint(for: first, among: styles.map(\.name), quote: "'")
            let cause = "there is no style '\(first)'\(hint)"
            problem = SourceProblem(name: "\(settings.maps ?? ""): default", cause: cause)
        }
        self.styles = styles
    }
}
