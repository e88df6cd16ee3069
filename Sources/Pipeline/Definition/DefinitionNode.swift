/// An uninterpreted value of a definition: text, a list or a mapping, with its origin.
package struct DefinitionNode: Sendable, Hashable {
    /// A key of a mapping and its value.
    package struct Entry: Sendable, Hashable {
        /// The key's text, unquoted and unescaped.
        package let key: String
        /// Position of the key, for errors about the key itself.
        package let origin: ValueOrigin
        /// The key's value.
        package var value: DefinitionNode
    }

    /// The kinds of values.
    package enum Content: Sendable, Hashable {
        /// Text. `quoted` distinguishes `"null"`, which is text, from `null`, which is no value.
        case scalar(String, quoted: Bool)
        case sequence([DefinitionNode])
        /// Entries in the order of the file, with unique keys.
        case mapping([Entry])
    }

    /// The value itself.
    package var content: Content
    /// Position of the value.
    package let origin: ValueOrigin

    /// A value with its origin.
    package init(_ content: Content, at origin: ValueOrigin) {
        self.content = content
        self.origin = origin
    }

    /// Whether there is no value: a key without a value, `~` or `null`.
    package var isAbsent: Bool {
        guard case .scalar(let text, quoted: false) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The text; nil for other kinds and absent values.
    package var text: String? {
        guard !isAbsent, case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The entries; nil if it is not a mapping.
    package var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The value of a key; nil if this is not a mapping or does not have the key.
    package subscript(key: String) -> DefinitionNode? {
        entries?.first { $0.key == key }?.value
    }

    /// A description for messages, to complete "must be a list, not …".
    package var words: String {
        switch content {
        case .scalar(let text, _): isAbsent ? "empty" : Self.quoted(text)
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// Whether a text, read as a URL, has a character that can introduce a password or an API key.
    static func mayHoldSecret(_ text: String) -> Bool { text.contains { "@?#".contains($0) } }

    /// The user's text for use in a message: in backquotes, and shortened to 60 characters. Text that may
    /// contain a password is not shown.
    package static func quoted(_ text: String) -> String {
        // A `#` or `?` alone is probably a typo, and the user should see it.
        let isQuery = text.contains("?") && text.contains("=")
        guard !text.contains("@"), !text.contains("://"), !isQuery else {
            return "a text that may contain a password"
        }
        let start = text.prefix(60)
        return start.endIndex == text.endIndex ? "`\(text)`" : "`\(start)…`"
    }
}
