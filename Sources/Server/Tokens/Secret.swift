import FoundationEssentials
import System

/// A token that cannot be guessed: 256 random bits, as 43 characters that need no escape in a URL.
package struct Secret: Sendable, Hashable {
    private static let byteCount = 32

    package let text: String

    /// Makes a new one. By default, the bits come from the system.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        var bits: [UInt8] = []
        for _ in 0..<Self.byteCount / 8 {
            withUnsafeBytes(of: generator.next() as UInt64) { bits.append(contentsOf: $0) }
        }
        text = Self.spelled(bits)
    }

    /// Base64 for URLs (RFC 4648 section 5), without padding.
    static func spelled(_ bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { digit in
                switch digit {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: digit
                }
            })
    }

    /// Stored form of a secret: its SHA-256.
    package static func hash(_ text: String) -> [UInt8] {
        var digest = SHA256()
        digest.update(Array(text.utf8))
        return digest.digest
    }

    /// Whether two hashes are equal. The time does not depend on where they differ.
    package static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in a.indices { difference |= a[index] ^ b[index] }
        return difference == 0
    }
}
