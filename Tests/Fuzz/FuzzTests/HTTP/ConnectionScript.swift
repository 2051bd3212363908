// The first byte of an input says under which settings the server runs; then follow operations. The lower three bits
// of an operation's byte name it, the upper five are its operand.

/// What a client and a handler do to a server, one step after the other.
struct ConnectionScript {
    enum Step: Equatable {
        /// The client sends these bytes.
        case send([UInt8])
        case advance(Duration)
        /// The client takes what comes from now on, or does not.
        case read(Bool)
        /// The handler answers the oldest request that waits, in this manner.
        case answer(manner: Int)
        /// The client ends its side.
        case halfClose
        /// The client goes away.
        case close
        /// From now on this client acts; it connects when it is new.
        case client(Int)
        case drain
    }

    private static let pauses: [Duration] = [
        .milliseconds(1), .milliseconds(249), .milliseconds(251), .seconds(1), .seconds(2), .seconds(3), .seconds(5),
        .seconds(10), .seconds(11), .seconds(30), .seconds(31), .seconds(60), .seconds(61), .seconds(600),
    ]

    /// Requests that are sent by one byte.
    static let readyMade = [
        "GET /n HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /n HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /l HTTP/1.1\r\nHost: a\r\n\r\n", "GET /l HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /f HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /p HTTP/1.1\r\nHost: a\r\n\r\n", "GET /s HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /s HTTP/1.0\r\n\r\n", "GET /b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "HEAD /l HTTP/1.1\r\nHost: a\r\n\r\n", "PATCH /e HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /k HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /k HTTP/1.1\r\nHost: a\r\nContent-Length: 300\r\nExpect: 100-continue\r\n\r\n",
        "PUT /k HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "PUT /n HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
        "5\r\nhello\r\n", "0\r\n\r\n", "80\r\n" + String(repeating: "z", count: 128) + "\r\n",
        "0\r\nA: b\r\n\r\n", "\r\n", "GET /c HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /m HTTP/1.1\r\nHost: a\r\n\r\n", "BREW /n HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /n HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", String(repeating: "z", count: 300),
        "POST /k HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n",
        "POST /k HTTP/1.1\r\nHost: a\r\n\r\n", "GET /s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /g HTTP/1.1\r\nHost: a\r\n\r\n", "POST /l HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
    ]

    /// The bits that choose settings.
    let settings: UInt8
    let steps: [Step]

    init(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        settings = input.next()
        var steps: [Step] = []
        while !input.isAtEnd, steps.count < 200 {
            let byte = input.next()
            steps.append(Self.step(byte & 7, operand: Int(byte >> 3), &input))
        }
        self.steps = steps
    }

    private static func step(_ operation: UInt8, operand: Int, _ input: inout FuzzInput) -> Step {
        switch operation {
        case 0: .send(input.take(operand << 8 | Int(input.next())))
        case 1: .send(Array(readyMade[operand % readyMade.count].utf8))
        case 2: .advance(pauses[operand % pauses.count])
        case 3: .answer(manner: operand)
        case 4: operand & 1 == 0 ? .halfClose : .close
        case 5: .read(operand & 1 == 1)
        case 6: .client(operand % 3)
        default: operand == 31 ? .drain : .send(Array(repeating: UInt8(ascii: "z"), count: operand * 256))
        }
    }
}
