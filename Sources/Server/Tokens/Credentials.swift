/// Finds the secrets of a request.
package enum Credentials {
    /// The cookie with the session of a browser.
    package static let cookieName = "etl_session"

    /// The token of `Authorization: Bearer TOKEN`; nil if there is none.
    package static func bearer(_ head: RequestHead) -> String? {
        guard let value = head["Authorization"] else { return nil }
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }

    /// The value of a cookie; nil if there is none.
    package static func cookie(_ head: RequestHead, named name: String = cookieName) -> String? {
        for line in head.values(of: "Cookie") {
            for pair in line.split(separator: ";") {
                let halves = pair.split(separator: "=", maxSplits: 1)
                guard halves.count == 2, halves[0].filter({ $0 != " " }) == name else { continue }
                return String(halves[1])
            }
        }
        return nil
    }
}
