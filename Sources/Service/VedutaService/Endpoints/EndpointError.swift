import AssetLibrary
import ClientBudgets
import MapRender
import MapTiles
import Originals
import Parameters
import Renditions
import URLSigning

/// Why an endpoint does not do what a request asks. Statuses and words are chosen in `Problems/Problem+Endpoint.swift`.
enum EndpointError: Error, Sendable {
    case parameters(ParameterFaults)
    case unauthorized(WriteGuard.Refusal)
    case original(OriginalError)
    case library(LibraryError, id: String = "")
    case upload(UploadError, id: String = "")
    case resumable(ResumableError)
    case rendition(RenditionError)
    case mapSource(ResourceError)
    case tilePath(TilePathFault)
    /// The tiles of the source end in another extension.
    case wrongTileExtension(right: String)
    case zoomOutside(ClosedRange<Int>)
    /// There is no such style or source; the names are those there are.
    case styleAbsent(among: [String])
    case sourceAbsent(among: [String])
    case tooManyRemotePictures(parameter: String, limit: Int)
    case routeAbsent
    /// The server does not answer to this host name.
    case misdirected
    case disabled(Restricted)
    case signature(URLSignature.Refusal)
    case overBudget(BudgetRefusal)
    case methodNotAllowed(allow: String)
    /// The request has come through this server before.
    case loop
    /// The queue for workers is full.
    case busy
    case preconditionFailed
    case rangeNotSatisfiable(byteCount: Int)
    case uploadsOff
    /// There is no catalogue to keep focal points in.
    case focalPointsOff
    /// A part of a representation, which cannot be put (RFC 9110 §14.5).
    case partialPut
    case formWithoutFile
    /// Another request writes to the upload or ends it.
    case uploadBusy
    case checksumMismatch, tusVersion, tusMediaType
    /// A field of the tus protocol is missing, repeated or malformed.
    case tusField(String, allowed: String)

    /// One parameter that cannot be used.
    static func fault(_ parameter: String, _ value: String, allowed: String) -> EndpointError {
        .parameters(
            ParameterFaults([ParameterFault(parameter: parameter, value: value, reason: .malformed(allowed: allowed))]))
    }

    /// What `body` gives; its error becomes one of these.
    static func mapping<Value: ~Copyable>(_ body: () throws(OriginalError) -> Value) throws(EndpointError) -> Value {
        do throws(OriginalError) { return try body() } catch { throw .original(error) }
    }

    static func mapping<Value>(_ body: () throws(ResumableError) -> Value) throws(EndpointError) -> Value {
        do throws(ResumableError) { return try body() } catch { throw .resumable(error) }
    }
}
