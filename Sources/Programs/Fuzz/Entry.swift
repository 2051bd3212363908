import FuzzTests
import Glibc

// libFuzzer brings a `main` and SwiftPM wants one of its own name; both come to libFuzzer's driver.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What `scripts/fuzz` was asked for.
private let checksHeads = getenv("VEDUTA_FUZZ").map { String(cString: $0) } == "head"

@_cdecl("LLVMFuzzerTestOneInput")
func checkOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(BrokenInvariant) {
        let input = Array(UnsafeBufferPointer(start: bytes, count: count))
        if checksHeads { try HeadInput.check(input) } else { try ConnectionInput.check(input, isAlone: true) }
    } catch {
        fatalError(error.description)
    }
    return 0
}

@_cdecl("Fuzz_main")
func start(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments, checkOneInput)
}
