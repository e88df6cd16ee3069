/// What a cell says where no reading is needed: the quick look that settles nearly every cell of an export.
enum PlainISBN {
    /// Nothing stands there.
    case absent
    /// Ten or thirteen digits whose check digit agrees, and how many stand there.
    case valid(ISBN, length: UInt8)
    /// Another notation, damage, or no number at all: ``ISBNReader`` reads it.
    case other

    /// Looks at a cell, bare or as `="…"`, by which Goodreads keeps spreadsheets from eating zeros.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count >= 3, bytes[0] == UInt8(ascii: "="), bytes[1] == UInt8(ascii: "\""),
            bytes[bytes.count - 1] == UInt8(ascii: "\"")
        {
            self.init(bare: UnsafeRawBufferPointer(rebasing: bytes[2..<(bytes.count - 1)]))
        } else {
            self.init(bare: bytes)
        }
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
