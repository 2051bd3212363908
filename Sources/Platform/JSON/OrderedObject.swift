/// Names in the order of the text, each once. Looking up a name is O(1).
@frozen package struct OrderedObject<Element: Sendable>: Sendable {
    @frozen package struct Member: Sendable {
        package let name: String
        @usableFromInline package var value: Element

        @inlinable init(name: String, value: Element) {
            self.name = name
            self.value = value
        }
    }

    /// Under this many members, comparing names is cheaper than hashing one.
    @inlinable static var searchLimit: Int { 8 }

    @usableFromInline package var members: [Member] = []
    @usableFromInline var index: [String: Int] = [:]

    @inlinable package init() {}
    @inlinable package var isEmpty: Bool { members.isEmpty }

    @inlinable package subscript(name: String) -> Element? {
        get { position(of: name).map { members[$0].value } }
        set {
            guard let newValue else { return }
            if let position = position(of: name) {
                members[position].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
                if members.count == Self.searchLimit + 1 {
                    for (position, member) in members.enumerated() { index[member.name] = position }
                } else if members.count > Self.searchLimit {
                    index[name] = members.count - 1
                }
            }
        }
    }

    @inlinable func position(of name: String) -> Int? {
        members.count > Self.searchLimit ? index[name] : members.firstIndex { $0.name == name }
    }
}

extension OrderedObject: Equatable where Element: Equatable {
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.members == right.members }
}

extension OrderedObject.Member: Equatable where Element: Equatable {}

extension OrderedObject: Hashable where Element: Hashable {
    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension OrderedObject.Member: Hashable where Element: Hashable {}
