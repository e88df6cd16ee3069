import System

/// Message authentication code: HMAC with SHA-256 (RFC 2104), which only those who have the key can make.
package enum MessageCode {
    private static let blockLength = 64

    /// The code in lower-case hexadecimal digits.
    package static func sha256(of message: [UInt8], key: [UInt8]) -> String {
        var block = key
        if block.count > blockLength {
            var digest = SHA256()
            digest.update(block)
            block = digest.digest
        }
        block += [UInt8](repeating: 0, count: blockLength - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.digest)
        return outer.hexDigest
    }
}
