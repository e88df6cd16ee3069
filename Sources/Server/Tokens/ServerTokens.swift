import FoundationEssentials
package import System

/// The tokens of a server that more than one person reaches.
package struct ServerTokens: Sendable {
    /// Permission of a token.
    package enum Scope: String, Sendable, Hashable, CaseIterable {
        /// Searching.
        case search
        /// Imports and look-ups, and the jobs that were ordered with the same token.
        case `import`
        /// Everything, including all jobs.
        case admin
    }

    /// The sender of a request.
    package struct Access: Sendable, Hashable {
        /// The token's name; nil if the server has no tokens.
        package var name: String?
        package var scopes: Set<Scope>
        /// The library that jobs belong to; nil for the one that the request names.
        package var library: String?

        /// Everything is allowed, because the server has no tokens.
        package static let unrestricted = Access(name: nil, scopes: Set(Scope.allCases), library: nil)
        /// Nothing is allowed that needs a token.
        package static let none = Access(name: nil, scopes: [], library: nil)

        package func has(_ scope: Scope) -> Bool { scopes.contains(scope) || scopes.contains(.admin) }
    }

    private var tokens: [(hash: [UInt8], access: Access)] = []

    /// No tokens: no request is refused.
    package init() {}

    /// Reads a file. Each line has a name, the SHA-256 of the token in hexadecimal digits, its scopes separated by
    /// commas, and optionally the library that its jobs belong to. Empty lines and those that begin with `#` are
    /// ignored.
    ///
    /// - Throws: `.configuration` for a line that cannot be read.
    package init(parsing text: String, named path: String) throws(ETLError) {
        var names: Set<String> = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
            guard let name = words.first, !name.hasPrefix("#") else { continue }
            func failure(_ reason: String) -> ETLError {
                ETLError(
                    .configuration, "\(path):\(number + 1): \(reason).",
                    advice:
                        "Each line needs a name, the SHA-256 of the token, and scopes: search, import, admin."
                )
            }
            guard words.count == 3 || words.count == 4 else {
                throw failure("the line has \(words.count) words")
            }
            guard let hash = Self.bytes(words[1]), hash.count == 32 else {
                throw failure("the second word is not the SHA-256 of a token")
            }
            var scopes: Set<Scope> = []
            for word in words[2].split(separator: ",") {
                guard let scope = Scope(rawValue: String(word)) else {
                    throw failure("there is no scope `\(word)`")
                }
                scopes.insert(scope)
            }
            guard names.insert(name).inserted else { throw failure("the name `\(name)` occurs twice") }
            tokens.append(
                (hash, Access(name: name, scopes: scopes, library: words.count == 4 ? words[3] : nil)))
        }
    }

    /// Whether the server has tokens.
    package var isEmpty: Bool { tokens.isEmpty }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
            else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// Access that a token grants.
    package func access(_ token: String?) -> Access {
        guard !tokens.isEmpty else { return .unrestricted }
        guard let token else { return .none }
        let hash = Secret.hash(token)
        // All are compared, whether one has matched or not.
        var found = Access.none
        for (known, access) in tokens where Secret.isEqual(known, hash) { found = access }
        return found
    }
}
