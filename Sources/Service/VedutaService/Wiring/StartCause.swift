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
        case .inUse: "another process is using it"
        case .newerCatalogue(let version): "its catalogue has version \(version), which a later release wrote"
        case .damagedCatalogue:
            "its catalogue is damaged; `veduta library check --repair` rebuilds it from the files"
        case .noRoom: "the file system is full"
        case .busy: "another process is using its catalogue"
        case .catalogue(let code, let log): "its catalogue cannot be used: \(log) (\(code))"
        case .io(let code): words(code)
        case .notFound, .invalidID, .preconditionFailed, .nameTaken, .unknownMedia, .tooLarge, .tooMany, .full:
            "it cannot be opened"
        }
    }

    static func text(_ error: ResumableError) -> String {
        switch error {
        case .noRoom: "the file system is full"
        case .io(let code): words(code)
        case .notFound, .wrongOffset, .busy, .tooLarge, .tooMany, .full: "it cannot be opened"
        }
    }

    private static func words(_ code: Int32) -> String { Errno(code: code).description }
}
