// A state is made from the one before: what has not changed is taken over, opened archives and compiled styles alike, so that
// looking for changes costs a few system calls. What has become faulty stays as it was, and is told of once.

import JSON
import MapStyle

/// Makes the next state of a library.
struct SnapshotBuilder {
    let settings: MapLibrarySettings
    /// The maps file, in the last state that could be read.
    let file: MapsFile
    /// The state before; nil at the start.
    let previous: MapSnapshot?
    /// A digest of the fonts of the machine.
    let fonts: String
    /// The built-in world, where it is drawn around the default archive.
    let world: (any SourceArchive)?

    /// What is new to be told.
    private(set) var problems: [SourceProblem] = []
    private var sources: [String: SourceState] = [:]
    private var order: [String] = []
    private var hasChanged = false

    init(
        settings: MapLibrarySettings, file: MapsFile, previous: MapSnapshot?, fonts: String,
        world: (any SourceArchive)? = nil
    ) {
        self.world = world
        self.settings = settings
        self.file = file
        self.previous = previous
        self.fonts = fonts
    }

    /// The next state, or nil where it is the one before.
    mutating func build() -> MapSnapshot? {
        for source in SourceList.named(settings, file) { add(source) }
        let kinds = Self.kinds(sources)
        let list = StyleList(settings: settings, file: file, order: order, kinds: kinds)
        if let problem = list.problem { tell(problem, unless: previous?.listProblem) }
        if list.problem != previous?.listProblem { hasChanged = true }
        let read = list.styles.map { readOriginal($0, kinds) }
        for style in read {
            guard let document = style.original?.document else { continue }
            let folder = StyleCompiler.folder(style.settings, files: settings.files)
            for member in document["sources"]?.object?.members ?? [] {
                if let address = member.value["url"]?.text,
                    let own = StyleCompiler.ownArchive(address, folder: folder), sources[own.name] == nil
                {
                    add(own)
                }
            }
        }
        let compiler = StyleCompiler(sources: sources, files: settings.files, fonts: fonts)
        let styles = read.map { compile($0, compiler) }
        // What is no longer named makes a new state too.
        guard hasChanged || previous?.sources.count != sources.count || previous?.tried != styles.map(\.settings)
        else { return nil }
        return MapSnapshot(
            sources: sources, order: order, styles: styles, listProblem: list.problem, remote: settings.remote,
            world: world,
            picture: settings.picture)
    }

    /// The kinds of the sources that have names.
    private static func kinds(_ sources: [String: SourceState]) -> [String: SourceKind] {
        var kinds: [String: SourceKind] = [:]
        for (name, state) in sources where MapName.isValid(name) { kinds[name] = state.entry?.kind }
        return kinds
    }

    /// What the source is called that is the built-in world.
    private var worldName: String {
        order.last { sources[$0]?.settings.place == .builtIn } ?? SourceAddress.worldName
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
        do throws(SourceProblem) {
            let opener = SourceOpener(remote: settings.remote, picture: settings.picture)
            let content = try opener.open(source)
            // A file that is changed while it is opened is not yet what it will be.
            guard SourceOpener.marks(source) == marks else {
                throw SourceProblem(name: source.label, cause: "it is being changed")
            }
            sources[source.name] = SourceState(settings: source, marks: marks, content: content, problem: nil)
        } catch {
            tell(error, unless: known?.problem)
            sources[source.name] = SourceState(
                settings: source, marks: marks, content: known?.content, problem: error)
        }
    }

    private mutating func readOriginal(_ style: StyleSettings, _ kinds: [String: SourceKind]) -> StyleState {
        let known = previous?.allStyles.first { $0.settings.name == style.name }
        var mark: FileMark?
        if case .file(let path) = style.place { mark = FileMark(path) }
        // What is made here depends on nothing but the kinds of the sources.
        let isSame = mark == nil ? previous.map { Self.kinds($0.sources) == kinds } ?? false : known?.mark == mark
        if let known, isSame, known.settings.place == style.place {
            return StyleState(
                settings: style, mark: mark, original: known.original, content: known.content, problem: known.problem)
        }
        do throws(SourceProblem) {
            let original = try StyleDocuments.read(
                style, kinds: kinds, world: worldName, showsWorld: world != nil)
            // Kept in a new state even where the bytes are the same, or the file would be read at each look.
            if known?.mark != mark { hasChanged = true }
            return StyleState(settings: style, mark: mark, original: original, content: known?.content, problem: nil)
        } catch {
            hasChanged = true
            tell(error, unless: known?.problem)
            return StyleState(
                settings: style, mark: mark, original: known?.original, content: known?.content, problem: error)
        }
    }

    private mutating func compile(_ style: StyleState, _ compiler: StyleCompiler) -> StyleState {
        guard let original = style.original else { return style }
        let known = previous?.allStyles.first { $0.settings.name == style.settings.name }
        // What was faulty is so still.
        if let known, known.problem != nil, !hasChanged, known.settings == style.settings, known.mark == style.mark {
            return known
        }
        do throws(SourceProblem) {
            let content = try compiler.compile(style.settings, original, previous: known)
            if content.digest != known?.content?.digest || content.surroundings != known?.content?.surroundings {
                hasChanged = true
            }
            return StyleState(
                settings: style.settings, mark: style.mark, original: original, content: content,
                problem: style.problem)
        } catch {
            // The last good one stays, also as what the next is compared with.
            tell(error, unless: known?.problem)
            if known?.mark != style.mark { hasChanged = true }
            return StyleState(
                settings: style.settings, mark: style.mark, original: original, content: known?.content,
                problem: error)
        }
    }

    private mutating func tell(_ problem: SourceProblem, unless known: SourceProblem?) {
        if problem != known, !problems.contains(problem) { problems.append(problem) }
    }
}
