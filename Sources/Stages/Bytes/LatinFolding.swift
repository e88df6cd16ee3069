/// The folded form of Latin letters with diacritics (U+00C0–U+017F) and of typographic punctuation, found by a table:
/// most names and titles outside ASCII hold nothing else, and Unicode's own tables cost fifty times as much.
///
/// The table is made from ``Folding/foldUnicode(_:into:)``, letter by letter, so the two cannot disagree.
enum LatinFolding {
    /// The text is beyond this table.
    static let unknown = UInt32.max
    /// An apostrophe: it belongs to its word and is left out.
    static let apostrophe = UInt32.max - 1

    /// Letters of the sequence of which the first byte has been read, one to three bytes, the first in the lowest
    /// bits; ``Folding/parting`` where it parts words.
    @inline(__always)
    static func letters(_ bytes: UnsafeRawBufferPointer, at index: inout Int) -> UInt32 {
        let head = bytes[index - 1]
        guard index < bytes.count, bytes[index] & 0xC0 == 0x80 else { return unknown }
        let second = bytes[index]
        if head &- 0xC3 < 3 {
            index += 1
            return table[Int(head &- 0xC3) << 6 | Int(second & 0x3F)]
        }
        // U+2010–U+2027: dashes, quotation marks, dots.
        guard head == 0xE2, second == 0x80, index + 1 < bytes.count, (0x90...0xA7).contains(bytes[index + 1])
        else { return unknown }
        index += 2
        return bytes[index - 1] == 0x99 ? apostrophe : Folding.parting
    }

    private static let table: [UInt32] = (0xC0...0x17F as ClosedRange<UInt32>).map { code in
        guard let scalar = Unicode.Scalar(code) else { return unknown }
        // Between two letters it shows whether it parts them.
        var folded: [UInt8] = []
        Folding.foldUnicode("a\(Character(scalar))a", into: &folded)
        let own = folded.dropFirst().dropLast()
        if own.elementsEqual([0x20]) { return Folding.parting }
        guard (1...3).contains(own.count), !own.contains(0x20) else { return unknown }
        return own.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
