/// A cell in the common notations. This quick parse decides nearly every cell of an export.
package enum PlainISBN {
    /// The cell is empty.
    case absent
    /// A valid number, and whether it has ten or thirteen digits.
    case valid(ISBN, length: UInt8)
    /// Another notation, damage, or not a number: ``ISBNReader`` parses it.
    case other

    /// Parses a row's two cells together, in the form almost every Goodreads row has: each as `="…"`, with
    /// both numbers of one book or none. Everything else is ``other``, even if each cell alone is plain.
    package init(thirteen: UnsafeRawBufferPointer, ten: UnsafeRawBufferPointer) {
        switch (thirteen.count, ten.count) {
        case (16, 13) where Self.isWrapped(thirteen) && Self.isWrapped(ten):
            let isbn = ISBN(
                thirteen: UnsafeRawBufferPointer(rebasing: thirteen[2..<15]),
                ten: UnsafeRawBufferPointer(rebasing: ten[2..<12]))
            self = isbn.map { .valid($0, length: 13) } ?? .other
        case (3, 3) where Self.isWrapped(thirteen) && Self.isWrapped(ten), (0, 0): self = .absent
        default: self = .other
        }
    }

    /// Parses one cell, bare or as `="…"`, which Goodreads writes so that spreadsheets keep leading zeros.
    package init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count >= 3, Self.isWrapped(bytes) {
            self.init(bare: UnsafeRawBufferPointer(rebasing: bytes[2..<(bytes.count - 1)]))
        } else {
            self.init(bare: bytes)
        }
    }

    /// Whether a cell of at least three bytes is wrapped in `="` and `"`.
    @inline(__always)
    private static func isWrapped(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[0] == UInt8(ascii: "=") && bytes[1] == UInt8(ascii: "\"")
            && bytes[bytes.count - 1] == UInt8(ascii: "\"")
    }

    @inline(__always)
    private init(bare bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 0: self = .absent
        case 10: self = ISBN(ten: bytes).map { .valid($0, length: 10) } ?? .other
        case 13: self = ISBN(thirteen: bytes).map { .valid($0, length: 13) } ?? .other
        default: self = .other
        }
    }
}
