/// Names that a drawing refers to, each with a number. A long name is hashed where it is read, and numbers are compared.
struct NameNumbers {
    private(set) var all: [ArraySlice<UInt8>: Int] = [:]

    mutating func number(of name: ArraySlice<UInt8>) -> Int {
        if let known = all[name] { return known }
        let number = all.count
        all[name] = number
        return number
    }
}
