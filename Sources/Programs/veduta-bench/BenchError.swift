import Reactor

enum BenchError: Error {
    /// The server under measurement closed the connection, or sent what is no answer.
    case connectionLost
    case unexpectedStatus(Int)
    /// Input of our own making was refused.
    case refusedInput
    case unknown(String)
    case system(Errno)
}
