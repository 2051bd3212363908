// A state takes over everything unchanged from the previous one, opened archives and compiled styles included, so that
// looking for changes costs a few system calls. If a file has become faulty, its last good version stays in use, and the
// fault is reported once.

import JSON

struct SnapshotBuilder {
    private let settings: MapLibrarySettings
    /// The maps file, as it could last be read.
    private let file: MapsFile
    private let previous: MapSnapshot?
    private let fonts: String
    /// The built-in world, if it is drawn around the default archive.
    private let world: (any SourceArchive)?

    private(set) var problems: [SourceProblem] = []
    private var sources: [String: SourceState] = [:]
    private var order: [String] = []
    private var hasChanged = false

    init(
        settings: MapLibrarySettings, file: MapsFile, previous: MapSnapshot?, fonts: String, world: (any SourceArchive)?
    ) {
        self.settings = settings
        self.file = file
        self.previous = previous
        self.fonts = fonts
        self.world = world
    }

    /// The next state, or nil if nothing has changed.
    mutating func build() -> MapSnapshot? {
        for source in SourceList.named(settings, file) { add(source) }
        let kinds = Self.kinds(sources)
        let list = StyleList(settings: settings, file: file, order: order, kinds: kinds)
        if let problem = list.problem { report(problem, unless: previous?.listProblem) }
        if list.problem != previous?.listProblem { hasChanged = true }
        let read = list.styles.map { readOriginal($0, kinds) }
        for style in read {
            let folder = style.settings.folder(files: settings.files)
            for member in style.original?.document.head["sources"]?.object?.members ?? [] {
                if let address = member.value["url"]?.text,
                    let own = StyleCompiler.ownArchive(address, folder: folder), sources[own.name] == nil
                {
                    add(own)
                }
            }
        }
        let compiler = StyleCompiler(sources: sources, files: settings.files, fonts: fonts)
        let styles = read.map { compile($0, compiler) }
        // A source or style that was removed makes a new state too.
        guard
            hasChanged || previous?.sources.count != sources.count
                || previous?.allStyles.map(\.settings) != styles.map(\.settings)
        else { return nil }
        return MapSnapshot(
            sources: sources, order: order, styles: styles, listProblem: list.problem, remote: settings.remote,
            world: world, picture: settings.picture)
    }

    private static func kinds(_ sources: [String: SourceState]) -> [String: SourceKind] {
        sources.filter { MapName.isValid($0.key) }.compactMapValues { $0.entry?.kind }
    }

    /// The name of the source that is the built-in world.
    private var worldName: String {
        order.last { sources[$0]?.settings.location == .builtIn } ?? SourceAddress.worldName
    }

    private mutating func add(_ source: SourceSettings) {
        let known = previous?.sources[source.name]
        let marks = SourceOpener.marks(source)
        order.append(source.name)
        if let known, known.settings == source, known.marks == marks {
            sources[source.name] = known
            return
        }
        hasChanged = true
        var state = SourceState(settings: source, marks: marks, content: known?.content)
        do throws(SourceProblem) {
            let content = try SourceOpener(remote: settings.remote, picture: settings.tilePicture).open(source)
            // A file that changes while it is opened is not complete yet.
            guard SourceOpener.marks(source) == marks else {
                throw SourceProblem(name: source.label, cause: "it is being changed")
            }
            state.content = content
        } catch {
            report(error, unless: known?.problem)
            state.problem = error
        }
        sources[source.name] = state
    }

    private mutating func readOriginal(_ style: StyleSettings, _ kinds: [String: SourceKind]) -> StyleState {
        let known = previous?.allStyles.first { $0.settings.name == style.name }
        var state = known ?? StyleState(settings: style)
        state.settings = style
        state.mark = if case .file(let path) = style.location { FileMark(path) } else { nil }
        // A generated document depends on nothing but the kinds of the sources.
        let isSame =
            state.mark == nil ? previous.map { Self.kinds($0.sources) == kinds } ?? false : known?.mark == state.mark
        if let known, isSame, known.settings.location == style.location { return state }
        do throws(SourceProblem) {
            state.original = try StyleDocuments(kinds: kinds, worldName: worldName, showsWorld: world != nil).read(
                style)
            state.problem = nil
            // A new state even if the bytes are the same, or the file would be read at each look.
            if known?.mark != state.mark { hasChanged = true }
        } catch {
            hasChanged = true
            report(error, unless: known?.problem)
            state.problem = error
        }
        return state
    }

    private mutating func compile(_ style: StyleState, _ compiler: StyleCompiler) -> StyleState {
        guard let original = style.original else { return style }
        let known = previous?.allStyles.first { $0.settings.name == style.settings.name }
        // Nothing has changed that could mend a faulty style.
        if let known, known.problem != nil, !hasChanged, known.settings == style.settings, known.mark == style.mark {
            return known
        }
        var state = style
        do throws(SourceProblem) {
            let content = try compiler.compile(style.settings, original, previous: known)
            if content.digest != known?.content?.digest || content.dependencies != known?.content?.dependencies {
                hasChanged = true
            }
            state.content = content
        } catch {
            // The last good content stays, also for the next comparison.
            report(error, unless: known?.problem)
            if known?.mark != style.mark { hasChanged = true }
            state.content = known?.content
            state.problem = error
        }
        return state
    }

    private mutating func report(_ problem: SourceProblem, unless known: SourceProblem?) {
        if problem != known, !problems.contains(problem) { problems.append(problem) }
    }
}
