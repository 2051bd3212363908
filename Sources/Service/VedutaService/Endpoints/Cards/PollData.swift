import Bytes
import CardGrammar
import HTTPServer
import Originals
import Parameters
import Renditions

/// Where the content of a poll comes from: its request, or a file of the library or of another server.
struct PollData: RenditionSource {
    let request: PollRequest
    let cards: CardService
    let originals: Originals

    var preparation: (any SourcePreparation)? { request.dataID.flatMap { AssetPreparation([$0], originals) } }

    func currentState() throws(RenditionError) -> SourceValidator {
        guard let id = request.dataID else { return SourceValidator(cards.validator) }
        do throws(OriginalError) {
            guard let state = try originals.state(of: id) else { throw .absent }
            return validator(state)
        } catch {
            throw RenditionError(.original(error))
        }
    }

    /// On a worker: the whole poll, and the state of what it was read from.
    func read() throws(RenditionError) -> (request: PollRequest, validator: SourceValidator) {
        guard let id = request.dataID else { return (request, SourceValidator(cards.validator)) }
        let (bytes, state) = try content(id)
        do throws(ParameterFaults) {
            return (try request.filled(with: bytes), validator(state))
        } catch {
            throw RenditionError(.notAPoll(error))
        }
    }

    private func content(_ id: String) throws(RenditionError) -> ([UInt8], OriginalState) {
        do throws(OriginalError) {
            guard let original = try originals.open(id) else { throw .absent }
            do {
                let content = try original.read(limit: PollRequest.bodyByteLimit)
                return (content.withUnsafeBytes { [UInt8]($0) }, original.state)
            } catch {
                throw OriginalError.library(error, id: id)
            }
        } catch {
            throw RenditionError(.original(error))
        }
    }

    private func validator(_ state: OriginalState) -> SourceValidator {
        SourceValidator(cards.validator + "+" + state.validator)
    }
}
