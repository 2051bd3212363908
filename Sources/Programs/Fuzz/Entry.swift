import FuzzTests
import Glibc

// libFuzzer brings a `main` and SwiftPM wants one of its own name; both come to libFuzzer's driver.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let targets = FuzzTarget.all(isAlone: true)

/// The target that VEDUTA_FUZZ names, or the program's own name behind `fuzz_`; nil for a list of all.
private let target: FuzzTarget? = {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? ""
    let called = program.hasPrefix("fuzz_") ? String(program.dropFirst(5)) : nil
    let name = called ?? getenv("VEDUTA_FUZZ").map { String(cString: $0) }
    return targets.first { $0.name == name }
}()

@_cdecl("LLVMFuzzerTestOneInput")
func checkOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(BrokenInvariant) {
        try target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError(error.description)
    }
    return 0
}

@_cdecl("Fuzz_main")
func start(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    guard target != nil else {
        for target in targets { print(target.name, target.longest, target.dictionary) }
        return 0
    }
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments, checkOneInput)
}
