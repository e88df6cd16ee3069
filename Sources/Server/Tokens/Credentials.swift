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
        cookies(head).first { $0.name == name }?.value
    }

    /// All cookies, in their order.
    package static func cookies(_ head: RequestHead) -> [(name: String, value: String)] {
        head.values(of: "Cookie").flatMap { line in
            line.split(separator: ";").compactMap { pair -> (name: String, value: String)? in
                let halves = pair.split(separator: "=", maxSplits: 1)
                return halves.count == 2 ? (halves[0].filter { $0 != " " }, String(halves[1])) : nil
            }
        }
    }
}
