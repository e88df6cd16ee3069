package import Contract

/// A client's key for a request that it may send again: `Idempotency-Key`.
package enum IdempotencyKey {
    /// Maximum length in bytes.
    private static let most = 255

    /// A key as a client means it: the standard of the field puts it into quotes, most clients do not.
    package static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Why a text is no key; nil if it is one.
    package static func refusal(_ key: String) -> ResponseError? {
        let isKey =
            (1...most).contains(key.utf8.count)
            && key.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isKey
            ? nil
            : .invalidRequest(
                "idempotencyKey", value: key,
                reason: "A key has 1 to \(most) bytes, and no control characters.")
    }

    /// The failure of a request whose key belongs to another one. Its status is 422.
    package static func belongsToOther(_ key: String) -> ResponseError {
        .invalidRequest("idempotencyKey", value: key, reason: "The key belongs to another request.")
    }
}
