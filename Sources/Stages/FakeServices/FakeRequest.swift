import Services

/// A request as the fake server read it.
package struct FakeRequest: Sendable {
    package var method: String
    /// Path without the query, as it was sent.
    package var path: String
    /// The query's fields, unescaped.
    package var query: [String: String]
    /// By name in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    /// The first part of the path: `openlibrary`.
    package var service: String { path.split(separator: "/").first.map(String.init) ?? "" }

    /// Path and query apart.
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

/// What the fake server answers, and how well it behaves while it does.
package struct FakeReply: Sendable {
    /// How an answer goes out.
    package enum Manner: Sendable, Hashable {
        case well
        /// Only half of the body comes, then the connection ends.
        case cutOff
        /// The connection is reset before anything comes.
        case reset
        /// A byte now and then.
        case dripping
        /// Nothing comes until the asker gives up.
        case silent
    }

    package var status: Int
    package var fields: [String: String]
    package var body: [UInt8]
    package var manner: Manner
    /// Before anything comes.
    package var delayMilliseconds: Int
    /// What is wrong with it; nil where nothing is.
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

    /// A body of JSON.
    package static func json(_ text: String, status: Int = 200) -> FakeReply {
        FakeReply(status, Array(text.utf8), fields: ["Content-Type": "application/json"])
    }
}

/// A request that the fake server saw.
package struct ReceivedRequest: Sendable {
    package var request: FakeRequest
    /// Nanoseconds on the machine's clock that never goes back.
    package var at: UInt64
    /// What was wrong with the answer; nil where nothing was.
    package var fault: FakeFaults.Kind?

    package init(request: FakeRequest, at instant: UInt64, fault: FakeFaults.Kind?) {
        self.request = request
        at = instant
        self.fault = fault
    }

    package var path: String { request.path }
    /// The first part of the path: which of the services was asked.
    package var service: String { request.service }
}
