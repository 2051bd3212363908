import Bytes
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Renditions

/// The pictures of the people of an avatar. One that is missing or broken is replaced, and its person keeps the others.
struct AvatarPictures: Sendable {
    /// Pictures of other servers are fetched at the same time.
    private static let remoteLimit = 16

    /// By asset; each id once.
    let ids: [String]
    let originals: Originals
    let options: RenderOptions
    let masters: MasterStore?
    let images: ImageProcessor
    let cells: CardPictureCells

    /// `ids`, which are named by `parameter`, are in their one spelling, and may repeat.
    /// - Throws: where too many are of other servers.
    init(
        _ ids: [String], of parameter: String, in originals: Originals, options: RenderOptions, masters: MasterStore?,
        images: ImageProcessor, cells: CardPictureCells
    ) throws(EndpointError) {
        var known: Set<ExactText> = []
        let unique = ids.filter { known.insert(ExactText($0)).inserted }
        let remoteCount = try EndpointError.mapping { () throws(OriginalError) -> Int in
            var count = 0
            for id in unique where try originals.remoteSource(id) != nil { count += 1 }
            return count
        }
        guard remoteCount <= Self.remoteLimit else {
            throw .tooManyRemotePictures(parameter: parameter, limit: Self.remoteLimit)
        }
        self.ids = unique
        (self.originals, self.options, self.masters) = (originals, options, masters)
        (self.images, self.cells) = (images, cells)
    }

    var preparation: (any SourcePreparation)? {
        ids.isEmpty
            ? nil : AssetPreparation(ids, originals).map { AvatarPreparation(pictures: $0, originals: originals) }
    }

    /// What tells one state of all pictures from another; opens nothing.
    func validator(_ base: String) -> SourceValidator { validator(base, ids.map(state)) }

    /// `states` are those of `ids`.
    func validator(_ base: String, _ states: [String]) -> SourceValidator {
        SourceValidator(([base] + states).joined(separator: "+"), mayLack: true)
    }

    func state(of id: String) -> String { knownState(of: id) ?? "absent" }

    /// nil: of what there is not, or what was not asked for yet.
    func knownState(of id: String) -> String? { ((try? originals.state(of: id)) ?? nil)?.validator }
}
