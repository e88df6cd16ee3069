/// What a cell says where no reading is needed: the quick look that settles nearly every cell of an export.
enum PlainISBN {
    /// Nothing stands there.
    case absent
    /// Ten or thirteen digits whose check digit agrees, and how many stand there.
    case valid(ISBN, length: UInt8)
    /// Another notation, damage, or no number at all: ``ISBNReader`` reads it.
    case other

    /// Looks at a row's two cells together, as nearly every row of Goodreads has them: both numbers of one book or none, and
    /// each as `="…"`. Anything else is ``other``, though each cell by itself may be plain.
    @inline(__always)
    init(thirteen: UnsafeRawBufferPointer, ten: UnsafeRawBufferPointer) {
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

    /// Looks at a cell, bare or as `="…"`, by which Goodreads keeps spreadsheets from eating zeros.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count >= 3, Self.isWrapped(bytes) {
            self.init(bare: UnsafeRawBufferPointer(rebasing: bytes[2..<(bytes.count - 1)]))
        } else {
            self.init(bare: bytes)
        }
    }

    /// Whether `="` and `"` stand around a cell of at least three bytes.
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
