import ImageEngine
import MapRender
import Renditions

// Why a rendition cannot be delivered.
extension Problem {
    init(_ error: RenditionError) {
        switch error {
        case .failed(let failure):
            // Sources of this service have no other failures.
            self = (failure as? MediaFailure).map(Problem.init) ?? Problem(ImageError.needsOriginal)
        case .tooCostly(let work, let excesses): self = .tooCostly(work, excesses)
        case .timedOut: self = .timedOut
        case .busy: self = .overloaded
        case .notStored: self = .notStored
        }
    }

    init(_ failure: MediaFailure) {
        switch failure {
        case .original(let error): self.init(error)
        case .library(let error, let id): self.init(error, id: id)
        case .overlayAbsent: self = .overlayNotFound
        case .iconAbsent: self = .iconNotFound
        case .image(let error, let format?): self.init(error, announced: format)
        case .image(let error, nil): self.init(error)
        case .page(let page, let log): self = .pageCorrupt(page, log: log)
        case .map(let error): self.init(error)
        case .styleGone: self = .mapStyleGone
        }
    }
}
