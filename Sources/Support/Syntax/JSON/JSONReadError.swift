/// Why a JSON document could not be read, and where.
package struct JSONReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem.
    package enum Kind: Sendable, Hashable {
        /// The document ends before its value does.
        case truncated
        /// A byte that JSON does not allow here (RFC 8259).
        case syntax
        /// A value of a different kind than requested.
        case unexpected(JSONKind)
        /// Nested deeper than ``JSONReader/depthLimit``.
        case tooDeep
        /// There are bytes after the document's value.
        case trailingBytes
    }

    /// The problem.
    package var kind: Kind
    /// Offset in bytes from the start of the document.
    package var offset: Int

    /// - Parameter offset: Offset in bytes from the start of the document.
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// One sentence, with the offset.
    package var description: String {
        let what =
            switch kind {
            case .truncated: "is truncated"
            case .syntax: "is not valid JSON"
            case .unexpected(let found): "contains an unexpected \(found)"
            case .tooDeep: "is nested too deeply"
            case .trailingBytes: "has extra bytes after its value"
            }
        return "The JSON document \(what) at byte \(offset)."
    }
}

/// The kinds of a JSON value. The first byte of a value decides its kind.
package enum JSONKind: Sendable, Hashable {
    case object, array, string, number, bool, null
}
