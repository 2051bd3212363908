import AssetLibrary
import Reactor

/// Why a folder cannot be used, in the words of the operator who named it. Exhaustive, as the words for
/// clients in `Problem+Mapping.swift` are.
enum StartCause {
    static func text(_ error: LibraryError) -> String {
        switch error {
        case .rootUnavailable(let code), .io(let code): words(code)
        case .accessDenied: words(13)
        case .notFound, .notRegularFile, .invalidID, .tooLarge, .changedWhileReading: "it cannot be opened"
        }
    }

    static func text(_ error: UploadError) -> String {
        switch error {
        case .inUse: "another process has it"
        case .newerCatalogue(let version): "its catalogue is of version \(version), which a later release wrote"
        case .damagedCatalogue:
            "its catalogue is damaged; `veduta library check --repair` makes it anew from the files"
        case .noRoom: "there is no room"
        case .busy: "another process has its catalogue"
        case .catalogue(let code, let log): "its catalogue fails: \(log) (\(code))"
        case .io(let code): words(code)
        case .notFound, .invalidID, .preconditionFailed, .nameTaken, .unknownMedia, .tooLarge, .tooMany, .full:
            "it cannot be opened"
        }
    }

    static func text(_ error: ResumableError) -> String {
        switch error {
        case .noRoom: "there is no room"
        case .io(let code): words(code)
        case .notFound, .wrongOffset, .busy, .tooLarge, .tooMany, .full: "it cannot be opened"
        }
    }

    private static func words(_ code: Int32) -> String { Errno(code: code).description }
}
