import AssetLibrary
import Bytes
import ImageEngine
import ImagePlan
import ResponseCache

/// The originals that one request is answered from: the picture, what is laid over it, what is shown where it is missing.
struct AssetSources: Sendable {
    private let library: FolderLibrary
    private let id: String
    private let overlayID: String?
    private let fallbackID: String?
    private let octetLimit: Int
    private let qualities: QualityMemo?

    /// Originals of `library` of at most `octetLimit` octets; what was found out about their qualities is in `qualities`.
    init(_ request: ImageRequest, in library: FolderLibrary, octetLimit: Int, qualities: QualityMemo? = nil) {
        self.library = library
        id = request.id
        overlayID = request.overlay?.id
        fallbackID = request.fallbackID
        self.octetLimit = octetLimit
        self.qualities = qualities
    }

    /// What was read, and in which state it was.
    struct Loaded: Sendable {
        /// Of which asset the picture is.
        let id: String
        var sources: RenderSources
        /// The state of the picture.
        let state: AssetState
        /// The state of all.
        let validator: SourceValidator
    }

    // MARK: Looking

    /// The state of all originals now, without opening any.
    func currentValidator() throws(Problem) -> SourceValidator {
        let picture = try look(at: id)
        guard let picture else {
            guard let fallbackID, let fallback = try look(at: fallbackID) else { throw .assetNotFound }
            return .fallback(fallback, overlay: try overlayState())
        }
        return .asset(picture, overlay: try overlayState())
    }

    private func overlayState() throws(Problem) -> AssetState? {
        guard let overlayID else { return nil }
        guard let state = try look(at: overlayID) else { throw .overlayNotFound }
        return state
    }

    /// nil where there is no such picture, for good.
    private func look(at id: String) throws(Problem) -> AssetState? {
        do {
            return try library.state(of: id)
        } catch .notFound {
            // A library that is gone has lost all its pictures for now, not this one for good.
            do {
                try library.checkAvailable()
            } catch {
                throw Problem(error)
            }
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }

    // MARK: Reading

    /// Reads all of it, instead of a picture its master where `masters` have one; workers only.
    func read(_ masters: MasterStore? = nil) throws(Problem) -> Loaded {
        let overlay = try readOverlay()
        if let picture = try read(id, masters) {
            return loaded(id, picture, overlay, .asset(picture.state, overlay: overlay?.state))
        }
        guard let fallbackID, let picture = try read(fallbackID, masters) else { throw .assetNotFound }
        return loaded(fallbackID, picture, overlay, .fallback(picture.state, overlay: overlay?.state))
    }

    private func loaded(
        _ id: String, _ picture: ReadAsset, _ overlay: ReadAsset?, _ validator: SourceValidator
    ) -> Loaded {
        var sources = RenderSources(picture.content, master: picture.master, overlay: overlay?.content)
        // An id holds no line end, so two sources never share a name.
        sources.qualityMemo = qualities?.bound(to: id + "\n" + picture.state.validator)
        return Loaded(id: id, sources: sources, state: picture.state, validator: validator)
    }

    private struct ReadAsset {
        /// Empty where there is a master.
        let content: SharedBytes
        let master: SharedBytes?
        let state: AssetState
    }

    private func readOverlay() throws(Problem) -> ReadAsset? {
        guard let overlayID else { return nil }
        guard let overlay = try read(overlayID, nil) else { throw .overlayNotFound }
        return overlay
    }

    private func read(_ id: String, _ masters: MasterStore?) throws(Problem) -> ReadAsset? {
        do {
            let asset = try library.open(id: id)
            if let master = masters?.find(id, asset.state) {
                return ReadAsset(content: SharedBytes([]), master: master, state: asset.state)
            }
            return ReadAsset(content: try asset.read(limit: octetLimit), master: nil, state: asset.state)
        } catch .notFound {
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }
}
