#if DEBUG
    import AssetLibrary
    import Bytes
    import Foundation
    import Glibc
    import Reactor
    import Testing

    /// Each system call of each change fails once: the change is made or it is not, and nothing is left of it. Forced errors are one
    /// plan for the process, so each test has a process of its own.
    @Suite(.serialized) struct ForcedLibraryErrorTests {
        private static let calls: [FaultableCall] = [
            .diskOpen, .diskMakeFolder, .writeSpool, .diskWrite, .diskRename, .diskUnlink, .diskStat, .diskList,
            .diskSync, .diskLink,
        ]

        /// What is done to a library that has `named` and the upload of "Pold".
        private enum Change: CaseIterable {
            case add, addFile, putNew, replace, removeName, removeUpload

            func make(_ library: UploadLibrary, _ uploadID: String, _ spool: borrowing FileDescriptor)
                throws(UploadError)
            {
                switch self {
                case .add: try library.add(Self.bytes("Pnew"))
                case .addFile: try library.add(.file(number: spool.rawValue, byteCount: 5))
                case .putNew: try library.put("a/b/c", Self.bytes("Pnew"))
                case .replace: try library.put("named", Self.bytes("Pnew"))
                case .removeName: try library.remove("named")
                case .removeUpload: try library.remove(uploadID)
                }
            }

            static func bytes(_ text: String) -> UploadContent { .bytes(SharedBytes(Array(text.utf8))) }
        }

        @Test(arguments: calls.indices, [EIO, ENOSPC])
        func aFailure_leavesTheOldOrTheNew(index: Int, code: Int32) async {
            await #expect(processExitsWith: .success, "\(Self.calls[index])") { [index, code] in
                let call = ForcedLibraryErrorTests.calls[index]
                var forcedCount = 0
                for change in Change.allCases {
                    for first in 1...40 {
                        let isForced = try ForcedLibraryErrorTests.attempt(change, call, first, code)
                        guard isForced else { break }
                        forcedCount += 1
                    }
                }
                // Listing is for opening alone.
                #expect(forcedCount > 0 || call == .diskList)
            }
        }

        private static func attempt(_ change: Change, _ call: FaultableCall, _ first: Int, _ code: Int32) throws -> Bool
        {
            let path = "/dev/shm/veduta-library-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let settings = UploadSettings(path: path) { _ in "image/x-test" }
            let note = Comment(rawValue: "\(change), \(call) \(first), \(Errno(code: code))")
            let outcome: ForcedErrors.Outcome
            do {
                let library = try UploadLibrary(settings)
                let old = try library.add(Change.bytes("Pold")).record.id
                try library.put("named", Change.bytes("Pfirst"))
                let before = try state(library)
                let spool = try FileDescriptor.openSpool(in: path + "/incoming")
                try spool.write(Array("Pfile".utf8), at: 0)
                ForcedErrors.arm(call, first: first, code: code)
                var failure: UploadError?
                do throws(UploadError) { try change.make(library, old, spool) } catch { failure = error }
                outcome = ForcedErrors.disarm()
                let after = try state(library)
                if let failure {
                    #expect(failure == (code == ENOSPC ? .noRoom : .io(errno: EIO)), note)
                    // Only the last step of a change, bringing it to the disk for good, may fail after the change.
                    #expect(after == before || call == .diskSync || call == .diskOpen, note)
                } else {
                    #expect(after != before, note)
                }
                #expect(try library.check().findings.isEmpty, note)
                // The next one is none the worse.
                do throws(UploadError) { try change.make(library, old, spool) } catch {
                    #expect(error == .notFound, note)
                }
                #expect(try state(library) != before, note)
            }
            let library = try UploadLibrary(settings)
            #expect(try library.check().findings.isEmpty, note)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/incoming").isEmpty, note)
            return outcome.forcedCount > 0
        }

        /// All assets and their contents.
        private static func state(_ library: UploadLibrary) throws -> [String: [UInt8]] {
            let listing = AssetListing(uploads: library, folder: nil) { _ in nil }
            var contents: [String: [UInt8]] = [:]
            for record in try listing.page(after: "", limit: 100).records {
                contents[record.id] = try library.open(id: record.id).read(limit: 100).withUnsafeBytes { Array($0) }
            }
            return contents
        }

        @Test(arguments: calls.indices) func openingThatFails_canBeTriedAgain(index: Int) async {
            await #expect(processExitsWith: .success, "\(Self.calls[index])") { [index] in
                let path = "/dev/shm/veduta-library-\(UUID().uuidString)"
                defer { try? FileManager.default.removeItem(atPath: path) }
                let settings = UploadSettings(path: path) { _ in "image/x-test" }
                for first in 1...40 {
                    ForcedErrors.arm(ForcedLibraryErrorTests.calls[index], first: first, code: EIO)
                    do throws(UploadError) { _ = try UploadLibrary(settings) } catch {
                        #expect(error == .io(errno: EIO))
                    }
                    let outcome = ForcedErrors.disarm()
                    let library = try UploadLibrary(settings)
                    try library.put("a", Change.bytes("P\(first)"))
                    #expect(try library.check().findings.isEmpty)
                    if outcome.forcedCount == 0 { break }
                }
            }
        }
    }
#endif
