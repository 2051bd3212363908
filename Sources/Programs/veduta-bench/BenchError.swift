import Reactor

/// Why nothing could be measured.
enum BenchError: Error {
    /// The server under measurement closed the connection, or sent what is no answer.
    case connectionLost
    /// The answer was not what the subject is about.
    case unexpectedStatus(Int)
    /// Input of our own making was refused.
    case refusedInput
    /// There is no subject of that name.
    case unknown(String)
    case system(Errno)
}
