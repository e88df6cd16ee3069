/// Why a document could not be read, and where.
public struct JSONReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The document ends inside a value.
        case truncated
        /// A byte that JSON does not allow here (RFC 8259).
        case syntax
        /// A value of another kind than the reader was asked for.
        case unexpected(JSONKind)
        /// Nested deeper than ``JSONReader/depthLimit``.
        case tooDeep
        /// Something follows the document's one value.
        case trailingBytes
    }

    /// What is wrong.
    public var kind: Kind
    /// Offset in bytes from the start of the document.
    public var offset: Int

    /// An error at a byte of the document, counted from 0.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// One sentence, with the offset.
    public var description: String {
        let what =
            switch kind {
            case .truncated: "ends too early"
            case .syntax: "is not valid JSON"
            case .unexpected(let found): "holds an unexpected \(found)"
            case .tooDeep: "is nested too deeply"
            case .trailingBytes: "goes on after its value"
            }
        return "The JSON document \(what) at byte \(offset)."
    }
}

/// The kinds of a JSON value, as its first byte tells them.
public enum JSONKind: Sendable, Hashable {
    case object, array, string, number, bool, null
}
