/// A value of a definition as it was written, before anything is known of its meaning: text, a list or a
/// mapping, each with its place.
package struct DefinitionNode: Sendable, Hashable {
    /// A key of a mapping and its value.
    package struct Entry: Sendable, Hashable {
        /// The key's text, quotes and escapes undone.
        package let key: String
        /// Where the key stands: what an error about the key itself points at.
        package let origin: ValueOrigin
        /// What stands behind it.
        package var value: DefinitionNode
    }

    /// What the value is; definitions have no fourth kind.
    package enum Content: Sendable, Hashable {
        /// Text. `quoted` tells `"null"`, which is a word, from `null`, which is nothing.
        case scalar(String, quoted: Bool)
        case sequence([DefinitionNode])
        /// Entries in the order of the file; no key stands twice.
        case mapping([Entry])
    }

    /// Text, a list or a mapping.
    package var content: Content
    /// Where the value begins.
    package let origin: ValueOrigin

    /// A value found at a place; an override makes one at its option.
    package init(_ content: Content, at origin: ValueOrigin) {
        self.content = content
        self.origin = origin
    }

    /// Whether nothing was said: a key without a value, `~` or `null`.
    package var isAbsent: Bool {
        guard case .scalar(let text, quoted: false) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The text, where it is text and was said.
    package var text: String? {
        guard !isAbsent, case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The entries, where it is a mapping.
    package var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The value of a key, where this is a mapping that has it.
    package subscript(key: String) -> DefinitionNode? {
        entries?.first { $0.key == key }?.value
    }

    /// What it is, for a sentence: `must be a list, not …`.
    package var words: String {
        switch content {
        case .scalar(let text, _): isAbsent ? "empty" : Self.quoted(text)
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// Whether a text, taken for an address, has what parts a password or a key from the rest of it.
    static func mayHoldSecret(_ text: String) -> Bool { text.contains { "@?#".contains($0) } }

    /// Text of the user's in a sentence of ours, which needs a few words of it, not a megabyte.
    static func quoted(_ text: String) -> String {
        // A `#` or `?` alone is a slip of the pen, and its writer should see it.
        let isQuery = text.contains("?") && text.contains("=")
        guard !text.contains("@"), !text.contains("://"), !isQuery else {
            return "a text that may hold a password"
        }
        let start = text.prefix(60)
        return start.endIndex == text.endIndex ? "`\(text)`" : "`\(start)…`"
    }
}
