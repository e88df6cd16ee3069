package import Contract

/// A client's key for a request that it may send again: `Idempotency-Key`.
package enum IdempotencyKey {
    /// A key as a client means it: the standard of the field puts it into quotes, most clients do not.
    package static func unquoted(_ text: String) -> String {
        guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Why a text is no key; nil if it is one.
    package static func refusal(_ key: String) -> ResponseError? {
        TextRule.key.accepts(key)
            ? nil : .invalidRequest("idempotencyKey", value: key, reason: TextRule.key.requirement)
    }

    /// The failure of a request whose key belongs to another one. Its status is 409.
    package static func belongsToOther(_ key: String) -> ResponseError {
        .invalidRequest("idempotencyKey", value: key, reason: "The key belongs to another request.")
    }
}
