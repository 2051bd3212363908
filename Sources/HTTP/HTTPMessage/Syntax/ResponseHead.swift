/// Status and fields of an answer, without those that frame it.
package struct ResponseHead: Sendable, Equatable {
    package var status: Status
    /// All but Date, Content-Length, Transfer-Encoding and Connection, which `ResponseWriter` adds.
    package var fields: Fields

    package init(_ status: Status, _ fields: Fields = Fields()) {
        self.status = status
        self.fields = fields
    }
}

package enum ResponseError: Error, Equatable, Sendable {
    /// A control byte other than HTAB, which could end the line and inject fields.
    case invalidFieldValue(name: String)
}

/// A preformatted `Date` line, renewed at most once a second; using it costs a copy of 37 bytes.
package struct DateLine: Sendable {
    package private(set) var bytes: [UInt8]
    private var unixSeconds: Int64

    package init(_ unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
        bytes = []
        bytes.reserveCapacity(8 + HTTPDate.byteCount)
        write()
    }

    /// Allocates nothing while nobody else holds `bytes`.
    package mutating func update(_ unixSeconds: Int64) {
        guard unixSeconds != self.unixSeconds else { return }
        self.unixSeconds = unixSeconds
        bytes.removeAll(keepingCapacity: true)
        write()
    }

    private mutating func write() {
        bytes.append(contentsOf: "Date: ".utf8)
        HTTPDate.append(unixSeconds, into: &bytes)
        bytes.append(0x0d)
        bytes.append(0x0a)
    }
}
