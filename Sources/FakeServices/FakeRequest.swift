import Services

/// A request that the fake server received.
package struct FakeRequest: Sendable {
    package var method: String
    /// The path without the query, still escaped.
    package var path: String
    /// The query's fields, unescaped.
    package var query: [String: String]
    /// The header fields, with names in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    /// The first part of the path, such as `openlibrary`.
    package var service: String { path.split(separator: "/").first.map(String.init) ?? "" }

    /// Splits `target` into path and query.
    package init(method: String, target: String, fields: [String: String], body: [UInt8]) {
        self.method = method
        self.fields = fields
        self.body = body
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = [:]
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[URLText.unescaped(sides[0])] = sides.count > 1 ? URLText.unescaped(sides[1]) : ""
        }
    }
}

/// A response of the fake server, and how it is sent.
package struct FakeReply: Sendable {
    /// Manner of sending a response.
    package enum Manner: Sendable, Hashable {
        /// Correctly.
        case well
        /// Only half of the body is sent, then the connection is closed.
        case cutOff
        /// Only half of the head is sent, then the connection is closed.
        case cutOffInHead
        /// The connection is reset before anything is sent.
        case reset
        /// The body is sent one byte at a time, with pauses.
        case dripping
        /// Nothing is sent until the client gives up.
        case silent
    }

    package var status: Int
    package var fields: [String: String]
    package var body: [UInt8]
    package var manner: Manner
    /// Delay before the response in milliseconds.
    package var delayMilliseconds: Int
    /// Its fault; nil if there is none.
    package var fault: FakeFaults.Kind?

    package init(
        _ status: Int = 200, _ body: [UInt8] = [], fields: [String: String] = [:], manner: Manner = .well,
        delayMilliseconds: Int = 0
    ) {
        self.status = status
        self.body = body
        self.fields = fields
        self.manner = manner
        self.delayMilliseconds = delayMilliseconds
    }

    /// A response with a JSON body.
    package static func json(_ text: String, status: Int = 200) -> FakeReply {
        FakeReply(status, Array(text.utf8), fields: ["Content-Type": "application/json"])
    }
}

/// A request that the fake server received, with time and fault.
package struct ReceivedRequest: Sendable {
    package var request: FakeRequest
    /// Nanoseconds of the system's monotonic clock.
    package var at: UInt64
    /// The response's fault; nil if there was none.
    package var fault: FakeFaults.Kind?

    package init(request: FakeRequest, at instant: UInt64, fault: FakeFaults.Kind?) {
        self.request = request
        at = instant
        self.fault = fault
    }

    package var path: String { request.path }
    /// The service that was asked.
    package var service: String { request.service }
}
