import Reactor

/// What `scripts/fuzz connection` runs: a server on one loop, up to three clients on socket pairs, a clock that
/// is moved by hand, and a script of what they do.
package enum ConnectionInput {
    private static let stage: Result<PlayedStage, Errno> = {
        do throws(Errno) { return .success(try PlayedStage()) } catch { return .failure(error) }
    }()

    /// Plays `bytes` as a script. When nothing else happens in the process, the open descriptors are compared as well.
    package static func check(_ bytes: [UInt8], isAlone: Bool) throws(BrokenInvariant) {
        guard case .success(let stage) = stage else { throw BrokenInvariant("no stage") }
        let before = OpenDescriptors()
        let server = try play(ConnectionScript(bytes), stage)
        try BrokenInvariant.require(server.object == nil, "the server outlives its loop")
        try BrokenInvariant.require(!isAlone || OpenDescriptors() == before, "descriptors are left open")
    }

    private struct Weak {
        weak var object: AnyObject?
    }

    /// What is left of the server afterwards.
    private static func play(_ script: ConnectionScript, _ stage: PlayedStage) throws(BrokenInvariant) -> Weak {
        let play = try ConnectionPlay.make(script, stage)
        try play.run()
        return Weak(object: play.server)
    }
}
