import Bytes

/// What LibraryThing puts into one cell: `Del Rey (2011), Edition: Reprint, Paperback, 528 pages`.
struct LibraryThingPublication {
    private(set) var publisher: Range<Int>
    /// The digits of the number of pages.
    private(set) var pages: Range<Int>?
    private(set) var format: EditionFormat?
    /// Whether a part names a film or a record.
    private(set) var isNoBook = false

    init(_ bytes: UnsafeRawBufferPointer) {
        publisher = Self.publisher(bytes)
        var left = publisher.upperBound..<bytes.count
        while !left.isEmpty {
            let end = bytes[left].firstIndex(of: UInt8(ascii: ",")) ?? left.upperBound
            let part = bytes.trimmedBlanks(in: left.lowerBound..<end)
            left = min(end + 1, left.upperBound)..<left.upperBound
            let text = UnsafeRawBufferPointer(rebasing: bytes[part])
            let digits = text.prefix { $0 &- 0x30 < 10 }.count
            if digits > 0, text.dropFirst(digits).elementsEqual(" pages".utf8) {
                pages = part.lowerBound..<part.lowerBound + digits
            } else if !text.starts(with: "Edition:".utf8), !part.isEmpty {
                format = EditionFormat(binding: text) ?? format
                isNoBook = isNoBook || NonBookWords.names(text)
            }
        }
    }

    /// What stands before the year in brackets; before the first comma where there is none.
    private static func publisher(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let bracket = bytes.indices.first { at in
            bytes[at] == UInt8(ascii: "(") && at + 5 < bytes.count && bytes[at + 5] == UInt8(ascii: ")")
                && bytes[(at + 1)...(at + 4)].allSatisfy { $0 &- 0x30 < 10 }
        }
        let end = bracket ?? bytes.firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
        let part = bytes.trimmedBlanks(in: 0..<end)
        return bytes[part].elementsEqual("Publisher Unknown".utf8) ? part.lowerBound..<part.lowerBound : part
    }
}
