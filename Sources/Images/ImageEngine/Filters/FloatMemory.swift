/// Floats for C, freed with the value.
@safe struct FloatMemory: ~Copyable {
    let floats: UnsafeMutablePointer<Float>

    init(_ numbers: [Float]) {
        unsafe floats = .allocate(capacity: max(1, numbers.count))
        unsafe numbers.withUnsafeBufferPointer { numbers in
            guard let first = numbers.baseAddress else { return }
            unsafe floats.initialize(from: first, count: numbers.count)
        }
    }

    init(count: Int) {
        unsafe floats = .allocate(capacity: max(1, count))
        unsafe floats.initialize(repeating: 0, count: max(1, count))
    }

    deinit { unsafe floats.deallocate() }
}
