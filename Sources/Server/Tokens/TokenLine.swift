package import Books
import Bytes
import Contract
import FoundationEssentials
import System

/// A token in a file of tokens: a line with its name, its hash, its scopes, its library, and its end.
package struct TokenLine: Sendable, Hashable {
    /// Until when a token is valid.
    package enum End: Sendable, Hashable {
        case never
        /// The last day on which it is valid, in UTC.
        case after(CalendarDate)
        case revoked
    }

    /// Why a line cannot be read.
    struct Mistake: Error { let reason: String }

    private static let none = "-"
    private static let revoked = "revoked"

    package let name: String
    /// The token's SHA-256.
    package let hash: [UInt8]
    package let scopes: Set<ServerTokens.Scope>
    /// The library of its jobs; nil for the one that each names.
    package let library: String?
    package var end: End

    package init(
        name: String, _ secret: Secret, scopes: Set<ServerTokens.Scope>, library: String?, end: End
    ) {
        self.name = name
        hash = Secret.hash(secret.text)
        self.scopes = scopes
        self.library = library?.normalized(.c)
        self.end = end
    }

    /// Tells the holder of this token from everybody else, also from the one of a later token with its name, and from
    /// its own past in another library.
    package var owner: String {
        let digits = Self.hex(hash).prefix(16)
        return [name, String(digits), library ?? Self.none].joined(separator: " ")
    }

    /// Nil for an empty line and a comment.
    init?(_ line: Substring) throws(Mistake) {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0.isNewline }).map(String.init)
        guard let name = words.first, !name.hasPrefix("#") else { return nil }
        guard (3...5).contains(words.count) else {
            throw Mistake(reason: "the line has \(words.count) words")
        }
        guard let hash = Self.bytes(words[1]), hash.count == 32 else {
            throw Mistake(reason: "the second word is not the SHA-256 of a token")
        }
        var scopes: Set<ServerTokens.Scope> = []
        for word in words[2].split(separator: ",") {
            guard let scope = ServerTokens.Scope(rawValue: String(word)) else {
                throw Mistake(reason: "there is no scope `\(word)`")
            }
            scopes.insert(scope)
        }
        // Names that differ only in how letters are composed are one library.
        let library = words.count > 3 ? words[3].normalized(.c) : Self.none
        if !TextRule.library.accepts(library) {
            throw Mistake(reason: "the name of the library has more than 64 characters")
        }
        self.name = name
        self.hash = hash
        self.scopes = scopes
        self.library = library == Self.none ? nil : library
        end = words.count > 4 ? try Self.end(words[4]) : .never
    }

    private static func end(_ word: String) throws(Mistake) -> End {
        switch word {
        case none: return .never
        case revoked: return .revoked
        default:
            guard let day = CalendarDate(word), day.description == word, day.day > 0 else {
                throw Mistake(reason: "`\(word)` is not a date such as 2027-01-31")
            }
            return .after(day)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// The line, without its end.
    package var text: String {
        let end: String? =
            switch end {
            case .never: nil
            case .after(let day): day.description
            case .revoked: Self.revoked
            }
        var words = [name, Self.hex(hash), scopes.map(\.rawValue).sorted().joined(separator: ",")]
        if library != nil || end != nil { words.append(library ?? Self.none) }
        if let end { words.append(end) }
        return words.joined(separator: " ")
    }

    /// Milliseconds since 1970 from which the token is not valid any more; nil if it has no end.
    var endsAt: Int64? {
        switch end {
        case .never: return nil
        case .revoked: return .min
        case .after(let day):
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let parts = DateComponents(year: day.year, month: day.month, day: day.day)
            return calendar.date(from: parts).map { Int64($0.timeIntervalSince1970) * 1_000 + 86_400_000 }
        }
    }

    /// Its end for a list of tokens.
    package func words(at now: Int64) -> String {
        switch end {
        case .never: "never"
        case .revoked: Self.revoked
        case .after(let day): isValid(at: now) ? "\(day)" : "expired \(day)"
        }
    }

    /// Whether the token is valid.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func isValid(at now: Int64) -> Bool { endsAt.map { now < $0 } ?? true }
}
